/* SPDX-License-Identifier: GPL-2.0-only */
/* Code of AArch64 at an address, for tests of what arch_aarch64.c reads in it. */
#ifndef TESTS_CODE_AARCH64_H
#define TESTS_CODE_AARCH64_H

#include "support.h"

#define CODE 0xaaaa00000000ull
#define CODE_WORDS 0x100u

#define NOP 0xd503201fu
#define BTI_C 0xd503245fu
#define STP_X16_X30 0xa9bf7bf0u
#define ADRP_X16 0xb0000090u	/* adrp x16, page */
#define LDR_X17 0xf947fe11u	/* ldr x17, [x16, #4088] */
#define ADD_X16 0x913fe210u	/* add x16, x16, #0xff8 */
#define AUTIA1716 0xd503219fu
#define BR_X17 0xd61f0220u

static struct fake f;
static u32 *code;

static int setup(void **state)
{
	u32 i;

	fake_init(&f);
	code = (u32 *)fake_map(&f, CODE, CODE_WORDS * 4);
	for (i = 0; i < CODE_WORDS; i++)
		code[i] = NOP;
	return 0;
}

static int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

static void put(u32 at, const u32 *words, u32 n)
{
	memcpy(code + at, words, n * sizeof(*words));
}

#define PUT(at, ...) \
	put(at, (const u32[]){ __VA_ARGS__ }, sizeof((const u32[]){ __VA_ARGS__ }) / 4)

/* Forms of instructions, as in the Arm ARM: the fixed bits, and their value. */
struct form {
	u32 fixed;
	u32 value;
};

static bool is_one_of(u32 insn, const struct form *forms, unsigned int nr)
{
	while (nr--)
		if ((insn & forms[nr].fixed) == forms[nr].value)
			return true;
	return false;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
