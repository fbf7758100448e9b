/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A limit for the bytes of shared tables (abbreviations, lists of ranges, line
 * tables, entries of other units) that all threads together may read. Without
 * it a small file could refer to one large table a million times.
 */
#ifndef USTACK_USER_DWARF_BUDGET_H
#define USTACK_USER_DWARF_BUDGET_H

#include <errno.h>
#include <stdatomic.h>

#include "formats/dwarf/limits.h"
#include "formats/dwarf/object.h"

struct dwarf_budget {
	_Atomic uint64_t spent;
	uint64_t limit;
	const char *path;
};

static inline void dwarf_budget_init(struct dwarf_budget *b, const struct dwarf_object *o)
{
	atomic_init(&b->spent, 0);
	b->limit = o->map_len * DWARF_MAX_READS + DWARF_FREE_READS;
	b->path = o->path;
}

/* Called before threads start: @o will be read, too. */
static inline void dwarf_budget_add(struct dwarf_budget *b, const struct dwarf_object *o)
{
	b->limit += o->map_len * DWARF_MAX_READS;
}

/*
 * @n: number of bytes that a reader returned, or a negative errno. Return: 0 or
 *     that errno; -EBADMSG if the budget is spent.
 */
static inline int dwarf_spend(struct dwarf_budget *b, int64_t n, struct diag *diag)
{
	if (n <= 0)
		return (int)n;
	if (atomic_fetch_add_explicit(&b->spent, (uint64_t)n, memory_order_relaxed) <=
	    b->limit)
		return 0;
	return diag_set(diag, EBADMSG, b->path,
			"units refer to the same tables again and again");
}

#endif /* USTACK_USER_DWARF_BUDGET_H */
