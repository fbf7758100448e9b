/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call tree of a profile, or of two that are compared: what report, flame,
 * diff and export show. A node is a frame as users see it: an inlined function
 * has a node of its own, and each level of a recursion has one.
 */
#ifndef USTACK_USER_PROFILE_CALLTREE_H
#define USTACK_USER_PROFILE_CALLTREE_H

#include "profile/profile.h"

/*
 * Limit for nodes, which take 3 GB then: nothing else limits the tree that
 * stacks unfold to.
 */
#define CALLTREE_MAX_NODES (1u << 26)

/**
 * struct calltree_options - how samples become nodes
 * @value: index of the value type that is shown, in each profile; samples that
 *	have 0 of it are left out
 * @counts: also count samples
 * @count: with @counts: index of the value type that is the number of samples,
 *	in each profile
 * @inverted: innermost frames become the roots, below those of @roots
 * @by_address: frames with the same name are separate for each address
 * @lines: frames are separate for each line of the source
 * @no_inlines: inlined functions count as part of the function they were
 *	inlined into
 * @roots: labels whose texts become the outermost nodes, in this order, such as
 *	"command", "thread"; ends with NULL; NULL for none. A number is shown as
 *	text. If a sample lacks a label, its nodes move up
 * @ends: a stack that is not complete gets an outermost node such as
 *	"[no_table]" that says why (below @roots; innermost of all when
 *	inverted), so that the node next to it is not mistaken for the program's
 *	entry
 * @keep: returns whether a sample is counted; NULL for all
 * @arg: passed to @keep
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
	CALLTREE_INLINED,	/* into its parent, or its child if the tree is inverted */
	CALLTREE_JIT,
	CALLTREE_UNKNOWN,	/* an address that is in no known file */
	CALLTREE_LABEL,		/* text of a label, or of why a stack ends */
};

/*
 * Return: kind of the code at @address of mapping @file: CALLTREE_USER, _KERNEL
 * or _JIT.
 */
uint8_t calltree_kind_of(const char *file, uint64_t address);

/**
 * struct calltree_symbol - what a node shows; many nodes share one symbol
 * @name: function, "file+0x12ab" if only the file is known, or "0x12ab"
 * @file: path of the source, "" if not known
 * @image: base name of the mapping's file, "" if there is none
 * @address: address of the location with @by_address, or if there is no name;
 *	else 0
 * @line: line of the source with @lines, else 0
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
 * @parent: index of the parent, lower than that of the node
 * @first_child: index of the first child, 0 if there is none; largest sum of
 *	both @total first
 * @next: index of the next sibling, 0 if it is the last
 * @self: for each profile, value of the samples that end here
 * @total: @self and the same of all nodes below
 */
struct calltree_node {
	uint32_t symbol;
	uint32_t parent;
	uint32_t first_child;
	uint32_t next;
	int64_t self[2];
	int64_t total[2];
};

/* Numbers of samples in a node or a row, as struct calltree_node has values. */
struct calltree_count {
	int64_t self[2];
	int64_t total[2];
};

/**
 * struct calltree - the tree; everybody may read it
 * @nodes: node 0 is the root, with all samples
 * @counts: by node, NULL unless asked for
 * @symbols: symbols of the nodes
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
 * @p: the profile; not used any more when the tree is made
 * @second: profile to compare with, or NULL
 * @options: how samples become nodes
 * @ret: released by calltree_free()
 *
 * The order is the same in every run: by value, then by name. Sums that
 * overflow stay at the largest number.
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
 * calltree_order() - sort children by another weight
 * @t: the tree
 * @weight: returns the weight of a node; the largest comes first, then by name
 * @arg: passed to @weight
 *
 * Return: 0; -ENOMEM, and then nothing has changed.
 */
int calltree_order(struct calltree *t,
		   int64_t (*weight)(const struct calltree *t, uint32_t node, void *arg),
		   void *arg);

/**
 * calltree_callers() - make the tree of a function's callers
 * @t: tree that is not inverted
 * @symbol: index of the function in @t's @symbols
 * @ret: has the function below its root, and its callers below that; released
 *	by calltree_free()
 *
 * A sample counts once, for the function's innermost call in it. @self is in
 * the node of the outermost caller; nodes that @roots of the options made are
 * outermost.
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int calltree_callers(const struct calltree *t, uint32_t symbol, struct calltree **ret);

/**
 * struct calltree_flat - one symbol, in the whole tree
 * @symbol: index in the tree's @symbols
 * @self: for each profile, value of samples whose innermost frame it is, also
 *	if the tree is inverted
 * @total: value of samples that have it anywhere; each counts once, however
 *	often it recurs
 * @count: numbers of these samples, if the tree has counts
 */
struct calltree_flat {
	uint32_t symbol;
	int64_t self[2];
	int64_t total[2];
	struct calltree_count count;
};

/*
 * Makes a table of all symbols, the largest @self first (@total with
 * @by_total), then by name. The caller frees @ret. Return: 0 or -ENOMEM.
 */
int calltree_flat(const struct calltree *t, bool by_total, struct calltree_flat **ret,
		  uint32_t *nr);

#endif /* USTACK_USER_PROFILE_CALLTREE_H */
