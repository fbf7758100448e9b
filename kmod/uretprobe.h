/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Uretprobes: at the entry of a probed function the kernel replaces the return
 * address by that of a trampoline, and keeps the true one in a list of the
 * task. A walk looks up the true one by the place of the return address on the
 * stack.
 *
 * Only the task itself writes the list, in the exception of the breakpoint. A
 * sample is taken of current, on current's CPU: it interrupts the writer and
 * sees what the writer has stored so far, in program order.
 *
 * - prepare_uretprobe() replaces the address, then drops instances that a longjmp()
 *   has skipped, then publishes a complete instance. A sample taken before that finds
 *   no instance for the new place: the walk ends there with BAD_RA, and the
 *   trampoline is not stored.
 * - Up to 6.12, uprobe_handle_trampoline(), the clean-up after longjmp() and the
 *   exit of a task free instances before they unlink them. For this reason every
 *   field is read by copy_from_kernel_nofault(), which takes no lock and survives
 *   any pointer; the number of instances is limited, and one counts only if its
 *   place is the one searched for. The address in it is checked as one from the
 *   stack would be.
 * - From 6.13 on they are unlinked first; a timer reads the list, but writes no
 *   field that is read here.
 */
#ifndef USTACK_URETPROBE_H
#define USTACK_URETPROBE_H

#include "step.h"

/**
 * struct ustack_uretprobes - lookups of uretprobes in one walk
 * @trampoline: address of the trampoline, to which probed functions return
 * @lookups: number of searches made, at most USTACK_MAX_URETPROBE_LOOKUPS
 */
struct ustack_uretprobes {
	u64 trampoline;
	u32 lookups;
};

/**
 * ustack_uretprobes_init() - prepare a walk for uretprobes
 * @probes: initialized here
 * @mem: access to the process
 *
 * Context: NMI-safe.
 * Return: whether current has a trampoline at all.
 */
bool ustack_uretprobes_init(struct ustack_uretprobes *probes,
			    const struct ustack_mem *mem);

/**
 * ustack_uretprobe_word() - the word that the program wrote to the stack
 * @probes: state of this walk
 * @arch: architecture of the process
 * @mem: access to the process
 * @addr: address of the word
 * @word: the word read there
 *
 * Context: NMI-safe.
 * Return: the true return address if @word is the trampoline's address; else @word.
 */
u64 ustack_uretprobe_word(struct ustack_uretprobes *probes,
			  const struct ustack_arch *arch,
			  const struct ustack_mem *mem, u64 addr, u64 word);

/**
 * ustack_uretprobe_frame() - replace a frame in the trampoline by the true caller's
 * @probes: state of this walk
 * @arch: architecture of the process
 * @mem: access to the process
 * @s: the frame; it is in the trampoline if exact, otherwise it returns there
 *
 * Context: NMI-safe.
 * Return: whether @s was replaced; then its pc is outside the trampoline.
 */
bool ustack_uretprobe_frame(struct ustack_uretprobes *probes,
			    const struct ustack_arch *arch,
			    const struct ustack_mem *mem,
			    struct ustack_state *s);

/*
 * Corrects the link register of the sampled frame @s, if a probed function has
 * not yet saved it. Context: NMI-safe.
 */
void ustack_uretprobe_lr(struct ustack_uretprobes *probes,
			 const struct ustack_mem *mem, struct ustack_state *s);

#endif /* USTACK_URETPROBE_H */
