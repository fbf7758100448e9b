// SPDX-License-Identifier: GPL-2.0-only
/* Tests the interpreter: every instruction, and programs with faults. */
#include "maker.h"

#define ENTRY "0 r7+8 *(c-8) s"
#define CUT "lost: the program ends within an instruction, or has a number beyond 64 bits"
#define UNKNOWN "lost: an instruction is unknown"

#define X(want, ...) check_program(X86, P(__VA_ARGS__), want)
#define A(want, ...) check_program(A64, P(__VA_ARGS__), want)

static void test_function(void **state)
{
	/* push rbp; mov rbp, rsp; push rbx (not tracked); leave; ret */
	X(ENTRY "\n1 r7+16 *(c-8) *(c-16)\n4 r6+16 *(c-8) *(c-16)\n"
	  "51 r7+8 *(c-8) *(c-16)",
	  0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x41, 0x83, 3,
	  0x02, 46, 0x0c, 7, 8);
	/* stp x29, x30, [sp, #-32]!; mov x29, sp; ... ldp; ret */
	A("0 r31 s s\n4 r31+32 *(c-24) *(c-32)\n80 r31 s s",
	  0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x53, 0xde, 0xdd, 0x0e, 0);
}

static void test_advance(void **state)
{
	X(ENTRY "\n1 r7+16 *(c-8) s\n3 r7+24 *(c-8) s\n6 r7+32 *(c-8) s\n"
	  "10 r7+40 *(c-8) s\n12 r7+48 *(c-8) s",
	  0x41, 0x0e, 16, 0x02, 2, 0x0e, 24, 0x03, 3, 0, 0x0e, 32,
	  0x04, 4, 0, 0, 0, 0x0e, 40, 0x1d, 2, 0, 0, 0, 0, 0, 0, 0, 0x0e, 48);
	/* an advance by 0 makes no row; the last of several rules at a pc wins */
	X(ENTRY "\n1 r7+32 *(c-8) s", 0x41, 0x0e, 16, 0x40, 0x0e, 24, 0x02, 0, 0x0e, 32);
	X("0 r7+64 *(c-8) s", 0x0e, 64);
	/* equal rows become one, also if rules differ in between */
	X(ENTRY, 0x41, 0x83, 2, 0x41, 0x0e, 16, 0x0e, 8, 0x41, 0x8c, 3);
	A("0 r31 s s\n12 r31+16 s s", 0x02, 3, 0x0e, 16);
}

static void test_end(void **state)
{
	/* at and after the end no rule applies, and nothing is read */
	X(ENTRY "\n99 r7+16 *(c-8) s", 0x02, 99, 0x0e, 16, 0x41, 0x0e, 24);
	X(ENTRY, 0x02, 100, 0x0e, 16, 0x3f, 0x3f);
	X(ENTRY, 0x04, 0xff, 0xff, 0xff, 0xff, 0x0e, 16);
	X("lost: the location is beyond 64 bits",
	  0x1d, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
}

static void test_set_loc(void **state)
{
	static const u8 absolute[] = { 0 };
	struct cie cie = maker_default(X86);
	struct maker m = { .arch = X86, .encoding = 0 };
	struct reader r;

	cie.data = absolute;
	maker_cie(&m, &cie);
	maker_fde(&m, TEXT, 100, P(1, 0x10, 0x10, 0x40, 0, 0, 0, 0, 0, 0x0e, 16));
	maker_fde(&m, TEXT, 100, P(0x42, 1, 1, 0x10, 0x40, 0, 0, 0, 0, 0));
	maker_fde(&m, TEXT, 100, P(0x42, 1, 1, 0x10, 0x40));
	reader_init(&r, &m);
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), ENTRY "\n16 r7+16 *(c-8) s");
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), "lost: the location goes back");
	/* the entry is padded with zeros, but not with enough of them */
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), "lost: the entry ends within a pointer");
	reader_release(&r);
}

static void test_rules(void **state)
{
	X("0 r7+8 *(c-24) s", 0x05, 16, 3);
	X("0 r7+8 *(c+24) s", 0x11, 16, 0x7d);
	X("0 r7+8 *(c+16) s", 0x2f, 16, 2);
	X("0 r7+8 c-32 s", 0x14, 16, 4);
	X("0 r7+8 c+32 s", 0x15, 16, 0x7c);
	X("0 r7+8 u s", 0x07, 16);
	X("0 r7+8 s u", 0x08, 16, 0x07, 6);
	X("0 r7+8 r2 r9 r8", 0x09, 16, 2, 0x09, 6, 9, 0x09, 7, 8);
	X("0 r7+8 *[77a801] *[77f800] *[77a001]", 0x10, 16, 3, 0x77, 0xa8, 1,
	  0x10, 6, 3, 0x77, 0xf8, 0, 0x10, 7, 3, 0x77, 0xa0, 1);
	X("0 r7+8 [7208] s", 0x16, 16, 2, 0x72, 8);
	X("0 r7+8 [] s", 0x16, 16, 0);
	X("0 r7+8 *(c-8) s *(c-40)", 0x87, 5);
	/* rules of registers that are not tracked are read and ignored */
	X(ENTRY, 0x05, 3, 3, 0x11, 0x83, 1, 0x7d, 0x2f, 3, 2, 0x14, 3, 4, 0x15, 3, 4,
	  0x07, 3, 0x08, 3, 0x09, 3, 0xff, 0xff, 3, 0x10, 3, 1, 0x30, 0x16, 3, 1, 0x30);
	X("lost: a register has no such number", 0x09, 16, 0x80, 0x80, 4);
}

static void test_equal_expressions(void **state)
{
	/* the same bytes at another place are the same rule */
	X("0 r7+8 [7208] s\n2 r7+8 [7210] s", 0x16, 16, 2, 0x72, 8, 0x41,
	  0x16, 16, 2, 0x72, 8, 0x41, 0x16, 16, 2, 0x72, 16);
}

static void test_cfa(void **state)
{
	X("0 r6+16 *(c-8) s", 0x0c, 6, 16);
	X("0 r6-16 *(c-8) s", 0x12, 6, 2);
	X("0 r10+8 *(c-8) s", 0x0d, 10);
	X("0 r7 *(c-8) s", 0x0e, 0);
	X("0 r7+16 *(c-8) s", 0x13, 0x7e);
	X("0 [76780630] *(c-8) s\n1 r7+8 *(c-8) s",
	  0x0f, 4, 0x76, 0x78, 6, 0x30, 0x41, 0x0c, 7, 8);
	/* half of a CFA that has no register: undefined until the next whole one */
	X("0 u *(c-8) s\n1 r7+8 *(c-8) s",
	  0x0f, 2, 0x76, 0, 0x0e, 8, 0x41, 0x0c, 7, 8);
	X("0 u *(c-8) s", 0x0f, 2, 0x76, 0, 0x0d, 8, 0x0e, 16);
	X("lost: a register has no such number", 0x0d, 0x80, 0x80, 4);
}

static void test_restore(void **state)
{
	X(ENTRY "\n1 r7+8 *(c-16) *(c-16)\n2 r7+8 *(c-8) *(c-16)\n3 r7+8 *(c-8) s",
	  0x41, 0x90, 2, 0x86, 2, 0x41, 0xd0, 0x41, 0x06, 6);
	X(ENTRY "\n1 r7+8 *(c-8) s r8\n2 r7+8 *(c-8) s",
	  0x41, 0x09, 7, 8, 0x41, 0xc7, 0x06, 0x80, 1);
}

static void test_remember(void **state)
{
	/* nested states; the CFA is restored, too */
	X(ENTRY "\n1 r7+16 *(c-8) *(c-16)\n2 r6+16 *(c-8) *(c-16)\n"
	  "3 r7+16 *(c-8) *(c-16)\n4 r7+8 *(c-8) s",
	  0x0a, 0x41, 0x0e, 16, 0x86, 2, 0x0a, 0x41, 0x0d, 6, 0x41, 0x0b, 0x41, 0x0b);
	X("lost: a state is restored that was not remembered", 0x0a, 0x0b, 0x0b);
}

static void test_remember_deep(void **state)
{
	u8 program[2 * CFI_MAX_DEPTH + 1];

	memset(program, 0x0a, CFI_MAX_DEPTH);
	memset(program + CFI_MAX_DEPTH, 0x0b, CFI_MAX_DEPTH);
	check_program(X86, program, 2 * CFI_MAX_DEPTH, ENTRY);
	memset(program, 0x0a, sizeof(program));
	check_program(X86, program, CFI_MAX_DEPTH + 1,
		      "lost: states are remembered too deep");
}

/* push rbp; push rbx; ...; pop rbx: first rbx's column in place of rbp's, then rbp's */
static void test_watch(void **state)
{
	struct maker m;
	struct reader r;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16, 0x86, 2, 0x41, 0x0e, 24, 0x83, 3, 0x50, 0xc3));
	reader_init(&r, &m);
	cfi_watch(r.cfi, 3);
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), ENTRY "\n1 r7+16 *(c-8) s\n"
			    "2 r7+24 *(c-8) *(c-24)\n18 r7+24 *(c-8) s");
	cfi_watch(r.cfi, 6);
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), ENTRY "\n1 r7+16 *(c-8) *(c-16)\n"
			    "2 r7+24 *(c-8) *(c-16)");
	reader_release(&r);
}

static void test_ignored(void **state)
{
	X(ENTRY, 0x00, 0x2e, 0x90, 1, 0x41, 0x00);
	A("0 r31 s s\n4 r31+16 s s", 0x2d, 0x41, 0x2c, 0x0e, 16, 0x2d);
	X(UNKNOWN, 0x2d);
	X(UNKNOWN, 0x2c);
}

static void test_unknown(void **state)
{
	unsigned int op;
	u8 known[64] = { 0 };

	for (op = 0; op <= 0x16; op++)
		known[op] = 1;
	known[0x1d] = known[0x2e] = known[0x2f] = 1;
	for (op = 0; op < 64; op++)
		if (!known[op])
			X(UNKNOWN, 0x41, (u8)op, 0, 0, 0);
}

static void test_cut(void **state)
{
	static const u8 full[] = { 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a };
	static const u8 cut[][2] = {
		{ 0x0a, 0x02 }, { 0x03, 1 }, { 0x04, 1 }, { 0x1d, 1 },
		{ 0x0e, 0x80 }, { 0x0c, 7 }, { 0x05, 0x83 }, { 0x86, 0x80 },
		{ 0x13, 0x80 }, { 0x0f, 1 }, { 0x0f, 0x80 }, { 0x16, 16 },
		{ 0x09, 16 }, { 0x2e, 0x80 }, { 0x0a, 0x06 }, { 0x0a, 0x8f },
	};
	u8 program[sizeof(full)];
	u32 i;

	/* programs of just the length at which the entry needs no padding */
	for (i = 0; i < ARRAY_SIZE(cut); i++) {
		memcpy(program, full, sizeof(full));
		memcpy(program + sizeof(full) - 2, cut[i], 2);
		check_program(X86, program, sizeof(program), CUT);
	}
	check_program(X86, full, sizeof(full), ENTRY);
}

static void test_numbers(void **state)
{
	/* padding at the end of a number is allowed */
	X("0 r7+16 *(c-8) s", 0x0e, 0x90, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	  0x80, 0x80, 0x80, 0x80, 0x80, 0);
	X("0 r7+16 *(c-8) s", 0x13, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0xff, 0x7f);
	X("0 r7+9223372036854775807 *(c-8) s", 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0x7f);
	X("lost: an offset is beyond 64 bits", 0x0e, 0x80, 0x80, 0x80, 0x80, 0x80,
	  0x80, 0x80, 0x80, 0x80, 0x01);
	X(CUT, 0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02);
	X(CUT, 0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
	X(CUT, 0x13, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02);
	X("lost: an offset is beyond 64 bits", 0x86, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0x7f);
	X("lost: an offset is beyond 64 bits", 0x13, 0x80, 0x80, 0x80, 0x80, 0x80,
	  0x80, 0x80, 0x80, 0x80, 0x7f);
}

static void test_many_rows(void **state)
{
	u32 n = CFI_MAX_ROWS + 2, i;
	struct maker m;
	struct reader r;
	u8 *program = malloc(3 * n);

	for (i = 0; i < n; i++)
		memcpy(program + 3 * i, (u8[]){ 0x41, 0x0e, i & 1 ? 16 : 24 }, 3);
	maker_init(&m, X86);
	maker_fde(&m, TEXT, n + 2, program, 3 * (CFI_MAX_ROWS - 1));
	maker_fde(&m, TEXT, n + 2, program, 3 * n);
	reader_init(&r, &m);
	assert_true(reader_next(&r));
	assert_int_equal(r.fde.status, CFI_GOOD);
	assert_int_equal(r.fde.nr_rows, CFI_MAX_ROWS);
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), "lost: an entry has too many rows");
	reader_release(&r);
	free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_advance),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_set_loc),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_equal_expressions),
		cmocka_unit_test(test_cfa),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_remember),
		cmocka_unit_test(test_remember_deep),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_many_rows),
	};

	return cmocka_run_group_tests_name("cfi/run", tests, NULL, NULL);
}
