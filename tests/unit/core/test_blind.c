// SPDX-License-Identifier: GPL-2.0-only
/* Steps without a row: signal trampolines, PLT code, frame-pointer records. */
#include "frame.h"

#define SIGCONTEXT_X86_SP 160
#define SIGCONTEXT_X86_PC 168

/* glibc's trampoline, on both sides of its system call */
static const u8 sigreturn_x86[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
static const u8 sigreturn_a64[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };

static void put_sigcontext(const struct ustack_arch *arch, u64 at, u64 pc, u64 sp,
			   u64 fp, u64 lr)
{
	if (arch == X86) {
		fake_poke(&f, at + 120, fp);
		fake_poke(&f, at + SIGCONTEXT_X86_SP, sp);
		fake_poke(&f, at + SIGCONTEXT_X86_PC, pc);
		return;
	}
	fake_poke(&f, at + 312 + 8 * 29, fp);
	fake_poke(&f, at + 312 + 8 * 30, lr);
	fake_poke(&f, at + 312 + 8 * 31, sp);
	fake_poke(&f, at + 312 + 8 * 32, pc);
}

static void check_interrupted(const struct ustack_state *s, u64 sigcontext)
{
	assert_true(s->pc == RA && s->sp == SP0 - 0x800);
	assert_true(fp_of(s) == SP0 + 0x111);
	assert_true(s->exact);
	assert_int_equal(s->regs_in, USTACK_REGS_SIGCONTEXT);
	assert_true(s->sigcontext == sigcontext);
	assert_true(ustack_state_key(s) == RA);
}

/*
 * Only for a caller's frame: a function that starts with these instructions may be sampled
 * there, too.
 */
static void bottoms_of_coroutines(void **state)
{
	static const u8 x86[] = { 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff };
	static const u32 a64[] = { 0xaa1303e0, 0xb5ffd820 };
	const struct ustack_arch *archs[] = { X86, A64 };
	struct ustack_state s, before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(archs); i++) {
		s = caller();
		assert_reason(ustack_step_blind(archs[i], &s, &f.mem), USTACK_NO_ROW);
		fake_code(&f, CODE + 0x40, i ? (const void *)a64 : x86, i ? sizeof(a64) : sizeof(x86));
		before = s;
		assert_reason(ustack_step_blind(archs[i], &s, &f.mem), USTACK_COMPLETE);
		assert_memory_equal(&s, &before, sizeof(s));
		assert_int_equal(f.mem.guessed, 0);
		s = sample();
		assert_reason(ustack_step_blind(archs[i], &s, &f.mem), USTACK_NO_ROW);
	}
}

/* A caller's frame in code that CPython has made at run time (-X perf): proven, not guessed. */
static void trampolines_that_free_and_return(void **state)
{
	static const u8 x86[] = { 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x40 - 2, x86, sizeof(x86));
	fake_code(&f, RA - 2, x86, 2);
	fake_poke(&f, SP0 + 8, RA);
	s.fp = SP0 + 0x123;	/* another register of the caller's */
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 16 && fp_of(&s) == SP0 + 0x123);
	assert_false(s.exact);
	assert_int_equal(f.mem.guessed, 0);
	s = caller();
	s.fp = 0;
	fake_poke(&f, SP0 + 8, RA + 1);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
	s = caller();
	s.fp = 0;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
}

/* The interrupted SP lies below the handler's: the handler ran on another stack. */
static void signal_frames_by_code(void **state)
{
	const struct ustack_arch *archs[] = { X86, A64 };
	struct ustack_state s;
	unsigned int i, signal_rule;

	for (i = 0; i < 4; i++) {
		const struct ustack_arch *arch = archs[i / 2];

		signal_rule = i % 2;
		fake_code(&f, CODE + 0x40, arch == X86 ? sigreturn_x86 : sigreturn_a64,
			  arch == X86 ? sizeof(sigreturn_x86) : sizeof(sigreturn_a64));
		put_sigcontext(arch, SP0, RA, SP0 - 0x800, SP0 + 0x111, CODE + 0x55);
		s = caller();	/* the handler has returned to it: the pc is not exact */
		if (signal_rule)
			assert_reason(ustack_step(arch, RULE(8, -8, 0, USTACK_OP_SP,
							     AT_CFA, 0,
							     USTACK_RULE_SIGNAL),
						  &s, &f.mem), USTACK_OK);
		else
			assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_OK);
		check_interrupted(&s, SP0);
		assert_true(s.lr == (arch == A64 ? CODE + 0x55 : 0));
	}
}

static void sampled_inside_the_trampoline(void **state)
{
	struct ustack_state s;

	fake_code(&f, CODE + 0x40, sigreturn_x86, sizeof(sigreturn_x86));
	put_sigcontext(X86, SP0, RA, SP0 - 0x800, SP0 + 0x111, 0);
	s = sample();
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	check_interrupted(&s, SP0);
	s = sample();
	s.pc += 7;	/* at the system call */
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	check_interrupted(&s, SP0);
	s = caller();	/* no call returns there */
	s.pc += 7;
	s.fp = 0;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);

	fake_code(&f, CODE + 0x40, sigreturn_a64, sizeof(sigreturn_a64));
	put_sigcontext(A64, SP0, RA, SP0 - 0x800, SP0 + 0x111, 0);
	s = sample();
	s.pc += 4;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	check_interrupted(&s, SP0);
	s = caller();
	s.pc += 4;
	s.fp = 0;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
}

/* The kernel is in the trampoline's system call: the pc is the address after it. */
static void sampled_in_the_trampolines_call(void **state)
{
	struct ustack_state s;
	u64 at;

	fake_code(&f, CODE + 0x40, sigreturn_x86, sizeof(sigreturn_x86));
	put_sigcontext(X86, SP0, RA, SP0 - 0x800, SP0 + 0x111, 0);
	s = sample();
	s.pc += 9;
	f.regs[2] = s.pc;	/* rcx */
	f.known = 1u << 2 | 1u << 8;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	check_interrupted(&s, SP0);
	s = sample();	/* the next function, called */
	s.pc += 9;
	s.fp = 0;
	f.regs[2] = s.pc + 1;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
	s.pc += 1;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
	s.pc = CODE + 0x40 + 9 + 7;	/* the system call, but with the pc of another one */
	f.regs[2] = s.pc;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);

	fake_code(&f, CODE + 0x40, sigreturn_a64, sizeof(sigreturn_a64));
	put_sigcontext(A64, SP0, RA, SP0 - 0x800, SP0 + 0x111, 0);
	s = sample();
	s.pc += 8;
	f.regs[8] = 139;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	check_interrupted(&s, SP0);
	s = caller();	/* a return address there does not belong to a system call */
	s.pc += 8;
	s.fp = 0;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
	s = sample();
	s.pc += 8;
	s.fp = 0;
	s.lr = 0;
	f.regs[8] = 138;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
	f.regs[8] = 139;
	s.pc += 4;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
	/* at each instruction, and not between two */
	for (at = 0x44; at < 0x4c; at++) {
		fake_code(&f, CODE + at, sigreturn_a64, sizeof(sigreturn_a64));
		assert_int_equal(A64->in_sigreturn(&f.mem, CODE + at + 8), !(at & 3));
		assert_int_equal(A64->is_sigreturn(&f.mem, CODE + at, true), !(at & 3));
	}
}

static void signal_frames_that_are_broken(void **state)
{
	struct ustack_state s = caller(), before;

	fake_code(&f, CODE + 0x40, sigreturn_x86, sizeof(sigreturn_x86));
	put_sigcontext(X86, SP0, 0, SP0, 0, 0);
	before = s;
	/* a call through a null pointer */
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_BAD_RA);
	put_sigcontext(X86, SP0, 0xffffffff81000000ull, SP0, 0, 0);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_BAD_RA);
	assert_memory_equal(&s, &before, sizeof(s));
	s.sp = STACK + STACK_LEN - 170;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
	s.sp = STACK + STACK_LEN - 560;
	fake_code(&f, CODE + 0x40, sigreturn_a64, sizeof(sigreturn_a64));
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_STACK_FAULT);
}

/* Without a row: one {FP, RA} record, if it is plausible. */
static void poke_record(u64 fp, u64 next, u64 ra)
{
	fake_poke(&f, fp, next);
	fake_poke(&f, fp + 8, ra);
}

/* words from CODE on, starting before CODE + 0x200 */
static const u8 call_x86[] = { 0xe8, 0x00, 0xfe, 0xff, 0xff };
static const u8 bl_a64[] = { 0x81, 0xff, 0xff, 0x97 };

static void frame_pointer_records(void **state)
{
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CODE + 0x200 && s.sp == SP0 + 0x90);
	assert_true(fp_of(&s) == SP0 + 0x180);
	assert_false(s.exact);
	assert_int_equal(s.regs_in, USTACK_REGS_UNKNOWN);

	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	s = sample();
	s.fp = s.sp + 0x80;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CODE + 0x200 && s.sp == SP0 + 0x90);
}

/* AArch64 puts the record anywhere into the frame, so it gives only a bound for SP. */
static void a_record_does_not_tell_sp_of_aarch64(void **state)
{
	struct ustack_state s = sample();

	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	assert_true(s.sp_bound);
	REFUSED(A64, RULE(16, -8, 0, USTACK_OP_SP, AT_CFA), s, USTACK_NO_REGISTER);
	REFUSED(A64, RULE(16, 0, 0, USTACK_OP_FP, USTACK_OP_SP | USTACK_OP_DEREF), s,
		USTACK_NO_REGISTER);
	/* FP can still be followed, but not below the bound */
	REFUSED(A64, RULE(-0x100, -8, 0, USTACK_OP_FP, AT_CFA), s, USTACK_BAD_CFA);
	fake_poke(&f, SP0 + 0x188, RA);
	assert_reason(ustack_step(A64, RULE(16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA),
				  &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x190);
	assert_false(s.sp_bound);

	/* a signal frame is at SP, which is unknown */
	fake_code(&f, CODE + 0x40, sigreturn_a64, sizeof(sigreturn_a64));
	s = caller();
	s.sp_bound = true;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_REGISTER);
	/* AMD64 pushes the record first of all */
	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	s = caller();
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_false(s.sp_bound);
}

#define IMPLAUSIBLE(change) do {					\
	struct ustack_state s = caller(), before;			\
									\
	change;								\
	before = s;							\
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW); \
	assert_memory_equal(&s, &before, sizeof(s));			\
} while (0)

static void records_that_are_implausible(void **state)
{
	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	IMPLAUSIBLE(s.fp = 0);
	IMPLAUSIBLE(s.fp = SP0 - 16);
	IMPLAUSIBLE(s.fp += 4);
	IMPLAUSIBLE(s.fp = s.sp + USTACK_MAX_FP_FRAME + 8);
	IMPLAUSIBLE(s.fp = ~7ull);
	IMPLAUSIBLE(s.sp += 4);
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x201));	/* no call */
	IMPLAUSIBLE(poke_record(s.fp, 0, 0x1234));
	IMPLAUSIBLE(poke_record(s.fp, 0, 0));
	IMPLAUSIBLE(poke_record(s.fp, 0, 0xffffffff81000000ull));
	/* the record belongs to an outer function: its call goes elsewhere */
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x200); s.pc = CODE - 1);
	IMPLAUSIBLE(s.pc = CODE + USTACK_MAX_FP_FUNCTION + 1);
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x200);
		    fake_code(&f, CODE + 0x1fb, "\x90", 1));
}

/* Whatever value is read there. */
static void the_kernel_does_not_return_there(void **state)
{
	static const u8 call_rax[] = { 0xff, 0xd0 };
	u64 kernel = 0xffffffff81000000ull;
	struct ustack_state mine = caller();

	fake_map(&f, kernel, 0x1000);
	fake_code(&f, kernel + 0x200 - 2, call_rax, sizeof(call_rax));
	fake_code(&f, CODE + 0x200 - 2, call_rax, sizeof(call_rax));
	f.mem.may_guess = true;
	IMPLAUSIBLE(poke_record(s.fp, 0, kernel + 0x200));
	IMPLAUSIBLE(s.exact = true; fake_poke(&f, SP0, kernel + 0x200));
	/* nor does this word contradict a record */
	fake_poke(&f, SP0 + 8, kernel + 0x200);
	poke_record(SP0 + 0x80, 0, CODE + 0x200);
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_int_equal(f.mem.guessed, 0);
}

/*
 * The first and the last case that still counts: the record at SP, the largest frame, the
 * function's first and last byte.
 */
static void records_that_are_just_plausible(void **state)
{
	u64 pc[] = { CODE, CODE + USTACK_MAX_FP_FUNCTION };
	struct ustack_state mine;
	unsigned int i;

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	for (i = 0; i < 2; i++) {
		mine = caller();
		mine.pc = pc[i];
		poke_record(mine.fp, 0, CODE + 0x200);
		assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	}
	mine = caller();
	mine.sp = mine.fp;
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.pc == CODE + 0x200 && mine.sp == SP0 + 0x90);
	poke_record(SP0 + 0x80, 0, 0);
	mine = caller();
	mine.fp = mine.sp + USTACK_MAX_FP_FRAME;
	poke_record(mine.fp, 0, CODE + 0x200);
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.sp == SP0 + USTACK_MAX_FP_FRAME + 16);
	/* all words of the frame are checked, including the last */
	IMPLAUSIBLE(s.fp = s.sp + USTACK_MAX_FP_FRAME; fake_poke(&f, s.fp - 8, CODE + 0x200));
	/* the caller's FP may have any value */
	mine = caller();
	poke_record(mine.fp, CODE + 0x200, CODE + 0x200);
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(fp_of(&mine) == CODE + 0x200);
}

/* The end of the walk's budget. */
static void the_last_words_of_a_walk(void **state)
{
	struct ustack_state s;
	u32 left;

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, 0, CODE + 0x200);
	for (left = 14; left < 18; left++) {
		s = caller();
		f.mem.scanned = USTACK_MAX_SCAN - left;
		assert_reason(ustack_step_blind(X86, &s, &f.mem),
			      left < 16 ? USTACK_NO_ROW : USTACK_OK);
		assert_true(f.mem.scanned <= USTACK_MAX_SCAN + 1);
	}
}

/*
 * AArch64: another return address in LR means that the record belongs to an outer function,
 * unless the function has saved its own.
 */
static void a_record_and_the_link_register(void **state)
{
	static const u32 saves = 0xa9bf7bfd, bl = 0x94000000;
	struct ustack_state s;

	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	/* no call precedes the address in LR; LR has the record's own address */
	s = sample();
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	s = sample();
	s.lr = CODE + 0x200;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	/* a call from somewhere else */
	fake_code(&f, CODE + 0x300, &bl, sizeof(bl));
	s = sample();
	s.lr = CODE + 0x304;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
	fake_code(&f, CODE + 0x30, &saves, sizeof(saves));
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CODE + 0x200);
}

/*
 * AArch64: the last instructions of a function, after which FP and LR are its caller's. Its caller's record
 * must not be taken for its own: that would leave out the caller.
 */
static void a_record_that_was_removed(void **state)
{
	static const u32 bl = 0x94000000;
	static const u32 body[] = {
		0xa9bf7bfd,	/* stp x29, x30, [sp, #-16]! */
		0x910003fd,	/* mov x29, sp */
		0x94000040,	/* bl */
		0xa8c17bfd,	/* ldp x29, x30, [sp], #16 */
		0xd50323bf,	/* autiasp */
		0xd65f03c0,	/* ret */
	};
	struct ustack_state s;
	unsigned int i;

	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	fake_code(&f, CODE + 0x300, &bl, sizeof(bl));
	fake_code(&f, CODE + 0x30, body, sizeof(body));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	for (i = 0; i < ARRAY_SIZE(body); i++) {
		s = sample();
		s.pc = CODE + 0x30 + 4 * i;
		s.lr = CODE + 0x304;
		assert_reason(ustack_step_blind(A64, &s, &f.mem),
			      i && i < 4 ? USTACK_OK : USTACK_NO_ROW);
	}
}

/*
 * A chain of large frames that seem to contain return addresses: a walk checks only so many
 * words as its budget allows, whatever the number of frames.
 */
static void a_walk_scans_a_bounded_number_of_words(void **state)
{
	u64 big = 0x600000000000ull, at;
	unsigned int i, n = 0;
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_map(&f, big, 64 * (u64)USTACK_MAX_FP_FRAME);
	for (at = big; at < big + 64 * (u64)USTACK_MAX_FP_FRAME; at += 8)
		fake_poke(&f, at, CODE + 0x300);	/* no call precedes it */
	for (i = 1; i < 63; i++)
		poke_record(big + i * (u64)USTACK_MAX_FP_FRAME,
			    big + (i + 1) * (u64)USTACK_MAX_FP_FRAME, CODE + 0x200);
	s.sp = big + 16;
	s.fp = big + USTACK_MAX_FP_FRAME;
	while (!ustack_step_blind(X86, &s, &f.mem))
		n++;
	assert_in_range(n, 3, USTACK_MAX_SCAN / (USTACK_MAX_FP_FRAME / 8 - 2));
	assert_true(f.reads < 3 * USTACK_MAX_SCAN);
}

/* The record's first word is in memory, its second is not. */
static void half_a_record(void **state)
{
	struct ustack_state s = caller(), before;

	s.sp = STACK + STACK_LEN - 16;
	s.fp = STACK + STACK_LEN - 8;
	before = s;
	assert_int_not_equal(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_memory_equal(&s, &before, sizeof(s));
}

static void records_that_are_not_there(void **state)
{
	struct ustack_state s = caller();

	s.sp = STACK + STACK_LEN - 0x40;
	s.fp = STACK + STACK_LEN - 8;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
	s.fp = STACK + STACK_LEN;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
	/* only its return address is in memory */
	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_poke(&f, STACK, CODE + 0x200);
	s.sp = s.fp = STACK - 8;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
	s.fp = 0;
	s.fp_at = STACK - 8;	/* where it has been saved */
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
}

/* FP belongs to an outer function: this function's return address is below that record. */
static void records_of_outer_functions(void **state)
{
	struct ustack_state mine = caller();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_code(&f, CODE + 0x300 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	IMPLAUSIBLE(fake_poke(&f, SP0 + 0x78, CODE + 0x300));
	IMPLAUSIBLE(fake_poke(&f, SP0, CODE + 0x300));
	fake_poke(&f, SP0, CODE + 0x301);
	fake_poke(&f, SP0 + 0x78, 0);
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
}

/* The target of the record's call may have jumped to this function: a guess. */
static void records_of_code_that_was_jumped_to(void **state)
{
	struct ustack_state mine = caller();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_code(&f, CODE + 0x300 - 5, call_x86, sizeof(call_x86));
	fake_code(&f, CODE + 0x400, sigreturn_x86, sizeof(sigreturn_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	f.mem.may_guess = true;
	/* the call goes to this function: not a guess */
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_int_equal(f.mem.guessed, 0);
	mine = caller();
	mine.pc = CODE - 1;
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.pc == CODE + 0x200 && mine.sp == SP0 + 0x90);
	assert_int_equal(f.mem.guessed, 1);
	IMPLAUSIBLE(s.pc = CODE - 1; fake_poke(&f, SP0 + 0x40, CODE + 0x300));
	/* the return address of a handler is the trampoline */
	IMPLAUSIBLE(s.pc = CODE - 1; fake_poke(&f, SP0 + 0x40, CODE + 0x400));
	/* no function returns to the trampoline's second instruction */
	fake_poke(&f, SP0 + 0x40, CODE + 0x407);
	mine = caller();
	mine.pc = CODE - 1;
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_int_equal(f.mem.guessed, 2);
	f.mem.guessed = 1;
	fake_poke(&f, SP0 + 0x40, 0);
	IMPLAUSIBLE(s.pc = CODE - 1; f.mem.may_guess = false);
	f.mem.may_guess = true;
	/* on AArch64 it may be only in a register */
	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	mine = caller();
	mine.pc = CODE - 4;
	assert_reason(ustack_step_blind(A64, &mine, &f.mem), USTACK_NO_ROW);
	assert_int_equal(f.mem.guessed, 1);
}

/* A function without a frame, in code without rows: a guess, only in exact frames. */
static void a_return_address_at_sp(void **state)
{
	struct ustack_state mine = sample();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_code(&f, CODE + 0x300 - 5, call_x86, sizeof(call_x86));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	fake_poke(&f, SP0, CODE + 0x300);
	f.mem.may_guess = true;
	/* that call goes to CODE + 0x100: then the caller's record must be its own */
	IMPLAUSIBLE(s.exact = true; s.fp = 0);
	IMPLAUSIBLE(s.exact = true; poke_record(s.fp, 0, CODE + 0x201));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	IMPLAUSIBLE(s.exact = true; fake_poke(&f, SP0 + 0x40, CODE + 0x300));
	/* a handler, whose caller is the trampoline */
	fake_code(&f, CODE + 0x400, sigreturn_x86, sizeof(sigreturn_x86));
	IMPLAUSIBLE(s.exact = true; fake_poke(&f, SP0 + 0x40, CODE + 0x400));
	fake_poke(&f, SP0 + 0x40, 0);
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.pc == CODE + 0x300 && mine.sp == SP0 + 8);
	f.mem.guessed = 0;
	mine = sample();
	mine.pc = CODE + 0x140;
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.pc == CODE + 0x300 && mine.sp == SP0 + 8 && !mine.exact);
	assert_true(fp_of(&mine) == SP0 + 0x80);
	assert_int_equal(f.mem.guessed, 1);
	/* from there on by the record, which is proven, because its call goes there */
	assert_reason(ustack_step_blind(X86, &mine, &f.mem), USTACK_OK);
	assert_true(mine.pc == CODE + 0x200 && mine.sp == SP0 + 0x90);
	assert_int_equal(f.mem.guessed, 1);

	/* a caller has at least pushed the return address of its call */
	IMPLAUSIBLE(s.pc = CODE + 0x140);
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; s.fp = 0;
		    fake_poke(&f, SP0, CODE + 0x301));
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; f.mem.may_guess = false;
		    fake_poke(&f, SP0, CODE + 0x300));
	f.mem.may_guess = true;
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; s.fp = 0; s.sp += 4;
		    fake_poke(&f, SP0 + 4, CODE + 0x300));
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; s.fp = 0; fake_poke(&f, SP0, 0));
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; s.fp = 0; fake_poke(&f, SP0, 5));
	IMPLAUSIBLE(s.exact = true; s.pc = CODE + 0x140; s.fp = 0; s.sp = STACK - 8);
}

/* On AArch64 it is in LR, and the word at SP proves nothing. */
static void nothing_at_sp_of_aarch64(void **state)
{
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x300 - 4, bl_a64, sizeof(bl_a64));
	fake_poke(&f, SP0, CODE + 0x300);
	f.mem.may_guess = true;
	s.exact = true;
	s.pc = CODE + 0x140;
	s.fp = 0;
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_NO_ROW);
	assert_int_equal(f.mem.guessed, 0);
}

/* PLT code counts only where the pc is exact, because nothing returns into it. */
static void plt_code_without_a_row(void **state)
{
	static const u8 jmp[] = { 0xff, 0x25, 1, 2, 3, 4, 0x90, 0x90 };
	struct ustack_state s = sample();

	fake_code(&f, CODE + 0x40, jmp, sizeof(jmp));
	fake_poke(&f, SP0, RA);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 8);
	s = caller();
	s.fp = 0;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
	s = sample();
	s.regs_in = USTACK_REGS_UNKNOWN;
	s.fp = 0;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_NO_ROW);
}
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bottoms_of_coroutines),
		TEST(trampolines_that_free_and_return),
		TEST(signal_frames_by_code),
		TEST(sampled_inside_the_trampoline),
		TEST(sampled_in_the_trampolines_call),
		TEST(signal_frames_that_are_broken),
		TEST(frame_pointer_records),
		TEST(a_record_does_not_tell_sp_of_aarch64),
		TEST(records_that_are_implausible),
		TEST(the_kernel_does_not_return_there),
		TEST(records_that_are_just_plausible),
		TEST(the_last_words_of_a_walk),
		TEST(a_record_and_the_link_register),
		TEST(a_record_that_was_removed),
		TEST(a_walk_scans_a_bounded_number_of_words),
		TEST(half_a_record),
		TEST(records_that_are_not_there),
		TEST(records_of_outer_functions),
		TEST(records_of_code_that_was_jumped_to),
		TEST(a_return_address_at_sp),
		TEST(nothing_at_sp_of_aarch64),
		TEST(plt_code_without_a_row),
	};

	return cmocka_run_group_tests_name("blind", tests, NULL, NULL);
}
