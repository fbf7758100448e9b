/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole user stacks for eBPF programs of others, without the kernel module: `ustack supply --bpf`
 * keeps unwind tables and mappings, and the object ustack_stack.bpf.o walks by them. A program
 * is linked with it:
 *
 *	clang -target bpf -mcpu=v3 -O2 -g -c mine.bpf.c
 *	bpftool gen object linked.bpf.o mine.bpf.o ustack_stack.bpf.o
 *
 * Documentation/ebpf-library.md says more, and has an example.
 */
#ifndef USTACK_STACK_BPF_H
#define USTACK_STACK_BPF_H

#include <linux/types.h>

/* Frames of one stack. */
#define USTACK_STACK_FRAMES 512

/* @why of a stack that is whole; enum ustack_reason of linux/ustack.h has all. */
#define USTACK_STACK_COMPLETE 1

/**
 * struct ustack_stack - a user's stack
 * @nr: frames of @pc, 1 or more
 * @why: why it ended, a number of enum ustack_reason; USTACK_STACK_COMPLETE: with the
 *	outermost frame
 * @guessed: steps that nothing proves. A stack that has any is not whole by proof
 * @pc: of the frames, innermost first: the sampled one, then return addresses
 */
struct ustack_stack {
	__u32 nr;
	__u32 why;
	__u64 guessed;
	__u64 pc[USTACK_STACK_FRAMES];
};

/**
 * ustack_get_stack() - the user's stack of the current thread
 * @to: in a map's value, as it is larger than a program's stack
 *
 * Registers are those with which the thread entered the kernel: for a perf event that interrupts
 * the user's code, where it was interrupted; for system calls, tracepoints and kprobes, where the
 * call was made; for uprobes, where the probe is.
 *
 * Context: programs at perf events, kprobes, uprobes, tracepoints, raw tracepoints, fentry and
 * fexit, also in an NMI. Takes no lock, allocates nothing, does not sleep. A program that calls it
 * may need 96 bytes of stack itself. From kernel 6.1 on; its license must be compatible with the
 * GPL.
 *
 * Return: frames of @to; -ESRCH: the thread has no user memory; -EBUSY: four programs within one
 * another walk on this CPU; -ENOENT: no `ustack supply --bpf` keeps these maps (any more).
 */
int ustack_get_stack(struct ustack_stack *to);

/**
 * ustack_stack_bytes() - what to send of a stack
 * @stack: that ustack_get_stack() has written
 *
 * Return: bytes from its beginning to its last frame; the verifier sees how many they can be.
 */
static inline __attribute__((__always_inline__)) __u32
ustack_stack_bytes(const struct ustack_stack *stack)
{
	__u64 nr = stack->nr;

	/* the value that is compared is the one that is used */
	asm volatile("" : "+r"(nr));
	if (nr > USTACK_STACK_FRAMES)
		return 0;
	return 16 + 8 * nr;
}

#endif /* USTACK_STACK_BPF_H */
