// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodings of compact unwinding, compared with those that compilers and assemblers made for
 * known code.
 */
#include <errno.h>

#include "bytes.h"
#include "darwin/unwind_decode.h"

static void means(enum unwind_arch arch, uint32_t encoding, const char *text)
{
	struct unwind_rule r;
	char buf[UNWIND_TEXT];
	struct diag d;

	assert_int_equal(unwind_decode(arch, encoding, &r, &d), 0);
	unwind_rule_text(arch, &r, buf, sizeof(buf));
	assert_string_equal(buf, text);
}

static void means_nothing(enum unwind_arch arch, uint32_t encoding, const char *text)
{
	struct unwind_rule r;
	struct diag d;

	assert_int_equal(unwind_decode(arch, encoding, &r, &d), -EBADMSG);
	assert_string_equal(d.text, text);
}

static void frames_of_x86(void **state)
{
	means(UNWIND_X86_64, 0x01000000, "frame cfa=rbp+16");
	means(UNWIND_X86, 0x01000000, "frame cfa=ebp+8");
	/* pushes of r15, r14, r13, r12, rbx */
	means(UNWIND_X86_64, 0x010558d1,
	      "frame cfa=rbp+16 rbx=[cfa-56] r12=[cfa-48] r13=[cfa-40] r14=[cfa-32] r15=[cfa-24]");
	/* pushes of r14, rbx; and with a hole between them */
	means(UNWIND_X86_64, 0x01020021, "frame cfa=rbp+16 rbx=[cfa-32] r14=[cfa-24]");
	means(UNWIND_X86_64, 0x01030101, "frame cfa=rbp+16 rbx=[cfa-40] r14=[cfa-24]");
	means(UNWIND_X86, 0x0103008d, "frame cfa=ebp+8 esi=[cfa-20] ebx=[cfa-16] ecx=[cfa-12]");
	means_nothing(UNWIND_X86_64, 0x01010006, "a register that frames do not save");
	means_nothing(UNWIND_X86_64, 0x01010007, "a register that frames do not save");
	means_nothing(UNWIND_X86_64, 0x01000001, "a register is saved above the frame pointer");
	means_nothing(UNWIND_X86, 0x01010008, "a register is saved above the frame pointer");
}

static void stacks_of_x86(void **state)
{
	means(UNWIND_X86_64, 0x02010000, "immediate cfa=rsp+8");
	means(UNWIND_X86_64, 0x02080000, "immediate cfa=rsp+64");
	means(UNWIND_X86_64, 0x02ff0000, "immediate cfa=rsp+2040");
	means(UNWIND_X86_64, 0x02020400, "immediate cfa=rsp+16 rbx=[cfa-16]");
	means(UNWIND_X86_64, 0x02061400,
	      "immediate cfa=rsp+48 rbx=[cfa-48] r12=[cfa-40] r13=[cfa-32] r14=[cfa-24] r15=[cfa-16]");
	/* pushes of ebp, ebx, edi, esi */
	means(UNWIND_X86, 0x020c1116,
	      "immediate cfa=esp+48 esi=[cfa-20] edi=[cfa-16] ebx=[cfa-12] ebp=[cfa-8]");
	means(UNWIND_X86_64, 0x03044400, "indirect cfa=rsp+imm32[start+4]+16 rbx=[cfa-16]");
	means(UNWIND_X86, 0x030df800,
	      "indirect cfa=esp+imm32[start+13]+28 ebx=[cfa-28] ecx=[cfa-24] edx=[cfa-20] edi=[cfa-16] esi=[cfa-12] ebp=[cfa-8]");
	means_nothing(UNWIND_X86_64, 0x02000000,
		      "the frame is too small for what is saved in it");
	means_nothing(UNWIND_X86_64, 0x02010400,
		      "the frame is too small for what is saved in it");
	means_nothing(UNWIND_X86_64, 0x02201c00, "more than six registers");
	means_nothing(UNWIND_X86_64, 0x03201c00, "more than six registers");
}

static void frames_of_arm64(void **state)
{
	means(UNWIND_ARM64, 0x04000000, "frame cfa=x29+16");
	means(UNWIND_ARM64, 0x54000001, "frame cfa=x29+16 x19=[cfa-24] x20=[cfa-32]");
	/* clang, for a function that saves d8 to d13 */
	means(UNWIND_ARM64, 0x04000700,
	      "frame cfa=x29+16 d8=[cfa-24] d9=[cfa-32] d10=[cfa-40] d11=[cfa-48] d12=[cfa-56] d13=[cfa-64]");
	means(UNWIND_ARM64, 0x04000800, "frame cfa=x29+16 d14=[cfa-24] d15=[cfa-32]");
	means(UNWIND_ARM64, 0x04000f1f,
	      "frame cfa=x29+16 x19=[cfa-24] x20=[cfa-32] x21=[cfa-40] x22=[cfa-48] x23=[cfa-56] x24=[cfa-64] x25=[cfa-72] x26=[cfa-80] x27=[cfa-88] x28=[cfa-96] "
	      "d8=[cfa-104] d9=[cfa-112] d10=[cfa-120] d11=[cfa-128] d12=[cfa-136] d13=[cfa-144] d14=[cfa-152] d15=[cfa-160]");
	/* bits 5 to 7 belong to no pair */
	means(UNWIND_ARM64, 0x040000e0, "frame cfa=x29+16");
	means(UNWIND_ARM64, 0x02000000, "frameless cfa=sp+0");
	means(UNWIND_ARM64, 0x02fff000, "frameless cfa=sp+65520");
	means(UNWIND_ARM64, 0x02002001,
	      "frameless cfa=sp+32 (registers are saved, but it is unknown where)");
}

static void what_is_not_here(void **state)
{
	static const enum unwind_arch archs[] = { UNWIND_X86, UNWIND_X86_64, UNWIND_ARM64 };
	uint32_t mode;
	size_t i;

	for (i = 0; i < 3; i++) {
		bool arm64 = archs[i] == UNWIND_ARM64;

		means(archs[i], 0, "none");
		means(archs[i], arm64 ? 0x03000000 : 0x04000000, "dwarf fde=0x0");
		means(archs[i], arm64 ? 0x53fffffe : 0x54fffffe, "dwarf fde=0xfffffe");
		for (mode = 5; mode < 16; mode++)
			means_nothing(archs[i], mode << 24, arm64 ?
				      "a mode that arm64 does not have" :
				      "a mode that x86 does not have");
	}
	means_nothing(UNWIND_ARM64, 0x01000000, "a mode that arm64 does not have");
	assert_int_equal(unwind_personality(0x54000001), 1);
	assert_int_equal(unwind_personality(0xbfffffff), 3);
}

/*
 * All arrangements of @nr of six registers, in the order of the dictionary, have ascending
 * numbers.
 */
static void arrange(unsigned int nr, unsigned int *list, unsigned int have, unsigned int *rank)
{
	static const uint16_t regs[] = { 3, 12, 13, 14, 15, 6 };
	struct unwind_rule r;
	unsigned int i, j;

	if (have == nr) {
		assert_int_equal(unwind_decode(UNWIND_X86_64, 0x02070000 | nr << 10 | *rank, &r,
					       NULL), 0);
		assert_int_equal(r.nr_saved, nr);
		for (i = 0; i < nr; i++) {
			assert_int_equal(r.saved[i].reg, regs[list[i]]);
			assert_int_equal(r.saved[i].off, -8 * (int)(nr + 1 - i));
		}
		++*rank;
		return;
	}
	for (i = 0; i < 6; i++) {
		for (j = 0; j < have && list[j] != i; j++)
			;
		if (j < have)
			continue;
		list[have] = i;
		arrange(nr, list, have + 1, rank);
	}
}

static void every_order_of_registers(void **state)
{
	static const unsigned int orders[] = { 1, 6, 30, 120, 360, 720, 720 };
	unsigned int list[6], nr, rank;

	for (nr = 0; nr <= 6; nr++) {
		rank = 0;
		arrange(nr, list, 0, &rank);
		assert_int_equal(rank, orders[nr]);
		for (; rank < 1024; rank++)
			means_nothing(UNWIND_X86_64, 0x02070000 | nr << 10 | rank,
				      "no order of so many registers has that number");
	}
}

static void texts_are_cut(void **state)
{
	struct unwind_rule r;
	char buf[8];

	memset(buf, 'x', sizeof(buf));
	assert_int_equal(unwind_decode(UNWIND_ARM64, 0x04000f1f, &r, NULL), 0);
	unwind_rule_text(UNWIND_ARM64, &r, buf, sizeof(buf));
	assert_string_equal(buf, "frame c");
}

/* Epilogues also restore registers that no encoding has: x30, and scratch registers. */
static void texts_of_edges(void **state)
{
	struct unwind_rule arm64 = { .kind = UNWIND_FRAMELESS, .size = 16, .nr_saved = 2,
				     .saved = { { 29, -16 }, { UNWIND_LR, -8 } } };
	struct unwind_rule x86_64 = { .kind = UNWIND_IMMEDIATE, .size = 16, .nr_saved = 1,
				      .saved = { { 2, -16 } } };
	char buf[UNWIND_TEXT];

	unwind_rule_text(UNWIND_ARM64, &arm64, buf, sizeof(buf));
	assert_string_equal(buf, "frameless cfa=sp+16 x29=[cfa-16] x30=[cfa-8]");
	unwind_rule_text(UNWIND_X86_64, &x86_64, buf, sizeof(buf));
	assert_string_equal(buf, "immediate cfa=rsp+16 r2=[cfa-16]");
	x86_64.saved[0].reg = 999;
	unwind_rule_text(UNWIND_X86, &x86_64, buf, sizeof(buf));
	assert_string_equal(buf, "immediate cfa=esp+16 r999=[cfa-16]");
}

static void processors(void **state)
{
	enum unwind_arch arch = UNWIND_X86;

	assert_true(unwind_arch_of(0x01000007, &arch));
	assert_int_equal(arch, UNWIND_X86_64);
	assert_true(unwind_arch_of(7, &arch));
	assert_int_equal(arch, UNWIND_X86);
	assert_true(unwind_arch_of(0x0100000c, &arch));
	assert_int_equal(arch, UNWIND_ARM64);
	assert_true(unwind_arch_of(0x0200000c, &arch));
	assert_int_equal(arch, UNWIND_ARM64);
	assert_false(unwind_arch_of(12, &arch));
	assert_false(unwind_arch_of(18, &arch));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_x86),
		cmocka_unit_test(stacks_of_x86),
		cmocka_unit_test(frames_of_arm64),
		cmocka_unit_test(what_is_not_here),
		cmocka_unit_test(every_order_of_registers),
		cmocka_unit_test(texts_are_cut),
		cmocka_unit_test(texts_of_edges),
		cmocka_unit_test(processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
