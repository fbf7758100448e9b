// SPDX-License-Identifier: GPL-2.0
/*
 * At each tick of the clock: the user stack that bpf_get_stack() gives, handed
 * to bpfstack by a ring buffer. Nothing but helpers that 6.1 has.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} samples SEC(".maps");

/* samples that found no room; bpfstack fails if there are any */
unsigned long long lost;

SEC("perf_event")
int sample_stack(void *ctx)
{
	unsigned long long ids = bpf_get_current_pid_tgid();
	struct wire_sample *s;

	if (!(ids >> 32))
		return 0;	/* idle */
	s = bpf_ringbuf_reserve(&samples, sizeof(*s), 0);
	if (!s) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	s->time = bpf_ktime_get_ns();
	s->pid = ids >> 32;
	s->tid = ids;
	s->pad = 0;
	bpf_get_current_comm(s->comm, sizeof(s->comm));
	s->bytes = bpf_get_stack(ctx, s->ips, sizeof(s->ips), BPF_F_USER_STACK);
	bpf_ringbuf_submit(s, 0);
	return 0;
}

char stack_license[] SEC("license") = "GPL";
