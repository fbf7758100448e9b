/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/supply/tables: from a program's wish to a table that the programs can read. */
#ifndef USTACK_USER_TABLES_ANSWER_H
#define USTACK_USER_TABLES_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "supply/cache.h"
#include "supply/tables/bins.h"
#include "supply/tables/keeper.h"
#include "supply/tables/credit.h"
#include "supply/tables/wides.h"
#include "util/diag.h"

/* Processes whose looks are counted; of two with the same place the later one's are. */
#define ANSWERS_LOOKS 256u

/**
 * struct look - looks at a process
 * @tgid: the process
 * @left: what they may take
 */
struct look {
	uint32_t tgid;
	struct credit left;
};

/**
 * struct answers - what was answered
 * @spaces: descriptor of the programs' map; not owned
 * @each: their iterator
 * @files: descriptor of their map of numbers; not owned
 * @free_images: of their queue of numbers; not owned
 * @images: theirs, mapped
 * @shares: theirs, mapped
 * @bins: of tables
 * @wides: windows of processes that have many
 * @orphan: images whose file has another number, or none, and that are mapped yet
 * @making: image whose table is made now: its number must not be given back
 * @until: so many images are made before those are given back that nobody has mapped
 * @every: what @until begins with
 * @collected: CLOCK_MONOTONIC of the last collection
 * @scarce: a file has no number, for want of one
 * @cache: of sections, if @has_cache
 * @ahead: for tables that no stack has asked for yet
 * @of: for what each payer asks for, by tables_share_of()
 * @look: by tgid
 * @tables: and what follows: see struct keeper_counts; atomic
 */
struct answers {
	int spaces;
	struct bpf_program *each;
	int files;
	int free_images;
	struct tables_image *images;
	struct tables_shares *shares;
	struct bins bins;
	struct wides wides;
	uint8_t orphan[TABLES_IMAGES];
	uint32_t making;
	unsigned int until;
	unsigned int every;
	uint64_t collected;
	bool scarce;
	struct cache cache;
	bool has_cache;
	struct credit ahead;
	struct credit of[1u << TABLES_SHARE_BITS];
	struct look look[ANSWERS_LOOKS];
	uint64_t tables;
	uint64_t table_bytes;
	uint64_t bin_bytes;
	uint64_t ns;
	uint64_t refused;
	uint64_t wide_bytes;
	uint64_t crowded;
};

#define ANSWERS_INIT { .spaces = -1, .wides = WIDES_INIT }

/* Lets the iterator visit the mappings of a process, or of all. Return: 0 or a negative errno. */
int answers_look(struct bpf_program *each, uint32_t tgid);

/*
 * Looks at the mappings of a process, as a program asked for it, and makes room for them. The
 * process may have gone. Return: false if it was not looked at, and is to be looked at later: looks at
 * one process may take a small part of a CPU, and those at all processes of a payer, with his tables,
 * a larger one.
 */
bool answers_map(struct answers *a, uint32_t tgid);

/* Arguments as keeper_new() has them. Released by answers_release() in any case. */
int answers_open(struct answers *a, const struct keeper_maps *maps, uint64_t memory,
		 unsigned int collect_every, struct diag *diag);
void answers_release(struct answers *a);

/* Makes the table of an image, unless it has been made or cannot be. */
void answers_make(struct answers *a, const struct tables_wish *wish);

/*
 * Where numbers are scarce, gives back those that no process has mapped, every few seconds, and has
 * processes looked at whose files got none. Called from time to time.
 */
void answers_free_numbers(struct answers *a);

/* All of them but @looks. Context: any thread. */
void answers_counts(const struct answers *a, struct keeper_counts *ret);

#endif /* USTACK_USER_TABLES_ANSWER_H */
