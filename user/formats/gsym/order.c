// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides which of two functions of the same range is the better one. First
 * comes the one that has rows, as a lookup uses inlined calls only where there
 * is a row. Then follows LLVM's order: more inlined calls, more rows, the later
 * one. Before the last of these, the one with more names at call sites wins: of
 * several units that have the same function only some say what it calls. The
 * remaining comparisons make the order total, so that the file does not depend
 * on which thread found which function.
 */
#include "formats/gsym/plan.h"

#include <string.h>

#include "util/poison.h"

#define COMPARE(a, b)								\
	do {									\
		if ((a) != (b))							\
			return (a) < (b) ? -1 : 1;				\
	} while (0)

#define COMPARE_TEXT(a, b)							\
	do {									\
		int order_ = strcmp(a, b);					\
										\
		if (order_)							\
			return order_;						\
	} while (0)

/* One of the two functions that are compared. */
struct side {
	const struct gsym_part *part;
	const struct gsym_added *f;
	struct gsym_info_walk walk;
};

static int compare_file(const struct gsym_part *pa, uint32_t a,
			const struct gsym_part *pb, uint32_t b)
{
	COMPARE(!a, !b);
	if (!a || (pa == pb && a == b))
		return 0;
	COMPARE_TEXT(gsym_part_text(pa, pa->files[a - 1].dir),
		     gsym_part_text(pb, pb->files[b - 1].dir));
	COMPARE_TEXT(gsym_part_text(pa, pa->files[a - 1].base),
		     gsym_part_text(pb, pb->files[b - 1].base));
	return 0;
}

static int compare_rows(struct side *a, struct side *b)
{
	struct gsym_row x = { a->f->start, 0, 0 }, y = x;
	const uint8_t *p = a->walk.program, *q = b->walk.program;
	uint64_t i;
	int order;

	for (i = 0; i < a->walk.rows; i++) {
		gsym_rows_next(&p, GSYM_PART_WINDOW, &x);
		gsym_rows_next(&q, GSYM_PART_WINDOW, &y);
		COMPARE(x.addr, y.addr);
		COMPARE(x.line, y.line);
		order = compare_file(a->part, x.file, b->part, y.file);
		if (order)
			return order;
	}
	return 0;
}

/* Ranges are compared as bytes: with the same callers, equal ranges have equal bytes. */
static int compare_calls(struct side *a, struct side *b)
{
	struct gsym_kept_call x, y;
	uint64_t i;
	int order;

	for (i = 0; i < a->walk.calls; i++) {
		gsym_info_call(&a->walk, &x);
		gsym_info_call(&b->walk, &y);
		COMPARE(x.depth, y.depth);
		COMPARE(x.nr_ranges, y.nr_ranges);
		COMPARE(x.ranges_len, y.ranges_len);
		order = memcmp(x.ranges, y.ranges, x.ranges_len);
		if (order)
			return order;
		COMPARE_TEXT(gsym_part_text(a->part, x.name),
			     gsym_part_text(b->part, y.name));
		COMPARE(x.line, y.line);
		order = compare_file(a->part, x.file, b->part, y.file);
		if (order)
			return order;
	}
	return 0;
}

static int compare_sites(struct side *a, struct side *b)
{
	struct gsym_kept_site x, y;
	uint64_t i, n = gsym_info_sites(&a->walk), others = gsym_info_sites(&b->walk);
	uint32_t m;

	COMPARE(n, others);
	for (i = 0; i < n; i++) {
		gsym_info_site(&a->walk, &x);
		gsym_info_site(&b->walk, &y);
		COMPARE(x.offset, y.offset);
		COMPARE(x.flags, y.flags);
		COMPARE(x.nr_match, y.nr_match);
		for (m = 0; m < x.nr_match; m++)
			COMPARE_TEXT(gsym_part_text(a->part, (uint32_t)uleb_take(&x.match)),
				     gsym_part_text(b->part, (uint32_t)uleb_take(&y.match)));
	}
	return 0;
}

static void sides_init(struct side *a, struct side *b)
{
	gsym_info_start(&a->walk, a->part, a->f);
	gsym_info_start(&b->walk, b->part, b->f);
	gsym_info_calls(&a->walk);
	gsym_info_calls(&b->walk);
}

/* Compares functions with the same number of rows and calls. */
static int compare_content(struct side *a, struct side *b)
{
	int order;

	COMPARE_TEXT(gsym_part_text(a->part, a->f->name),
		     gsym_part_text(b->part, b->f->name));
	order = compare_rows(a, b);
	if (!order)
		order = compare_calls(a, b);
	if (!order)
		order = compare_sites(a, b);
	return order;
}

int gsym_better(const struct gsym_part *pa, const struct gsym_added *a,
		const struct gsym_part *pb, const struct gsym_added *b)
{
	struct side x = { .part = pa, .f = a }, y = { .part = pb, .f = b };

	sides_init(&x, &y);
	COMPARE(!x.walk.rows, !y.walk.rows);
	COMPARE(y.walk.calls, x.walk.calls);
	COMPARE(y.walk.rows, x.walk.rows);
	COMPARE(b->called, a->called);
	COMPARE(b->order, a->order);
	return compare_content(&x, &y);
}

int gsym_compare(const struct gsym_part *pa, const struct gsym_added *a,
		 const struct gsym_part *pb, const struct gsym_added *b)
{
	struct side x = { .part = pa, .f = a }, y = { .part = pb, .f = b };

	sides_init(&x, &y);
	COMPARE(!x.walk.rows, !y.walk.rows);
	COMPARE(y.walk.calls, x.walk.calls);
	COMPARE(y.walk.rows, x.walk.rows);
	COMPARE(b->called, a->called);
	return compare_content(&x, &y);
}
