/* SPDX-License-Identifier: GPL-2.0-only */
/* What a profile has beside its arrays: for user/profile alone. */
#ifndef USTACK_USER_PROFILE_INDEX_H
#define USTACK_USER_PROFILE_INDEX_H

#include <errno.h>

#include "profile/profile.h"
#include "util/array.h"
#include "util/intern.h"
#include "util/strings.h"

/**
 * struct profile_index - where to find what is there
 * @error: what sticks, 0 or a negative errno
 * @limit: elements that an array may have; for tests
 * @strings: all of them
 * @mappings: numbers by what they are of, and so on; @samples: numbers and 1
 * @variants: locations of the same addresses as others but other lines
 * @last_sample: that profile_add() counted last, and 1; 0 if there is none
 * @room: of the arrays
 */
struct profile_index {
	int error;
	uint32_t limit;
	struct strings strings;
	struct intern mappings;
	struct intern functions;
	struct intern locations;
	struct intern variants;
	struct intern stacks;
	struct intern labels;
	struct intern samples;
	uint32_t last_sample;
	struct {
		size_t value_types;
		size_t mappings;
		size_t functions;
		size_t locations;
		size_t lines;
		size_t stacks;
		size_t label;
		size_t labels;
		size_t samples;
		size_t comments;
	} room;
};

/* The first failure sticks. Return: false. */
static inline bool profile_fail(struct profile *p, int err)
{
	if (!p->index->error)
		p->index->error = -err;
	return false;
}

/* Whether there is room for one more element; if there is none, that sticks. */
#define profile_room(p, array)							\
	((p)->nr_##array >= (p)->index->limit ? profile_fail(p, E2BIG) :	\
	 array_has_room((p)->array, (p)->nr_##array, (p)->index->room.array) || \
	 profile_fail(p, ENOMEM))

/* The same, and for its number in the index of the same name. */
#define profile_room_indexed(p, array)						\
	(profile_room(p, array) &&						\
	 (intern_room(&(p)->index->array) || profile_fail(p, ENOMEM)))

#endif /* USTACK_USER_PROFILE_INDEX_H */
