// SPDX-License-Identifier: GPL-2.0-only
/* Sends wishes for a table that cannot be made, as fast as they are answered. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "tables.h"

char flood_license[] SEC("license") = "GPL";

/* Larger than any process number. */
#define NO_PROCESS 0x7fffffffu
#define AT_ONCE 1024

/* The sampler's ring buffer; user space replaces this one by it. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} ustack_wishes SEC(".maps");

/* Set by user space: the ring is filled; else half of it is left for other programs' wishes. */
const volatile bool fills;

SEC("raw_tp")
int pour(void *ctx)
{
	const struct tables_wish wish = {
		.image = TABLES_IMAGES - 1, .tgid = NO_PROCESS, .sampled = true,
	};
	__u64 most = bpf_ringbuf_query(&ustack_wishes, BPF_RB_RING_SIZE) / (fills ? 1 : 2);
	int i;

	for (i = 0; i < AT_ONCE; i++) {
		if (bpf_ringbuf_query(&ustack_wishes, BPF_RB_AVAIL_DATA) > most)
			break;
		bpf_ringbuf_output(&ustack_wishes, (void *)&wish, sizeof(wish), 0);
	}
	return 0;
}
