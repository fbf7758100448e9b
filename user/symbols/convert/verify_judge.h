/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/convert/verify*.c: compares one function with a GSYM file. */
#ifndef USTACK_USER_CONVERT_VERIFY_JUDGE_H
#define USTACK_USER_CONVERT_VERIFY_JUDGE_H

#include "symbols/convert/verify_dwarf.h"
#include "symbols/convert/verify_names.h"

/**
 * struct verify_judge - state for comparing functions
 * @g: the GSYM file
 * @names: style of its names
 * @calls: inlined calls of the function, from DWARF
 * @points: addresses to compare
 * @have: frames of the GSYM file
 * @want: frames of DWARF
 */
struct verify_judge {
	const struct gsym *g;
	struct verify_names names;
	struct verify_calls calls;
	uint64_t *points;
	size_t nr_points, room_points;
	struct gsym_frame have[GSYM_MAX_FRAMES];
	struct gsym_frame want[GSYM_MAX_FRAMES];
};

/* Counts for the addresses of one function, as in struct gsym_verified. */
struct verify_tally {
	uint64_t addresses;
	uint64_t same;
	uint64_t overlapped;
	uint64_t no_row;
	uint64_t differences[GSYM_VERIFY_KINDS];
	bool damaged;
};

void verify_judge_release(struct verify_judge *j);

/**
 * verify_judge() - compare the addresses of a function
 * @j: state, with @g and @names.names set
 * @f: the function; the GSYM file has a function of this range
 * @u: the function's unit, read by verify_unit_read()
 * @o: options; @each gets the differences; NULL to only count them
 * @ret: counts; set on success
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if the GSYM file is damaged at the function; -ENOMEM.
 */
int verify_judge(struct verify_judge *j, const struct verify_function *f,
		 const struct verify_unit *u, const struct gsym_verify_options *o,
		 struct verify_tally *ret, struct diag *diag);

/* Reports that the GSYM file does not have a function. */
void verify_judge_missing(struct verify_judge *j, const struct verify_function *f,
			  const struct gsym_verify_options *o);

#endif /* USTACK_USER_CONVERT_VERIFY_JUDGE_H */
