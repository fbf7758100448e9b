// SPDX-License-Identifier: GPL-2.0-only
/* usage: opens PID: prints the stack of each openat(2) of a process, one line each */
#include <stdio.h>
#include <stdlib.h>
#include <bpf/libbpf.h>

#include "opens.skel.h"
#include "ustack_stack.bpf.h"

static int print(void *unused, void *data, size_t len)
{
	const struct ustack_stack *s = data;
	unsigned int i;

	printf("%s%s", s->why == USTACK_STACK_COMPLETE ? "whole" : "cut",
	       s->guessed ? " guessed" : "");
	for (i = 0; i < s->nr; i++)
		printf(" %llx", (unsigned long long)s->pc[i]);
	putchar('\n');
	return fflush(stdout);
}

int main(int argc, char **argv)
{
	struct opens_bpf *o = opens_bpf__open_and_load();
	struct ring_buffer *ring;

	if (argc != 2 || !o)
		return 1;
	o->bss->only = (unsigned int)atoi(argv[1]);
	ring = ring_buffer__new(bpf_map__fd(o->maps.out), print, NULL, NULL);
	if (!ring || opens_bpf__attach(o))
		return 1;
	puts("ready");
	fflush(stdout);
	while (ring_buffer__poll(ring, -1) >= 0)
		;
	return 1;
}
