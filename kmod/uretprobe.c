// SPDX-License-Identifier: GPL-2.0-only
/* Return addresses that uretprobes have replaced. NMI-safe: see uretprobe.h. */
#include "uretprobe.h"

#include "compat.h"
#include "limits.h"
#include "utask.h"

bool ustack_uretprobes_init(struct ustack_uretprobes *probes,
			    const struct ustack_mem *mem)
{
	const unsigned long *area = ustack_xol_area();
	unsigned long word;
	unsigned int i;

	probes->lookups = 0;
	probes->trampoline = 0;
	/*
	 * Only the page's address can be that of a user page: the other words
	 * are kernel pointers and small counts.
	 */
	for (i = 0; area && i < USTACK_XOL_AREA_WORDS; i++) {
		if (copy_from_kernel_nofault(&word, area + i, sizeof(word)))
			break;
		if (word && PAGE_ALIGNED(word) && word < mem->user_end) {
			probes->trampoline = word;
			break;
		}
	}
	return probes->trampoline;
}

/*
 * @entry_sp: the stack pointer at the entry of the probed function
 * @caller: where that function returns to
 */
struct pending {
	unsigned long entry_sp;
	unsigned long caller;
};

/*
 * Finds the pending uretprobe with the lowest stack pointer from @lo to @lo +
 * @span. If several have the same one it takes the newest: probes of one
 * function, or of functions that jump to each other, have the same caller, and
 * instances that a longjmp() has skipped are older.
 */
static bool find_pending(struct ustack_uretprobes *probes, u64 lo, u64 span,
			 struct pending *ret)
{
	const struct return_instance *at = ustack_return_instances();
	unsigned long sp;
	bool found = false;
	unsigned int i;

	if (probes->lookups++ >= USTACK_MAX_URETPROBE_LOOKUPS)
		return false;
	for (i = 0; at && i < USTACK_MAX_URETPROBES; i++) {
		if (copy_from_kernel_nofault(&sp, &at->stack, sizeof(sp)))
			break;
		if (sp - lo <= span && (!found || sp < ret->entry_sp)) {
			if (copy_from_kernel_nofault(&ret->caller,
						     &at->orig_ret_vaddr,
						     sizeof(ret->caller)))
				break;
			ret->entry_sp = sp;
			found = true;
		}
		if (copy_from_kernel_nofault(&at, &at->next, sizeof(at)))
			break;
	}
	return found;
}

/*
 * As find_pending(), but the caller must be a possible return address other
 * than the trampoline. @ret may be written even if the result is false.
 */
static bool find_caller(struct ustack_uretprobes *probes,
			const struct ustack_mem *mem, u64 lo, u64 span,
			struct pending *ret)
{
	u64 caller;

	if (!find_pending(probes, lo, span, ret))
		return false;
	caller = ret->caller;
	if (ustack_check_ra(mem, &caller) ||
	    (caller & PAGE_MASK) == probes->trampoline)
		return false;
	ret->caller = caller;
	return true;
}

u64 ustack_uretprobe_word(struct ustack_uretprobes *probes,
			  const struct ustack_arch *arch,
			  const struct ustack_mem *mem, u64 addr, u64 word)
{
	struct pending p;
	bool found;

	if (likely((word & mem->ra_mask) != probes->trampoline))
		return word;
	/*
	 * A call pushes the return address exactly where SP points afterwards
	 * (AMD64). Otherwise the word is in the function's frame, anywhere
	 * below SP at its entry; functions that it called were entered with an
	 * SP below that word (AArch64).
	 */
	if (arch->ra_fixed)
		found = find_caller(probes, mem, addr, 0, &p);
	else
		found = find_caller(probes, mem, addr + 8,
				    USTACK_MAX_URETPROBE_FRAME, &p);
	return found ? p.caller : word;
}

bool ustack_uretprobe_frame(struct ustack_uretprobes *probes,
			    const struct ustack_arch *arch,
			    const struct ustack_mem *mem,
			    struct ustack_state *s)
{
	u64 pushed = arch->ra_fixed ? 8 : 0, span = 0;
	u64 off = s->pc - probes->trampoline;
	struct pending p;

	if (likely(off >= (s->exact ? USTACK_TRAMPOLINE_BYTES : 1)))
		return false;
	/* The function has returned; x86-64's trampoline pushes three words. */
	if (s->exact && arch->ra_fixed)
		span = 24;
	else if (s->sp_bound)
		span = USTACK_MAX_URETPROBE_FRAME;
	if (!find_caller(probes, mem, s->sp - pushed, span, &p))
		return false;
	s->pc = p.caller;
	s->sp = p.entry_sp + pushed;
	s->sp_bound = false;
	s->exact = false;
	s->regs_in = USTACK_REGS_UNKNOWN;
	return true;
}

void ustack_uretprobe_lr(struct ustack_uretprobes *probes,
			 const struct ustack_mem *mem, struct ustack_state *s)
{
	struct pending p;

	if ((s->lr & mem->ra_mask) == probes->trampoline &&
	    find_caller(probes, mem, s->sp, USTACK_MAX_URETPROBE_FRAME, &p))
		s->lr = p.caller;
}
