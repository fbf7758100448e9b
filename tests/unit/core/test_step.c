// SPDX-License-Identifier: GPL-2.0-only
/* step.h, step.c: rules on a fabricated process, and invalid results of rules. */
#include "frame.h"

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
	/* the same step again would never end */
	REFUSED(A64, leaf, s, USTACK_BAD_CFA);
	assert_int_equal(f.reads, 0);

	s = sample();	/* the word below SP is not even in memory */
	REFUSED(A64, RULE(-16, 0, 0, USTACK_OP_SP, 0, 0, 0), s, USTACK_BAD_CFA);
	/* after a signal LR is known, too */
	s.regs_in = USTACK_REGS_SIGCONTEXT;
	s.sigcontext = STACK;
	assert_reason(ustack_step(A64, leaf, &s, &f.mem), USTACK_OK);
	s = caller();
	REFUSED(A64, RULE(16, 0, 0, USTACK_OP_SP, 0, 0, 0), s, USTACK_NO_REGISTER);
}

/*
 * OpenSSL's assembly has functions whose CFA is in RAX or R11 while they call other functions
 * of it, which do not change it.
 */
static void scratch_registers_of_callers(void **state)
{
	const struct ustack_rule *plain = RULE(16, -8, 0, USTACK_OP_SP, AT_CFA);
	const struct ustack_rule *reg = RULE(8, -8, 0, USTACK_OP_REG(11), AT_CFA);
	struct ustack_state s = sample();

	f.known = 1u << 11 | 1u << 3;
	f.regs[3] = f.regs[11] = SP0 + 0x100;
	fake_poke(&f, SP0 + 8, CODE + 0x85);
	fake_poke(&f, SP0 + 0x100, CODE + 0x95);
	assert_reason(ustack_step(X86, plain, &s, &f.mem), USTACK_OK);
	/* not after a call: the register was used for something else */
	REFUSED(X86, reg, s, USTACK_NO_REGISTER);
	fake_poke(&f, CODE + 0x90, 0xe8);	/* call */
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == CODE + 0x95 && s.sp == SP0 + 0x108 && !s.exact);

	/* its value is that of the sample through any number of rules, */
	s = sample();
	assert_reason(ustack_step(X86, plain, &s, &f.mem), USTACK_OK);
	fake_poke(&f, SP0 + 24, CODE + 0x85);
	assert_reason(ustack_step(X86, plain, &s, &f.mem), USTACK_OK);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	/* a register that is restored later may have been saved on the way, */
	s = sample();
	assert_reason(ustack_step(X86, plain, &s, &f.mem), USTACK_OK);
	REFUSED(X86, RULE(8, -8, 0, USTACK_OP_REG(3), AT_CFA), s, USTACK_NO_REGISTER);
	/* and code without a rule may have changed it */
	s = caller();
	REFUSED(X86, reg, s, USTACK_NO_REGISTER);
	/* also through rules that are not plain, from the sample and from a signal */
	s = sample();
	fake_poke(&f, SP0 + 0x100, CODE + 0x95);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	f.regs[11] = SP0 + 0x200;
	fake_poke(&f, SP0 + 0x200, CODE + 0x95);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	assert_true(s.sp == SP0 + 0x208);
	s = sample();
	s.regs_in = s.scratch_in = USTACK_REGS_SIGCONTEXT;
	s.sigcontext = STACK;
	fake_poke(&f, STACK + X86->sigcontext_off[11], SP0 + 0x100);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	fake_poke(&f, STACK + X86->sigcontext_off[11], SP0 + 0x200);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	assert_true(s.sp == SP0 + 0x208);
	f.regs[11] = SP0 + 0x100;
	/* after a signal they are those in the signal frame */
	s = sample();
	s.regs_in = s.scratch_in = USTACK_REGS_SIGCONTEXT;
	s.sigcontext = STACK;
	fake_poke(&f, STACK + X86->sigcontext_off[11], SP0 + 0x100);
	fake_poke(&f, STACK + X86->sigcontext_off[3], SP0 + 0x100);
	f.known = 0;
	assert_reason(ustack_step(X86, plain, &s, &f.mem), USTACK_OK);
	REFUSED(X86, RULE(8, -8, 0, USTACK_OP_REG(3), AT_CFA), s, USTACK_NO_REGISTER);
	assert_reason(ustack_step(X86, reg, &s, &f.mem), USTACK_OK);
	assert_true(s.sp == SP0 + 0x108);
}

/* Whether the rule of a caller's frame may use the sample's register @reg. */
static bool caller_may_use(const struct ustack_arch *arch, unsigned int reg)
{
	struct ustack_state s = caller();
	enum ustack_reason reason;

	s.scratch_in = USTACK_REGS_SAMPLE;
	reason = ustack_step(arch, RULE(8, -8, 0, USTACK_OP_REG(reg), AT_CFA), &s, &f.mem);
	if (reason)
		assert_reason(reason, USTACK_NO_REGISTER);
	return !reason;
}

/*
 * The registers that the ABIs let a function change: others may already have the caller's
 * value.
 */
static void each_register_of_callers(void **state)
{
	/* rax, rdx, rcx, rsi, rdi, r8 to r11 */
	static const bool scratch[16] = { 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1 };
	unsigned int reg;

	f.known = ~0ull;
	for (reg = 0; reg < ARRAY_SIZE(f.regs); reg++)
		f.regs[reg] = SP0 + 0x100;
	fake_poke(&f, SP0 + 0x100, CODE + 0x98);
	fake_code(&f, CODE + 0x93, B("\xe8\0\0\0\0"));	/* call */
	for (reg = 0; reg < 16; reg++)
		assert_int_equal(caller_may_use(X86, reg), scratch[reg]);
	fake_code(&f, CODE + 0x94, B("\0\0\0\x94"));	/* bl */
	for (reg = 0; reg < 31; reg++)
		assert_int_equal(caller_may_use(A64, reg), reg <= 18);
}

/* vfork() of x86's glibc pops its return address into rdi (5): CFA is SP. */
static void return_address_in_another_register(void **state)
{
	const struct ustack_rule *vfork =
		RULE(0, 0, 0, USTACK_OP_SP, USTACK_OP_REG(5), 0, 0);
	struct ustack_state s = sample();

	REFUSED(X86, vfork, s, USTACK_NO_REGISTER);
	f.known = 1u << 5;
	f.regs[5] = RA;
	assert_reason(ustack_step(X86, vfork, &s, &f.mem), USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0);
	assert_true(fp_of(&s) == SP0 + 0x80);
	/* the same again would never end */
	REFUSED(X86, vfork, s, USTACK_BAD_CFA);
	s = sample();
	f.regs[5] = SP0;
	REFUSED(X86, RULE(0, 0, 0, USTACK_OP_SP,
			  USTACK_OP_REG(5) | USTACK_OP_DEREF, 0, 0), s,
		USTACK_BAD_CFA);
	s = caller();
	REFUSED(X86, RULE(16, 0, 0, USTACK_OP_SP, USTACK_OP_REG(5), 0, 0), s,
		USTACK_NO_REGISTER);
}

/*
 * CFA == SP is allowed only if the return address is in a register, never for one on the stack.
 */
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
	/* an address relative to SP is not in a register */
	REFUSED(X86, RULE(0, 8, 0, USTACK_OP_SP, USTACK_OP_SP), s, USTACK_BAD_CFA);
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

/* The same registers, from the signal frame that the pc was found in. */
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
	/* the signal frame no longer exists */
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
		{ 0, USTACK_BAD_RA },
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
	/* bits that the mask removes do not count */
	f.mem.ra_mask = (1ull << 47) - 1;
	fake_poke(&f, SP0, 0xffff800000000000ull);
	s = sample();
	s.fp = 0;
	REFUSED(X86, fast, s, USTACK_COMPLETE);
}

/*
 * The outermost frame also has FP 0, or has saved a caller's FP of 0: in a register, in memory,
 * by plain rules and others, with the return address in a register.
 */
static void return_address_0(void **state)
{
	const struct ustack_rule *plain = RULE(16, -8, 0, USTACK_OP_SP, AT_CFA);
	const struct ustack_rule *saves = RULE(16, -8, -16, USTACK_OP_SP, AT_CFA, AT_CFA);
	const struct ustack_rule *by_fp = RULE(16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA);
	const struct ustack_rule *slow =
		RULE(16, 8, 0, USTACK_OP_SP, USTACK_OP_SP | USTACK_OP_DEREF);
	const struct ustack_rule *slow_saves =
		RULE(16, 8, -16, USTACK_OP_SP, USTACK_OP_SP | USTACK_OP_DEREF, AT_CFA);
	const struct ustack_rule *leaf = RULE(0, 0, 0, USTACK_OP_SP, 0, 0, 0);
	struct ustack_state s = sample();

	fake_poke(&f, SP0, 0);
	fake_poke(&f, SP0 + 8, 0);
	REFUSED(X86, plain, s, USTACK_BAD_RA);
	REFUSED(X86, slow, s, USTACK_BAD_RA);
	REFUSED(X86, saves, s, USTACK_COMPLETE);
	REFUSED(X86, slow_saves, s, USTACK_COMPLETE);
	fake_poke(&f, SP0, 1);
	REFUSED(X86, saves, s, USTACK_BAD_RA);
	REFUSED(X86, slow_saves, s, USTACK_BAD_RA);
	s.fp = 0;
	REFUSED(X86, plain, s, USTACK_COMPLETE);
	REFUSED(X86, slow, s, USTACK_COMPLETE);
	s.fp_at = SP0;
	REFUSED(X86, plain, s, USTACK_BAD_RA);
	s.fp_at = 8;
	REFUSED(X86, plain, s, USTACK_STACK_FAULT);
	s = sample();
	s.fp = SP0 + 0x80;
	fake_poke(&f, SP0 + 0x80, 0);
	fake_poke(&f, SP0 + 0x88, 0);
	REFUSED(X86, by_fp, s, USTACK_COMPLETE);
	s.lr = 0;
	REFUSED(A64, leaf, s, USTACK_BAD_RA);
	s.fp = 0;
	REFUSED(A64, leaf, s, USTACK_COMPLETE);
}

static void outermost_rows(void **state)
{
	struct ustack_state s = caller();

	REFUSED(X86, RULE(.flags = USTACK_RULE_OUTERMOST), s, USTACK_COMPLETE);
	REFUSED(A64, RULE(.flags = USTACK_RULE_OUTERMOST), s, USTACK_COMPLETE);
	assert_int_equal(f.reads, 0);
}

/*
 * A signal row whose code is not the known trampoline is used as it is: its CFA may be
 * anywhere, and its caller was interrupted.
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

	s = caller();	/* it must be aligned nevertheless */
	fake_poke(&f, SP0 + 160, SP0 - 0x404);
	REFUSED(X86, RULE(160, 168, 0, USTACK_OP_SP | USTACK_OP_DEREF,
			  USTACK_OP_SP | USTACK_OP_DEREF, 0, USTACK_RULE_SIGNAL), s,
		USTACK_BAD_CFA);
}

/* A signal frame needs both the row's flag and the trampoline's code. */
static void trampolines_without_a_signal_row(void **state)
{
	static const u8 sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	struct ustack_state s = caller();

	fake_code(&f, CODE + 0x40, sigreturn, sizeof(sigreturn));
	fake_poke(&f, SP0 + X86->sigcontext_pc, RA + 1);
	fake_poke(&f, SP0 + X86->sigcontext_off[X86->sp_reg], SP0 + 0x400);
	fake_poke(&f, SP0 + 0x10, RA);
	assert_reason(ustack_step(X86, RULE(32, 16, 0, USTACK_OP_SP,
					    USTACK_OP_SP | USTACK_OP_DEREF), &s, &f.mem),
		      USTACK_OK);
	assert_true(s.pc == RA && s.sp == SP0 + 32 && !s.exact);
	/* it is at SP, of which only a bound is known */
	s = caller();
	s.sp_bound = true;
	REFUSED(X86, RULE(8, -8, 0, USTACK_OP_SP, AT_CFA, 0, USTACK_RULE_SIGNAL), s,
		USTACK_NO_REGISTER);
}

/* _start, which has no row: the caller of main(), at the stack pointer of execve(). */
static void the_entry_code_of_a_program(void **state)
{
	static const struct {
		s64 below;	/* SP is below the stack pointer of execve() */
		bool sp_bound;
		bool want;
	} cases[] = {
		{ 0, false, true }, { 32, false, true }, { 33, false, false },
		{ -1, false, false }, { 4096, false, false }, { 4096, true, true },
		{ 4097, true, false }, { -1, true, false },
	};
	struct ustack_state s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		s = caller();
		s.fp = 0;
		s.sp_bound = cases[i].sp_bound;
#define IS_ENTRY() ustack_state_is_entry(&s, &f.mem, f.mem.read_u64, SP0 + (u64)cases[i].below)
		assert_int_equal(IS_ENTRY(), cases[i].want);
		s.exact = true;		/* it was sampled, or interrupted */
		assert_false(IS_ENTRY());
		s.exact = false;
		s.fp = 8;		/* a function that _start has called */
		assert_false(IS_ENTRY());
		s.fp_at = SP0 + 0x40;	/* its saved value is 0 */
		assert_int_equal(IS_ENTRY(), cases[i].want);
		s.fp = 0;
		s.fp_at = STACK - 8;	/* and cannot be read */
		assert_false(IS_ENTRY());
#undef IS_ENTRY
	}
}

/* The short path and the general one must give the same results. */
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
		if (rand_r(&seed) % 4 == 0)
			a.fp_at = STACK + ((u64)rand_r(&seed) % STACK_LEN & ~7ull);
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
		TEST(scratch_registers_of_callers),
		TEST(each_register_of_callers),
		TEST(leaf_with_link_register),
		TEST(return_address_in_another_register),
		TEST(cfa_equal_to_sp),
		TEST(aarch64_frame),
		TEST(any_register_of_the_sampled_frame),
		TEST(any_register_of_an_interrupted_frame),
		TEST(cfa_from_memory),
		TEST(cfa_from_memory_and_more),
		TEST(operands_of_every_kind),
		TEST(stack_that_is_not_there),
		TEST(return_addresses), TEST(return_address_0),
		TEST(outermost_rows),
		TEST(signal_rows_by_rule),
		TEST(trampolines_without_a_signal_row),
		TEST(the_entry_code_of_a_program),
		TEST(short_path_and_general_one_agree),
	};

	return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
