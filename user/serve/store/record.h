/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two parts of a record: definitions, which are added to the segment's profile, and samples,
 * which refer to them. Documentation/store.md describes the format.
 */
#ifndef USTACK_USER_STORE_RECORD_H
#define USTACK_USER_STORE_RECORD_H

#include "profile/profile.h"
#include "serve/store/bytes.h"

/* How much of a segment's profile has been written: for each kind the first unwritten number. */
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

/*
 * A window whose numbers refer to its segment's profile. Members mean the same as in struct
 * profile.
 */
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
 * store_put_definitions() - encode the definitions that are not written yet
 * @p: the segment's profile
 * @from: how much of @p earlier records have
 * @named: locations that got lines since then; those that are new themselves are left out
 * @nr_named: number of entries in @named
 * @out: gets the bytes; empty before
 */
void store_put_definitions(const struct profile *p, const struct store_marks *from,
			   const uint32_t *named, uint32_t nr_named, struct buffer *out);

/* Encodes samples. It also sorts those of @s, and joins those of the same stack and labels. */
void store_put_samples(struct store_samples *s, struct buffer *out);

/**
 * store_take_definitions() - decode a record's definitions and add them to a segment's profile
 * @p: the profile; unusable after a failure
 * @bytes: the definitions, unpacked
 * @len: length of @bytes
 * @why: gets the reason of -EBADMSG
 *
 * Return: 0; -ENOMEM; -EBADMSG.
 */
int store_take_definitions(struct profile *p, const void *bytes, size_t len, const char **why);

/* Decodes a record's samples into @ret, in place of what it has. Return: as above. */
int store_take_samples(const struct profile *p, const void *bytes, size_t len,
		       struct store_samples *ret, const char **why);

#endif /* USTACK_USER_STORE_RECORD_H */
