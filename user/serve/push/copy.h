/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies some samples of a profile, with everything they refer to, into another profile. The
 * numbers of strings, stacks and so on differ between the two; struct push_copy maps them.
 */
#ifndef USTACK_USER_PUSH_COPY_H
#define USTACK_USER_PUSH_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/**
 * struct push_copy - maps numbers of @from to numbers of @to; all zeros is an unused one
 * @to: profile that grows
 * @from: profile that is read
 * @keep: labels that are copied with samples, ends with NULL; NULL means all
 * @numbers: memory of the six arrays that follow; it is 0 where nothing was copied yet
 * @strings: number in @to of each string of @from
 * @mappings: number in @to of each mapping
 * @functions: number in @to of each function
 * @locations: number in @to of each location
 * @stacks: number in @to of each stack
 * @labels: number in @to of each set of labels
 * @path: stacks from the one that is being copied towards its root
 * @room: number of entries that @path has room for
 * @lines: lines of the location that is being copied
 * @lines_room: number of entries that @lines has room for
 * @failed: there was no memory here; profile_error() tells about failures of @to
 */
struct push_copy {
	struct profile *to;
	const struct profile *from;
	const char *const *keep;
	uint32_t *numbers;
	uint32_t *strings;
	uint32_t *mappings;
	uint32_t *functions;
	uint32_t *locations;
	uint32_t *stacks;
	uint32_t *labels;
	uint32_t *path;
	uint32_t room;
	struct profile_line *lines;
	uint32_t lines_room;
	bool failed;
};

/* Prepare a copy from @from to @to. Return: 0 with @c to be released, or -ENOMEM. */
int push_copy_init(struct push_copy *c, struct profile *to, const struct profile *from,
		   const char *const *keep);
void push_copy_release(struct push_copy *c);

/* Copy types of values, times and period; comments are not copied. */
void push_copy_head(struct push_copy *c);

/*
 * Copy a string, a stack or a set of labels, unless it was copied before. Return: its number in
 * @to. A failure is kept until push_copied() returns it.
 */
uint32_t push_copy_string(struct push_copy *c, uint32_t string);
uint32_t push_copy_stack(struct push_copy *c, uint32_t stack);
uint32_t push_copy_labels(struct push_copy *c, uint32_t labels);

/* Return: 0, or the negative errno of the first failure. */
int push_copied(const struct push_copy *c);

#endif /* USTACK_USER_PUSH_COPY_H */
