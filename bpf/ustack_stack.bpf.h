/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole user stacks for other people's eBPF programs, without the kernel module: `ustack supply
 * --bpf` keeps unwind tables and mappings, and the object ustack_stack.bpf.o walks by them. A
 * program is linked with it:
 *
 *	clang -target bpf -mcpu=v3 -O2 -g -c mine.bpf.c
 *	bpftool gen object linked.bpf.o mine.bpf.o ustack_stack.bpf.o
 *
 * Documentation/ebpf-library.md says more, and has an example.
 */
#ifndef USTACK_STACK_BPF_H
#define USTACK_STACK_BPF_H

#include <linux/types.h>

/* Largest number of frames of a stack. */
#define USTACK_STACK_FRAMES 512

/* @why of a whole stack; enum ustack_reason of linux/ustack.h has all reasons. */
#define USTACK_STACK_COMPLETE 1

/**
 * struct ustack_stack - a user stack
 * @nr: number of frames in @pc, 1 or more
 * @why: why it ended, a number of enum ustack_reason; USTACK_STACK_COMPLETE: with the outermost
 *       frame
 * @guessed: number of steps that nothing proves. If it is not 0, the stack is not proven to be
 *           whole
 * @pc: addresses of the frames, innermost first: the sampled one, then return addresses
 */
struct ustack_stack {
	__u32 nr;
	__u32 why;
	__u64 guessed;
	__u64 pc[USTACK_STACK_FRAMES];
};

/**
 * ustack_get_stack() - get the user stack of the current thread
 * @to: must be in a map's value, as it is larger than a program's stack
 *
 * The walk begins with the registers with which the thread entered the kernel: for a perf event
 * that interrupts user code, where it was interrupted; for system calls, tracepoints and
 * kprobes, where the call was made; for uprobes, where the probe is.
 *
 * Context: programs at perf events, kprobes, uprobes, tracepoints, raw tracepoints, fentry and
 * fexit, also in an NMI. Takes no lock, allocates nothing, does not sleep. The calling program
 * may itself need 96 bytes of stack. Works from kernel 6.1 on; the program's license must be
 * compatible with the GPL.
 *
 * Return: number of frames in @to; -ESRCH: the thread has no user memory; -EBUSY: four programs
 * that interrupt one another walk on this CPU; -ENOENT: no `ustack supply --bpf` keeps these
 * maps (any more).
 */
int ustack_get_stack(struct ustack_stack *to);

/**
 * ustack_stack_bytes() - number of bytes of a stack that are used
 * @stack: a stack that ustack_get_stack() has filled
 *
 * Return: bytes from its beginning to the end of its last frame; the verifier sees their limit.
 */
static inline __attribute__((__always_inline__)) __u32
ustack_stack_bytes(const struct ustack_stack *stack)
{
	__u64 nr = stack->nr;

	/* the compiler must compare the same value that it uses */
	asm volatile("" : "+r"(nr));
	if (nr > USTACK_STACK_FRAMES)
		return 0;
	return 16 + 8 * nr;
}

#endif /* USTACK_STACK_BPF_H */
