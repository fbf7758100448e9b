// SPDX-License-Identifier: GPL-2.0-only
/*
 * At each tick of the clock, sends the user stack of bpf_get_stack(), or the id under which
 * bpf_get_stackid() has put it into a map, to bpfstack through a ring buffer. It uses only
 * helpers that 6.1 has.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} samples SEC(".maps");

/* the map of tools that count stacks: each stack once */
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(key_size, sizeof(unsigned int));
	__uint(value_size, STACK_FRAMES * sizeof(unsigned long long));
	__uint(max_entries, 32768);
} stacks SEC(".maps");

/* samples that found no room; bpfstack fails if there are any */
unsigned long long lost;

static __always_inline struct wire_sample *begin(void)
{
	unsigned long long ids = bpf_get_current_pid_tgid();
	struct wire_sample *s;

	if (!(ids >> 32))
		return 0;	/* idle task */
	s = bpf_ringbuf_reserve(&samples, sizeof(*s), 0);
	if (!s) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	s->time = bpf_ktime_get_ns();
	s->pid = ids >> 32;
	s->tid = ids;
	s->id = 0;
	bpf_get_current_comm(s->comm, sizeof(s->comm));
	return s;
}

SEC("perf_event")
int sample_stack(void *ctx)
{
	struct wire_sample *s = begin();

	if (!s)
		return 0;
	s->bytes = bpf_get_stack(ctx, s->ips, sizeof(s->ips), BPF_F_USER_STACK);
	bpf_ringbuf_submit(s, 0);
	return 0;
}

SEC("perf_event")
int sample_stackid(void *ctx)
{
	struct wire_sample *s = begin();
	long id;

	if (!s)
		return 0;
	id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	s->bytes = id < 0 ? id : 0;
	s->id = id < 0 ? 0 : id;
	bpf_ringbuf_submit(s, 0);
	return 0;
}

char stack_license[] SEC("license") = "GPL";
