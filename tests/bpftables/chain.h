/* SPDX-License-Identifier: GPL-2.0-only */
/* The test's program describes each sample by this; both sides are built with it. */
#ifndef BPFTABLES_CHAIN_H
#define BPFTABLES_CHAIN_H

#include "wire.h"

#define CHAIN_HEAD 8u
/* of the kernel's walk, which has 127 by default */
#define CHAIN_KERNEL_FRAMES 128u

/*
 * A walk. With frames of the kernel's own walk instead, @pc has addresses, then as many words of
 * code: the 8 bytes before each.
 *
 * @time: CLOCK_MONOTONIC nanoseconds
 * @sp: of the sample
 * @why: as struct wire_key has it
 * @nr: of @pc
 * @guessed: steps that nothing proves
 * @unread: a bit for each of the kernel's frames whose code could not be read
 * @pc: innermost first
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
