/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Uretprobes: at the entry of a probed function the kernel replaces the return address
 * by that of a trampoline, and keeps the true one in a list of the task. A walk looks
 * the true one up by the place on the stack.
 *
 * The list is written by its task alone, in the breakpoint's exception. A sample is
 * taken of current, on current's CPU: it interrupts the writer and sees what the writer
 * has stored so far, in program order.
 *
 * - prepare_uretprobe() replaces the address, then drops what longjmp() has left over,
 *   then publishes a complete instance. A sample in between finds no instance for the
 *   new place: the walk ends there, BAD_RA, and the trampoline is not stored.
 * - Up to 6.12, uprobe_handle_trampoline(), longjmp()'s clean-up and a task's exit free
 *   instances before they unlink them. So every field is read by
 *   copy_from_kernel_nofault(), which takes no lock and survives any pointer, the number
 *   of instances is bounded, and one counts only if its place is the one asked for.
 *   What it says is a return address like one from the stack, judged by the same checks.
 * - From 6.13 on they are unlinked first; a timer reads the list, and writes no field
 *   that is read here.
 */
#ifndef USTACK_URETPROBE_H
#define USTACK_URETPROBE_H

#include "step.h"

/**
 * struct ustack_uretprobes - those of one walk
 * @trampoline: where probed functions return to
 * @lookups: searches made, up to USTACK_MAX_URETPROBE_LOOKUPS
 */
struct ustack_uretprobes {
	u64 trampoline;
	u32 lookups;
};

/**
 * ustack_uretprobes_init() - prepare for looking through
 * @probes: filled in
 * @mem: access to the process
 *
 * Context: NMI-safe.
 * Return: whether current has a trampoline at all.
 */
bool ustack_uretprobes_init(struct ustack_uretprobes *probes,
			    const struct ustack_mem *mem);

/**
 * ustack_uretprobe_word() - a stack word as the program has written it
 * @probes: of the walk
 * @arch: architecture of the process
 * @mem: access to the process
 * @addr: where the word is
 * @word: what has been read there
 *
 * Context: NMI-safe.
 * Return: the true return address if @word is the trampoline's address; else @word.
 */
u64 ustack_uretprobe_word(struct ustack_uretprobes *probes,
			  const struct ustack_arch *arch,
			  const struct ustack_mem *mem, u64 addr, u64 word);

/**
 * ustack_uretprobe_frame() - replace a frame in the trampoline by the true caller's
 * @probes: of the walk
 * @arch: architecture of the process
 * @mem: access to the process
 * @s: a frame; in the trampoline itself if exact, else one that returns to it
 *
 * Context: NMI-safe.
 * Return: whether @s has been replaced. Its pc is outside of the trampoline then.
 */
bool ustack_uretprobe_frame(struct ustack_uretprobes *probes,
			    const struct ustack_arch *arch,
			    const struct ustack_mem *mem,
			    struct ustack_state *s);

/* The link register of the sampled frame @s, which a probed function has not yet saved.
 * Context: NMI-safe.
 */
void ustack_uretprobe_lr(struct ustack_uretprobes *probes,
			 const struct ustack_mem *mem, struct ustack_state *s);

#endif /* USTACK_URETPROBE_H */
