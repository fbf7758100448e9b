// SPDX-License-Identifier: GPL-2.0-only
/* Sends the user's stack at each openat(2) of one process. Documentation/ebpf-library.md says how
 * to build it.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "ustack_stack.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Stacks are larger than the stack of a program. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ustack_stack);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} out SEC(".maps");

__u32 only;	/* tgid */

SEC("tracepoint/syscalls/sys_enter_openat")
int on_open(void *ctx)
{
	__u32 zero = 0;
	struct ustack_stack *stack = bpf_map_lookup_elem(&stacks, &zero);

	if (!stack || bpf_get_current_pid_tgid() >> 32 != only)
		return 0;
	if (ustack_get_stack(stack) > 0)
		bpf_ringbuf_output(&out, stack, ustack_stack_bytes(stack), 0);
	return 0;
}
