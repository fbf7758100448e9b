/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/profile: hash tables of a profile, and its error state. */
#ifndef USTACK_USER_PROFILE_INDEX_H
#define USTACK_USER_PROFILE_INDEX_H

#include <errno.h>

#include "profile/profile.h"
#include "util/array.h"
#include "util/intern.h"
#include "util/strings.h"

/**
 * struct profile_index - finds what a profile has already
 * @error: first failure, 0 or a negative errno
 * @limit: maximum of elements of an array; lower for files that are read, and
 *	in tests
 * @strings: all strings
 * @mappings: numbers of mappings by their contents
 * @functions: the same for functions
 * @locations: the same for locations
 * @variants: locations that have the address of another one but other lines
 * @stacks: numbers of stacks by parent and location
 * @labels: numbers of sets by their contents
 * @samples: index of a sample by stack and labels, plus 1
 * @last_sample: index of the sample that profile_add() counted last, plus 1; 0
 *	if none
 * @room: entries that each array has memory for
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

/* Sets the error, unless there is one already. Return: false. */
static inline bool profile_fail(struct profile *p, int err)
{
	if (!p->index->error)
		p->index->error = -err;
	return false;
}

/*
 * Return: whether there is room for one more element; if not, the error is set.
 */
#define profile_room(p, array)							\
	((p)->nr_##array >= (p)->index->limit ? profile_fail(p, E2BIG) :	\
	 array_has_room((p)->array, (p)->nr_##array, (p)->index->room.array) || \
	 profile_fail(p, ENOMEM))

/*
 * The same, and there must be room for its number in the index of the same
 * name.
 */
#define profile_room_indexed(p, array)						\
	(profile_room(p, array) &&						\
	 (intern_room(&(p)->index->array) || profile_fail(p, ENOMEM)))

#endif /* USTACK_USER_PROFILE_INDEX_H */
