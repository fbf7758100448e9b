/* SPDX-License-Identifier: GPL-2.0-only */
/* One sample as it crosses from the BPF program to bpfstack. */
#ifndef BPFSTACK_WIRE_H
#define BPFSTACK_WIRE_H

/* the kernel's own bound, kernel.perf_event_max_stack as it comes */
#define STACK_FRAMES 127

struct wire_sample {
	unsigned long long time;	/* CLOCK_MONOTONIC, ns */
	unsigned int pid, tid;
	int bytes;			/* of ips[], or what the helper refused with */
	unsigned int id;		/* of bpf_get_stackid(): where it is */
	char comm[16];
	unsigned long long ips[STACK_FRAMES];
};

_Static_assert(sizeof(struct wire_sample) == 40 + 8 * STACK_FRAMES, "no holes");

#endif
