/* SPDX-License-Identifier: GPL-2.0-only */
/* The record format of ustack_nmi/chains. */
#ifndef USTACK_NMI_H
#define USTACK_NMI_H

#include <linux/types.h>

#define USTACK_NMI_FRAMES 62

struct ustack_nmi_chain {
	__u32 pid;
	__u16 in_nmi;
	__u16 user;	/* the CPU was in user mode */
	__u32 nr;
	__u32 reserved;
	__u64 ip[USTACK_NMI_FRAMES];
};

#endif
