// SPDX-License-Identifier: GPL-2.0-only
/* arch_aarch64.c: the code that makes the frame's own record, and how far it is a proof. */
#include "code_aarch64.h"

#define STP_RECORD 0xa9bf7bfdu	/* stp x29, x30, [sp, #-16]! */
#define MOV_FP 0x910003fdu	/* mov x29, sp */

static const struct form stores_of[] = {
	{ 0xffc07fff, 0xa9807bfd },	/* stp x29, x30, [sp, #n]! */
	{ 0xffc07fff, 0xa9007bfd },	/* stp x29, x30, [sp, #n] */
};
static const struct form sets_of[] = {
	{ 0xff8003ff, 0x910003fd },	/* add x29, sp, #n */
};
static const struct form loads_of[] = {
	{ 0xffc07fff, 0xa8c07bfd },	/* ldp x29, x30, [sp], #n */
	{ 0xffc07fff, 0xa9407bfd },	/* ldp x29, x30, [sp, #n] */
};
/* Instructions that may lead around, or out of, the code that makes a record. */
static const struct form leaves_of[] = {
	{ 0xffffffff, 0xd65f03c0 },	/* ret */
	{ 0xfffffc1f, 0xd61f0000 },	/* br */
	{ 0xfc000000, 0x14000000 },	/* b */
	{ 0xfc000000, 0x94000000 },	/* bl */
	{ 0xfffffc1f, 0xd63f0000 },	/* blr */
	{ 0xff000010, 0x54000000 },	/* b.cond */
	{ 0x7c000000, 0x34000000 },	/* cbz, cbnz, tbz, tbnz */
};
/*
 * After these a function may end: those of the above after which execution does not continue.
 */
#define NR_LAST 5u
static const struct form begins_of[] = {
	{ 0xffffffff, 0xd503233f },	/* paciasp */
	{ 0xffffffff, BTI_C },
	{ 0xffc07fff, 0xa9807bfd },	/* stp x29, x30: see stores_of */
	{ 0xffc07fff, 0xa9007bfd },
};

/* Whether the code proves a record at word @pc of a function at word @entry. */
static bool owns(u32 entry, u32 pc, bool exact)
{
	struct ustack_state s = { .pc = CODE + 4 * (u64)pc, .exact = exact };

	f.mem.scanned = 0;
	return A64->owns_record(&f.mem, CODE + 4 * (u64)entry, &s);
}

static void put_nops(void)
{
	u32 i;

	for (i = 0; i < CODE_WORDS; i++)
		code[i] = NOP;
}

static bool makes_record(u32 insn)
{
	put_nops();
	PUT(32, insn, MOV_FP);
	return owns(32, 40, false);
}

static bool sets_record(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, insn);
	return owns(32, 40, false);
}

static bool leaves_record(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, insn, MOV_FP);
	return !owns(32, 40, false);
}

static bool takes_down(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, MOV_FP);
	code[37] = insn;
	assert_true(owns(32, 39, false));	/* not checked after a call */
	return !owns(32, 39, true);
}

static bool ends_function(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, MOV_FP, NOP, insn);
	return !owns(32, 40, false);
}

/* The same before padding: nops and zeroes. */
static bool ends_padded(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, MOV_FP, NOP, NOP, insn, NOP, 0, NOP);
	return !owns(32, 44, false);
}

static bool begins_function(u32 insn)
{
	put_nops();
	PUT(32, STP_RECORD, MOV_FP);
	code[36] = insn;
	return !owns(32, 40, false);
}

static void every_bit_of_records(void **state)
{
	static const struct {
		const char *name;
		bool (*is)(u32 insn);
		const struct form *forms;
		unsigned int nr;
	} kinds[] = {
		{ "store", makes_record, stores_of, ARRAY_SIZE(stores_of) },
		{ "set", sets_record, sets_of, ARRAY_SIZE(sets_of) },
		{ "load", takes_down, loads_of, ARRAY_SIZE(loads_of) },
		{ "leave", leaves_record, leaves_of, ARRAY_SIZE(leaves_of) },
		{ "end", ends_function, leaves_of, NR_LAST },
		{ "padded", ends_padded, leaves_of, NR_LAST },
		{ "begin", begins_function, begins_of, ARRAY_SIZE(begins_of) },
	};
	unsigned int k, i, bit;
	u32 insn;

	for (k = 0; k < ARRAY_SIZE(kinds); k++)
		for (i = 0; i < 2 * kinds[k].nr; i++)
			for (bit = 0; bit <= 32; bit++) {
				insn = kinds[k].forms[i / 2].value;
				insn |= i % 2 ? ~kinds[k].forms[i / 2].fixed : 0;
				insn ^= bit < 32 ? 1u << bit : 0;
				if (kinds[k].is(insn) !=
				    is_one_of(insn, kinds[k].forms, kinds[k].nr))
					fail_msg("%s: 0x%x", kinds[k].name, insn);
			}
}

/* The places where the instructions of a record may be, relative to the pc. */
static void where_records_are_made(void **state)
{
	u32 at;

	for (at = 1; at < USTACK_MAX_RECORD_INSNS + 4; at++) {
		put_nops();
		code[32] = STP_RECORD;
		code[32 + at] = MOV_FP;
		assert_int_equal(owns(32, 32 + at + 1, true), at < USTACK_MAX_RECORD_INSNS);
		assert_false(owns(32, 32 + at, true));
		assert_false(owns(32, 32 + at, false));
	}
	/* only one of the two, and both in the wrong order */
	put_nops();
	assert_false(owns(32, 40, false));
	code[32] = MOV_FP;
	code[33] = STP_RECORD;
	assert_false(owns(32, 40, false));
	/* a record before it that is not aligned */
	PUT(32, STP_RECORD, MOV_FP);
	assert_false(owns(32, 32, false) || owns(32, 31, true) || owns(32, 0, true));
	for (at = 33; at < 36; at++) {
		put_nops();
		PUT(at, STP_RECORD, MOV_FP);
		assert_false(owns(at, at + 3, true));
	}
	/* the record is removed in one of the last four instructions */
	for (at = 34; at < 44; at++) {
		put_nops();
		PUT(32, STP_RECORD, MOV_FP);
		code[at] = 0xa8c17bfd;	/* ldp x29, x30, [sp], #16 */
		assert_int_equal(owns(32, 43, true),
				 at < 43 - USTACK_MAX_EPILOGUE_INSNS || at >= 43);
	}
}

/* No function starts between two instructions, whatever a call through a PLT has in its slot. */
static void entries_are_aligned(void **state)
{
	static const u32 record[] = { STP_RECORD, MOV_FP };
	struct ustack_state s = { .pc = CODE + 4 * 40 };
	u64 entry = CODE + 4 * 32;
	u32 i;

	for (i = 0; i < 8; i++) {
		put_nops();
		fake_code(&f, entry + i, record, sizeof(record));
		assert_int_equal(A64->owns_record(&f.mem, entry + i, &s), !i);
	}
}

/* The last instruction that counts, how far a proof reaches, what it costs and must read. */
static void how_far_proofs_reach(void **state)
{
	u32 *more = (u32 *)fake_map(&f, CODE + 0x10000, 0x2000), i;
	struct ustack_state s = { .pc = CODE + 0x10000 + USTACK_MAX_FP_PROOF, .exact = true };

	put_nops();
	PUT(32, STP_RECORD, MOV_FP);
	code[39] = 0xd65f03c0;	/* ret: the next function is at word 40 */
	assert_true(owns(32, 39, true));
	assert_true(owns(32, 40, false));
	assert_false(owns(32, 40, true));
	assert_false(owns(32, 41, false));
	for (i = 0; i < 0x800; i++)
		more[i] = NOP;
	more[0] = STP_RECORD;
	more[1] = MOV_FP;
	f.mem.scanned = 0;
	assert_true(A64->owns_record(&f.mem, CODE + 0x10000, &s));
	assert_int_equal(f.mem.scanned, USTACK_MAX_FP_PROOF / 8 + 1);
	f.mem.scanned = USTACK_MAX_SCAN - 1;
	assert_true(A64->owns_record(&f.mem, CODE + 0x10000, &s));
	f.mem.scanned = USTACK_MAX_SCAN;
	assert_false(A64->owns_record(&f.mem, CODE + 0x10000, &s));
	f.mem.scanned = 0;
	s.pc += 4;
	assert_false(A64->owns_record(&f.mem, CODE + 0x10000, &s));
	s.exact = false;	/* the call is the previous instruction */
	assert_true(A64->owns_record(&f.mem, CODE + 0x10000, &s));
	/* code that cannot be read may be anything */
	PUT(CODE_WORDS - 16, STP_RECORD, MOV_FP);
	assert_true(owns(CODE_WORDS - 16, CODE_WORDS - 2, true));
	assert_false(owns(CODE_WORDS - 16, CODE_WORDS + 1, false));
	PUT(CODE_WORDS - 4, STP_RECORD, NOP, NOP, NOP);
	assert_false(owns(CODE_WORDS - 4, CODE_WORDS - 1, true));
	assert_false(owns(CODE_WORDS, CODE_WORDS + 3, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_bit_of_records),
		TEST(where_records_are_made),
		TEST(entries_are_aligned),
		TEST(how_far_proofs_reach),
	};

	return cmocka_run_group_tests_name("aarch64_records", tests, NULL, NULL);
}
