// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads the program of probe.bpf.c with the maps that a supplier has pinned, pins it, and
 * writes its walks to a file until SIGTERM.
 *
 * usage: probe PINS PIN FILE
 * Prints "ready", and at the end the counts of walks. On SIGUSR1 it prints the counts so far.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe.skel.h"

static volatile sig_atomic_t ended, asked;

static void on_signal(int sig)
{
	if (sig == SIGTERM)
		ended = 1;
	else
		asked = 1;
}

static int take(void *file, void *data, size_t len)
{
	return fwrite(data, len, 1, file) == 1 ? 0 : -1;
}

static void print(const struct probe_bpf *p)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(p->progs.walk_sample), &info, &len))
		err(2, "the program");
	printf("chains: %llu lost; %u instructions verified; %llu walked, %llu orphaned, %llu refused\n",
	       (unsigned long long)p->bss->lost, info.verified_insns,
	       (unsigned long long)p->bss->walked, (unsigned long long)p->bss->orphaned,
	       (unsigned long long)p->bss->refused);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	LIBBPF_OPTS(bpf_object_open_opts, o);
	struct ring_buffer *ring;
	struct probe_bpf *p;
	FILE *out;

	if (argc != 4)
		return 2;
	signal(SIGTERM, on_signal);
	signal(SIGUSR1, on_signal);
	o.pin_root_path = argv[1];
	p = probe_bpf__open_opts(&o);
	if (!p || probe_bpf__load(p))
		err(2, "the program");
	out = fopen(argv[3], "we");
	ring = ring_buffer__new(bpf_map__fd(p->maps.chains), take, out, NULL);
	if (!out || !ring || bpf_program__pin(p->progs.walk_sample, argv[2]))
		err(2, "%s", argv[2]);
	puts("ready");
	fflush(stdout);
	while (!ended) {
		ring_buffer__poll(ring, 100);
		if (asked) {
			asked = 0;
			print(p);
		}
	}
	bpf_program__unpin(p->progs.walk_sample, argv[2]);
	ring_buffer__consume(ring);
	print(p);
	probe_bpf__destroy(p);
	return fclose(out) ? 2 : 0;
}
