/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a flame graph's page knows, as JSON: for user/show/flame alone. user/show/flame/page/data.js
 * reads it.
 *
 *	title, callers		as asked for
 *	value			type, unit
 *	recorded, before	of the profile, of what it is compared with (or null): comments,
 *				seconds (since 1970), duration_ns, period, period_type,
 *				period_unit, samples; all: what has a reason below; reasons:
 *				pairs of a reason's name and how much ended for it
 *	code			null, or the instructions of the hottest functions: asked, how many
 *				functions that are; functions: of each its name and image, as
 *				symbols have them, and either why: words that say why there are
 *				none, or title and rows. A row is its kind (enum
 *				annotate_row_kind), its share as text, "" for none, and its text
 *	scale			what values of nodes are multiples of, one for each profile
 *	strings			number 0 is ""
 *	nr_symbols, symbols	pack.h's numbers: name, file, image (strings), line, kind
 *				(enum calltree_kind) for each
 *	nr_nodes, nodes		pack.h's numbers: for each node below the root, callers first:
 *				how many levels it is above a child of the node before it, its
 *				symbol, its own value, and that of the second profile if there
 *				is one
 *
 * Symbols are numbered by how many nodes they have, most first: small numbers are short.
 */
#ifndef USTACK_USER_FLAME_DATA_H
#define USTACK_USER_FLAME_DATA_H

#include <stdio.h>

#include "show/flame/flame.h"
#include "profile/calltree.h"

/**
 * flame_data() - write it
 * @p: the profile
 * @before: or NULL
 * @o: as given to flame_save()
 * @t: their tree, neither inverted nor with negative values
 * @out: failures are found by its error flag
 *
 * Return: 0 or -ENOMEM.
 */
int flame_data(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const struct calltree *t, FILE *out);

#endif /* USTACK_USER_FLAME_DATA_H */
