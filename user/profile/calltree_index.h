/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: hash tables of a call tree, and the functions that
 * build one.
 */
#ifndef USTACK_USER_PROFILE_CALLTREE_INDEX_H
#define USTACK_USER_PROFILE_CALLTREE_INDEX_H

#include "profile/calltree.h"
#include "util/intern.h"
#include "util/strings.h"

/**
 * struct calltree_index - finds nodes and symbols of a tree
 * @inverted: the tree is inverted
 * @counts: the tree has counts
 * @strings: texts of all symbols; equal texts have the same address
 * @symbols: index of a symbol, plus 1
 * @nodes: index of a node by parent and symbol
 * @symbols_room: entries that the tree's @symbols has memory for
 * @nodes_room: entries that its @nodes has memory for
 * @counts_room: entries that its @counts has memory for
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

/*
 * Makes a tree that has only its root. Return: 0 or -ENOMEM; released by
 * calltree_free().
 */
int calltree_begin(bool counts, struct calltree **ret);
/*
 * @ret: the child of @parent with this symbol, made if missing. Return: 0,
 * -ENOMEM or -E2BIG.
 */
int calltree_child(struct calltree *t, uint32_t parent, uint32_t symbol, uint32_t *ret);
/*
 * Adds totals up and links children, once all nodes have their @self. Return: 0
 * or -ENOMEM.
 */
int calltree_finish(struct calltree *t);

/**
 * calltree_symbol_add() - find or add a symbol
 * @t: the tree
 * @s: the symbol; its texts are copied
 * @ret: index of the symbol
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_symbol_add(struct calltree *t, const struct calltree_symbol *s, uint32_t *ret);

/**
 * calltree_symbol_at() - find or add the symbol of a frame
 * @t: the tree
 * @o: options, which decide what frames share a symbol
 * @p: profile of @location
 * @location: number of the location
 * @line: index of one of the location's lines, 0 if it has none
 * @ret: index of the symbol
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_symbol_at(struct calltree *t, const struct calltree_options *o,
		       const struct profile *p, uint32_t location, uint32_t line, uint32_t *ret);

/* Return: -1, 0 or 1, the order of two symbols by name and so on. */
int calltree_symbol_order(const struct calltree_symbol *a, const struct calltree_symbol *b);

#endif /* USTACK_USER_PROFILE_CALLTREE_INDEX_H */
