/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree of calls of a profile, or of two that are compared: what report, flame, diff
 * and export show. A node is a frame as people see it: an inlined function is a node of
 * its own, recursion makes a node each time.
 */
#ifndef USTACK_USER_PROFILE_CALLTREE_H
#define USTACK_USER_PROFILE_CALLTREE_H

#include "profile/profile.h"

/* Nodes that a tree may have, 3 GB of them: what stacks unfold to has no other bound. */
#define CALLTREE_MAX_NODES (1u << 26)

/**
 * struct calltree_options - what becomes of the samples
 * @value: index of the value type that is counted, in each profile; samples that have 0
 *         of it are left out
 * @counts: count samples beside it
 * @count: with @counts: index of the value type that is the number of samples
 * @inverted: innermost frames become the roots, below those of @roots
 * @by_address: frames with a name stay apart by address, too
 * @lines: frames stay apart by line of the source
 * @no_inlines: inlined functions are part of what they were inlined into
 * @roots: labels whose texts become the outermost nodes, in this order, such as
 *         "command", "thread"; ends with NULL; NULL for none. A number is a text, too;
 *         where a sample lacks one, what is below it moves up
 * @ends: a stack that is not complete gets an outermost node "[no_table]" that says why
 *        (below @roots; innermost of all when inverted), so that what is above it is not
 *        mistaken for the program's entry
 * @keep: whether a sample is counted; NULL for all
 * @arg: for @keep
 */
struct calltree_options {
	uint32_t value[2];
	bool counts;
	uint32_t count[2];
	bool inverted;
	bool by_address;
	bool lines;
	bool no_inlines;
	const char *const *roots;
	bool ends;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

enum calltree_kind {
	CALLTREE_USER,
	CALLTREE_KERNEL,
	CALLTREE_INLINED,	/* into its parent (into its child when inverted) */
	CALLTREE_JIT,
	CALLTREE_UNKNOWN,	/* an address that no file is known of */
	CALLTREE_LABEL,		/* made of a label, or of why a stack ends */
};

/* Whose code is at @address of a mapping's @file: CALLTREE_USER, CALLTREE_KERNEL or CALLTREE_JIT. */
uint8_t calltree_kind_of(const char *file, uint64_t address);

/**
 * struct calltree_symbol - what a node stands for; many nodes share one
 * @name: function, "file+0x12ab" where only the file is known, or "0x12ab"
 * @file: of the source, "" if it is not known
 * @image: base name of the mapping's file, "" if there is none
 * @address: of the location with @by_address, and where there is no name; 0 otherwise
 * @line: with @lines, 0 otherwise
 * @kind: enum calltree_kind
 */
struct calltree_symbol {
	const char *name;
	const char *file;
	const char *image;
	uint64_t address;
	uint32_t line;
	uint8_t kind;
};

/**
 * struct calltree_node - a node
 * @symbol: index in struct calltree's @symbols
 * @parent: index, below this one's
 * @first_child: index, 0 if it has none; largest first, by the sum of both @total
 * @next: sibling, 0 if it is the last
 * @self: samples of each profile that end here
 * @total: those and all below it
 */
struct calltree_node {
	uint32_t symbol;
	uint32_t parent;
	uint32_t first_child;
	uint32_t next;
	int64_t self[2];
	int64_t total[2];
};

/* How many samples there are in what a node or a row has. */
struct calltree_count {
	int64_t self[2];
	int64_t total[2];
};

/**
 * struct calltree - to be read by anyone
 * @nodes: node 0 is the root: all samples
 * @counts: of each node, NULL unless they were asked for
 * @symbols: see struct calltree_symbol
 */
struct calltree {
	struct calltree_node *nodes;
	struct calltree_count *counts;
	uint32_t nr_nodes;
	struct calltree_symbol *symbols;
	uint32_t nr_symbols;

	struct calltree_index *index;	/* private */
};

/**
 * calltree_new() - make the tree
 * @p: the profile; not needed any more when the tree is made
 * @second: what it is compared with, or NULL
 * @options: how
 * @ret: released by calltree_free()
 *
 * Order is the same in every run: by value, then by name. Sums that do not fit stay at
 * the largest number.
 *
 * Return: 0; -EINVAL for a value of PROFILE_MAX_VALUES or more; -ENOMEM; -E2BIG above
 * CALLTREE_MAX_NODES.
 */
int calltree_new(const struct profile *p, const struct profile *second,
		 const struct calltree_options *options, struct calltree **ret);
void calltree_free(struct calltree *t);

/* For _cleanup_(). */
static inline void calltree_cleanup(struct calltree **t)
{
	calltree_free(*t);
}

/**
 * calltree_order() - put children in another order
 * @t: the tree
 * @weight: of a node; the largest comes first, names then
 * @arg: for @weight
 *
 * Return: 0 or -ENOMEM, with which nothing has changed.
 */
int calltree_order(struct calltree *t,
		   int64_t (*weight)(const struct calltree *t, uint32_t node, void *arg),
		   void *arg);

/**
 * calltree_callers() - the tree of who calls a function
 * @t: not inverted
 * @symbol: of @t: the function
 * @ret: has the function below its root, its callers below that; released by
 *       calltree_free()
 *
 * A sample counts for the function's innermost call in it. @self is that of the callers'
 * outermost node; what labels made of roots is outermost.
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_callers(const struct calltree *t, uint32_t symbol, struct calltree **ret);

/**
 * struct calltree_flat - one symbol in all of the tree
 * @symbol: index
 * @self: samples of each profile whose innermost frame it is, also when the tree is
 *        inverted
 * @total: samples that have it anywhere, each once however often it recurs
 * @count: samples in them, if the tree has counts
 */
struct calltree_flat {
	uint32_t symbol;
	int64_t self[2];
	int64_t total[2];
	struct calltree_count count;
};

/* A table of all symbols, the largest @self first (@total with @by_total), names then.
 * @ret is freed by the caller. Return: 0 or -ENOMEM.
 */
int calltree_flat(const struct calltree *t, bool by_total, struct calltree_flat **ret,
		  uint32_t *nr);

#endif /* USTACK_USER_PROFILE_CALLTREE_H */
