// SPDX-License-Identifier: GPL-2.0-only
/* Decodes encodings of compact unwinding, for each processor. */
#include "darwin/unwind_decode.h"

#include <errno.h>

#include "formats/macho/macho.h"

#include "util/poison.h"

#define NR_X86_REGS 6u
#define X86_FRAME_SLOTS 5u
#define D0 64u
/* bits of arm64's pairs: x19/x20 (bit 0) to x27/x28, d8/d9 (bit 8) to d14/d15 */
#define X_PAIRS 5u
#define D_PAIRS 4u
#define FIRST_D_PAIR 8u
#define PAIRS 0xf1fu

/* DWARF numbers of registers 1 to 6: rbx, r12 to r15, rbp; ebx, ecx, edx, edi, esi, ebp */
static const uint8_t x86_64_regs[NR_X86_REGS] = { 3, 12, 13, 14, 15, 6 };
static const uint8_t x86_regs[NR_X86_REGS] = { 3, 1, 2, 7, 6, 5 };

bool unwind_arch_of(uint32_t cputype, enum unwind_arch *ret)
{
	switch (cputype) {
	case MACHO_X86:
		*ret = UNWIND_X86;
		return true;
	case MACHO_X86_64:
		*ret = UNWIND_X86_64;
		return true;
	case MACHO_ARM64:
	case MACHO_ARM64_32:
		*ret = UNWIND_ARM64;
		return true;
	}
	return false;
}

static int bad(struct diag *diag, const char *text)
{
	return diag_set(diag, EBADMSG, NULL, "%s", text);
}

static void add(struct unwind_rule *r, unsigned int reg, int off)
{
	r->saved[r->nr_saved++] = (struct unwind_saved){ .reg = (uint16_t)reg,
							 .off = (int16_t)off };
}

/* @number: 1 to 6, from an encoding */
static unsigned int x86_reg(enum unwind_arch arch, unsigned int number)
{
	return arch == UNWIND_X86 ? x86_regs[number - 1] : x86_64_regs[number - 1];
}

static int word_of(enum unwind_arch arch)
{
	return arch == UNWIND_X86 ? 4 : 8;
}

/* Five slots upwards from the frame pointer minus the offset; each may hold a register. */
static int x86_frame(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *r,
		     struct diag *diag)
{
	int word = word_of(arch), offset = (int)(encoding >> 16 & 0xff);
	unsigned int number;
	int i;

	r->kind = UNWIND_FRAME;
	for (i = 0; i < (int)X86_FRAME_SLOTS; i++) {
		number = encoding >> 3 * i & 7;
		if (!number)
			continue;
		if (number >= NR_X86_REGS)
			return bad(diag, "a register that frames do not save");
		if (i >= offset)
			return bad(diag, "a register is saved above the frame pointer");
		add(r, x86_reg(arch, number), word * (i - offset - 2));
	}
	return 0;
}

/*
 * Decodes @rank, the number of an arrangement of @nr of the registers 1 to 6 in lexical order.
 * Each digit is an index among the registers that are left. Return: false if there is no such
 * arrangement.
 */
static bool arrangement(unsigned int nr, unsigned int rank, unsigned int ret[NR_X86_REGS])
{
	unsigned int digit[NR_X86_REGS], used = 0, left, number;
	int i;

	for (i = (int)nr - 1; i >= 0; i--) {
		left = NR_X86_REGS - (unsigned int)i;
		digit[i] = rank % left;
		rank /= left;
	}
	for (i = 0; i < (int)nr; i++) {
		for (number = 1; used >> number & 1 || digit[i]--; number++)
			;
		used |= 1u << number;
		ret[i] = number;
	}
	return !rank;
}

static int x86_saved(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *r,
		     struct diag *diag)
{
	unsigned int number[NR_X86_REGS], nr = encoding >> 10 & 7, i;

	if (nr > NR_X86_REGS)
		return bad(diag, "more than six registers");
	if (!arrangement(nr, encoding & 0x3ff, number))
		return bad(diag, "no order of so many registers has that number");
	for (i = 0; i < nr; i++)
		add(r, x86_reg(arch, number[i]), word_of(arch) * ((int)i - (int)nr - 1));
	return 0;
}

static int x86_frameless(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *r,
			 struct diag *diag)
{
	uint32_t word = (uint32_t)word_of(arch);
	int err;

	err = x86_saved(arch, encoding, r, diag);
	if (err)
		return err;
	if ((encoding >> 24 & 0xf) == 3) {
		r->kind = UNWIND_INDIRECT;
		r->code = encoding >> 16 & 0xff;
		r->adjust = (encoding >> 13 & 7) * word;
		return 0;
	}
	r->kind = UNWIND_IMMEDIATE;
	r->size = (encoding >> 16 & 0xff) * word;
	if (r->size < (r->nr_saved + 1) * word)
		return bad(diag, "the frame is too small for what is saved in it");
	return 0;
}

static int decode_x86(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *r,
		      struct diag *diag)
{
	switch (encoding >> 24 & 0xf) {
	case 0:
		return 0;
	case 1:
		return x86_frame(arch, encoding, r, diag);
	case 2:
	case 3:
		return x86_frameless(arch, encoding, r, diag);
	case 4:
		r->kind = UNWIND_DWARF;
		r->fde = encoding & 0xffffff;
		return 0;
	}
	return bad(diag, "a mode that x86 does not have");
}

/* The saved pairs follow each other downwards from the frame record; in each pair the first
 * register has the higher address.
 */
static void arm64_pairs(uint32_t encoding, struct unwind_rule *r)
{
	unsigned int i, reg;
	int off = -24;

	for (i = 0; i < FIRST_D_PAIR + D_PAIRS; i++) {
		if (!(encoding & PAIRS & 1u << i))
			continue;
		reg = i < X_PAIRS ? 19 + 2 * i : D0 + 8 + 2 * (i - FIRST_D_PAIR);
		add(r, reg, off);
		add(r, reg + 1, off - 8);
		off -= 16;
	}
}

static int decode_arm64(uint32_t encoding, struct unwind_rule *r, struct diag *diag)
{
	switch (encoding >> 24 & 0xf) {
	case 0:
		return 0;
	case 2:
		r->kind = UNWIND_FRAMELESS;
		r->size = (encoding >> 12 & 0xfff) * 16;
		r->unsure = encoding & PAIRS;
		return 0;
	case 3:
		r->kind = UNWIND_DWARF;
		r->fde = encoding & 0xffffff;
		return 0;
	case 4:
		r->kind = UNWIND_FRAME;
		arm64_pairs(encoding, r);
		return 0;
	}
	return bad(diag, "a mode that arm64 does not have");
}

int unwind_decode(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *ret,
		  struct diag *diag)
{
	struct unwind_rule r = { .kind = UNWIND_NONE };
	int err;

	if (arch == UNWIND_ARM64)
		err = decode_arm64(encoding, &r, diag);
	else
		err = decode_x86(arch, encoding, &r, diag);
	if (!err)
		*ret = r;
	return err;
}
