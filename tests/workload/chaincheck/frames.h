/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample's addresses, resolved by the truth and not by perf: which function
 * each is in, and whether each return address follows a call that could have
 * led to the frame above it.
 */
#ifndef CHAINCHECK_FRAMES_H
#define CHAINCHECK_FRAMES_H

#include <stdbool.h>

#include "dump.h"
#include "truth.h"

struct frame {
	u64 ip, vaddr;
	const char *path;		/* of the mapping, "" if there is none */
	const struct image *image;	/* NULL: not in a file of the truth */
	const struct func *func;
	bool known;			/* some mapping holds it */
};

/* what is wrong with frame `index`, for a message; NULL if nothing */
struct fault {
	size_t index;
	const char *what;
};

/*
 * Fill frames[] (room for sample->count). callers_less_one: the dump's return
 * addresses are one less than they were, as perf prints DWARF unwound ones.
 */
void frames_resolve(const struct sample *sample, bool callers_less_one,
		    struct frame *frames);

/* check calls from frames[first] on */
struct fault frames_calls(const struct frame *frames, size_t first,
			  size_t count);

enum func_class frame_class(const struct frame *frame);

/* is the path one of a file with code of ours? */
bool path_own(const char *path);

#endif
