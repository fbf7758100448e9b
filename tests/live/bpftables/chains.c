// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks by tables at another program's event: loads what the sampler loads, pins a program that
 * walks, and writes the walks to a file until SIGTERM.
 *
 * usage: chains [-k FILE] PIN FILE [PROGRAM...]
 *	-k FILE	receives the kernel's own walks of the same samples, by frame pointers
 * It prints "ready" when the tables of running programs, and of PROGRAM..., are made, and at the
 * end the number of lost walks and of verified instructions. If PART_BYTES is in the environment, tables
 * with more bytes are made in parts.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "chain.skel.h"
#include "keeping.h"
#include "sampler.skel.h"
#include "tasks.skel.h"
#include "capture/sampler/internal.h"
#include "supply/tables/maker.h"

static volatile sig_atomic_t ended;

static void end(int sig)
{
	ended = 1;
}

static void die(const char *what)
{
	fprintf(stderr, "chains: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void note(void *context, const char *text)
{
	fprintf(stderr, "chains: %s\n", text);
}

static int take(void *file, void *data, size_t len)
{
	return fwrite(data, len, 1, file) == 1 ? 0 : -EIO;
}

static void die_diag(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "chains: %s\n", text);
	exit(2);
}

static struct sampler *load(void)
{
	/* one event of each kind that the kernel has, so that all programs are loaded */
	static const struct sampler_event each[] = {
		{ .name = "context-switches" }, { .name = "off-cpu" },
		{ .name = "sched:sched_switch" }, { .name = "uprobe:/proc/self/exe:0x1000" },
		{ .name = "kprobe:schedule" },
	};
	const bool kprobes = !access("/sys/bus/event_source/devices/kprobe", F_OK);
	const struct sampler_options o = {
		.events = each, .nr_events = sizeof(each) / sizeof(each[0]) - !kprobes, .tables = true,
		.note = note,
	};
	struct sampler *s;
	struct diag diag;

	if (sampler_new(&o, &s, &diag))
		die_diag(&diag);
	return s;
}

static struct table_maker *keep(const struct sampler *s)
{
	const char *part_bytes = getenv("PART_BYTES");
	const struct table_maker_limits limits = {
		.memory = 64 << 20, .part_bytes = part_bytes ? (uint32_t)atoi(part_bytes) : 0,
	};
	struct table_maker_maps maps;
	struct table_maker *k;
	struct diag diag;

	sampler_maps(s, &maps);
	if (table_maker_new(&maps, &limits, &k, &diag))
		die_diag(&diag);
	keeping_settle(k);
	return k;
}

static struct chain_bpf *load_chain(const struct sampler *s, bool with_kernel)
{
	const struct sampler_bpf *m = s->programs.main;
	struct chain_bpf *c = chain_bpf__open();

	if (c)
		c->rodata->with_kernel = with_kernel;
	if (!c || bpf_map__reuse_fd(c->maps.ustack_spaces, bpf_map__fd(m->maps.ustack_spaces)) ||
	    bpf_map__reuse_fd(c->maps.ustack_wides, bpf_map__fd(m->maps.ustack_wides)) ||
	    bpf_map__reuse_fd(c->maps.ustack_huges, bpf_map__fd(m->maps.ustack_huges)) ||
	    bpf_map__reuse_fd(c->maps.ustack_images, bpf_map__fd(m->maps.ustack_images)) ||
	    bpf_map__reuse_fd(c->maps.ustack_wishes, bpf_map__fd(m->maps.ustack_wishes)) ||
	    bpf_map__reuse_fd(c->maps.ustack_bins, bpf_map__fd(m->maps.ustack_bins)) || chain_bpf__load(c))
		die("the program");
	return c;
}

/* Number of instructions that the verifier processed; 1,000,000 are allowed. */
static unsigned int verified(const struct bpf_program *prog)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
		die("the program");
	return info.verified_insns;
}

/* Prints the object's program for which the verifier processed most instructions. */
static void print_longest(const char *name, struct bpf_object *o)
{
	struct bpf_program *prog, *longest = NULL;
	unsigned int nr, most = 0;

	bpf_object__for_each_program(prog, o) {
		nr = bpf_program__fd(prog) < 0 ? 0 : verified(prog);
		if (nr < most)
			continue;
		longest = prog;
		most = nr;
	}
	printf("longest of %s: %s %u\n", name, longest ? bpf_program__name(longest) : "", most);
}

int main(int argc, char **argv)
{
	struct ring_buffer *ring;
	struct table_maker_counts counts;
	struct table_maker *maker;
	struct chain_bpf *c;
	FILE *out, *kernel = NULL;
	struct sampler *s;
	sigset_t mask;
	int i;

	if (argc > 2 && !strcmp(argv[1], "-k")) {
		kernel = fopen(argv[2], "we");
		if (!kernel)
			die(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 3)
		return 2;
	signal(SIGTERM, end);
	/* a signal, such as SIGCHLD from the maker's children, makes the verifier give up */
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	s = load();
	maker = keep(s);
	c = load_chain(s, kernel);
	out = fopen(argv[2], "we");
	ring = ring_buffer__new(bpf_map__fd(c->maps.chains), take, out, NULL);
	if (ring && kernel && ring_buffer__add(ring, bpf_map__fd(c->maps.kernel_chains), take, kernel))
		die("the second ring");
	if (!out || !ring || bpf_program__pin(c->progs.walk_sample, argv[1]))
		die(argv[1]);
	for (i = 3; i < argc; i++)
		keeping_know(maker, argv[i]);
	puts("ready");
	fflush(stdout);
	while (!ended)
		if (ring_buffer__poll(ring, 100) < 0 && errno != EINTR)
			die("reading");
	bpf_program__unpin(c->progs.walk_sample, argv[1]);
	ring_buffer__consume(ring);
	table_maker_counts(maker, &counts);
	printf("chains: %llu lost; %u instructions verified; %llu tables of %llu bytes, %llu looks\n",
	       (unsigned long long)c->bss->chains_lost, verified(c->progs.walk_sample), (unsigned long long)counts.tables,
	       (unsigned long long)counts.table_bytes, (unsigned long long)counts.looks);
	print_longest("sampler", s->programs.main->obj);
	print_longest("tasks", s->programs.tasks->obj);
	chain_bpf__destroy(c);
	table_maker_free(maker);
	sampler_free(s);
	return fclose(out) || (kernel && fclose(kernel)) ? 2 : 0;
}
