/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two parts of a record: definitions, which a segment's profile grows by, and samples,
 * which refer to them. Documentation/store.md has the format.
 */
#ifndef USTACK_USER_STORE_RECORD_H
#define USTACK_USER_STORE_RECORD_H

#include "profile/profile.h"
#include "serve/store/bytes.h"

/* What of a segment's profile has been written; first numbers that have not. */
struct store_marks {
	uint32_t strings;
	uint32_t mappings;
	uint32_t functions;
	uint32_t locations;
	uint32_t stacks;
	uint32_t labels;
};

static inline struct store_marks store_marks(const struct profile *p)
{
	return (struct store_marks){ p->nr_strings, p->nr_mappings, p->nr_functions,
				     p->nr_locations, p->nr_stacks, p->nr_labels };
}

/* A window in numbers of its segment's profile. Members as in struct profile. */
struct store_samples {
	int64_t period;
	struct profile_value_type period_type;
	uint32_t default_type;
	struct profile_value_type value_types[PROFILE_MAX_VALUES];
	uint32_t nr_value_types;
	uint32_t nr_comments;
	uint32_t nr_samples;
	uint32_t *comments;
	struct profile_sample *samples;
	size_t comments_room;
	size_t samples_room;
};

void store_samples_release(struct store_samples *s);

/**
 * store_put_definitions() - what is new
 * @p: the segment's profile
 * @from: what of it is old
 * @named: locations of those that got lines
 * @nr_named: of them; those that are new are left out
 * @out: empty
 */
void store_put_definitions(const struct profile *p, const struct store_marks *from,
			   const uint32_t *named, uint32_t nr_named, struct buffer *out);

/* @s: its samples are sorted, and those of the same stack and labels joined. */
void store_put_samples(struct store_samples *s, struct buffer *out);

/**
 * store_take_definitions() - add a record's definitions to a segment's profile
 * @p: the profile; unusable after a failure
 * @bytes: unpacked
 * @len: of @bytes
 * @why: on -EBADMSG: the reason
 *
 * Return: 0; -ENOMEM; -EBADMSG.
 */
int store_take_definitions(struct profile *p, const void *bytes, size_t len, const char **why);

/* The same of samples, in place of what @ret has. */
int store_take_samples(const struct profile *p, const void *bytes, size_t len,
		       struct store_samples *ret, const char **why);

#endif /* USTACK_USER_STORE_RECORD_H */
