/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the branches that a CPU recorded for perf record -b (LBR of x86, BRBE
 * of arm64), and writes those of one program for compilers and linkers that
 * arrange code by them.
 *
 * To add a format:
 *   1. its name in enum branches_format, and its line in formats[] (branches.c);
 *   2. user/capture/branches/NAME.c: a branches_writer of private.h;
 *   3. ustack-branches(1) and CHANGELOG.md;
 *   4. tests/unit/capture/test_branches.c, and tests/judge/branches: a reader that shares no code
 *      with it.
 */
#ifndef USTACK_USER_BRANCHES_H
#define USTACK_USER_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/file.h"

/* Most distinct branches, ranges and addresses, of each kind. */
#define BRANCHES_MAX (1u << 24)

enum branches_format {
	/*
	 * the text that create_llvm_prof --profiler=text of AutoFDO reads:
	 * counts of ranges, addresses and branches, each as an offset in the
	 * file
	 */
	BRANCHES_AUTOFDO,
	/*
	 * what perf2bolt writes and llvm-bolt -data reads: branches, and edges
	 * from a basic block to the next one, as a function and an offset in
	 * it. x86-64 only
	 */
	BRANCHES_FDATA,
	BRANCHES_NR,
};

/* Names of the formats, for option tables. Return: the @i'th; NULL after the last. */
const char *branches_format_word(unsigned int i);
/* Return: whether there is such a format. */
bool branches_format_find(const char *name, enum branches_format *ret);

/**
 * struct branches_options - what to read
 * @program: path of the program or library whose branches are counted
 * @note: gets texts about missing data; may be NULL
 * @arg: passed to @note
 */
struct branches_options {
	const char *program;
	void (*note)(const char *text, void *arg);
	void *arg;
};

struct branches;

/**
 * branches_load() - count the branches in a file of perf record -b
 * @stream: open, at its start
 * @options: what to read; @program is borrowed until branches_free()
 * @ret: released by branches_free()
 * @diag: may be NULL
 *
 * Return: 0; as perfdata_open() and perfdata_next() for a damaged file; -EINVAL
 * if it is not a perf.data file; -ENODATA if no event has branch stacks, or no
 * process had mapped the program; -E2BIG for more than BRANCHES_MAX distinct
 * ones; -EBADMSG for a damaged program; another negative errno.
 */
int branches_load(struct file_stream *stream, const struct branches_options *options,
		  struct branches **ret, struct diag *diag);
/* @b may be NULL. */
void branches_free(struct branches *b);

/**
 * branches_save() - write the counts
 * @b: the counts
 * @format: the format
 * @path: see file_replace()
 * @diag: may be NULL
 *
 * Return: 0; -ENOTSUP if the format does not know the program's architecture;
 * -ENODATA if it needs symbols, and the program has none; another negative
 * errno.
 */
int branches_save(struct branches *b, enum branches_format format, const char *path,
		  struct diag *diag);

#endif /* USTACK_USER_BRANCHES_H */
