/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the sampler's programs that follow mappings, and a maker for them, for one test. */
#ifndef BPFTABLES_KEEPING_H
#define BPFTABLES_KEEPING_H

#include <pthread.h>
#include <stdbool.h>

#include "capture/sampler/sampler.h"
#include "supply/tables/maker.h"

struct keeping {
	struct sampler *s;
	struct table_maker *k;
	struct table_maker_maps maps;
};

/* Loads the programs and starts the maker; SIGCHLD is blocked. Ends the program on a failure. */
void keeping_begin(struct keeping *ret);
void keeping_end(struct keeping *k);

/*
 * Waits for the maker's answers to all wishes from before the call. Ends the program if they do
 * not come: then the maker hangs, or waits until no more wishes come.
 */
void keeping_settle(struct table_maker *k);

/* Has a file's table made; ends the program if that takes too long. */
void keeping_know(struct table_maker *k, const char *path);

/**
 * struct keeping_flood - wishes that come as fast as they are answered
 * @program: struct flood_bpf, which sends them
 * @thread: runs @program
 * @ending: the thread should end; atomic
 */
struct keeping_flood {
	void *program;
	pthread_t thread;
	bool ending;
};

/* @fills: the flood takes the whole ring, so that other programs' wishes are lost; else half. */
void keeping_flood_begin(const struct table_maker_maps *maps, bool fills, struct keeping_flood *ret);
void keeping_flood_end(struct keeping_flood *f);

#endif /* BPFTABLES_KEEPING_H */
