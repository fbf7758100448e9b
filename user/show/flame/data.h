/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/show/flame: the data of a flame graph's page, as JSON.
 * user/show/flame/page/data.js reads it.
 *
 *	title, callers		as in struct flame_options
 *	value			type, unit
 *	recorded, before	facts about the profile, and about the one it is compared with (or
 *				null): comments, seconds (since 1970), duration_ns, period,
 *				period_type, period_unit, stacks; all: value of samples that have a
 *				reason; reasons: pairs of a reason's name and the value that ended
 *				for it
 *	code			null, or the instructions of the hottest functions: asked, the
 *				number of functions asked for; functions: for each its name and image, as
 *				in symbols, and either why: words that say why there are none, or
 *				title and rows. A row is its kind (enum annotate_row_kind), its
 *				share as text, "" for none, and its text
 *	scale			divisor of the values of nodes, one for each profile
 *	strings			texts; number 0 is ""
 *	nr_symbols, symbols	numbers as pack.h writes them: for each symbol name, file, image
 *				(strings), line, kind (enum calltree_kind)
 *	root_self		own value of the root, one for each profile
 *	nr_nodes, nodes		numbers as pack.h writes them: for each node below the root, callers
 *				first: how many levels it is above a child of the previous node, its
 *				symbol, its own value, and its own value in the second profile if
 *				there is one
 *
 * Symbols are sorted by their number of nodes, largest first, because small
 * numbers are short.
 */
#ifndef USTACK_USER_FLAME_DATA_H
#define USTACK_USER_FLAME_DATA_H

#include <stdio.h>

#include "show/flame/flame.h"
#include "profile/calltree.h"

/**
 * flame_data() - write the data
 * @p: the profile
 * @before: profile to compare with, or NULL
 * @o: as given to flame_save()
 * @t: their tree, not inverted, without negative values
 * @out: the caller checks its error flag
 *
 * Return: 0 or -ENOMEM.
 */
int flame_data(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const struct calltree *t, FILE *out);

#endif /* USTACK_USER_FLAME_DATA_H */
