// SPDX-License-Identifier: GPL-2.0-only
/* The core's short look for calls on x86-64, beside the decoder that knows all instructions. */
#include "support.h"

#include "sframe/x86_insn.h"

#define CODE 0x555500000000ull
#define RA 0x40u	/* offset of the return address */

/* Whether an instruction that ends in front of the return address is a call, by the decoder. */
static bool ends_a_call(const u8 *code)
{
	struct x86_insn insn;
	u32 len;

	for (len = 2; len <= 7; len++)
		if (x86_insn_read(code + RA - len, len, CODE + RA - len, &insn) &&
		    insn.len == len && insn.kind == X86_CALL)
			return true;
	return false;
}

/* FF /2 with each ModRM, SIB and length. */
static void every_form_of_call(void **state)
{
	u32 modrm, sib, len, calls = 0;
	struct fake f;
	u64 target;
	u8 *code;

	fake_init(&f);
	code = fake_map(&f, CODE, 0x400);
	for (modrm = 0; modrm < 0x10000; modrm++) {
		sib = modrm >> 8;
		/* compilers make no far calls (/3) */
		if ((modrm >> 3 & 7) == 3 || (sib >> 3 & 7) == 3)
			continue;
		for (len = 2; len <= 7; len++) {
			memset(code, 0x01, RA);
			memcpy(code + RA - len, (const u8[]){ 0xff, (u8)modrm, (u8)sib },
			       len > 2 ? 3 : 2);
			if (X86->call_target(&f.mem, CODE + RA, &target) != ends_a_call(code))
				fail_msg("ModRM 0x%x, SIB 0x%x, %u bytes", modrm & 0xff, sib, len);
			calls += ends_a_call(code);
		}
	}
	assert_true(calls > 5000);
	fake_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_call),
	};

	return cmocka_run_group_tests_name("x86_insn", tests, NULL, NULL);
}
