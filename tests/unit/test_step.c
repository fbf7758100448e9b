// SPDX-License-Identifier: GPL-2.0
/* step.h, step.c: rules on a fabricated process, and what they may not do. */
#include "support.h"

#define STACK 0x7ffc00000000ull
#define STACK_LEN 0x4000u
#define CODE 0x555500000000ull
#define SP0 (STACK + 0x1000)
#define RA (CODE + 0x123)

#define AT_CFA (USTACK_OP_CFA | USTACK_OP_DEREF)
#define SIGCONTEXT_X86_SP 160
#define SIGCONTEXT_X86_PC 168

static struct fake f;

static int setup(void **state)
{
	fake_init(&f);
	fake_map(&f, STACK, STACK_LEN);
	fake_map(&f, CODE, 0x1000);
	return 0;
}

static int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

static struct ustack_state sample(void)
{
	return (struct ustack_state){
		.pc = CODE + 0x40,
		.sp = SP0,
		.fp = SP0 + 0x80,
		.lr = CODE + 0x77,
		.regs_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
}

static struct ustack_state caller(void)
{
	struct ustack_state s = sample();

	s.regs_in = USTACK_REGS_UNKNOWN;
	s.exact = false;
	return s;
}

static u64 fp_of(const struct ustack_state *s)
{
	u64 fp = 0xbadull;

	assert_true(ustack_state_fp(s, &f.mem, f.mem.read_u64, &fp));
	return fp;
}

#define RULE(...) (&(const struct ustack_rule){ __VA_ARGS__ })

/* A refusal leaves the frame as it was. */
#define REFUSED(arch, rule, s, want) do {				\
	struct ustack_state before = s;					\
									\
	assert_reason(ustack_step(arch, rule, &(s), &f.mem), want);	\
	assert_memory_equal(&before, &(s), sizeof(before));		\
} while (0)

static void cfa_by_sp(void **state)
{
	struct ustack_state s = sample();

	fake_poke(&f, SP0 + 0x48, RA);
	assert_reason(ustack_step(X86, RULE(0x50, -8, 0, USTACK_OP_SP, AT_CFA), &s,
				  &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x50);
	assert_true(fp_of(&s) == SP0 + 0x80);	/* unchanged */
	assert_false(s.exact);
	assert_int_equal(s.regs_in, USTACK_REGS_UNKNOWN);
	assert_true(ustack_state_key(&s) == RA - 1);
}

static void cfa_by_fp(void **state)
{
	struct ustack_state s = caller();

	fake_poke(&f, SP0 + 0x88, RA);
	fake_poke(&f, SP0 + 0x80, 0x1122334455667788ull);
	assert_reason(ustack_step(X86, RULE(16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA),
				  &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x90);
	assert_true(fp_of(&s) == 0x1122334455667788ull);
}

/* A saved FP is the next frame's base. */
static void two_frames_by_fp(void **state)
{
	const struct ustack_rule *rule =
		RULE(16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA);
	struct ustack_state s = sample();

	fake_poke(&f, SP0 + 0x80, SP0 + 0x200);
	fake_poke(&f, SP0 + 0x88, RA);
	fake_poke(&f, SP0 + 0x200, 0);
	fake_poke(&f, SP0 + 0x208, RA + 0x20);
	assert_reason(ustack_step(X86, rule, &s, &f.mem), USTACK_OK);
	assert_reason(ustack_step(X86, rule, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA + 0x20 && s.sp == SP0 + 0x210);
	assert_true(fp_of(&s) == 0);
	REFUSED(X86, rule, s, USTACK_BAD_CFA);
}

static void cfa_must_grow(void **state)
{
	struct ustack_state s = caller();

	REFUSED(X86, RULE(0, -8, 0, USTACK_OP_SP, AT_CFA), s, USTACK_BAD_CFA);
	REFUSED(X86, RULE(-8, -8, 0, USTACK_OP_SP, AT_CFA), s, USTACK_BAD_CFA);
	REFUSED(X86, RULE(-0x80, -8, 0, USTACK_OP_FP, AT_CFA), s, USTACK_BAD_CFA);
	s.fp = 8;	/* FP used for something else */
	REFUSED(X86, RULE(16, -8, 0, USTACK_OP_FP, AT_CFA), s, USTACK_BAD_CFA);
	s.sp = ~7ull;	/* the sum wraps */
	REFUSED(X86, RULE(16, -8, 0, USTACK_OP_SP, AT_CFA), s, USTACK_BAD_CFA);
	assert_int_equal(f.reads, 0);
}

static void cfa_must_be_aligned(void **state)
{
	struct ustack_state s = sample();
	int i;

	for (i = 1; i < 8; i++) {
		REFUSED(X86, RULE(16 + i, -8, 0, USTACK_OP_SP, AT_CFA), s,
			USTACK_BAD_CFA);
		REFUSED(A64, RULE(16 + i, 0, 0, USTACK_OP_SP, 0), s,
			USTACK_BAD_CFA);
	}
}

/* An AArch64 leaf: SP unchanged, return address in LR; sampled frame only. */
static void leaf_with_link_register(void **state)
{
	const struct ustack_rule *leaf = RULE(0, 0, 0, USTACK_OP_SP, 0, 0, 0);
	struct ustack_state s = sample();

	assert_reason(ustack_step(A64, leaf, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CODE + 0x77 && s.sp == SP0);
	assert_true(fp_of(&s) == SP0 + 0x80);
	assert_false(s.exact);
	/* the same again would never end */
	REFUSED(A64, leaf, s, USTACK_BAD_CFA);
	assert_int_equal(f.reads, 0);

	s = sample();	/* below SP not even there */
	REFUSED(A64, RULE(-16, 0, 0, USTACK_OP_SP, 0, 0, 0), s, USTACK_BAD_CFA);
	/* LR after a signal is known too */
	s.regs_in = USTACK_REGS_SIGCONTEXT;
	s.sigcontext = STACK;
	assert_reason(ustack_step(A64, leaf, &s, &f.mem), USTACK_OK);
	s = caller();
	REFUSED(A64, RULE(16, 0, 0, USTACK_OP_SP, 0, 0, 0), s, USTACK_NO_REGISTER);
}

/* CFA == SP is for an address in LR only, never for one on the stack. */
static void cfa_equal_to_sp(void **state)
{
	struct ustack_state s = sample();

	fake_poke(&f, SP0 - 8, RA);
	REFUSED(X86, RULE(0, -8, 0, USTACK_OP_SP, AT_CFA), s, USTACK_BAD_CFA);
	REFUSED(X86, RULE(0, -8, 0, USTACK_OP_REG(3), AT_CFA), s,
		USTACK_NO_REGISTER);
	f.known = 1u << 3;
	f.regs[3] = SP0;
	REFUSED(X86, RULE(0, -8, 0, USTACK_OP_REG(3), AT_CFA), s, USTACK_BAD_CFA);
}

static void aarch64_frame(void **state)
{
	struct ustack_state s = sample();

	/* sframe.md 6.5: sp + 80, RA at CFA - 72, FP at CFA - 80, PAC set */
	f.mem.ra_mask = (1ull << 48) - 1;
	fake_poke(&f, SP0 + 8, RA | 0x00a7ull << 48);
	fake_poke(&f, SP0, SP0 + 0x100);
	assert_reason(ustack_step(A64, RULE(80, -72, -80, USTACK_OP_SP, AT_CFA, AT_CFA),
				  &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 80 && fp_of(&s) == SP0 + 0x100);

	s = sample();	/* signed and still in LR */
	s.lr = RA | 0xff5aull << 48;
	assert_reason(ustack_step(A64, RULE(0, 0, 0, USTACK_OP_SP, 0), &s, &f.mem),
		      USTACK_OK);
	assert_true(s.pc == RA);
}

static void any_register_of_the_sampled_frame(void **state)
{
	const struct ustack_rule *drap =
		RULE(0, -8, 0, USTACK_OP_REG(10), AT_CFA, USTACK_OP_FP | USTACK_OP_DEREF);
	struct ustack_state s = sample();

	f.known = 1u << 10;
	f.regs[10] = SP0 + 0x300;
	fake_poke(&f, SP0 + 0x2f8, RA);
	fake_poke(&f, SP0 + 0x80, 0x1234);	/* *(FP + 0) */
	assert_reason(ustack_step(X86, drap, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x300 && fp_of(&s) == 0x1234);

	s = caller();
	REFUSED(X86, drap, s, USTACK_NO_REGISTER);
	s = sample();
	f.known = 0;
	REFUSED(X86, drap, s, USTACK_NO_REGISTER);
}

/* The same registers, out of the signal frame that the pc was found in. */
static void any_register_of_an_interrupted_frame(void **state)
{
	static const struct { u8 reg; u16 off; } regs[] = {
		{ 0, 144 }, { 1, 136 }, { 2, 152 }, { 3, 128 }, { 4, 112 },
		{ 5, 104 }, { 8, 40 }, { 9, 48 }, { 10, 56 }, { 11, 64 },
		{ 12, 72 }, { 13, 80 }, { 14, 88 }, { 15, 96 },
	};
	struct ustack_state s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		s = sample();
		s.regs_in = USTACK_REGS_SIGCONTEXT;
		s.sigcontext = STACK + 0x2000;
		fake_poke(&f, s.sigcontext + regs[i].off, SP0 + 0x100 + 16 * i);
		fake_poke(&f, SP0 + 0xf8 + 16 * i, RA + i);
		assert_reason(ustack_step(X86, RULE(0, -8, 0,
						    USTACK_OP_REG(regs[i].reg),
						    AT_CFA), &s, &f.mem), USTACK_OK);
		assert_true(s.pc == RA + i && s.sp == SP0 + 0x100 + 16 * i);
	}
	for (i = 0; i < 31; i++) {
		if (i == 29)
			continue;
		s = sample();
		s.regs_in = USTACK_REGS_SIGCONTEXT;
		s.sigcontext = STACK + 0x2000;
		fake_poke(&f, s.sigcontext + 312 + 8 * i, SP0 + 0x200 + 16 * i);
		assert_reason(ustack_step(A64, RULE(0, 0, 0, (u8)USTACK_OP_REG(i), 0),
					  &s, &f.mem), USTACK_OK);
		assert_true(s.sp == SP0 + 0x200 + 16 * i);
	}
	/* the signal frame is not there any more */
	s = sample();
	s.regs_in = USTACK_REGS_SIGCONTEXT;
	s.sigcontext = 0x1000;
	REFUSED(X86, RULE(0, -8, 0, USTACK_OP_REG(10), AT_CFA), s, USTACK_NO_REGISTER);
}

static void cfa_from_memory(void **state)
{
	struct ustack_state s = caller();

	/* DRAP, later: CFA = *(FP - 8) */
	fake_poke(&f, SP0 + 0x78, SP0 + 0x400);
	fake_poke(&f, SP0 + 0x3f8, RA);
	assert_reason(ustack_step(X86, RULE(-8, -8, 0, USTACK_OP_FP | USTACK_OP_DEREF,
					    AT_CFA), &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x400);
	s = caller();
	s.fp = 0x10;
	REFUSED(X86, RULE(-8, -8, 0, USTACK_OP_FP | USTACK_OP_DEREF, AT_CFA), s,
		USTACK_STACK_FAULT);
}

/* CFA = *(SP + 16) + 8 * n: OpenSSL's saved stack pointers */
static void cfa_from_memory_and_more(void **state)
{
	struct ustack_state s;
	u32 n;

	for (n = 0; n < 8; n++) {
		s = caller();
		fake_poke(&f, SP0 + 16, SP0 + 0x400);
		fake_poke(&f, SP0 + 0x3f8 + 8 * n, RA + n);
		assert_reason(ustack_step(X86, RULE(16, -8, 0,
						    USTACK_OP_SP | USTACK_OP_DEREF,
						    AT_CFA, 0,
						    (u8)(n << USTACK_RULE_CFA_ADD_SHIFT)),
					  &s, &f.mem), USTACK_OK);
		assert_true(s.sp == SP0 + 0x400 + 8 * n && s.pc == RA + n);
	}
}

/* RA and FP from registers, FP as an address: vfork, setjmp */
static void operands_of_every_kind(void **state)
{
	struct ustack_state s = sample();

	f.known = 1u << 5 | 1u << 9;
	f.regs[5] = RA - 5;
	f.regs[9] = SP0 + 0x500;
	fake_poke(&f, SP0 + 0x508, 0xabcd);
	assert_reason(ustack_step(X86, RULE(8, 5, 8, USTACK_OP_SP, USTACK_OP_REG(5),
					    USTACK_OP_REG(9) | USTACK_OP_DEREF), &s,
				  &f.mem), USTACK_OK);
	assert_true(s.pc == RA && fp_of(&s) == 0xabcd);

	s = sample();
	fake_poke(&f, SP0, RA);
	assert_reason(ustack_step(X86, RULE(8, -8, -64, USTACK_OP_SP, AT_CFA,
					    USTACK_OP_CFA_VALUE), &s, &f.mem),
		      USTACK_OK);
	assert_true(fp_of(&s) == SP0 + 8 - 64);

	s = sample();	/* FP = SP + 24, RA = *(FP + 16) */
	fake_poke(&f, SP0 + 0x90, RA);
	assert_reason(ustack_step(X86, RULE(8, 16, 24, USTACK_OP_SP,
					    USTACK_OP_FP | USTACK_OP_DEREF,
					    USTACK_OP_SP), &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && fp_of(&s) == SP0 + 24);
}

static void stack_that_is_not_there(void **state)
{
	struct ustack_state s = sample();

	s.sp = STACK + STACK_LEN - 8;
	s.fp = s.sp;
	REFUSED(X86, RULE(16, 0, 0, USTACK_OP_SP, AT_CFA), s, USTACK_STACK_FAULT);
	REFUSED(X86, RULE(16, -12, 0, USTACK_OP_SP, AT_CFA), s, USTACK_STACK_FAULT);
	fake_poke(&f, s.sp, RA);
	/* the saved FP, at this step or at the one that needs it */
	if (!ustack_step(X86, RULE(8, -8, 64, USTACK_OP_SP, AT_CFA, AT_CFA), &s,
			 &f.mem))
		REFUSED(X86, RULE(32, -8, 0, USTACK_OP_FP, AT_CFA), s,
			USTACK_STACK_FAULT);
	s = sample();
	s.sp = STACK + STACK_LEN - 8;
	REFUSED(X86, RULE(8, -8, 64, USTACK_OP_SP, AT_CFA,
			  USTACK_OP_SP | USTACK_OP_DEREF), s, USTACK_STACK_FAULT);
}

static void return_addresses(void **state)
{
	static const struct { u64 ra; enum ustack_reason want; } cases[] = {
		{ 0, USTACK_COMPLETE },
		{ 1, USTACK_BAD_RA },
		{ 4095, USTACK_BAD_RA },
		{ 4096, USTACK_OK },
		{ 0x7fffffffefffull, USTACK_OK },
		{ 0x7ffffffff000ull, USTACK_BAD_RA },
		{ 0x800000000000ull, USTACK_BAD_RA },
		{ 0xffffffff81000000ull, USTACK_BAD_RA },
		{ ~0ull, USTACK_BAD_RA },
	};
	const struct ustack_rule *fast = RULE(8, -8, 0, USTACK_OP_SP, AT_CFA);
	const struct ustack_rule *slow =
		RULE(8, 0, 0, USTACK_OP_SP, USTACK_OP_SP | USTACK_OP_DEREF);
	struct ustack_state s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fake_poke(&f, SP0, cases[i].ra);
		s = sample();
		if (cases[i].want)
			REFUSED(X86, fast, s, cases[i].want);
		else
			assert_reason(ustack_step(X86, fast, &s, &f.mem), USTACK_OK);
		s = sample();
		if (cases[i].want)
			REFUSED(X86, slow, s, cases[i].want);
		else
			assert_reason(ustack_step(X86, slow, &s, &f.mem), USTACK_OK);
	}
	/* what the mask removes does not count */
	f.mem.ra_mask = (1ull << 47) - 1;
	fake_poke(&f, SP0, 0xffff800000000000ull);
	s = sample();
	REFUSED(X86, fast, s, USTACK_COMPLETE);
}

static void outermost_rows(void **state)
{
	struct ustack_state s = caller();

	REFUSED(X86, RULE(.flags = USTACK_RULE_OUTERMOST), s, USTACK_COMPLETE);
	REFUSED(A64, RULE(.flags = USTACK_RULE_OUTERMOST), s, USTACK_COMPLETE);
	assert_int_equal(f.reads, 0);
}

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

/* The interrupted SP lies below the handler's: the handler ran elsewhere. */
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
		s = caller();	/* the handler has returned to it: not exact */
		if (signal_rule)
			assert_reason(ustack_step(arch, RULE(8, -8, 0, USTACK_OP_SP,
							     AT_CFA, 0,
							     USTACK_RULE_SIGNAL),
						  &s, &f.mem), USTACK_OK);
		else
			assert_reason(ustack_step_blind(arch, &s, &f.mem), USTACK_OK);
		check_interrupted(&s, SP0);
		if (arch == A64)
			assert_true(s.lr == CODE + 0x55);
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

static void signal_frames_that_are_broken(void **state)
{
	struct ustack_state s = caller(), before;

	fake_code(&f, CODE + 0x40, sigreturn_x86, sizeof(sigreturn_x86));
	put_sigcontext(X86, SP0, 0, SP0, 0, 0);
	before = s;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_COMPLETE);
	put_sigcontext(X86, SP0, 0xffffffff81000000ull, SP0, 0, 0);
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_BAD_RA);
	assert_memory_equal(&s, &before, sizeof(s));
	s.sp = STACK + STACK_LEN - 170;
	assert_reason(ustack_step_blind(X86, &s, &f.mem), USTACK_STACK_FAULT);
	s.sp = STACK + STACK_LEN - 560;
	fake_code(&f, CODE + 0x40, sigreturn_a64, sizeof(sigreturn_a64));
	assert_reason(ustack_step_blind(A64, &s, &f.mem), USTACK_STACK_FAULT);
}

/* A signal row whose code is not the known trampoline is obeyed as it stands:
 * its CFA may lie anywhere, its caller was interrupted.
 */
static void signal_rows_by_rule(void **state)
{
	struct ustack_state s = caller();

	fake_poke(&f, SP0 + 160, SP0 - 0x400);
	fake_poke(&f, SP0 + 168, RA);
	assert_reason(ustack_step(X86, RULE(160, 168, 0, USTACK_OP_SP | USTACK_OP_DEREF,
					    USTACK_OP_SP | USTACK_OP_DEREF, 0,
					    USTACK_RULE_SIGNAL), &s, &f.mem),
		      USTACK_OK);
	assert_true(s.sp == SP0 - 0x400 && s.pc == RA);
	assert_true(s.exact);
	assert_true(ustack_state_key(&s) == RA);
	assert_int_equal(s.regs_in, USTACK_REGS_UNKNOWN);

	s = caller();	/* aligned it must be all the same */
	fake_poke(&f, SP0 + 160, SP0 - 0x404);
	REFUSED(X86, RULE(160, 168, 0, USTACK_OP_SP | USTACK_OP_DEREF,
			  USTACK_OP_SP | USTACK_OP_DEREF, 0, USTACK_RULE_SIGNAL), s,
		USTACK_BAD_CFA);
}

/* Without a row: one {FP, RA} record, if it is plausible. */
static void poke_record(u64 fp, u64 next, u64 ra)
{
	fake_poke(&f, fp, next);
	fake_poke(&f, fp + 8, ra);
}

/* of what is at CODE, from in front of CODE + 0x200 */
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

/* AArch64 puts the record anywhere into the frame: it gives a bound for SP. */
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
	/* FP still leads on, but not below the bound */
	REFUSED(A64, RULE(-0x100, -8, 0, USTACK_OP_FP, AT_CFA), s, USTACK_BAD_CFA);
	fake_poke(&f, SP0 + 0x188, RA);
	assert_reason(ustack_step(A64, RULE(16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA),
				  &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 0x190);
	assert_false(s.sp_bound);

	/* a signal frame is where SP is, which nobody knows */
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
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x201));	/* no call */
	IMPLAUSIBLE(poke_record(s.fp, 0, 0x1234));
	IMPLAUSIBLE(poke_record(s.fp, 0, 0));
	IMPLAUSIBLE(poke_record(s.fp, 0, 0xffffffff81000000ull));
	/* the record is of an outer function: its call goes elsewhere */
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x200); s.pc = CODE - 1);
	IMPLAUSIBLE(s.pc = CODE + USTACK_MAX_FP_FUNCTION + 1);
	IMPLAUSIBLE(poke_record(s.fp, 0, CODE + 0x200);
		    fake_code(&f, CODE + 0x1fb, "\x90", 1));
}

/* AArch64: another return address in LR makes the record an outer function's,
 * unless the function has saved its own.
 */
static void a_record_and_the_link_register(void **state)
{
	static const u32 saves = 0xa9bf7bfd, bl = 0x94000000;
	struct ustack_state s;

	fake_code(&f, CODE + 0x200 - 4, bl_a64, sizeof(bl_a64));
	poke_record(SP0 + 0x80, SP0 + 0x180, CODE + 0x200);
	/* no call in front of what LR holds; the record's own address */
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

/* A chain of large frames that look as if they had return addresses: a walk looks
 * at no more words than its share, whatever the number of frames.
 */
static void a_walk_scans_a_bounded_number_of_words(void **state)
{
	u64 big = 0x600000000000ull, at;
	unsigned int i, n = 0;
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x200 - 5, call_x86, sizeof(call_x86));
	fake_map(&f, big, 64 * (u64)USTACK_MAX_FP_FRAME);
	for (at = big; at < big + 64 * (u64)USTACK_MAX_FP_FRAME; at += 8)
		fake_poke(&f, at, CODE + 0x300);	/* no call in front of it */
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

/* The record's first word is there, its second is not. */
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
}

/* FP is an outer function's: this one's return address is below that record. */
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

/* PLT code counts where the pc is exact only: nothing returns into it. */
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

/* The short path and the general one are one and the same function. */
static void random_rule(unsigned int *seed, struct ustack_rule *r)
{
	static const u8 ops[] = {
		USTACK_OP_NONE, USTACK_OP_SP, USTACK_OP_FP, USTACK_OP_REG(3),
		AT_CFA, AT_CFA, USTACK_OP_SP | USTACK_OP_DEREF,
		USTACK_OP_FP | USTACK_OP_DEREF, USTACK_OP_CFA_VALUE,
		USTACK_OP_REG(3) | USTACK_OP_DEREF,
	};
	static const u8 flags[] = { 0, 0, 0, 0, 0, 1, 2, 0x20, 0xe0 };

	r->cfa = rand_r(seed) % 3 ? (u8)(1 + rand_r(seed) % 2) :
	      (u8[]){ 1 | 4, 2 | 4, USTACK_OP_REG(3) }[rand_r(seed) % 3];
	r->ra = rand_r(seed) % 2 ? AT_CFA : ops[(u32)rand_r(seed) % sizeof(ops)];
	r->fp = ops[(u32)rand_r(seed) % sizeof(ops)];
	r->flags = flags[(u32)rand_r(seed) % sizeof(flags)];
	r->cfa_off = (rand_r(seed) % 64 - 8) * (rand_r(seed) % 9 ? 8 : 1);
	r->ra_off = rand_r(seed) % 3 ? -8 : rand_r(seed) % 256 - 128;
	r->fp_off = rand_r(seed) % 3 ? -16 : rand_r(seed) % 256 - 128;
}

static void short_path_and_general_one_agree(void **state)
{
	unsigned int seed = 7, round, done = 0;
	enum ustack_reason one, other;
	struct ustack_state a, b;
	struct ustack_rule rule;
	u64 at, fp_a, fp_b;
	bool have_a, have_b;

	for (at = STACK; at < STACK + STACK_LEN; at += 8)
		fake_poke(&f, at, rand_r(&seed) % 8 == 0 ? (u64)rand_r(&seed) % 2 :
			  rand_r(&seed) % 2 ? RA : STACK + (u64)rand_r(&seed) % STACK_LEN);
	f.known = 1u << 3;
	f.regs[3] = SP0 + 0x60;
	for (round = 0; round < 200000; round++) {
		const struct ustack_arch *arch = round & 1 ? X86 : A64;

		a = round & 2 ? sample() : caller();
		a.sp = STACK + ((u64)rand_r(&seed) % (STACK_LEN + 64) & ~7ull);
		a.fp = STACK + (u64)rand_r(&seed) % STACK_LEN;
		if (rand_r(&seed) % 4)
			a.fp &= ~7ull;
		b = a;
		random_rule(&seed, &rule);
		one = ustack_step(arch, &rule, &a, &f.mem);
		other = ustack_step_slow(arch, &rule, &b, &f.mem);
		if (!one && other == USTACK_STACK_FAULT)
			continue;	/* the saved FP, read when it is needed */
		assert_reason(one, other);
		assert_true(a.pc == b.pc && a.sp == b.sp);
		assert_int_equal(a.exact, b.exact);
		assert_int_equal(a.regs_in, b.regs_in);
		have_a = ustack_state_fp(&a, &f.mem, f.mem.read_u64, &fp_a);
		have_b = ustack_state_fp(&b, &f.mem, f.mem.read_u64, &fp_b);
		assert_int_equal(have_a, have_b);
		assert_true(!have_a || fp_a == fp_b);
		done += !one;
	}
	assert_true(done > 20000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cfa_by_sp),
		TEST(cfa_by_fp),
		TEST(two_frames_by_fp),
		TEST(cfa_must_grow),
		TEST(cfa_must_be_aligned),
		TEST(leaf_with_link_register),
		TEST(cfa_equal_to_sp),
		TEST(aarch64_frame),
		TEST(any_register_of_the_sampled_frame),
		TEST(any_register_of_an_interrupted_frame),
		TEST(cfa_from_memory),
		TEST(cfa_from_memory_and_more),
		TEST(operands_of_every_kind),
		TEST(stack_that_is_not_there),
		TEST(return_addresses),
		TEST(outermost_rows),
		TEST(signal_frames_by_code),
		TEST(sampled_inside_the_trampoline),
		TEST(signal_frames_that_are_broken),
		TEST(signal_rows_by_rule),
		TEST(frame_pointer_records),
		TEST(a_record_does_not_tell_sp_of_aarch64),
		TEST(records_that_are_implausible),
		TEST(a_record_and_the_link_register),
		TEST(a_walk_scans_a_bounded_number_of_words),
		TEST(half_a_record),
		TEST(records_that_are_not_there),
		TEST(records_of_outer_functions),
		TEST(plt_code_without_a_row),
		TEST(short_path_and_general_one_agree),
	};

	return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
