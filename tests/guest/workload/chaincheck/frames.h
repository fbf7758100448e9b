/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample's addresses, resolved by the truth and not by perf: the function of each, and
 * whether each return address follows a call that could have led to the frame above it.
 */
#ifndef CHAINCHECK_FRAMES_H
#define CHAINCHECK_FRAMES_H

#include <stdbool.h>

#include "dump.h"
#include "truth.h"

struct frame {
	u64 ip, vaddr;
	const char *path;		/* path of the mapping, "" if there is none */
	const struct image *image;	/* NULL: not in a file of the truth */
	const struct func *func;
	bool known;			/* a mapping contains the address */
	bool trampoline;		/* the vDSO's, to which handlers return (arm64) */
};

/* what is wrong with frame `index`, for a message; NULL if nothing is */
struct fault {
	size_t index;
	const char *what;
};

/*
 * Fills frames[] (room for sample->count). callers_less_one: the dump's return addresses are
 * one lower, as perf prints them for DWARF unwinding.
 */
void frames_resolve(const struct sample *sample, bool callers_less_one,
		    struct frame *frames);

/* checks calls from frames[first] on */
struct fault frames_calls(const struct frame *frames, size_t first,
			  size_t count);

enum func_class frame_class(const struct frame *frame);

/* is the path one of a file with code of ours? */
bool path_own(const char *path);

#endif
