/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbpf's part of static probes: bpf_usdt_cookie(), and the maps that libbpf fills when it
 * attaches.
 *
 * If the kernel gives programs no cookies, libbpf's code reads the register below. From 6.1 on
 * it never does, but the register must be there. The context is a struct user_regs, which has
 * that register at the offset of these structures.
 */
#ifndef USTACK_BPF_USDT_H
#define USTACK_BPF_USDT_H

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long before[16];
	unsigned long rip;
};
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	unsigned long regs[31];
	unsigned long sp;
	unsigned long pc;
};
#endif

/* One entry for each place of each probe that is attached. */
#define BPF_USDT_MAX_SPEC_CNT 1024
/* Not used if the kernel has cookies. */
#define BPF_USDT_MAX_IP_CNT 1
#include <bpf/usdt.bpf.h>

#endif /* USTACK_BPF_USDT_H */
