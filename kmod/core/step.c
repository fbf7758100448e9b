// SPDX-License-Identifier: GPL-2.0-only
/*
 * Less frequent steps by rules: flexible rules, link register, signal frames.
 * Called through step.h. NMI-safe: straight-line code, user memory only through
 * ustack_mem; the state is written last.
 */
#include "step.h"

/*
 * Reads a register of the frame, if it is known. If a function's rule needs a
 * scratch register after a call, the called code does not change that register:
 * compilers never rely on that, but hand-written code does. Then its value is
 * the sample's.
 */
static bool frame_reg(const struct ustack_arch *arch,
		      const struct ustack_state *s, struct ustack_mem *mem,
		      unsigned int reg, u64 *ret)
{
	u8 in = s->regs_in;

	if (in == USTACK_REGS_UNKNOWN && arch->scratch_regs >> reg & 1)
		in = s->scratch_in;
	if (in == USTACK_REGS_SAMPLE)
		return ustack_mem_reg(mem, reg, ret);
	if (in == USTACK_REGS_SIGCONTEXT && arch->sigcontext_off[reg])
		return ustack_mem_read(mem, s->sigcontext +
				     arch->sigcontext_off[reg], ret);
	return false;
}

static __always_inline enum ustack_reason
operand(const struct ustack_arch *arch, u8 op, s32 off, u64 cfa,
	const struct ustack_state *s, struct ustack_mem *mem, u64 *ret)
{
	u64 v = cfa;

	switch (USTACK_OP_BASE(op)) {
	case USTACK_OP_SP:
		if (s->sp_bound)
			return USTACK_NO_REGISTER;
		v = s->sp;
		break;
	case USTACK_OP_FP:
		if (!ustack_state_fp(s, mem, ustack_mem_read, &v))
			return USTACK_STACK_FAULT;
		break;
	case USTACK_OP_BASE_REG:
		if (!frame_reg(arch, s, mem, USTACK_OP_REGNO(op), &v))
			return USTACK_NO_REGISTER;
		break;
	}
	v += (s64)off;
	if (op & USTACK_OP_DEREF && !ustack_mem_read(mem, v, &v))
		return USTACK_STACK_FAULT;
	*ret = v;
	return USTACK_OK;
}

enum ustack_reason ustack_step_sigcontext(const struct ustack_arch *arch,
					  struct ustack_state *s,
					  struct ustack_mem *mem)
{
	struct ustack_state to = {
		.sigcontext = s->sp,
		.regs_in = USTACK_REGS_SIGCONTEXT,
		.scratch_in = USTACK_REGS_SIGCONTEXT,
		.exact = true,
	};
	u16 lr_off = arch->ra_fixed ? 0 : arch->sigcontext_off[30];

	if (!ustack_mem_read(mem, s->sp + arch->sigcontext_pc, &to.pc) ||
	    !ustack_mem_read(mem, s->sp + arch->sigcontext_off[arch->sp_reg],
			   &to.sp) ||
	    !ustack_mem_read(mem, s->sp + arch->sigcontext_off[arch->fp_reg],
			   &to.fp))
		return USTACK_STACK_FAULT;
	if (lr_off && !ustack_mem_read(mem, s->sp + lr_off, &to.lr))
		return USTACK_STACK_FAULT;
	/* a call through a null pointer has a pc of 0, and has a caller */
	if (ustack_check_ra(mem, &to.pc))
		return USTACK_BAD_RA;
	*s = to;
	return USTACK_OK;
}

enum ustack_reason ustack_step_end(const struct ustack_state *s, u64 fp_at,
				   struct ustack_mem *mem)
{
	u64 fp;

	if (fp_at ? !ustack_mem_read(mem, fp_at, &fp) :
		    !ustack_state_fp(s, mem, ustack_mem_read, &fp))
		return USTACK_STACK_FAULT;
	return fp ? USTACK_BAD_RA : USTACK_COMPLETE;
}

/*
 * Return: whether the return address is not on the stack, but in the link
 * register, or in the register where x86's vfork() keeps it.
 */
static bool ra_in_register(const struct ustack_rule *rule)
{
	return rule->ra == USTACK_OP_NONE ||
	       (USTACK_OP_BASE(rule->ra) == USTACK_OP_BASE_REG &&
		!(rule->ra & USTACK_OP_DEREF));
}

static bool cfa_is_good(const struct ustack_rule *rule,
			const struct ustack_state *s, u64 cfa)
{
	if (cfa & 7)
		return false;
	if (rule->flags & USTACK_RULE_SIGNAL)
		return true;
	if (cfa == s->sp)
		return s->exact && ra_in_register(rule);
	return cfa > s->sp;
}

/*
 * Return: whether a caller's frame is found by a scratch register: see
 * frame_reg().
 */
static bool found_by_scratch(const struct ustack_rule *rule,
			     const struct ustack_state *s)
{
	return (USTACK_OP_BASE(rule->cfa) == USTACK_OP_BASE_REG ||
		USTACK_OP_BASE(rule->ra) == USTACK_OP_BASE_REG) &&
	       s->regs_in == USTACK_REGS_UNKNOWN;
}

enum ustack_reason ustack_step_slow(const struct ustack_arch *arch,
				    const struct ustack_rule *rule,
				    struct ustack_state *s,
				    struct ustack_mem *mem)
{
	struct ustack_state to = { 0 };
	enum ustack_reason reason;
	bool at_end;
	u64 entry;

	if (rule->flags & USTACK_RULE_OUTERMOST)
		return USTACK_COMPLETE;
	/* The ABI's signal frame has every register; a row has three. */
	if (rule->flags & USTACK_RULE_SIGNAL && !s->sp_bound &&
	    arch->is_sigreturn(mem, s->pc, s->exact))
		return ustack_step_sigcontext(arch, s, mem);

	reason = operand(arch, rule->cfa, rule->cfa_off, 0, s, mem, &to.sp);
	if (reason)
		return reason;
	to.sp += 8 * USTACK_RULE_CFA_ADD(rule->flags);
	if (!cfa_is_good(rule, s, to.sp))
		return USTACK_BAD_CFA;

	if (rule->ra == USTACK_OP_NONE) {
		if (s->regs_in == USTACK_REGS_UNKNOWN)
			return USTACK_NO_REGISTER;
		to.pc = s->lr;
	} else {
		reason = operand(arch, rule->ra, rule->ra_off, to.sp, s, mem,
				 &to.pc);
		if (reason)
			return reason;
	}
	reason = ustack_check_ra(mem, &to.pc);
	if (reason && reason != USTACK_COMPLETE)
		return reason;
	at_end = reason;
	/* A register that was changed hardly leads to a return address. */
	if (!at_end && found_by_scratch(rule, s) && !arch->call_target(mem, to.pc, &entry))
		return USTACK_NO_REGISTER;

	to.fp = s->fp;
	to.fp_at = s->fp_at;
	if (rule->fp != USTACK_OP_NONE) {
		reason = operand(arch, rule->fp, rule->fp_off, to.sp, s, mem,
				 &to.fp);
		if (reason)
			return reason;
		to.fp_at = 0;
	}
	if (at_end)
		return ustack_step_end(&to, 0, mem);
	to.exact = rule->flags & USTACK_RULE_SIGNAL;
	if (!to.exact) {
		to.scratch_in = s->scratch_in;
		to.sigcontext = s->sigcontext;
	}
	*s = to;
	return USTACK_OK;
}
