/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the cache: what a function has, as tables that can be searched. Offsets
 * count from its start.
 */
#ifndef USTACK_USER_GSYM_EXPAND_H
#define USTACK_USER_GSYM_EXPAND_H

#include "formats/gsym/read.h"

/* From @start on, up to the next one's. */
struct gsym_line_span {
	uint32_t start;
	uint32_t file;
	uint32_t line;
};

/* No node: no lookup gets to a call there. */
#define GSYM_NO_NODE UINT32_MAX

/* The innermost call from @start on, up to the next one's. */
struct gsym_call_span {
	uint32_t start;
	uint32_t node;
};

/* A call; number 0 is the function itself. @start: of the least of its ranges. */
struct gsym_call_node {
	const char *name;
	uint32_t parent;
	uint32_t start;
	uint32_t file;
	uint32_t line;
};

/**
 * struct gsym_expanded - one function; of zeros at first, gsym_expanded_release()
 * @lines: ascending, of different starts; before the first one there is no line
 * @calls: ascending, the first one at 0; none if there are no lines
 * @nodes: of @calls
 * @work: steps that painting @calls took
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
 * gsym_expand() - decode all of a function
 * @g: open
 * @f: the function
 * @ret: what it had before is overwritten
 *
 * Return: 0; -EBADMSG if something of it is damaged, or beyond 4 GiB from its start;
 * -E2BIG if its calls are such that tables are no help; -ENOMEM.
 */
int gsym_expand(const struct gsym *g, const struct gsym_function *f,
		struct gsym_expanded *ret);
void gsym_expanded_release(struct gsym_expanded *e);

#endif /* USTACK_USER_GSYM_EXPAND_H */
