// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises call instructions before a return address (calls.h), for both architectures. This
 * judges guesses, so it shares no code with the core.
 */
#include <elf.h>
#include <string.h>

#include "calls.h"

/* length of an FF instruction, from its ModRM and SIB bytes */
static unsigned int ff_length(uint8_t modrm, uint8_t sib)
{
	unsigned int mod = modrm >> 6, rm = modrm & 7, len = 2;

	if (mod == 3)
		return len;
	len += rm == 4;
	if (mod == 1)
		return len + 1;
	if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5))
		return len + 4;
	return len;
}

/* call rel32, or call through a register or memory (FF /2) */
static bool x86_call_before(const uint8_t *code)
{
	unsigned int len;

	if (code[CALL_BYTES - 5] == 0xe8)
		return true;
	for (len = 2; len <= CALL_BYTES; len++) {
		const uint8_t *p = code + CALL_BYTES - len;

		if (p[0] == 0xff && (p[1] >> 3 & 7) == 2 &&
		    ff_length(p[1], len > 2 ? p[2] : 0) == len)
			return true;
	}
	return false;
}

/* BL, BLR, and BLR with authentication */
static bool arm64_call_before(const uint8_t *code)
{
	uint32_t insn;

	memcpy(&insn, code + CALL_BYTES - 4, 4);
	return (insn & 0xfc000000) == 0x94000000 || (insn & 0xfffffc1f) == 0xd63f0000 ||
	       (insn & 0xfffff81f) == 0xd63f081f || (insn & 0xfffff800) == 0xd73f0800;
}

bool call_before(uint32_t machine, const uint8_t *code)
{
	return machine == EM_X86_64 ? x86_call_before(code) : arm64_call_before(code);
}
