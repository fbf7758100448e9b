/* SPDX-License-Identifier: GPL-2.0-only */
/* Some samples of a profile, and what they need, into another profile. */
#ifndef USTACK_USER_PUSH_COPY_H
#define USTACK_USER_PUSH_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/**
 * struct push_copy - numbers of @from to numbers of @to; all zeros is none
 * @to: grows
 * @from: stays
 * @keep: labels that go with samples, ends with NULL; NULL is all
 * @numbers: memory of what follows; 0 is not copied yet
 * @path: of the stack that is being copied
 * @room: of @path
 * @lines: of the location that is being copied
 * @lines_room: of @lines
 * @failed: no memory here; profile_error() of @to says whether there was none there
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

/* Return: 0 with @c to be released, or -ENOMEM. */
int push_copy_init(struct push_copy *c, struct profile *to, const struct profile *from,
		   const char *const *keep);
void push_copy_release(struct push_copy *c);

/* Types of values, times and period; not comments. */
void push_copy_head(struct push_copy *c);

/* The number of a string, a stack, a set of labels in @to. Failure sticks, see push_copied(). */
uint32_t push_copy_string(struct push_copy *c, uint32_t string);
uint32_t push_copy_stack(struct push_copy *c, uint32_t stack);
uint32_t push_copy_labels(struct push_copy *c, uint32_t labels);

/* Return: 0, or what went wrong, a negative errno. */
int push_copied(const struct push_copy *c);

#endif /* USTACK_USER_PUSH_COPY_H */
