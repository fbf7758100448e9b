// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps without a row: by the code, by frame-pointer records that are proven to
 * be the frame's, and, marked as guessed, by the contents of the stack. Called
 * through step.h. NMI-safe: bounded loops, user memory only through ustack_mem;
 * the state is written last.
 */
#include "step.h"

#include "bounds.h"

/*
 * Return: whether @word is the address directly after a call instruction.
 * @entry: gets the target of the call
 */
static bool is_ra(const struct ustack_arch *arch, struct ustack_mem *mem,
		  u64 word, u64 *entry)
{
	return !ustack_check_ra(mem, &word) &&
	       ustack_mem_is_code(mem, word) &&
	       arch->call_target(mem, word, entry);
}

/*
 * Return: whether the link register of the sampled frame @s can be ignored: it
 * has the return address @ra of the record, or none, or one that a call of the
 * function itself has left there. The target of that call proves nothing,
 * because of tail calls; but it is proof that the function has saved its own
 * return address.
 */
static bool lr_is_left_over(const struct ustack_arch *arch,
			    const struct ustack_state *s,
			    struct ustack_mem *mem, u64 ra)
{
	u64 entry, lr = s->lr & mem->ra_mask;

	return lr == ra || !is_ra(arch, mem, lr, &entry) ||
	       arch->has_saved_lr(mem, s->pc);
}

/*
 * The same for any place where code may be, also in memory of a JIT compiler,
 * and for the address that a signal handler returns to.
 */
static bool may_be_ra(const struct ustack_arch *arch, struct ustack_mem *mem,
		      u64 word)
{
	u64 entry;

	return !ustack_check_ra(mem, &word) &&
	       (arch->call_target(mem, word, &entry) ||
		arch->is_sigreturn(mem, word, false));
}

/**
 * struct scan - search of the words between a frame's SP and its record, one a round
 * @arch: architecture
 * @mem: access to the process
 * @at: address of the next word
 * @end: address of the record, at most USTACK_MAX_FP_FRAME above the first word
 * @entry: for nearer_call(): the target of the record's call
 * @pc: for nearer_call(): pc of the frame
 * @elsewhere: see record_is_mine()
 * @found: there is a word against the record, or the words could not be read
 */
struct scan {
	const struct ustack_arch *arch;
	struct ustack_mem *mem;
	u64 at;
	u64 end;
	u64 entry;
	u64 pc;
	bool elsewhere;
	bool found;
};

/*
 * Reads the next word. Return: false at the end, or with @found set if no more
 * words may be read.
 */
static __always_inline bool next_word(struct scan *scan, u64 *ret)
{
	u64 at = scan->at;

	if (at >= scan->end)
		return false;
	scan->at = at + 8;
	scan->found = scan->mem->scanned++ >= USTACK_MAX_SCAN ||
		      !ustack_mem_read(scan->mem, at, ret);
	return !scan->found;
}

static long speaks_against(u32 i, void *to)
{
	struct scan *scan = to;
	const struct ustack_arch *arch = ustack_arch_known(scan->arch);
	u64 word, entry;

	if (!next_word(scan, &word))
		return 1;
	scan->found = scan->elsewhere ? may_be_ra(arch, scan->mem, word) :
					is_ra(arch, scan->mem, word, &entry);
	return scan->found;
}

static long calls_nearer(u32 i, void *to)
{
	struct scan *scan = to;
	const struct ustack_arch *arch = ustack_arch_known(scan->arch);
	u64 word, target;

	if (!next_word(scan, &word))
		return 1;
	scan->found = is_ra(arch, scan->mem, word, &target) && target > scan->entry &&
		      target <= scan->pc;
	return scan->found;
}

/*
 * Return: whether the record at @fp is the frame's own. A function without a
 * record has that of an outer function in FP. Then its return address is below
 * that record, or still in the link register. On the stack, any return address
 * counts: after a tail call, the target of its call proves nothing. Bounded by
 * USTACK_MAX_FP_FRAME and, for the whole walk, by USTACK_MAX_SCAN: each round
 * reads a word, rarely up to five more.
 *
 * @elsewhere: the record's call did not go to this function, so that only the
 *             stack gives evidence for the record: then every word that may be a
 *             return address counts.
 */
static bool record_is_mine(const struct ustack_arch *arch,
			   const struct ustack_state *s, struct ustack_mem *mem,
			   u64 fp, u64 ra, bool elsewhere)
{
	struct scan scan = {
		.arch = arch, .mem = mem, .at = s->sp, .end = fp, .elsewhere = elsewhere,
	};

	if (!arch->ra_fixed && s->regs_in != USTACK_REGS_UNKNOWN &&
	    !lr_is_left_over(arch, s, mem, ra))
		return false;
	ustack_repeat(USTACK_MAX_FP_FRAME / 8, speaks_against, &scan);
	return !scan.found;
}

/*
 * Reads the {FP, RA} pair that FP points to, the frame record of both
 * architectures. @ret: the caller by that record; @fp: address of the record;
 * @entry: see call_target().
 */
static __always_inline enum ustack_reason
read_record(const struct ustack_arch *arch,
				      const struct ustack_state *s,
				      struct ustack_mem *mem,
				      struct ustack_state *ret, u64 *fp,
				      u64 *entry)
{
	*ret = (struct ustack_state){ 0 };
	if (!ustack_state_fp(s, mem, ustack_mem_read, fp))
		return USTACK_STACK_FAULT;
	if (*fp & 7 || s->sp & 7 || *fp < s->sp ||
	    *fp - s->sp > USTACK_MAX_FP_FRAME)
		return USTACK_NO_ROW;
	if (!ustack_mem_read(mem, *fp, &ret->fp) ||
	    !ustack_mem_read(mem, *fp + 8, &ret->pc))
		return USTACK_STACK_FAULT;
	/*
	 * AMD64 pushes the record first, right below the CFA. AArch64 puts it
	 * anywhere in the frame.
	 */
	ret->sp = *fp + 16;
	ret->sp_bound = !arch->ra_fixed;
	if (ustack_check_ra(mem, &ret->pc) ||
	    !arch->call_target(mem, ret->pc, entry))
		return USTACK_NO_ROW;
	return USTACK_OK;
}

/*
 * Return: whether a function that was called from here starts between @entry
 * and the frame's pc: then that may be the function of the pc, and the code has
 * deceived owns_record(). Bounded like record_is_mine().
 */
static bool nearer_call(const struct ustack_arch *arch,
			const struct ustack_state *s, struct ustack_mem *mem,
			u64 fp, u64 entry)
{
	struct scan scan = {
		.arch = arch, .mem = mem, .at = s->sp, .end = fp, .entry = entry, .pc = s->pc,
	};

	ustack_repeat(USTACK_MAX_FP_FRAME / 8, calls_nearer, &scan);
	return scan.found;
}

/*
 * The record counts if the function's code proves it, whatever is left over on
 * the stack; else if nothing on the stack speaks against it.
 */
enum ustack_reason ustack_step_by_record(const struct ustack_arch *arch,
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
	/*
	 * The called code may have jumped on to this function: all of V8's code
	 * is entered like that. On AArch64 the return address may be only in
	 * LR.
	 */
	elsewhere = !ustack_may_be_in(s->pc, entry);
	if ((elsewhere && (!arch->ra_fixed || !mem->may_guess)) ||
	    !record_is_mine(arch, s, mem, fp, to.pc, elsewhere))
		return USTACK_NO_ROW;
	mem->guessed += elsewhere;
	*s = to;
	return USTACK_OK;
}

/*
 * Return: whether FP points to @s's own record, as far as the stack can tell.
 */
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
 * Steps from a sampled function that has pushed nothing: its return address is
 * at SP, after a call that does not go elsewhere; or that does, if the caller
 * has a frame record. This is a guess, as a function's locals may contain a
 * left-over one.
 */
enum ustack_reason ustack_step_top(const struct ustack_arch *arch,
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
	    !ustack_mem_read(mem, s->sp, &to.pc) || ustack_check_ra(mem, &to.pc) ||
	    !arch->call_target(mem, to.pc, &entry))
		return USTACK_NO_ROW;
	if (!ustack_may_be_in(s->pc, entry) && !stack_speaks_for_fp(arch, &to, mem))
		return USTACK_NO_ROW;
	mem->guessed++;
	*s = to;
	return USTACK_OK;
}

/*
 * Steps from a function that has called on another stack. No address tells
 * whether the step goes on towards the caller, as stacks have no order; the
 * bound on frames ends a walk in a circle. The return address must follow a
 * call, in case the code only looks like that of such a function.
 */
static bool step_to_left_stack(const struct ustack_arch *arch, struct ustack_state *s,
			       struct ustack_mem *mem)
{
	struct ustack_state to = { .fp = s->fp, .fp_at = s->fp_at };
	u64 entry;

	if (!arch->left_stack || !arch->left_stack(mem, s, &to.sp) || to.sp & 7 ||
	    !ustack_mem_read(mem, to.sp, &to.pc) || ustack_check_ra(mem, &to.pc) ||
	    !arch->call_target(mem, to.pc, &entry))
		return false;
	to.sp += 8;
	*s = to;
	return true;
}

enum ustack_reason ustack_step_by_code(const struct ustack_arch *arch,
				       struct ustack_state *s,
				       struct ustack_mem *mem)
{
	struct ustack_state to;
	struct ustack_rule rule;

	if (arch->is_sigreturn(mem, s->pc, s->exact) ||
	    (s->regs_in == USTACK_REGS_SAMPLE && arch->in_sigreturn(mem, s->pc)))
		return s->sp_bound ? USTACK_NO_REGISTER :
				     ustack_step_sigcontext(arch, s, mem);
	if (!s->exact && arch->is_bottom(mem, s->pc))
		return USTACK_COMPLETE;
	if (!s->exact && step_to_left_stack(arch, s, mem))
		return USTACK_OK;
	if (s->exact && s->regs_in == USTACK_REGS_UNKNOWN)
		return USTACK_NO_ROW;
	if (s->exact && arch->stub(mem, s->pc, &rule))
		return ustack_step_slow(arch, &rule, s, mem);
	if (!arch->leaf || !arch->leaf(mem, s, &to))
		return USTACK_NO_ROW;
	*s = to;
	return USTACK_OK;
}

enum ustack_reason ustack_step_blind(const struct ustack_arch *arch,
				     struct ustack_state *s,
				     struct ustack_mem *mem)
{
	enum ustack_reason reason = ustack_step_by_code(arch, s, mem);

	if (reason == USTACK_NO_ROW)
		reason = ustack_step_by_record(arch, s, mem);
	if (reason == USTACK_NO_ROW)
		reason = ustack_step_search(arch, s, mem);
	return reason == USTACK_NO_ROW ? ustack_step_top(arch, s, mem) : reason;
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
	if (!ustack_state_fp(s, mem, ustack_mem_read, &fp))
		return USTACK_STACK_FAULT;
	if (fp & 7 || fp < s->sp)
		return USTACK_NO_ROW;
	if (!ustack_mem_read(mem, fp, &to.fp) || !ustack_mem_read(mem, fp + 8, &to.pc))
		return USTACK_STACK_FAULT;
	reason = ustack_check_ra(mem, &to.pc);
	if (reason == USTACK_COMPLETE && !to.fp) {
		mem->guessed++;
		return USTACK_COMPLETE;
	}
	/*
	 * Interpreters push addresses of code that they have generated, which
	 * follow no call.
	 */
	if (reason || (!arch->call_target(mem, to.pc, &entry) &&
		       (ustack_mem_is_file_code(mem, ustack_state_key(s)) ||
			ustack_mem_is_file_code(mem, to.pc) ||
			!ustack_mem_read(mem, to.pc, &code))))
		return USTACK_NO_ROW;
	to.sp = fp + 16;
	mem->guessed++;
	mem->followed = to.pc;
	*s = to;
	return USTACK_OK;
}
