/* SPDX-License-Identifier: GPL-2.0-only */
/* One sample as the BPF program sends it to bpfstack. */
#ifndef BPFSTACK_WIRE_H
#define BPFSTACK_WIRE_H

/* the kernel's default limit, kernel.perf_event_max_stack */
#define STACK_FRAMES 127

struct wire_sample {
	unsigned long long time;	/* CLOCK_MONOTONIC, ns */
	unsigned int pid, tid;
	int bytes;			/* bytes of ips[], or the error of the helper */
	unsigned int id;		/* id from bpf_get_stackid() */
	char comm[16];
	unsigned long long ips[STACK_FRAMES];
};

_Static_assert(sizeof(struct wire_sample) == 40 + 8 * STACK_FRAMES, "no holes");

#endif
