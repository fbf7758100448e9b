/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/supply/tables: turns a program's wish into a table that the programs can read. */
#ifndef USTACK_USER_TABLES_ANSWER_H
#define USTACK_USER_TABLES_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "supply/cache.h"
#include "supply/tables/bins.h"
#include "supply/tables/maker.h"
#include "supply/tables/credit.h"
#include "supply/tables/wides.h"
#include "util/diag.h"

/* Processes whose reading is rationed; two with the same slot share it. */
#define ANSWERS_LOOKS 256u

/**
 * struct look - ration for reading one process's mappings
 * @tgid: the process that used the slot last
 * @left: CPU time that may be spent on it
 */
struct look {
	uint32_t tgid;
	struct credit left;
};

/**
 * struct answers - state of the answering thread
 * @spaces: descriptor of the programs' map of struct tables_space; not owned
 * @each: the programs' iterator over mappings
 * @made: finds code that processes made, or NULL
 * @files: descriptor of the programs' map of numbers by file; not owned
 * @free_images: descriptor of the programs' queue of free numbers; not owned
 * @images: the programs' array of struct tables_image, mapped
 * @shares: the programs' struct tables_shares, mapped
 * @bins: memory of the tables
 * @wides: windows of processes that have many mappings
 * @orphan: images that are still mapped, but whose file has another number by now or none
 * @making: image whose table is being made, whose number must not be freed; else TABLES_MADE
 * @until: number of images to be made before the next collection
 * @every: initial value of @until
 * @most: bytes of a table that is made in one part
 * @collected: CLOCK_MONOTONIC of the last collection
 * @scarce: a file got no number, as none was free
 * @cache: cache of sections, if @has_cache
 * @has_cache: @cache is open
 * @ahead: CPU time left for tables that no stack has asked for yet
 * @of: CPU time left for each payer's tables, by tables_share_of()
 * @look: CPU time left for each process's mappings, by tgid
 * @tables: this and the fields after it: see struct table_maker_counts; atomic
 */
struct answers {
	int spaces;
	struct bpf_program *each;
	made_code_find *made;
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
	uint32_t most;
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

/* Runs the iterator over the mappings of process @tgid, or of all if 0. Return: 0 or -errno. */
int answers_look(struct bpf_program *each, uint32_t tgid);

/*
 * Has a process's mappings read, as a program asked for it, and makes room for them. The process
 * may be gone. Return: false if they were not read and should be read later: reading may take a
 * small part of a CPU for each process, and a larger one for all processes of a payer, including
 * their tables.
 */
bool answers_map(struct answers *a, uint32_t tgid);

/* Arguments as for table_maker_new(). answers_release() is needed in any case. */
int answers_open(struct answers *a, const struct table_maker_maps *maps,
		 const struct table_maker_limits *limits, struct diag *diag);
void answers_release(struct answers *a);

/* Makes the table of an image, unless it has been made or cannot be. */
void answers_make(struct answers *a, const struct tables_wish *wish);

/*
 * If numbers are scarce, frees those that no process has mapped, at most every few seconds, and
 * has all processes read again, as some files got no number. Called from time to time.
 */
void answers_free_numbers(struct answers *a);

/* Fills all counts but @looks. Context: any thread. */
void answers_counts(const struct answers *a, struct table_maker_counts *ret);

#endif /* USTACK_USER_TABLES_ANSWER_H */
