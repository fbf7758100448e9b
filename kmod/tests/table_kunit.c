// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of compiling a section into rules: sections that real assemblers wrote
 * in three versions, files with several segments, and failed allocations.
 */
#include "support.h"

#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "golden.h"
#include "sframe_format.h"

/* How many allocations of code.c succeed before one fails; -1: all. */
static int allocs_left = -1;

static bool may_allocate(void)
{
	if (!allocs_left)
		return false;
	if (allocs_left > 0)
		allocs_left--;
	return true;
}

static void *failing_kvmalloc(size_t size, gfp_t gfp)
{
	return may_allocate() ? kvmalloc(size, gfp) : NULL;
}

#undef kvmalloc
#undef kvzalloc
#define kvmalloc(size, gfp) failing_kvmalloc(size, gfp)
#define kvzalloc(size, gfp) failing_kvmalloc(size, (gfp) | __GFP_ZERO)
#include "../code.c"
#undef kvmalloc
#undef kvzalloc

/* The program's executable segment: .init, .plt, .text, .fini. */
static const struct ustack_elf golden_elf = {
	.arch = &ustack_arch_x86_64,
	.nr_segments = 1,
	.segments = { { .off = 0x1000, .vaddr = 0x1000, .filesz = 0x1e1,
			.memsz = 0x1e1, .exec = true } },
	.nr_text = 1,
	.text = { { 0x1000, 0x11e1 } },
};

/* From the disassembly. @fp_based: CFA is based on FP; @fp: FP is at CFA-16. */
static const struct {
	u64 pc;
	s32 cfa_off;		/* 0: no row */
	bool fp_based;
	bool fp;
} golden_rules[] = {
	{ 0x1000, 0 },				/* _init */
	{ 0x1060, 8 },				/* main */
	{ 0x1061, 16 }, { 0x1089, 16 },
	{ 0x108a, 8 },	{ 0x108d, 8 },
	{ 0x108e, 0 },				/* padding */
	{ 0x1090, 0 },				/* _start */
	{ 0x1180, 8 },	{ 0x1183, 8 },		/* leaf */
	{ 0x1184, 0 },
	{ 0x1190, 8 },	{ 0x1195, 8 },		/* mid */
	{ 0x1196, 0x50 }, { 0x11a9, 0x50 },
	{ 0x11aa, 8 },	{ 0x11ad, 8 },
	{ 0x11ae, 0 },
	{ 0x11b0, 8 },				/* withfp */
	{ 0x11b1, 16, false, true },
	{ 0x11bf, 16, true, true }, { 0x11d6, 16, true, true },
	{ 0x11d7, 8 },				/* ret: FP was restored */
	{ 0x11d8, 0 },				/* _fini */
	{ 0x11e0, 0 },
};

static void check_golden(struct kunit *test, const u8 *bytes, size_t len)
{
	const struct ustack_rule *rule;
	struct ustack_build build;
	struct ustack_code *code;
	u8 *copy;
	int i;

	/* an allocation of its own, so that KASAN notices wrong reads */
	copy = kmemdup(bytes, len, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	code = ustack_code_build(copy, len, GOLDEN_VADDR, &golden_elf,
				 &ustack_machine, &build);
	kfree(copy);
	KUNIT_EXPECT_EQ(test, build.reason, USTACK_OK);
	KUNIT_ASSERT_NOT_NULL(test, code);
	KUNIT_EXPECT_EQ(test, code->rows, build.rows);
	KUNIT_EXPECT_EQ(test, USTACK_OK,
			ustack_table_check(&code->table, code->table.size));
	for (i = 0; i < ARRAY_SIZE(golden_rules); i++) {
		rule = ustack_code_lookup(code, golden_rules[i].pc);
		KUNIT_EXPECT_EQ_MSG(test, golden_rules[i].cfa_off,
				    rule ? rule->cfa_off : 0, "pc %#llx",
				    golden_rules[i].pc);
		if (!rule)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, rule->cfa,
				    golden_rules[i].fp_based ? USTACK_OP_FP :
							       USTACK_OP_SP,
				    "pc %#llx", golden_rules[i].pc);
		KUNIT_EXPECT_EQ(test, rule->ra, USTACK_OP_DEREF);
		KUNIT_EXPECT_EQ(test, rule->ra_off, -8);
		KUNIT_EXPECT_EQ_MSG(test, rule->fp,
				    golden_rules[i].fp ? USTACK_OP_DEREF : 0,
				    "pc %#llx", golden_rules[i].pc);
		KUNIT_EXPECT_EQ(test, rule->fp_off,
				golden_rules[i].fp ? -16 : 0);
	}
	/* far outside, below and above */
	KUNIT_EXPECT_NULL(test, ustack_code_lookup(code, 0));
	KUNIT_EXPECT_NULL(test, ustack_code_lookup(code, ~0ull));
	KUNIT_EXPECT_NULL(test, ustack_code_lookup(code, 1ull << 32));
	ustack_code_free(code);
}

static void golden_v1_rules(struct kunit *test)
{
	check_golden(test, golden_v1, sizeof(golden_v1));
}

static void golden_v2_rules(struct kunit *test)
{
	check_golden(test, golden_v2, sizeof(golden_v2));
}

static void golden_v3_rules(struct kunit *test)
{
	check_golden(test, golden_v3, sizeof(golden_v3));
}

/* All entries of a PLT share one pattern of rows. */
static void golden_plt(struct kunit *test)
{
	static const struct {
		u64 pc;
		s32 cfa_off;
	} want[] = {
		{ 0x1020, 16 }, { 0x1025, 16 }, { 0x1026, 24 }, { 0x102f, 24 },
		{ 0x1030, 8 },	{ 0x103a, 8 },	{ 0x103b, 16 }, { 0x103f, 16 },
		{ 0x1040, 8 },	{ 0x104a, 8 },	{ 0x104b, 16 }, { 0x104f, 16 },
	};
	const struct ustack_rule *rule;
	struct ustack_build build;
	struct ustack_code *code;
	int i;

	code = ustack_code_build(golden_v2, sizeof(golden_v2), GOLDEN_VADDR,
				 &golden_elf, &ustack_machine, &build);
	KUNIT_ASSERT_NOT_NULL(test, code);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		rule = ustack_code_lookup(code, want[i].pc);
		KUNIT_EXPECT_EQ_MSG(test, want[i].cfa_off,
				    rule ? rule->cfa_off : 0, "pc %#llx",
				    want[i].pc);
	}
	ustack_code_free(code);
}

/*
 * A section that is cut off anywhere is refused or understood, and never read
 * past its end.
 */
static void golden_cuts(struct kunit *test)
{
	struct ustack_build build;
	struct ustack_code *code;
	size_t len;
	u8 *copy;

	for (len = 0; len < sizeof(golden_v3); len++) {
		copy = kmemdup(golden_v3, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, copy);
		code = ustack_code_build(copy, len, GOLDEN_VADDR, &golden_elf,
					 &ustack_machine, &build);
		kfree(copy);
		KUNIT_EXPECT_NULL_MSG(test, code, "%zu bytes", len);
		KUNIT_EXPECT_NE_MSG(test, build.reason, USTACK_OK, "%zu bytes",
				    len);
		ustack_code_free(code);
	}
}

/* Any changed byte causes no crash, and a refusal has a reason with a name. */
static void golden_flips(struct kunit *test)
{
	struct ustack_build build;
	struct ustack_code *code;
	size_t i;
	u64 pc;
	u8 *copy;

	copy = kmemdup(golden_v3, sizeof(golden_v3), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (i = 0; i < 8 * sizeof(golden_v3); i++) {
		copy[i / 8] ^= 1 << i % 8;
		code = ustack_code_build(copy, sizeof(golden_v3), GOLDEN_VADDR,
					 &golden_elf, &ustack_machine, &build);
		copy[i / 8] ^= 1 << i % 8;
		KUNIT_EXPECT_NOT_NULL(test, ustack_reason_name(build.reason));
		KUNIT_EXPECT_EQ(test, !code, !!build.reason);
		for (pc = 0xff0; code && pc < 0x11f0; pc++)
			ustack_code_lookup(code, pc);
		ustack_code_free(code);
	}
	kfree(copy);
}

#define SEG_FUNCS 8u
#define SEG_BYTES (SEG_FUNCS * TEST_FUNC_BYTES)

/*
 * Three segments as placed by linkers that separate code from data: the
 * distance between file offset and address differs.
 */
static void several_segments(struct kunit *test)
{
	static const struct ustack_segment segments[] = {
		{ .off = 0, .vaddr = 0x400000, .filesz = 0x800 },
		{ .off = 0x1000, .vaddr = 0x401000, .filesz = SEG_BYTES },
		{ .off = 0x2000, .vaddr = 0x500000, .filesz = SEG_BYTES },
		{ .off = 0x3000, .vaddr = 0x403000, .filesz = SEG_BYTES },
		{ .off = 0x4000, .vaddr = 0x406000, .filesz = SEG_BYTES },
	};
	const u32 nr = 4 * SEG_FUNCS;
	const struct ustack_rule *rule;
	struct ustack_build build;
	struct ustack_code *code;
	struct ustack_elf *elf;
	u32 i, seg;
	u64 off;
	u8 *bytes;

	elf = kunit_kzalloc(test, sizeof(*elf), GFP_KERNEL);
	bytes = kunit_kzalloc(test, test_section_bytes(nr), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, elf);
	KUNIT_ASSERT_NOT_NULL(test, bytes);
	elf->arch = &ustack_arch_x86_64;
	for (i = 0; i < ARRAY_SIZE(segments); i++) {
		elf->segments[i] = segments[i];
		elf->segments[i].memsz = segments[i].filesz;
		elf->segments[i].exec = i;
		if (i)
			elf->text[elf->nr_text++] = (struct ustack_range){
				segments[i].vaddr,
				segments[i].vaddr + segments[i].filesz
			};
	}
	elf->nr_segments = i;
	test_section(bytes, nr, 0x600000, 8);
	for (i = 0; i < nr; i++) {
		seg = 1 + i / SEG_FUNCS;
		put_unaligned_le32((u32)(segments[seg].vaddr +
					 i % SEG_FUNCS * TEST_FUNC_BYTES -
					 0x600000),
				   bytes + SFRAME_HEADER_LEN +
					   i * SFRAME_V2_FDE_LEN);
		/* the CFA offset identifies the segment */
		bytes[SFRAME_HEADER_LEN + nr * SFRAME_V2_FDE_LEN + 3 * i + 2] =
			8 * seg;
	}
	code = ustack_code_build(bytes, test_section_bytes(nr), 0x600000, elf,
				 &ustack_machine, &build);
	KUNIT_EXPECT_EQ(test, build.reason, USTACK_OK);
	KUNIT_ASSERT_NOT_NULL(test, code);
	/* the third has the same distance as the first */
	KUNIT_EXPECT_EQ(test, code->nr_more, 2);
	for (seg = 1; seg < ARRAY_SIZE(segments); seg++)
		for (off = 0; off < SEG_BYTES; off++) {
			rule = ustack_code_lookup(code, segments[seg].off + off);
			KUNIT_EXPECT_EQ_MSG(test, rule ? rule->cfa_off : 0,
					    8 * seg, "offset %#llx",
					    segments[seg].off + off);
		}
	/* directly before and after each segment there is nothing */
	for (seg = 1; seg < ARRAY_SIZE(segments); seg++) {
		KUNIT_EXPECT_NULL(test, ustack_code_lookup(code,
							   segments[seg].off - 1));
		KUNIT_EXPECT_NULL(test,
				  ustack_code_lookup(code, segments[seg].off +
							   SEG_BYTES));
	}
	ustack_code_free(code);
}

static void no_memory(struct kunit *test)
{
	struct ustack_build build;
	struct ustack_code *code;
	int n;

	for (n = 0; n < 2; n++) {
		allocs_left = n;
		code = ustack_code_build(golden_v3, sizeof(golden_v3),
					 GOLDEN_VADDR, &golden_elf,
					 &ustack_machine, &build);
		KUNIT_EXPECT_NULL(test, code);
		KUNIT_EXPECT_EQ(test, build.reason, USTACK_NO_MEMORY);
	}
	allocs_left = -1;
	code = ustack_code_build(golden_v3, sizeof(golden_v3), GOLDEN_VADDR,
				 &golden_elf, &ustack_machine, &build);
	KUNIT_EXPECT_NOT_NULL(test, code);
	ustack_code_free(code);
	ustack_code_free(NULL);
}

/* A task that is being killed does not wait for a large section to compile. */
static void killed_task(struct kunit *test)
{
	const u32 few = 100, many = 10000;
	const u64 vaddr = TEST_TEXT + (u64)many * TEST_FUNC_BYTES;
	struct ustack_build build;
	struct ustack_code *code;
	struct ustack_elf *elf;
	u8 *bytes;

	elf = kunit_kzalloc(test, sizeof(*elf), GFP_KERNEL);
	bytes = kunit_kmalloc(test, test_section_bytes(many), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, elf);
	KUNIT_ASSERT_NOT_NULL(test, bytes);
	test_elf_headers(elf, many);
	test_section(bytes, many, vaddr, 8);
	sigaddset(&current->pending.signal, SIGKILL);
	set_tsk_thread_flag(current, TIF_SIGPENDING);
	code = ustack_code_build(bytes, test_section_bytes(many), vaddr, elf,
				 &ustack_machine, &build);
	KUNIT_EXPECT_NULL(test, code);
	KUNIT_EXPECT_EQ(test, build.reason, USTACK_INTERRUPTED);
	ustack_code_free(code);
	/* a small one is finished before the check for signals */
	test_section(bytes, few, vaddr, 8);
	code = ustack_code_build(bytes, test_section_bytes(few), vaddr, elf,
				 &ustack_machine, &build);
	KUNIT_EXPECT_EQ(test, build.reason, USTACK_OK);
	ustack_code_free(code);
	sigdelset(&current->pending.signal, SIGKILL);
	clear_tsk_thread_flag(current, TIF_SIGPENDING);
	test_section(bytes, many, vaddr, 8);
	code = ustack_code_build(bytes, test_section_bytes(many), vaddr, elf,
				 &ustack_machine, &build);
	KUNIT_EXPECT_EQ(test, build.reason, USTACK_OK);
	ustack_code_free(code);
}

/* Looks up every offset in a file of many functions. */
static void every_pc(struct kunit *test)
{
	const u32 nr = 5000;
	struct ustack_code *code = test_code(test, nr, 24);
	const struct ustack_rule *rule;
	u32 off, bad = 0;

	for (off = 0; off < TEST_TEXT + nr * TEST_FUNC_BYTES + 100; off++) {
		bool in = off >= TEST_TEXT &&
			  off < TEST_TEXT + nr * TEST_FUNC_BYTES;
		u8 base = off / TEST_FUNC_BYTES & 1 ? USTACK_OP_FP :
						      USTACK_OP_SP;

		rule = ustack_code_lookup(code, off);
		if (!rule != !in ||
		    (rule && (rule->cfa != base || rule->cfa_off != 24)))
			bad++;
	}
	KUNIT_EXPECT_EQ(test, bad, 0);
	ustack_code_free(code);
}

static void case_exit(struct kunit *test)
{
	allocs_left = -1;
	test_expect_clean(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(golden_v1_rules),
	KUNIT_CASE(golden_v2_rules),
	KUNIT_CASE(golden_v3_rules),
	KUNIT_CASE(golden_plt),
	KUNIT_CASE(golden_cuts),
	KUNIT_CASE(golden_flips),
	KUNIT_CASE(several_segments),
	KUNIT_CASE(no_memory),
	KUNIT_CASE(killed_task),
	KUNIT_CASE(every_pc),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_table",
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
