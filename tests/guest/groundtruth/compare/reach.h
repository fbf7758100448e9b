/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a chain reach the entry of its process or thread?
 *
 * It does if its frames are right as far as the truth goes and its last frame is in an entry
 * (entry.h). If libdw reached the outermost frame, the chain must be equal to libdw's. If
 * libdw's chain ends earlier (code without CFI, code in no file, the end of the copied stack),
 * the frames after that point cannot be compared. Such a chain is judged only by its end, and
 * counted separately; frames missing after the end of the truth are not noticed.
 *
 * A frame-pointer walk that leaves the copied stack is unknown from there on. But if libdw
 * found the whole stack inside the copy, an address outside of it cannot be a frame, and the
 * walk is wrong.
 */
#ifndef GT_REACH_H
#define GT_REACH_H

#include "subject.h"

enum reach {
	REACH_PROVEN,		/* every frame is right */
	REACH_END,		/* complete, judged by its end only */
	REACH_UNDECIDED,	/* right so far, but the last frame may not be an entry */
	REACH_UNKNOWN,		/* right so far, but the chain left the copied stack */
	REACH_NOT,		/* wrong, or ends before the entry */
	REACHES
};

/**
 * reach_of() - judge a chain, whichever way it was obtained
 * @left_copy: the chain left the copied stack, and its further frames are unknown
 * @ret_verdict: comparison with the truth; EXCUSED: the truth is known to be wrong there
 * @ret_common: number of equal frames from the top
 */
enum reach reach_of(const struct subject *x, const uint64_t *pcs, unsigned int count,
		    bool left_copy, enum verdict *ret_verdict, unsigned int *ret_common);

#endif /* GT_REACH_H */
