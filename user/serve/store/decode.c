// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the two parts of a record for segment.c. The bytes may come from anybody, so each number
 * is checked against limits.h and against the definitions that exist.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/limits.h"
#include "serve/store/record.h"
#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/**
 * struct decode - definitions that are being decoded
 * @c: the bytes that are left
 * @p: the segment's profile, which gets the definitions
 * @old: counts of @p before this record
 * @why: reason of -EBADMSG
 * @function: function of the previous line, to which the next difference is added
 */
struct decode {
	struct cursor c;
	struct profile *p;
	struct store_marks old;
	const char *why;
	uint64_t function;
};

/* Return: -EBADMSG. */
static int bad(struct decode *d, const char *why)
{
	d->why = why;
	return -EBADMSG;
}

/* Checks that a definition got the next new number @want. Any other means that it existed. */
static int check(struct decode *d, uint32_t got, uint32_t want, const char *why)
{
	int err = profile_error(d->p);

	if (err)
		return err;
	return d->c.bad || got != want ? bad(d, why) : 0;
}

static int take_strings(struct decode *d)
{
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_strings), i;
	_cleanup_(cleanup_free) uint32_t *len = reallocarray(NULL, nr + 1ul, sizeof(*len));
	int err = 0;

	if (!len)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		len[i] = store_take_below(&d->c, cursor_left(&d->c) + 1);
	for (i = 0; i < nr && !err; i++) {
		const char *text = (const char *)cursor_take(&d->c, len[i]);

		if (d->c.bad || memchr(text, 0, len[i]))
			return bad(d, "a string is not whole");
		err = check(d, profile_string_bytes(d->p, text, len[i]), d->old.strings + i,
			    "a string is there twice");
	}
	return err;
}

static int take_mappings(struct decode *d)
{
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_mappings), i;
	struct profile_mapping m;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		m.start = store_take_u(&d->c);
		m.limit = m.start + store_take_u(&d->c);
		m.offset = store_take_u(&d->c);
		m.file = store_take_below(&d->c, d->p->nr_strings);
		m.build_id = store_take_below(&d->c, d->p->nr_strings);
		err = check(d, profile_mapping(d->p, &m), d->old.mappings + i,
			    "a mapping is bad or there twice");
	}
	return err;
}

static int take_functions(struct decode *d)
{
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_functions), i;
	uint64_t name = 0, system_name, file = 0;
	struct profile_function f;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		f.name = store_take_d_below(&d->c, &name, d->p->nr_strings);
		system_name = name;
		f.system_name = store_take_d_below(&d->c, &system_name, d->p->nr_strings);
		f.file = store_take_d_below(&d->c, &file, d->p->nr_strings);
		f.start_line = store_take_below(&d->c, 1ull << 32);
		err = check(d, profile_function(d->p, &f), d->old.functions + i,
			    "a function is bad or there twice");
	}
	return err;
}

/* Reads the lines of a location into *@ret, which the caller frees. */
static int take_lines(struct decode *d, struct profile_line **ret, uint32_t *nr)
{
	struct profile_line *lines;
	uint32_t i;

	*nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_lines);
	if (!*nr)
		return 0;
	lines = reallocarray(NULL, *nr, sizeof(*lines));
	*ret = lines;
	if (!lines)
		return -ENOMEM;
	for (i = 0; i < *nr; i++) {
		lines[i].function = store_take_d_below(&d->c, &d->function, d->p->nr_functions);
		lines[i].line = store_take_below(&d->c, 1ull << 32);
		if (d->c.bad || !lines[i].function)
			return bad(d, "a line of a location is bad");
	}
	return 0;
}

static int take_name(struct decode *d, uint64_t *location)
{
	uint32_t n = store_take_d_below(&d->c, location, d->old.locations), nr;
	_cleanup_(cleanup_free) struct profile_line *lines = NULL;
	int err = take_lines(d, &lines, &nr);

	if (err)
		return err;
	if (d->c.bad || !nr || !d->p->locations[n].address || d->p->locations[n].nr_lines)
		return bad(d, "lines for a location that cannot have them");
	profile_location_lines(d->p, n, lines, nr);
	return profile_error(d->p);
}

static int take_location(struct decode *d, uint64_t *mapping, uint64_t *address)
{
	uint32_t m = store_take_d_below(&d->c, mapping, d->p->nr_mappings), nr;
	uint32_t want = d->p->nr_locations;
	uint64_t a = store_take_d(&d->c, address);
	_cleanup_(cleanup_free) struct profile_line *lines = NULL;
	int err = take_lines(d, &lines, &nr);

	if (err)
		return err;
	return check(d, profile_location_named(d->p, m, a, lines, nr), want,
		     "a location is bad or there twice");
}

static int take_locations(struct decode *d)
{
	uint64_t location = 0, mapping = 0, address = 0;
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS), i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = take_name(d, &location);
	nr = err ? 0 : store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_locations);
	for (i = 0; i < nr && !err; i++)
		err = take_location(d, &mapping, &address);
	return err;
}

static int take_stacks(struct decode *d)
{
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_stacks), i;
	_cleanup_(cleanup_free) uint32_t *up = reallocarray(NULL, nr + 1ul, sizeof(*up));
	uint32_t parent, own;
	uint64_t location = 0;
	int err = 0;

	if (!up)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		up[i] = store_take_below(&d->c, d->old.stacks + i);
	for (i = 0; i < nr && !err; i++) {
		own = d->old.stacks + i;
		parent = up[i] ? own - up[i] : 0;
		if (d->p->stacks[parent].depth >= STORE_MAX_DEPTH)
			return bad(d, "a stack is too deep");
		store_take_d_below(&d->c, &location, d->p->nr_locations);
		if (d->c.bad || !location)
			return bad(d, "a stack has a frame without a location");
		err = check(d, profile_stack(d->p, parent, (uint32_t)location), own,
			    "a stack is there twice");
	}
	return err;
}

static int take_set(struct decode *d)
{
	struct profile_label set[PROFILE_MAX_LABELS];
	uint32_t nr = store_take_count(&d->c, PROFILE_MAX_LABELS), i;
	uint32_t want = d->p->nr_labels;

	for (i = 0; i < nr; i++) {
		struct profile_label *l = &set[i];

		*l = (struct profile_label){ 0 };
		l->key = store_take_below(&d->c, d->p->nr_strings);
		l->str = store_take_below(&d->c, d->p->nr_strings);
		if (!l->str) {
			l->unit = store_take_below(&d->c, d->p->nr_strings);
			l->num = (int64_t)store_take_s(&d->c);
		}
	}
	if (d->c.bad)
		return bad(d, "labels are bad");
	return check(d, profile_labels(d->p, set, nr), want, "labels are there twice");
}

static int take_labels(struct decode *d)
{
	uint32_t nr = store_take_count(&d->c, STORE_MAX_ELEMENTS - d->p->nr_labels), i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = take_set(d);
	return err;
}

int store_take_definitions(struct profile *p, const void *bytes, size_t len, const char **why)
{
	struct decode d = { .c = cursor_over(bytes, len), .p = p, .old = store_marks(p) };
	int err = len ? take_strings(&d) : 0;

	if (!len)
		return 0;
	err = err ? err : take_mappings(&d);
	err = err ? err : take_functions(&d);
	err = err ? err : take_locations(&d);
	err = err ? err : take_stacks(&d);
	err = err ? err : take_labels(&d);
	if (!err && (d.c.bad || cursor_left(&d.c)))
		err = bad(&d, "definitions end too early or too late");
	*why = d.why;
	return err;
}

static bool take_head(struct cursor *c, uint32_t strings, struct store_samples *s)
{
	uint32_t i, k;

	s->period = (int64_t)store_take_s(c);
	s->period_type.type = store_take_below(c, strings);
	s->period_type.unit = store_take_below(c, strings);
	s->default_type = store_take_below(c, strings);
	s->nr_value_types = store_take_count(c, PROFILE_MAX_VALUES);
	for (i = 0; i < s->nr_value_types; i++) {
		s->value_types[i].type = store_take_below(c, strings);
		s->value_types[i].unit = store_take_below(c, strings);
		for (k = 0; k < i; k++)
			if (!memcmp(&s->value_types[k], &s->value_types[i], sizeof(*s->value_types)))
				c->bad = true;
	}
	return !c->bad;
}

/* Makes room for @nr elements. Value: false if there is no memory. */
#define reserve(array, room, nr)						\
({										\
	void *new_ = (nr) > (room) ? reallocarray((array), (nr), sizeof(*(array))) : (array); \
										\
	if ((nr) > (room) && new_) {						\
		(array) = new_;							\
		(room) = (nr);							\
	}									\
	(nr) <= (room);								\
})

static int take_comments(struct cursor *c, uint32_t strings, struct store_samples *s)
{
	uint64_t comment = 0;
	uint32_t nr = store_take_count(c, STORE_MAX_ELEMENTS), i;

	if (!reserve(s->comments, s->comments_room, nr))
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		s->comments[i] = store_take_d_below(c, &comment, strings);
	s->nr_comments = nr;
	return 0;
}

/* Reads the stacks of a group. They ascend; only the first may be 0. */
static bool take_group(struct cursor *c, const struct profile *p, uint32_t labels,
		       uint32_t nr, struct profile_sample *to)
{
	uint64_t stack = 0, more;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		more = store_take_below(c, p->nr_stacks);
		stack += more;
		if (c->bad || stack >= p->nr_stacks || (i && !more))
			return false;
		to[i] = (struct profile_sample){ .stack = (uint32_t)stack, .labels = labels };
	}
	return true;
}

static int take_groups(struct cursor *c, const struct profile *p, struct store_samples *s)
{
	uint32_t nr = store_take_count(c, STORE_MAX_SAMPLES), i, more, set;
	uint64_t labels = 0;

	if (!reserve(s->samples, s->samples_room, nr))
		return -ENOMEM;
	for (i = 0; i < nr; i += more) {
		set = store_take_d_below(c, &labels, p->nr_labels);
		more = store_take_count(c, nr - i);
		if (c->bad || !more || (i && set <= s->samples[i - 1].labels) ||
		    !take_group(c, p, set, more, s->samples + i))
			return -EBADMSG;
	}
	s->nr_samples = nr;
	return 0;
}

static bool take_values(struct cursor *c, uint32_t type, struct store_samples *s)
{
	uint32_t guessed = store_take_below(c, type ? 2 : 1), i;
	uint64_t v;

	for (i = 0; i < s->nr_samples; i++) {
		v = store_take_s(c);
		if (guessed)
			v += (uint64_t)s->samples[i].value[0] * (uint64_t)s->period;
		s->samples[i].value[type] = (int64_t)v;
	}
	return !c->bad;
}

int store_take_samples(const struct profile *p, const void *bytes, size_t len,
		       struct store_samples *ret, const char **why)
{
	struct cursor c = cursor_over(bytes, len);
	uint32_t i;
	int err;

	*why = "samples end too early or refer to what is not there";
	ret->nr_samples = 0;
	if (!take_head(&c, p->nr_strings, ret))
		return -EBADMSG;
	err = take_comments(&c, p->nr_strings, ret);
	err = err ? err : take_groups(&c, p, ret);
	if (err)
		return err;
	for (i = 0; i < ret->nr_value_types; i++)
		if (!take_values(&c, i, ret))
			return -EBADMSG;
	if (c.bad || cursor_left(&c)) {
		*why = "samples end too early or too late";
		return -EBADMSG;
	}
	return 0;
}
