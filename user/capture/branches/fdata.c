// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes BOLT's fdata, as perf2bolt does: a line for each branch, and for each
 * edge from a basic block to the next one that the code went along.
 *
 *	1 NAME OFFSET 1 NAME OFFSET MISSED COUNT
 *
 * The first place is where the branch is, the second its target. An end that is
 * in no function of the program is "0 [unknown] 0". Returns are left out, as BOLT
 * derives nothing from them.
 */
#include <errno.h>
#include <stdlib.h>

#include "capture/branches/private.h"

/**
 * struct fdata - what is written
 * @lines: branches and edges
 * @blocks: blocks of @of
 * @of: the function that @blocks belongs to; NULL if none
 * @no_code: the bytes of @of are not instructions from start to end
 */
struct fdata {
	const struct branches *b;
	struct branches_functions functions;
	struct branches_counts lines;
	struct branches_blocks blocks;
	const struct branches_function *of;
	bool no_code;
};

/* Reads the blocks of a function, unless they are there. Return: 0 or -ENOMEM. */
static int read_blocks(struct fdata *d, const struct branches_function *f)
{
	int err;

	if (d->of == f)
		return 0;
	branches_blocks_release(&d->blocks);
	d->of = f;
	err = branches_blocks_read(&d->blocks, &d->b->program, f, &d->b->branches);
	d->no_code = err == -ENOTSUP;
	return d->no_code ? 0 : err;
}

static int add_edges(struct fdata *d)
{
	const struct branches_count *c, *end;
	const struct branches_function *f;
	int err = 0;

	for (c = branches_counts_first(&d->b->ranges, &end); c < end && !err; c++) {
		f = branches_functions_find(&d->functions, c->from);
		if (!f || c->to >= f->end)
			continue;
		err = read_blocks(d, f);
		if (!err && !d->no_code)
			err = branches_blocks_edges(&d->blocks, f, c, &d->lines);
		if (err == -ENODATA)
			err = 0;
	}
	return err;
}

static int by_target(const void *x, const void *y)
{
	const struct branches_count *a = *(const struct branches_count *const *)x;
	const struct branches_count *b = *(const struct branches_count *const *)y;

	return a->to < b->to ? -1 : a->to > b->to;
}

/* Adds the edge from a call to the block after it, if @c came back there. */
static int add_return(struct fdata *d, const struct branches_count *c)
{
	const struct branches_function *from = branches_functions_find(&d->functions, c->from);
	const struct branches_function *to = branches_functions_find(&d->functions, c->to);
	int err;

	if (!to || from == to || c->to == to->start)
		return 0;
	err = read_blocks(d, to);
	if (err || d->no_code)
		return err;
	return branches_blocks_returned(&d->blocks, to, c, &d->lines);
}

/*
 * Adds edges from calls to blocks after them. The branches are sorted by target,
 * so that each function is read once.
 */
static int add_returns(struct fdata *d)
{
	const struct branches_count *c, *end, **sorted;
	size_t nr = 0, i;
	int err = 0;

	c = branches_counts_first(&d->b->branches, &end);
	if (c == end)
		return 0;
	sorted = calloc((size_t)(end - c), sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (; c < end; c++)
		sorted[nr++] = c;
	qsort(sorted, nr, sizeof(*sorted), by_target);
	for (i = 0; i < nr && !err; i++)
		err = add_return(d, sorted[i]);
	free(sorted);
	return err;
}

/* Adds a branch that begins in @f, unless it is a return. */
static int add_from(struct fdata *d, const struct branches_function *f,
		    const struct branches_count *c)
{
	int err = read_blocks(d, f);

	if (err || (!d->no_code && branches_blocks_is_return(&d->blocks, c->from - f->start)))
		return err;
	return branches_counts_add(&d->lines, c);
}

static int add_branches(struct fdata *d)
{
	const struct branches_function *f;
	const struct branches_count *c, *end;
	int err = 0;

	for (c = branches_counts_first(&d->b->branches, &end); c < end && !err; c++) {
		f = branches_functions_find(&d->functions, c->from);
		err = f ? add_from(d, f, c) : branches_counts_add(&d->lines, c);
	}
	return err;
}

static void put_place(const struct branches_function *f, uint64_t address, FILE *out)
{
	if (f)
		fprintf(out, "1 %s %llx ", f->name, (unsigned long long)(address - f->start));
	else
		fprintf(out, "0 [unknown] 0 ");
}

static void put_lines(struct fdata *d, FILE *out)
{
	const struct branches_function *from, *to;
	const struct branches_count *c, *end;

	branches_counts_sort(&d->lines);
	for (c = branches_counts_first(&d->lines, &end); c < end; c++) {
		from = branches_functions_find(&d->functions, c->from);
		to = branches_functions_find(&d->functions, c->to);
		if (!from && !to)
			continue;
		put_place(from, c->from, out);
		put_place(to, c->to, out);
		fprintf(out, "%llu %llu\n", (unsigned long long)c->missed, (unsigned long long)c->count);
	}
}

int branches_fdata(const struct branches *b, FILE *out, struct diag *diag)
{
	struct fdata d = { .b = b };
	const char *path = b->program.file.path;
	int err;

	if (b->program.elf.arch != &ustack_arch_x86_64)
		return diag_set(diag, ENOTSUP, path, "fdata is written for x86-64 only");
	branches_counts_init(&d.lines);
	err = branches_functions_read(&d.functions, &b->program.file, diag);
	if (!err) {
		err = add_edges(&d);
		if (!err)
			err = add_branches(&d);
		if (!err)
			err = add_returns(&d);
		if (err == -E2BIG)
			diag_set(diag, E2BIG, path, "has more than %u distinct branches", BRANCHES_MAX);
		else if (err)
			diag_errno(diag, -err, path);
	}
	if (!err)
		put_lines(&d, out);
	branches_blocks_release(&d.blocks);
	branches_functions_release(&d.functions);
	branches_counts_release(&d.lines);
	return err;
}
