/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbpf's half of static probes: bpf_usdt_cookie(), and maps that it fills when it attaches.
 *
 * Where the kernel gives programs no cookies it reads the register below; from 6.1 on it never
 * does, but it has to be there. Its context is struct user_regs, which has that register where
 * these say.
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

/* One for each place of each probe that is attached. */
#define BPF_USDT_MAX_SPEC_CNT 1024
/* Not used where there are cookies. */
#define BPF_USDT_MAX_IP_CNT 1
#include <bpf/usdt.bpf.h>

#endif /* USTACK_BPF_USDT_H */
