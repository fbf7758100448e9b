// SPDX-License-Identifier: GPL-2.0-only
/* arch_aarch64.c: PLT code, trampolines and calls by their instructions. */
#include "code_aarch64.h"

static bool after_call(struct ustack_mem *mem, u64 ra)
{
	u64 target;

	return ustack_arch_aarch64.call_target(mem, ra, &target);
}

/* CFA - SP at word @i; -1 if it is not PLT code. */
static s32 cfa_at(u32 i)
{
	struct ustack_rule rule;

	if (!A64->stub(&f.mem, CODE + 4 * (u64)i, &rule))
		return -1;
	assert_int_equal(rule.cfa, USTACK_OP_SP);
	assert_int_equal(rule.ra, USTACK_OP_NONE);	/* LR */
	assert_int_equal(rule.fp, USTACK_OP_NONE);
	assert_int_equal(rule.flags, 0);
	return rule.cfa_off;
}

static void lazy_plt(void **state)
{
	PUT(8, STP_X16_X30, ADRP_X16, LDR_X17, ADD_X16, BR_X17, NOP, NOP, NOP);
	PUT(16, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	PUT(20, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(7), -1);
	assert_int_equal(cfa_at(8), 0);
	assert_int_equal(cfa_at(9), 16);
	assert_int_equal(cfa_at(10), 16);
	assert_int_equal(cfa_at(11), 16);
	assert_int_equal(cfa_at(12), 16);
	assert_int_equal(cfa_at(13), -1);	/* padding */
	assert_int_equal(cfa_at(16), 0);
	assert_int_equal(cfa_at(19), 0);
	assert_int_equal(cfa_at(20), 0);
	assert_int_equal(cfa_at(23), 0);
	assert_int_equal(cfa_at(24), -1);
}

/* Entries directly after PLT0, without its padding (LLVM's layout) */
static void plt_without_padding(void **state)
{
	PUT(8, STP_X16_X30, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	PUT(13, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(12), 16);
	assert_int_equal(cfa_at(13), 0);
	assert_int_equal(cfa_at(16), 0);
}

static void plt_with_branch_targets(void **state)
{
	PUT(8, BTI_C, STP_X16_X30, ADRP_X16, LDR_X17, ADD_X16, BR_X17, NOP, NOP);
	PUT(16, BTI_C, ADRP_X16, LDR_X17, ADD_X16, BR_X17, NOP);
	assert_int_equal(cfa_at(8), 0);
	assert_int_equal(cfa_at(9), 0);
	assert_int_equal(cfa_at(10), 16);
	assert_int_equal(cfa_at(13), 16);
	assert_int_equal(cfa_at(16), 0);
	assert_int_equal(cfa_at(20), 0);
	assert_int_equal(cfa_at(21), -1);
}

static void plt_with_pointer_authentication(void **state)
{
	PUT(16, BTI_C, ADRP_X16, LDR_X17, ADD_X16, AUTIA1716, BR_X17);
	PUT(22, ADRP_X16, LDR_X17, ADD_X16, AUTIA1716, BR_X17, NOP);
	assert_int_equal(cfa_at(16), 0);
	assert_int_equal(cfa_at(20), 0);
	assert_int_equal(cfa_at(21), 0);
	assert_int_equal(cfa_at(22), 0);
	assert_int_equal(cfa_at(26), 0);
}

/* GNU ld puts a nop in place of add x16, x16, #0: one slot in 512 is at the start of a page. */
static void plt_without_an_add(void **state)
{
	u32 i;

	PUT(8, STP_X16_X30, ADRP_X16, LDR_X17, NOP, BR_X17, NOP, NOP, NOP);
	PUT(16, ADRP_X16, LDR_X17, NOP, BR_X17);
	PUT(20, BTI_C, ADRP_X16, LDR_X17, NOP, AUTIA1716, BR_X17);
	for (i = 9; i < 13; i++)
		assert_int_equal(cfa_at(i), 16);
	for (i = 16; i < 26; i++)
		assert_int_equal(cfa_at(i), 0);
	assert_int_equal(cfa_at(13), -1);
	/* there only */
	PUT(16, LDR_X17, ADRP_X16, NOP, BR_X17);
	assert_int_equal(cfa_at(17), -1);
	PUT(16, ADRP_X16, LDR_X17, NOP, NOP, BR_X17);
	assert_int_equal(cfa_at(16), -1);
	PUT(16, ADRP_X16, LDR_X17, NOP, 0xd61f0200u /* br x16 */);
	assert_int_equal(cfa_at(16), -1);
}

static void code_that_is_no_plt(void **state)
{
	struct ustack_rule rule;

	PUT(16, ADRP_X16, LDR_X17, ADD_X16, 0xd61f0200u /* br x16 */);
	assert_int_equal(cfa_at(16), -1);
	PUT(16, ADRP_X16, LDR_X17, NOP, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(16), -1);
	assert_int_equal(cfa_at(19), 0);	/* as likely one as not */
	PUT(16, 0xb0000091u /* adrp x17 */, LDR_X17, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(16), -1);
	PUT(16, ADRP_X16, 0xf947fe31u /* ldr x17, [x17] */, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(16), -1);
	PUT(16, ADRP_X16, STP_X16_X30, ADRP_X16, BR_X17, NOP);
	assert_int_equal(cfa_at(16), -1);
	/* seven instructions are not an entry */
	PUT(16, ADRP_X16, LDR_X17, ADD_X16, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(16), -1);
	assert_int_equal(cfa_at(17), 0);
	/* a push that is seven instructions after PLT0's is not one either */
	PUT(7, STP_X16_X30, ADD_X16, ADD_X16, ADD_X16, ADD_X16, ADD_X16, ADD_X16);
	PUT(14, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	assert_int_equal(cfa_at(13), 16);
	assert_int_equal(cfa_at(14), 0);
	PUT(7, NOP);
	assert_int_equal(cfa_at(14), 0);
	PUT(16, ADRP_X16, LDR_X17, ADD_X16, ADRP_X16, LDR_X17, ADD_X16, BR_X17);
	/* between instructions */
	assert_false(A64->stub(&f.mem, CODE + 4 * 17 + 2, &rule));
	/* memory that does not exist */
	assert_int_equal(cfa_at(CODE_WORDS), -1);
	PUT(0, ADRP_X16, LDR_X17, ADD_X16, BR_X17);	/* no instruction before it */
	assert_int_equal(cfa_at(0), 0);
	PUT(CODE_WORDS - 3, ADRP_X16, LDR_X17, ADD_X16);
	assert_int_equal(cfa_at(CODE_WORDS - 3), -1);
}

static bool trampoline(u32 i, bool exact)
{
	return A64->is_sigreturn(&f.mem, CODE + 4 * (u64)i, exact);
}

static bool bottom(u32 i)
{
	return A64->is_bottom(&f.mem, CODE + 4 * (u64)i);
}

static void bottoms(void **state)
{
	/* glibc's __startcontext: mov x0, x19; cbnz x0, with and without bti c */
	PUT(16, 0xaa1303e0u, 0xb5ffd820u);
	assert_true(bottom(16));
	assert_false(bottom(17));
	assert_false(A64->is_bottom(&f.mem, CODE + 4 * 16 + 1));
	PUT(20, 0xd503245fu, 0xaa1303e0u, 0xb5ffd820u);
	assert_true(bottom(20));
	PUT(16, 0xaa1303e0u, 0xb5ffd821u);	/* of x1 */
	assert_false(bottom(16));
	/* Boost's finish: mov x0, #0; bl */
	PUT(24, 0xd2800000u, 0x97ffffe0u);
	assert_true(bottom(24));
	PUT(24, 0xd2800000u, 0x17ffffe0u);	/* b */
	assert_false(bottom(24));
	/* clone(): mov x8, #93; svc #0 */
	PUT(28, 0xd2800ba8u, 0xd4000001u);
	assert_true(bottom(28));
	PUT(28, 0xd2800bc8u, 0xd4000001u);	/* exit_group() */
	assert_false(bottom(28));
	PUT(28, 0xd2800ba8u, NOP);
	assert_false(bottom(28));
	/* bti c, and code that cannot be read */
	PUT(CODE_WORDS - 2, 0xd503245fu, 0xaa1303e0u);
	assert_false(bottom(CODE_WORDS - 2));
	PUT(CODE_WORDS - 1, 0xd503245fu);
	assert_false(bottom(CODE_WORDS - 1));
	assert_false(bottom(CODE_WORDS));
}

static void sigreturn_trampolines(void **state)
{
	PUT(16, 0xd2801168u, 0xd4000001u);
	assert_true(trampoline(16, false));
	assert_true(trampoline(16, true));
	assert_true(trampoline(17, true));
	assert_false(trampoline(17, false));
	assert_false(trampoline(15, true));
	assert_false(A64->is_sigreturn(&f.mem, CODE + 4 * 16 + 1, true));
	PUT(20, 0xd2801148u, 0xd4000001u);	/* system call 138 */
	assert_false(trampoline(20, true));
	assert_false(trampoline(21, true));
	PUT(24, 0xd2801168u, NOP);
	assert_false(trampoline(24, true));
	PUT(CODE_WORDS - 2, 0xd2801168u, 0xd4000001u);
	assert_true(trampoline(CODE_WORDS - 2, false));
	assert_false(trampoline(CODE_WORDS, false));
}

static void after_a_call(void **state)
{
	static const u32 calls[] = {
		0x94000000, 0x97ffffff,		/* bl */
		0xd63f0000, 0xd63f03c0,		/* blr x0, x30 */
		0xd73f0841, 0xd73f0c41,		/* blraa, blrab x2, x1 */
		0xd63f085f, 0xd63f0c5f,		/* blraaz, blrabz x2 */
	};
	static const u32 others[] = {
		0x14000000,			/* b */
		0xd61f0000,			/* br x0 */
		0xd65f03c0,			/* ret */
		0xd61f0a1f, NOP, 0, 0xffffffff,
		0xd63f0001, 0xd63f0010,		/* not allocated */
		0x54000000,			/* b.eq */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		code[16] = calls[i];
		if (!after_call(&f.mem, CODE + 4 * 17))
			fail_msg("call 0x%x not seen", calls[i]);
		assert_false(after_call(&f.mem, CODE + 4 * 16));
		assert_false(after_call(&f.mem, CODE + 4 * 17 + 1));
		assert_false(after_call(&f.mem, CODE + 4 * 17 + 2));
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		code[16] = others[i];
		if (after_call(&f.mem, CODE + 4 * 17))
			fail_msg("0x%x taken for a call", others[i]);
	}
	code[0] = 0x94000000;
	assert_true(after_call(&f.mem, CODE + 4));
	assert_false(after_call(&f.mem, CODE));
	assert_false(after_call(&f.mem, CODE + 4 * CODE_WORDS + 4));
}

/* The target of a call: directly, or through PLT code; 0 for a call by register. */
static u64 target_of(u32 ra)
{
	u64 target = 0xdead;

	assert_true(A64->call_target(&f.mem, CODE + 4 * (u64)ra, &target));
	return target;
}

static void targets_of_calls(void **state)
{
	u64 to = 0xbbbb00001234ull;

	code[16] = 0x94000000 | 4;
	assert_true(target_of(17) == CODE + 4 * 20);
	code[16] = 0x94000000 | (0x3ffffff & -8);
	assert_true(target_of(17) == CODE + 4 * 8);
	code[16] = 0xd63f0020;
	assert_true(target_of(17) == 0);
	code[16] = 0x94000000 | 0x2000000;	/* the farthest possible distance backwards */
	assert_true(target_of(17) == CODE + 4 * 16 - (1u << 27));
	/* adrp of this page, ldr of the slot at word 128 */
	memcpy(&code[128], &to, sizeof(to));
	PUT(20, 0x90000010u, 0xf9400211u | 64 << 10, ADD_X16, BR_X17);
	PUT(24, BTI_C, 0x90000010u, 0xf9400211u | 64 << 10, ADD_X16, BR_X17);
	code[16] = 0x94000000 | 4;
	assert_true(target_of(17) == to);
	code[16] = 0x94000000 | 8;
	assert_true(target_of(17) == to);
	code[20] = 0xf0fffff0u;	/* the page before it does not exist */
	code[16] = 0x94000000 | 4;
	assert_true(target_of(17) == CODE + 4 * 20);
	fake_map(&f, CODE - 0x1000, 0x1000);
	fake_poke(&f, CODE - 0x1000 + 8 * 64, to + 1);
	assert_true(target_of(17) == to + 1);
	code[20] = 0xb0000010u;			/* and the page after it */
	fake_map(&f, CODE + 0x1000, 0x1000);
	fake_poke(&f, CODE + 0x1000 + 8 * 64, to + 2);
	assert_true(target_of(17) == to + 2);
}

/*
 * A sampled function whose return address is in LR: no instruction from its entry to the pc has
 * stored it.
 */
static bool leaf_at(u32 pc, u32 ra, struct ustack_state *ret)
{
	const struct ustack_state s = {
		.pc = CODE + 4 * (u64)pc, .sp = 0x7ffc1000, .fp = 0x7ffc2000,
		.lr = (CODE + 4 * (u64)ra) | 0x5aull << 56,
		.regs_in = USTACK_REGS_SAMPLE, .exact = true,
	};

	f.mem.ra_mask = (1ull << 48) - 1;
	f.mem.user_end = 1ull << 48;
	return A64->leaf(&f.mem, &s, ret);
}

static void leaf_functions(void **state)
{
	static const u32 saves[] = {
		0xa9bf7bfd,	/* stp x29, x30, [sp, #-16]! */
		0xa9017bfd,	/* stp x29, x30, [sp, #16] */
		0xa9bf7ffe,	/* stp x30, xzr, [sp, #-16]! */
		0xf81f0ffe,	/* str x30, [sp, #-16]! */
		0xf9000bfe,	/* str x30, [sp, #16] */
		0xd65f03c0,	/* ret */
		0xd42000a0,	/* brk #5: a uprobe in place of one of these */
	};
	struct ustack_state to;
	unsigned int i;

	code[16] = 0x94000000 | 16;	/* bl to word 32 */
	assert_true(leaf_at(32, 17, &to));
	assert_true(to.pc == CODE + 4 * 17 && to.sp == 0x7ffc1000);
	assert_true(to.fp == 0x7ffc2000);
	assert_false(to.exact || to.sp_bound);
	assert_int_equal(to.regs_in, USTACK_REGS_UNKNOWN);
	assert_true(leaf_at(40, 17, &to));
	for (i = 0; i < ARRAY_SIZE(saves); i++) {
		code[35] = saves[i];
		assert_false(leaf_at(40, 17, &to));
		assert_false(leaf_at(36, 17, &to));
		assert_true(leaf_at(35, 17, &to));	/* LR is not stored yet */
	}
	/* SP has moved: LR is valid, SP is not */
	code[35] = 0xd10083ff;		/* sub sp, sp, #32 */
	assert_true(leaf_at(40, 17, &to));
	assert_true(to.sp_bound);
	code[35] = 0xa9be53f3;		/* stp x19, x20, [sp, #-32]! */
	assert_true(leaf_at(40, 17, &to));
	assert_true(to.sp_bound);
	code[35] = NOP;
	/* a call from another place, from after the pc, and by register */
	assert_false(leaf_at(40, 18, &to));
	assert_false(leaf_at(31, 17, &to));
	code[16] = 0xd63f0020;		/* blr x1 */
	assert_false(leaf_at(40, 17, &to));
}

/* Backwards from the pc to where the control flow ends: is there a store of LR? */
static void link_register_saved_in_front(void **state)
{
	static const u32 ends[] = {
		0xd65f03c0,	/* ret */
		0xd61f0200,	/* br x16 */
		0x14000010,	/* b */
		0x17fffff0,
	};
	u32 *more = (u32 *)fake_map(&f, CODE + 0x10000, 0x1000), i;
	unsigned int k;

	assert_false(A64->has_saved_lr(&f.mem, CODE + 4 * 40));
	code[32] = 0xa9bf7bfd;	/* stp x29, x30, [sp, #-16]! */
	assert_true(A64->has_saved_lr(&f.mem, CODE + 4 * 40));
	assert_true(A64->has_saved_lr(&f.mem, CODE + 4 * 33));
	assert_false(A64->has_saved_lr(&f.mem, CODE + 4 * 32));	/* not yet */
	code[36] = 0x94000010;	/* a call does not end the control flow */
	assert_true(A64->has_saved_lr(&f.mem, CODE + 4 * 40));
	for (k = 0; k < ARRAY_SIZE(ends); k++) {
		code[36] = ends[k];
		assert_false(A64->has_saved_lr(&f.mem, CODE + 4 * 40));
		assert_true(A64->has_saved_lr(&f.mem, CODE + 4 * 36));
	}
	code[36] = 0xa8c17bfd;	/* ldp x29, x30, [sp], #16: LR is the caller's again */
	assert_false(A64->has_saved_lr(&f.mem, CODE + 4 * 40));
	assert_true(A64->has_saved_lr(&f.mem, CODE + 4 * 36));
	/* not farther back than the limit */
	for (i = 0; i < 0x400; i++)
		more[i] = NOP;
	more[0] = 0xa9bf7bfd;
	assert_true(A64->has_saved_lr(&f.mem, CODE + 0x10000 +
				      4 * USTACK_MAX_LEAF_INSNS));
	f.reads = 0;
	assert_false(A64->has_saved_lr(&f.mem, CODE + 0x10000 +
				       4 * (USTACK_MAX_LEAF_INSNS + 1)));
	assert_true(f.reads <= USTACK_MAX_LEAF_INSNS);
}

static void leaf_functions_are_short(void **state)
{
	u32 *more = (u32 *)fake_map(&f, CODE + 0x10000, 0x1000), i;
	struct ustack_state to;

	for (i = 0; i < 0x400; i++)
		more[i] = NOP;
	code[16] = 0x94000000 | (0x4000 - 16);
	f.reads = 0;
	assert_true(leaf_at(0x4000 + USTACK_MAX_LEAF_INSNS - 1, 17, &to));
	assert_true(f.reads < 8 + USTACK_MAX_LEAF_INSNS / 2);
	assert_true(leaf_at(0x4000 + USTACK_MAX_LEAF_INSNS, 17, &to));
	f.reads = 0;
	assert_false(leaf_at(0x4000 + USTACK_MAX_LEAF_INSNS + 1, 17, &to));
	assert_true(f.reads < 8);
}

static const struct form calls_of[] = {
	{ 0xfc000000, 0x94000000 },	/* bl */
	{ 0xfffffc1f, 0xd63f0000 },	/* blr */
	{ 0xfefff800, 0xd63f0800 },	/* blraa, blrab, blraaz, blrabz */
};
static const struct form plt_of[] = {
	{ 0x9f00001f, 0x90000010 },	/* adrp x16 */
	{ 0xffc003ff, 0xf9400211 },	/* ldr x17, [x16, #n] */
	{ 0xffc003ff, 0x91000210 },	/* add x16, x16, #n */
	{ 0xffffffff, BTI_C },
	{ 0xffffffff, AUTIA1716 },
	{ 0xffffffff, STP_X16_X30 },
	{ 0xffffffff, BR_X17 },
};
static const struct form saves_of[] = {
	{ 0xfe40001f, 0xa800001e },	/* stp x30, xn, any addressing */
	{ 0xfe407c00, 0xa8007800 },	/* stp xn, x30 */
	{ 0xffe0001f, 0xf800001e },	/* str x30, [xn], #n; and stur */
	{ 0xffc0001f, 0xf900001e },	/* str x30, [xn, #n] */
	{ 0xffffffff, 0xd65f03c0 },	/* ret: there is no leaf after it either */
	{ 0xffe0001f, 0xd4200000 },	/* brk: in place of another instruction */
};
static const struct form moves_of[] = {
	{ 0xff8003ff, 0xd10003ff },	/* sub sp, sp, #n */
	{ 0xfec003e0, 0xa88003e0 },	/* stp ..., [sp, #n]! or [sp], #n */
	{ 0xfee007e0, 0xf80007e0 },	/* str ..., [sp, #n]! or [sp], #n */
};
static const struct form ends_of[] = {
	{ 0xffffffff, 0xd65f03c0 },	/* ret */
	{ 0xfffffc1f, 0xd61f0000 },	/* br */
	{ 0xfc000000, 0x14000000 },	/* b */
	{ 0xffe0001f, 0xd4200000 },	/* brk: the instruction before it is unknown */
	{ 0xfe40001f, 0xa840001e },	/* ldp x30, xn, any addressing */
	{ 0xfe407c00, 0xa8407800 },	/* ldp xn, x30 */
	{ 0xffe0001f, 0xf840001e },	/* ldr x30, [xn], #n; and ldur */
	{ 0xffc0001f, 0xf940001e },	/* ldr x30, [xn, #n] */
};

static bool is_call(u32 insn)
{
	code[16] = insn;
	return after_call(&f.mem, CODE + 4 * 17);
}

static bool is_plt(u32 insn)
{
	PUT(16, insn, BR_X17);
	return cfa_at(16) >= 0;
}

static bool is_save(u32 insn)
{
	struct ustack_state to;

	code[16] = 0x94000000 | 16;
	code[35] = insn;
	return !leaf_at(40, 17, &to);
}

static bool is_move(u32 insn)
{
	struct ustack_state to = { 0 };

	/* an instruction that also saves LR is not one of a leaf */
	return is_save(insn) ? is_one_of(insn, moves_of, ARRAY_SIZE(moves_of)) :
			       leaf_at(40, 17, &to) && to.sp_bound;
}

static bool is_end(u32 insn)
{
	code[32] = 0xa9bf7bfd;	/* stp x29, x30, [sp, #-16]! */
	code[36] = insn;
	return !A64->has_saved_lr(&f.mem, CODE + 4 * 40);
}

/* Each form with all other bits 0 and 1, and with every bit flipped. */
static void every_bit_of_instructions(void **state)
{
	static const struct {
		const char *name;
		bool (*is)(u32 insn);
		const struct form *forms;
		unsigned int nr;
	} kinds[] = {
		{ "call", is_call, calls_of, ARRAY_SIZE(calls_of) },
		{ "PLT", is_plt, plt_of, ARRAY_SIZE(plt_of) },
		{ "save", is_save, saves_of, ARRAY_SIZE(saves_of) },
		{ "move", is_move, moves_of, ARRAY_SIZE(moves_of) },
		{ "end", is_end, ends_of, ARRAY_SIZE(ends_of) },
	};
	unsigned int k, i, bit;
	u32 insn;

	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		for (i = 0; i < 2 * kinds[k].nr; i++) {
			const struct form *form = &kinds[k].forms[i / 2];

			for (bit = 0; bit <= 32; bit++) {
				insn = form->value | (i % 2 ? ~form->fixed : 0);
				insn ^= bit < 32 ? 1u << bit : 0;
				if (kinds[k].is(insn) !=
				    is_one_of(insn, kinds[k].forms, kinds[k].nr))
					fail_msg("%s: 0x%x", kinds[k].name, insn);
			}
		}
	}
}

/* Requirements of a call through PLT code: both instructions, and the slot that they name. */
static void every_bit_of_plt_calls(void **state)
{
	static const u32 at[2] = { 0x90000010u, 0xf9400211u | 64 << 10 };
	static const u32 fixed[2] = { 0x9f00001f, 0xffc003ff };
	u64 to = 0xbbbb00001234ull;
	unsigned int i, bit;

	memcpy(&code[128], &to, sizeof(to));
	for (i = 0; i < 2; i++)
		for (bit = 0; bit < 32; bit++) {
			PUT(20, at[0], at[1], ADD_X16, BR_X17);
			code[16] = 0x94000000 | 4;
			assert_true(target_of(17) == to);
			code[20 + i] ^= 1u << bit;
			/* another slot, which does not exist or is empty; or no PLT code */
			if (fixed[i] >> bit & 1)
				assert_true(target_of(17) == CODE + 4 * 20);
			else
				assert_true(target_of(17) != to);
		}
}

/* Instructions are read two at a time: each of them counts, from the first one on. */
static void leaf_functions_are_read_whole(void **state)
{
	struct ustack_state to;
	u32 at;

	code[16] = 0x94000000 | 16;	/* bl to word 32 */
	for (at = 32; at < 41; at++) {
		code[at] = 0xa9bf7bfd;
		assert_int_equal(leaf_at(40, 17, &to), at == 40);
		code[at] = 0xd10083ff;
		assert_true(leaf_at(40, 17, &to));
		assert_int_equal(to.sp_bound, at < 40);
		code[at] = NOP;
	}
	/* code that cannot be read may have saved LR */
	code[16] = 0x94000000 | (CODE_WORDS - 2 - 16);
	assert_true(leaf_at(CODE_WORDS, 17, &to));
	assert_false(leaf_at(CODE_WORDS + 1, 17, &to));
	/* a function at address 0 does not count */
	assert_false(leaf_at(40, 0, &to));
}

/* Bytes of known code that begin between two instructions are not that code. */
static void code_between_instructions(void **state)
{
	static const u32 sigreturn[] = { 0xd2801168u, 0xd4000001u };
	static const u32 finish[] = { 0xd2800000u, 0x97ffffe0u };	/* mov x0, #0; bl */
	static const u32 plt[] = { ADRP_X16, LDR_X17, ADD_X16, BR_X17 };
	struct ustack_rule rule;
	bool aligned;
	u64 at, to;

	f.known = 1u << 8;
	f.regs[8] = 139;
	for (at = CODE + 64; at < CODE + 72; at++) {
		aligned = !(at & 3);
		fake_code(&f, at, sigreturn, sizeof(sigreturn));
		assert_int_equal(A64->is_sigreturn(&f.mem, at, false), aligned);
		assert_int_equal(A64->is_sigreturn(&f.mem, at + 4, true), aligned);
		assert_int_equal(A64->in_sigreturn(&f.mem, at + 8), aligned);
		fake_code(&f, at, finish, sizeof(finish));
		assert_int_equal(A64->is_bottom(&f.mem, at), aligned);
		assert_int_equal(A64->call_target(&f.mem, at + 8, &to), aligned);
		fake_code(&f, at, plt, sizeof(plt));
		assert_int_equal(A64->stub(&f.mem, at, &rule), aligned);
	}
}

static void numbers(void **state)
{
	u32 reg;

	assert_ptr_equal(ustack_arch_by_machine(183), A64);
	assert_ptr_equal(ustack_arch_by_id(2), A64);
	for (reg = 0; reg < 32; reg++)
		assert_int_equal(A64->sigcontext_off[reg], 128 + 168 + 8 + 8 + 8 * reg);
	assert_int_equal(A64->fp_reg, 29);
	assert_int_equal(A64->sp_reg, 31);
	assert_int_equal(A64->sigcontext_pc, 312 + 8 * 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lazy_plt),
		TEST(plt_without_padding),
		TEST(plt_with_branch_targets),
		TEST(plt_with_pointer_authentication),
		TEST(plt_without_an_add),
		TEST(code_that_is_no_plt),
		TEST(bottoms),
		TEST(sigreturn_trampolines),
		TEST(after_a_call),
		TEST(targets_of_calls),
		TEST(leaf_functions),
		TEST(link_register_saved_in_front),
		TEST(leaf_functions_are_short),
		TEST(every_bit_of_instructions),
		TEST(every_bit_of_plt_calls),
		TEST(leaf_functions_are_read_whole),
		TEST(code_between_instructions),
		TEST(numbers),
	};

	return cmocka_run_group_tests_name("arch_aarch64", tests, NULL, NULL);
}
