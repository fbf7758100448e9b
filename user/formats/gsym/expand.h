/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the cache: the contents of a function as tables that can be
 * searched. Offsets count from the function's start.
 */
#ifndef USTACK_USER_GSYM_EXPAND_H
#define USTACK_USER_GSYM_EXPAND_H

#include "formats/gsym/read.h"

/* The line from @start on, up to the next span. */
struct gsym_line_span {
	uint32_t start;
	uint32_t file;
	uint32_t line;
};

/* A span without a node: no lookup finds a call there. */
#define GSYM_NO_NODE UINT32_MAX

/* The innermost call from @start on, up to the next span. */
struct gsym_call_span {
	uint32_t start;
	uint32_t node;
};

/* A call; number 0 is the function itself. @start: lowest start of its ranges. */
struct gsym_call_node {
	const char *name;
	uint32_t parent;
	uint32_t start;
	uint32_t file;
	uint32_t line;
};

/**
 * struct gsym_expanded - a decoded function; all zeros before its first use
 * @lines: ascending, with different starts; there is no line before the first
 *         one
 * @calls: ascending, the first one at 0; empty if there are no lines
 * @nodes: the calls that @calls refers to
 * @work: steps that were needed to build @calls
 */
struct gsym_expanded {
	struct gsym_line_span *lines;
	struct gsym_call_span *calls;
	struct gsym_call_node *nodes;
	size_t nr_lines, nr_calls, nr_nodes;
	size_t room_lines, room_calls, room_nodes;
	uint64_t work;
};

/**
 * gsym_expand() - decode a whole function
 * @g: open
 * @f: the function
 * @ret: filled; its earlier contents are discarded
 *
 * Return: 0; -EBADMSG if a part of it is damaged, or beyond 4 GiB from its
 * start; -E2BIG if its calls would need too much work; -ENOMEM.
 */
int gsym_expand(const struct gsym *g, const struct gsym_function *f,
		struct gsym_expanded *ret);
void gsym_expanded_release(struct gsym_expanded *e);

#endif /* USTACK_USER_GSYM_EXPAND_H */
