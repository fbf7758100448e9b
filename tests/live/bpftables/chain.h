/* SPDX-License-Identifier: GPL-2.0-only */
/* A walk as chain.bpf.c writes it; user space is built with this header, too. */
#ifndef BPFTABLES_CHAIN_H
#define BPFTABLES_CHAIN_H

#include "wire.h"

#define CHAIN_HEAD 8u
/* Most frames of the kernel's walk, which has up to 127 by default. */
#define CHAIN_KERNEL_FRAMES 128u

/*
 * A walk. For the kernel's own walk, @pc has the addresses, and then as many words of code: the
 * 8 bytes before each address.
 *
 * @time: CLOCK_MONOTONIC in nanoseconds
 * @sp: stack pointer of the sample
 * @tid: thread of the sample
 * @tgid: process of the sample
 * @why: reason as in struct wire_key
 * @nr: number of @pc
 * @guessed: number of steps that nothing proves
 * @unread: a bit for each of the kernel's frames whose code could not be read
 * @pc: addresses, innermost first
 */
struct chain {
	__u64 time;
	__u64 sp;
	__u32 tid;
	__u32 tgid;
	__u32 why;
	__u32 nr;
	__u64 guessed;
	__u64 unread[CHAIN_KERNEL_FRAMES / 64];
	__u64 more;
	__u64 pc[WIRE_FRAMES];
};

_Static_assert(sizeof(struct chain) == 8 * (CHAIN_HEAD + WIRE_FRAMES), "struct chain");

#endif
