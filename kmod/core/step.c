// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rarer steps: flexible rules, link register, signal frames, PLT code and
 * frame pointers. NMI-safe: straight-line code, user memory only through
 * ustack_mem, the state is written last.
 */
#include "step.h"

#include "limits.h"

/*
 * A register of the frame, if it is known. A function whose rule needs a scratch
 * register behind a call says that what it calls leaves that register alone, which
 * compilers do not do and hand-written code does: then it is the sample's.
 */
static bool frame_reg(const struct ustack_arch *arch,
		      const struct ustack_state *s, struct ustack_mem *mem,
		      unsigned int reg, u64 *ret)
{
	u8 in = s->regs_in;

	if (in == USTACK_REGS_UNKNOWN && arch->scratch_regs >> reg & 1)
		in = s->scratch_in;
	if (in == USTACK_REGS_SAMPLE)
		return mem->read_reg(mem, reg, ret);
	if (in == USTACK_REGS_SIGCONTEXT && arch->sigcontext_off[reg])
		return mem->read_u64(mem, s->sigcontext +
				     arch->sigcontext_off[reg], ret);
	return false;
}

static enum ustack_reason operand(const struct ustack_arch *arch, u8 op,
				  s32 off, u64 cfa,
				  const struct ustack_state *s,
				  struct ustack_mem *mem, u64 *ret)
{
	u64 v = cfa;

	switch (USTACK_OP_BASE(op)) {
	case USTACK_OP_SP:
		if (s->sp_bound)
			return USTACK_NO_REGISTER;
		v = s->sp;
		break;
	case USTACK_OP_FP:
		if (!ustack_state_fp(s, mem, mem->read_u64, &v))
			return USTACK_STACK_FAULT;
		break;
	case USTACK_OP_BASE_REG:
		if (!frame_reg(arch, s, mem, USTACK_OP_REGNO(op), &v))
			return USTACK_NO_REGISTER;
		break;
	}
	v += (s64)off;
	if (op & USTACK_OP_DEREF && !mem->read_u64(mem, v, &v))
		return USTACK_STACK_FAULT;
	*ret = v;
	return USTACK_OK;
}

/* Everything that was interrupted is in the frame that SP points to. */
static enum ustack_reason step_sigcontext(const struct ustack_arch *arch,
					  struct ustack_state *s,
					  struct ustack_mem *mem)
{
	struct ustack_state to = {
		.sigcontext = s->sp,
		.regs_in = USTACK_REGS_SIGCONTEXT,
		.scratch_in = USTACK_REGS_SIGCONTEXT,
		.exact = true,
	};
	enum ustack_reason reason;
	u16 lr_off = arch->ra_fixed ? 0 : arch->sigcontext_off[30];

	if (!mem->read_u64(mem, s->sp + arch->sigcontext_pc, &to.pc) ||
	    !mem->read_u64(mem, s->sp + arch->sigcontext_off[arch->sp_reg],
			   &to.sp) ||
	    !mem->read_u64(mem, s->sp + arch->sigcontext_off[arch->fp_reg],
			   &to.fp))
		return USTACK_STACK_FAULT;
	if (lr_off && !mem->read_u64(mem, s->sp + lr_off, &to.lr))
		return USTACK_STACK_FAULT;
	reason = ustack_check_ra(mem, &to.pc);
	if (reason)
		return reason;
	*s = to;
	return USTACK_OK;
}

/* Not on the stack: in the link register, or where x86's vfork() keeps it. */
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

/* Whether a caller's frame is found by a scratch register: see frame_reg(). */
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
	u64 entry;

	if (rule->flags & USTACK_RULE_OUTERMOST)
		return USTACK_COMPLETE;
	/* The ABI's signal frame has every register; a row has three. */
	if (rule->flags & USTACK_RULE_SIGNAL && !s->sp_bound &&
	    arch->is_sigreturn(mem, s->pc, s->exact))
		return step_sigcontext(arch, s, mem);

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
	if (reason)
		return reason;
	/* If the register was not left alone, it was hardly for a frame. */
	if (found_by_scratch(rule, s) && !arch->call_target(mem, to.pc, &entry))
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
	to.exact = rule->flags & USTACK_RULE_SIGNAL;
	if (!to.exact) {
		to.scratch_in = s->scratch_in;
		to.sigcontext = s->sigcontext;
	}
	*s = to;
	return USTACK_OK;
}

/* Whether the code at @pc can be that of a function which a call enters at
 * @entry; 0 is not known.
 */
static bool may_be_in(u64 pc, u64 entry)
{
	return !entry || (pc >= entry && pc - entry <= USTACK_MAX_FP_FUNCTION);
}

/* Whether @word is code that directly follows a call; @entry: where that went. */
static bool is_ra(const struct ustack_arch *arch, struct ustack_mem *mem,
		  u64 word, u64 *entry)
{
	return !ustack_check_ra(mem, &word) &&
	       (!mem->is_code || mem->is_code(mem, word)) &&
	       arch->call_target(mem, word, entry);
}

/*
 * Whether the link register of the sampled frame @s is of no interest: it holds
 * the return address @ra of the record, or none, or what a call of the function
 * itself has left there. Where that call went does not tell, because of tail
 * calls; that the function has saved its own return address does.
 */
static bool lr_is_left_over(const struct ustack_arch *arch,
			    const struct ustack_state *s,
			    struct ustack_mem *mem, u64 ra)
{
	u64 entry, lr = s->lr & mem->ra_mask;

	return lr == ra || !is_ra(arch, mem, lr, &entry) ||
	       arch->has_saved_lr(mem, s->pc);
}

/* The same wherever code may be, in a JIT compiler's memory too; and what a signal
 * handler returns to.
 */
static bool may_be_ra(const struct ustack_arch *arch, struct ustack_mem *mem,
		      u64 word)
{
	u64 entry;

	return !ustack_check_ra(mem, &word) &&
	       (arch->call_target(mem, word, &entry) ||
		arch->is_sigreturn(mem, word, false));
}

/*
 * A function without a record of its own has an outer one's in FP. Then its
 * return address is below that record, or still in the link register. In the
 * stack, any return address counts: after a tail call, where its call went says
 * nothing. Bounded by USTACK_MAX_FP_FRAME and, for the whole walk, by USTACK_MAX_SCAN:
 * each round reads a word, rarely up to five more.
 *
 * @elsewhere: the record's call did not go to this function, so that nothing but
 * the stack speaks for the record: then it counts what may be a return address.
 */
static bool record_is_mine(const struct ustack_arch *arch,
			   const struct ustack_state *s, struct ustack_mem *mem,
			   u64 fp, u64 ra, bool elsewhere)
{
	u64 at, word, entry;

	if (!arch->ra_fixed && s->regs_in != USTACK_REGS_UNKNOWN &&
	    !lr_is_left_over(arch, s, mem, ra))
		return false;
	for (at = s->sp; at < fp; at += 8)
		if (mem->scanned++ >= USTACK_MAX_SCAN ||
		    !mem->read_u64(mem, at, &word) ||
		    (elsewhere ? may_be_ra(arch, mem, word) :
				 is_ra(arch, mem, word, &entry)))
			return false;
	return true;
}

/*
 * The {FP, RA} pair that FP points to: the frame record of both architectures.
 * @ret: what it makes of the caller; @fp: where it is; @entry: see call_target().
 */
static enum ustack_reason read_record(const struct ustack_arch *arch,
				      const struct ustack_state *s,
				      struct ustack_mem *mem,
				      struct ustack_state *ret, u64 *fp,
				      u64 *entry)
{
	*ret = (struct ustack_state){ 0 };
	if (!ustack_state_fp(s, mem, mem->read_u64, fp))
		return USTACK_STACK_FAULT;
	if (*fp & 7 || s->sp & 7 || *fp < s->sp ||
	    *fp - s->sp > USTACK_MAX_FP_FRAME)
		return USTACK_NO_ROW;
	if (!mem->read_u64(mem, *fp, &ret->fp) ||
	    !mem->read_u64(mem, *fp + 8, &ret->pc))
		return USTACK_STACK_FAULT;
	/* AMD64 pushes the record first of all, right below the CFA. AArch64
	 * puts it where it likes.
	 */
	ret->sp = *fp + 16;
	ret->sp_bound = !arch->ra_fixed;
	if (ustack_check_ra(mem, &ret->pc) ||
	    !arch->call_target(mem, ret->pc, entry))
		return USTACK_NO_ROW;
	return USTACK_OK;
}

/*
 * Whether a function that was called from here starts between @entry and the frame's pc:
 * then that may be the one the pc is in, and the code has deceived owns_record(). Bounded
 * as record_is_mine().
 */
static bool nearer_call(const struct ustack_arch *arch,
			const struct ustack_state *s, struct ustack_mem *mem,
			u64 fp, u64 entry)
{
	u64 at, word, to;

	for (at = s->sp; at < fp; at += 8)
		if (mem->scanned++ >= USTACK_MAX_SCAN ||
		    !mem->read_u64(mem, at, &word) ||
		    (is_ra(arch, mem, word, &to) && to > entry && to <= s->pc))
			return true;
	return false;
}

/*
 * The record counts if the code of the function says so, whatever is left over on the stack;
 * else if nothing there speaks against it.
 */
static enum ustack_reason step_fp(const struct ustack_arch *arch,
				  struct ustack_state *s,
				  struct ustack_mem *mem)
{
	enum ustack_reason reason;
	struct ustack_state to;
	bool elsewhere;
	u64 fp, entry;

	reason = read_record(arch, s, mem, &to, &fp, &entry);
	if (reason)
		return reason;
	if (entry && arch->owns_record(mem, entry, s) &&
	    !nearer_call(arch, s, mem, fp, entry)) {
		*s = to;
		return USTACK_OK;
	}
	/* What was called may have jumped on to this function: all of V8's code is
	 * entered so. On AArch64 the return address may be in LR alone.
	 */
	elsewhere = !may_be_in(s->pc, entry);
	if ((elsewhere && (!arch->ra_fixed || !mem->may_guess)) ||
	    !record_is_mine(arch, s, mem, fp, to.pc, elsewhere))
		return USTACK_NO_ROW;
	mem->guessed += elsewhere;
	*s = to;
	return USTACK_OK;
}

/* Whether FP is a record of @s's own by all that the stack tells. */
static bool stack_speaks_for_fp(const struct ustack_arch *arch,
				const struct ustack_state *s,
				struct ustack_mem *mem)
{
	struct ustack_state to;
	u64 fp, entry;

	return !read_record(arch, s, mem, &to, &fp, &entry) &&
	       record_is_mine(arch, s, mem, fp, to.pc, true);
}

/*
 * A sampled function that has pushed nothing: its return address is at SP, behind a
 * call that does not go elsewhere; or that does, if the caller has a frame record. A
 * guess, as a function's locals may hold a left-over one.
 */
static enum ustack_reason step_top(const struct ustack_arch *arch,
				   struct ustack_state *s,
				   struct ustack_mem *mem)
{
	struct ustack_state to = {
		.sp = s->sp + 8,
		.fp = s->fp,
		.fp_at = s->fp_at,
	};
	u64 entry;

	if (!arch->ra_fixed || !mem->may_guess || !s->exact || s->sp & 7 ||
	    !mem->read_u64(mem, s->sp, &to.pc) || ustack_check_ra(mem, &to.pc) ||
	    !arch->call_target(mem, to.pc, &entry))
		return USTACK_NO_ROW;
	if (!may_be_in(s->pc, entry) && !stack_speaks_for_fp(arch, &to, mem))
		return USTACK_NO_ROW;
	mem->guessed++;
	*s = to;
	return USTACK_OK;
}

enum ustack_reason ustack_step_blind(const struct ustack_arch *arch,
				     struct ustack_state *s,
				     struct ustack_mem *mem)
{
	enum ustack_reason reason;
	struct ustack_state to;
	struct ustack_rule rule;

	if (arch->is_sigreturn(mem, s->pc, s->exact) ||
	    (s->regs_in == USTACK_REGS_SAMPLE && arch->in_sigreturn(mem, s->pc)))
		return s->sp_bound ? USTACK_NO_REGISTER :
				     step_sigcontext(arch, s, mem);
	if (s->exact && s->regs_in != USTACK_REGS_UNKNOWN) {
		if (arch->stub(mem, s->pc, &rule))
			return ustack_step_slow(arch, &rule, s, mem);
		if (arch->leaf && arch->leaf(mem, s, &to)) {
			*s = to;
			return USTACK_OK;
		}
	}
	reason = step_fp(arch, s, mem);
	return reason == USTACK_NO_ROW ? step_top(arch, s, mem) : reason;
}

enum ustack_reason ustack_step_follow(const struct ustack_arch *arch,
				      struct ustack_state *s,
				      struct ustack_mem *mem)
{
	struct ustack_state to = { .sp_bound = !arch->ra_fixed };
	enum ustack_reason reason;
	u64 fp, entry, code;

	if (!mem->may_follow)
		return USTACK_NO_ROW;
	if (!ustack_state_fp(s, mem, mem->read_u64, &fp))
		return USTACK_STACK_FAULT;
	if (fp & 7 || fp < s->sp)
		return USTACK_NO_ROW;
	if (!mem->read_u64(mem, fp, &to.fp) || !mem->read_u64(mem, fp + 8, &to.pc))
		return USTACK_STACK_FAULT;
	reason = ustack_check_ra(mem, &to.pc);
	if (reason == USTACK_COMPLETE && !to.fp) {
		mem->guessed++;
		return USTACK_COMPLETE;
	}
	/* Interpreters push addresses of code that they have made, which are behind no call. */
	if (reason || (!arch->call_target(mem, to.pc, &entry) &&
		       (!mem->is_code || mem->is_code(mem, ustack_state_key(s)) ||
			mem->is_code(mem, to.pc) ||
			!mem->read_u64(mem, to.pc, &code))))
		return USTACK_NO_ROW;
	to.sp = fp + 16;
	mem->guessed++;
	mem->followed = to.pc;
	*s = to;
	return USTACK_OK;
}
