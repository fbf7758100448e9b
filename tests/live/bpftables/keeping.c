// SPDX-License-Identifier: GPL-2.0-only
/* Starts the sampler's programs and a maker for one test, waits for answers, and floods it. */
#include "keeping.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <signal.h>
#include <stddef.h>

#include "flood.skel.h"
#include "reason.h"
#include "util/thread.h"

/* Milliseconds: an emulator that shares its CPU needs a minute for what takes a second here. */
#define SETTLE_MS 300000

void keeping_begin(struct keeping *ret)
{
	static const struct sampler_event none = { .name = "context-switches" };
	const struct sampler_options options = { .events = &none, .nr_events = 1, .tables = true };
	const struct table_maker_limits limits = { .memory = 64 << 20 };
	struct diag diag;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (sampler_new(&options, &ret->s, &diag))
		err(2, "the programs");
	sampler_maps(ret->s, &ret->maps);
	if (table_maker_new(&ret->maps, &limits, &ret->k, &diag))
		err(2, "the maker");
}

void keeping_end(struct keeping *k)
{
	table_maker_free(k->k);
	sampler_free(k->s);
}

void keeping_settle(struct table_maker *k)
{
	if (!table_maker_settle(k, SETTLE_MS))
		errx(2, "wishes are not answered in %d seconds", SETTLE_MS / 1000);
}

/* After the first wait the ring has room for the file's wish; after the second it is answered. */
void keeping_know(struct table_maker *k, const char *path)
{
	keeping_settle(k);
	table_maker_know(k, path, SETTLE_MS);
}

static void *pour(void *arg)
{
	struct keeping_flood *f = arg;
	struct flood_bpf *program = f->program;
	LIBBPF_OPTS(bpf_test_run_opts, o);

	while (!__atomic_load_n(&f->ending, __ATOMIC_RELAXED))
		if (bpf_prog_test_run_opts(bpf_program__fd(program->progs.pour), &o))
			err(2, "the flood");
	return NULL;
}

void keeping_flood_begin(const struct table_maker_maps *maps, bool fills, struct keeping_flood *ret)
{
	const struct tables_image asked_for = { .why = USTACK_BUILDING };
	const uint32_t number = TABLES_IMAGES - 1;
	struct flood_bpf *program = flood_bpf__open();

	if (!program || bpf_map__reuse_fd(program->maps.ustack_wishes, maps->wishes))
		err(2, "the flood");
	program->rodata->fills = fills;
	if (flood_bpf__load(program))
		err(2, "the flood");
	if (bpf_map_update_elem(maps->images, &number, &asked_for, BPF_ANY))
		err(2, "the flood's image");
	*ret = (struct keeping_flood){ .program = program };
	if (thread_start(&ret->thread, pour, ret))
		errx(2, "a thread");
}

void keeping_flood_end(struct keeping_flood *f)
{
	__atomic_store_n(&f->ending, true, __ATOMIC_RELAXED);
	pthread_join(f->thread, NULL);
	flood_bpf__destroy(f->program);
}
