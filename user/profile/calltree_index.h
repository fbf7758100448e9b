/* SPDX-License-Identifier: GPL-2.0-only */
/* What a tree of calls has beside its arrays: for user/profile alone. */
#ifndef USTACK_USER_PROFILE_CALLTREE_INDEX_H
#define USTACK_USER_PROFILE_CALLTREE_INDEX_H

#include "profile/calltree.h"
#include "util/intern.h"
#include "util/strings.h"

/**
 * struct calltree_index - where to find what is there
 * @inverted: as asked for
 * @counts: the tree has counts
 * @strings: of all symbols; equal ones are at the same address
 * @symbols: numbers and 1
 * @nodes: numbers by parent and symbol
 */
struct calltree_index {
	bool inverted;
	bool counts;
	struct strings strings;
	struct intern symbols;
	struct intern nodes;
	size_t symbols_room;
	size_t nodes_room;
	size_t counts_room;
};

/* A tree with its root alone. Return: 0 or -ENOMEM; released by calltree_free(). */
int calltree_begin(bool counts, struct calltree **ret);
/* The child of @parent with this symbol. Return: 0, -ENOMEM or -E2BIG. */
int calltree_child(struct calltree *t, uint32_t parent, uint32_t symbol, uint32_t *ret);
/* Totals, and lists of children: once all nodes have their @self. Return: 0 or -ENOMEM. */
int calltree_finish(struct calltree *t);

/**
 * calltree_symbol_add() - the number of a symbol
 * @t: the tree
 * @s: its texts are anybody's and copied
 * @ret: the number
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_symbol_add(struct calltree *t, const struct calltree_symbol *s, uint32_t *ret);

/**
 * calltree_symbol_at() - the symbol of a frame
 * @t: the tree
 * @o: how symbols are told apart
 * @p: profile of @location
 * @location: number
 * @line: of the location's, 0 if it has none
 * @ret: the number
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_symbol_at(struct calltree *t, const struct calltree_options *o,
		       const struct profile *p, uint32_t location, uint32_t line, uint32_t *ret);

/* The order of two symbols by their words: -1, 0 or 1. */
int calltree_symbol_order(const struct calltree_symbol *a, const struct calltree_symbol *b);

#endif /* USTACK_USER_PROFILE_CALLTREE_INDEX_H */
