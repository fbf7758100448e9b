/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a chain reach the entry of its process or thread?
 *
 * It does if its frames are right as far as the truth goes and its last one is
 * in an entry (entry.h). Where libdw came to the outermost frame, that is to be
 * equal to libdw's chain. Where libdw's chain ends before (code without CFI,
 * code in no file, the end of the copied stack), the frames behind are not
 * compared with anything: such a chain is judged by its end only, and counted
 * apart. What was left out behind the truth's end is not seen then.
 *
 * A frame-pointer walk that leaves the copied stack is unknown from there on;
 * but if libdw found the whole stack inside the copy, what is outside of it
 * cannot be a frame, and the walk has gone astray.
 */
#ifndef GT_REACH_H
#define GT_REACH_H

#include "subject.h"

enum reach {
	REACH_PROVEN,		/* every frame is right */
	REACH_END,		/* complete, judged by its end only */
	REACH_UNDECIDED,	/* right so far, but is its last frame an entry? */
	REACH_UNKNOWN,		/* right so far, and left the copied stack */
	REACH_NOT,		/* wrong, or short */
	REACHES
};

/**
 * reach_of() - judge a chain that was got in any way
 * @left_copy: what it would have been further on is not known
 * @ret_verdict: against the truth; EXCUSED: the truth is known to be wrong there
 * @ret_common: number of equal frames from the top
 */
enum reach reach_of(const struct subject *x, const uint64_t *pcs, unsigned int count,
		    bool left_copy, enum verdict *ret_verdict, unsigned int *ret_common);

#endif /* GT_REACH_H */
