// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flat view by keys. Texts have numbers. The labels of a sample give one
 * tuple of such numbers, a frame gives another, and a row is a pair of tuples.
 * So a frame costs one look at its tuple and one look into the table of rows.
 * See sort.h.
 */
#include "show/report/sort.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/strings.h"
#include "util/sum.h"
#include "util/text.h"

#include "util/poison.h"

static const char *const key_names[] = {
	[REPORT_COMM] = "comm",	      [REPORT_PID] = "pid",	    [REPORT_TID] = "tid",
	[REPORT_THREAD] = "thread",   [REPORT_CGROUP] = "cgroup",   [REPORT_EVENT] = "event",
	[REPORT_DSO] = "dso",	      [REPORT_SYMBOL] = "symbol",   [REPORT_SRCFILE] = "srcfile",
	[REPORT_SRCLINE] = "srcline",
};

#define NR_KEYS (sizeof(key_names) / sizeof(key_names[0]))

/* Numbers of texts; 0 for keys that belong to the other tuple of the pair. */
struct tuple {
	uint32_t text[REPORT_MAX_KEYS];
};

/* @last: index of the sample that was last added to the row's total, plus 1 */
struct pair {
	uint32_t labels;
	uint32_t frame;
	uint32_t last;
};

/**
 * struct report_sort - makes rows
 * @p: the profile
 * @keys: keys of the rows
 * @o: options
 * @strings: all texts
 * @tuple_index: finds a tuple by its texts
 * @tuples: all tuples; number 0 is not used
 * @of_labels: tuple of each set of labels, 0 until it is met
 * @first: for each location, index in @frames plus 1; 0 until it is met
 * @frames: tuples of locations, innermost first
 * @pair_index: finds a row by its pair
 * @pairs: pair of each row; number 0 is not used
 * @rows: the rows; number 0 is not used
 */
struct report_sort {
	const struct profile *p;
	const struct report_keys *keys;
	const struct report_sort_options *o;
	struct strings strings;
	struct intern tuple_index;
	struct tuple *tuples;
	uint32_t nr_tuples;
	uint32_t tuples_room;
	uint32_t *of_labels;
	uint32_t *first;
	uint32_t *frames;
	uint32_t nr_frames;
	uint32_t frames_room;
	struct intern pair_index;
	struct pair *pairs;
	struct report_row *rows;
	uint32_t nr_rows;
	uint32_t pairs_room;
	uint32_t rows_room;
};

const char *report_key_name(uint8_t key)
{
	return key_names[key];
}

const char *report_key_word(unsigned int i)
{
	return i < NR_KEYS ? key_names[i] : NULL;
}

static bool find_key(const char *word, size_t len, uint8_t *ret)
{
	uint8_t i;

	for (i = 0; i < NR_KEYS; i++)
		if ((strlen(key_names[i]) == len && !memcmp(key_names[i], word, len)) ||
		    (i == REPORT_SYMBOL && len == 3 && !memcmp("sym", word, len))) {
			*ret = i;
			return true;
		}
	return false;
}

int report_keys_parse(const char *words, struct report_keys *ret, struct diag *diag)
{
	const char *at = words;
	struct report_keys k = { .nr = 0 };
	size_t len;
	uint8_t key;

	for (;; at += len + 1) {
		len = strcspn(at, ",");
		if (!find_key(at, len, &key))
			return diag_set(diag, EINVAL, NULL,
					"no key '%.*s': comm, pid, tid, thread, cgroup, event, dso, "
					"symbol, srcfile, srcline", (int)(len < 100 ? len : 100), at);
		if (memchr(k.key, key, k.nr))
			return diag_set(diag, EINVAL, NULL, "'%s' stands twice", key_names[key]);
		if (k.nr == REPORT_MAX_KEYS)
			return diag_set(diag, EINVAL, NULL, "at most %u keys", REPORT_MAX_KEYS);
		k.key[k.nr++] = key;
		if (!at[len])
			break;
	}
	*ret = k;
	return 0;
}

static int add_text(struct report_sort *s, const char *text, uint32_t *ret)
{
	return strings_add(&s->strings, text, strlen(text), ret);
}

static int add_tuple(struct report_sort *s, const struct tuple *t, uint32_t *ret)
{
	uint64_t words[REPORT_MAX_KEYS], hash;
	struct intern_probe at;
	unsigned int i;

	for (i = 0; i < s->keys->nr; i++)
		words[i] = t->text[i];
	hash = intern_words(&s->tuple_index, words, s->keys->nr);
	for (at = intern_probe(&s->tuple_index, hash);
	     (*ret = intern_next(&s->tuple_index, &at));)
		if (!memcmp(&s->tuples[*ret], t, sizeof(*t)))
			return 0;
	if (!array_has_room(s->tuples, s->nr_tuples, s->tuples_room) ||
	    !intern_room(&s->tuple_index))
		return -ENOMEM;
	*ret = s->nr_tuples++;
	s->tuples[*ret] = *t;
	intern_put(&s->tuple_index, hash, *ret);
	return 0;
}

static const char *label_key(uint8_t key)
{
	switch (key) {
	case REPORT_COMM:
		return PROFILE_LABEL_COMMAND;
	case REPORT_PID:
		return PROFILE_LABEL_PID;
	case REPORT_TID:
		return PROFILE_LABEL_TID;
	case REPORT_THREAD:
		return PROFILE_LABEL_THREAD;
	case REPORT_CGROUP:
		return PROFILE_LABEL_CGROUP;
	case REPORT_EVENT:
		return PROFILE_LABEL_EVENT;
	}
	return NULL;
}

static int label_text(struct report_sort *s, uint32_t labels, const char *key, uint32_t *ret)
{
	const struct profile_labels *set = &s->p->labels[labels];
	char number[32];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &s->p->label[set->first + i];

		if (strcmp(profile_text(s->p, l->key), key))
			continue;
		if (l->str)
			return add_text(s, profile_text(s->p, l->str), ret);
		snprintf(number, sizeof(number), "%" PRId64, l->num);
		return add_text(s, number, ret);
	}
	*ret = 0;
	return 0;
}

static int set_labels(struct report_sort *s, uint32_t labels)
{
	struct tuple t = { { 0 } };
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < s->keys->nr; i++)
		if (label_key(s->keys->key[i]))
			err = label_text(s, labels, label_key(s->keys->key[i]), &t.text[i]);
	return err ? err : add_tuple(s, &t, &s->of_labels[labels]);
}

/*
 * Return: text of a frame for a key, written to @buf if necessary; NULL for a
 * key of labels.
 */
static const char *frame_text(const struct report_sort *s, uint8_t key,
			      const struct profile_location *l,
			      const struct profile_line *line, char *buf, size_t len)
{
	const struct profile *p = s->p;
	const char *image = text_base_name(profile_text(p, p->mappings[l->mapping].file));
	const struct profile_function *f = line ? &p->functions[line->function] : NULL;
	const char *file = f ? profile_text(p, f->file) : "";

	switch (key) {
	case REPORT_DSO:
		return image;
	case REPORT_SYMBOL:
		if (f && (f->name || f->system_name))
			return profile_text(p, f->name ? f->name : f->system_name);
		snprintf(buf, len, "%.400s%s0x%" PRIx64, image, *image ? "+" : "", l->address);
		return buf;
	case REPORT_SRCFILE:
		return file;
	case REPORT_SRCLINE:
		if (!*file)
			return "";
		snprintf(buf, len, "%.1000s:%" PRIu32, text_base_name(file), line->line);
		return buf;
	}
	return NULL;
}

static int set_frame(struct report_sort *s, const struct profile_location *l,
		     const struct profile_line *line)
{
	struct tuple t = { { 0 } };
	const char *text;
	char buf[1100];
	unsigned int i;
	int err = 0;

	if (!array_has_room(s->frames, s->nr_frames, s->frames_room))
		return -ENOMEM;
	for (i = 0; !err && i < s->keys->nr; i++) {
		text = frame_text(s, s->keys->key[i], l, line, buf, sizeof(buf));
		if (text)
			err = add_text(s, text, &t.text[i]);
	}
	if (!err)
		err = add_tuple(s, &t, &s->frames[s->nr_frames]);
	s->nr_frames++;
	return err;
}

/* Return: index of the innermost line that counts. */
static uint32_t first_line(const struct report_sort *s, const struct profile_location *l)
{
	return s->o->no_inlines && l->nr_lines ? l->nr_lines - 1 : 0;
}

static int set_location(struct report_sort *s, uint32_t location)
{
	const struct profile_location *l = &s->p->locations[location];
	uint32_t i = first_line(s, l);
	int err;

	s->first[location] = s->nr_frames + 1;
	do
		err = set_frame(s, l, l->nr_lines ? &s->p->lines[l->first_line + i] : NULL);
	while (!err && ++i < l->nr_lines);
	return err;
}

static int add_row(struct report_sort *s, uint32_t labels, uint32_t frame, uint32_t *ret)
{
	const uint64_t key = (uint64_t)labels << 32 | frame;
	uint64_t hash = intern_words(&s->pair_index, &key, 1);
	struct intern_probe at;
	unsigned int i;

	for (at = intern_probe(&s->pair_index, hash);
	     (*ret = intern_next(&s->pair_index, &at));)
		if (s->pairs[*ret].labels == labels && s->pairs[*ret].frame == frame)
			return 0;
	if (s->nr_rows == UINT32_MAX)
		return -E2BIG;
	if (!array_has_room(s->pairs, s->nr_rows, s->pairs_room) ||
	    !array_has_room(s->rows, s->nr_rows, s->rows_room) || !intern_room(&s->pair_index))
		return -ENOMEM;
	*ret = s->nr_rows++;
	s->pairs[*ret] = (struct pair){ labels, frame, 0 };
	s->rows[*ret] = (struct report_row){ .self = 0 };
	for (i = 0; i < s->keys->nr; i++)
		s->rows[*ret].text[i] =
			s->strings.entries[s->tuples[labels].text[i] |
					   s->tuples[frame].text[i]].s;
	intern_put(&s->pair_index, hash, *ret);
	return 0;
}

/* @at: index of the sample plus 1. */
static int count(struct report_sort *s, uint32_t frame, uint32_t at, bool innermost)
{
	const struct profile_sample *sample = &s->p->samples[at - 1];
	int64_t value = sample->value[s->o->value];
	uint32_t row;
	int err = add_row(s, s->of_labels[sample->labels], frame, &row);

	if (err)
		return err;
	if (innermost)
		s->rows[row].self = sum_i64(s->rows[row].self, value);
	if (s->pairs[row].last != at)
		s->rows[row].total = sum_i64(s->rows[row].total, value);
	s->pairs[row].last = at;
	return 0;
}

static int count_stack(struct report_sort *s, uint32_t at)
{
	const struct profile *p = s->p;
	uint32_t stack = p->samples[at - 1].stack, i, location;
	bool innermost = true;
	int err = 0;

	for (; !err && stack; stack = p->stacks[stack].parent) {
		location = p->stacks[stack].location;
		if (!s->first[location])
			err = set_location(s, location);
		i = first_line(s, &p->locations[location]);
		for (uint32_t k = 0; !err && (!k || i < p->locations[location].nr_lines);
		     k++, i++) {
			err = count(s, s->frames[s->first[location] - 1 + k], at, innermost);
			innermost = false;
		}
	}
	return err;
}

static int count_samples(struct report_sort *s, int64_t *all)
{
	const struct profile *p = s->p;
	const struct tuple none = { { 0 } };
	uint32_t i, empty;
	int err = add_tuple(s, &none, &empty);

	for (i = 0; !err && i < p->nr_samples; i++) {
		const struct profile_sample *sample = &p->samples[i];

		if (!sample->value[s->o->value] ||
		    (s->o->keep && !s->o->keep(p, sample, s->o->arg)))
			continue;
		*all = sum_i64(*all, sample->value[s->o->value]);
		if (!s->of_labels[sample->labels])
			err = set_labels(s, sample->labels);
		if (!err)
			err = sample->stack ? count_stack(s, i + 1) :
					      count(s, empty, i + 1, true);
	}
	return err;
}

struct order {
	bool by_total;
	unsigned int nr;
};

static int by_value(const void *x, const void *y, void *arg)
{
	const struct report_row *a = x, *b = y;
	const struct order *o = arg;
	int64_t va = o->by_total ? a->total : a->self, vb = o->by_total ? b->total : b->self;
	unsigned int i;
	int order = 0;

	if (va != vb)
		return va > vb ? -1 : 1;
	for (i = 0; !order && i < o->nr; i++)
		order = strcmp(a->text[i], b->text[i]);
	return order;
}

static int build(struct report_sort *s, int64_t *all)
{
	int err;

	intern_init(&s->tuple_index);
	intern_init(&s->pair_index);
	err = strings_init(&s->strings);
	s->of_labels = calloc(s->p->nr_labels, sizeof(*s->of_labels));
	s->first = calloc(s->p->nr_locations, sizeof(*s->first));
	if (err || !s->of_labels || !s->first ||
	    !array_has_room(s->tuples, s->nr_tuples, s->tuples_room) ||
	    !array_has_room(s->pairs, s->nr_rows, s->pairs_room) ||
	    !array_has_room(s->rows, s->nr_rows, s->rows_room))
		return -ENOMEM;
	s->nr_rows = s->nr_tuples = 1;
	return count_samples(s, all);
}

int report_rows_new(const struct profile *p, const struct report_keys *keys,
		    const struct report_sort_options *options, struct report_rows **ret)
{
	struct order order = { options->by_total, keys->nr };
	struct report_rows *r = calloc(1, sizeof(*r));
	struct report_sort *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (r && s) {
		*s = (struct report_sort){ .p = p, .keys = keys, .o = options };
		r->index = s;
		err = build(s, &r->all);
	} else {
		free(s);
	}
	if (err) {
		report_rows_free(r);
		return err;
	}
	r->row = s->rows + 1;
	r->nr = s->nr_rows - 1;
	qsort_r(r->row, r->nr, sizeof(*r->row), by_value, &order);
	*ret = r;
	return 0;
}

void report_rows_free(struct report_rows *r)
{
	struct report_sort *s = r ? r->index : NULL;

	if (s) {
		strings_release(&s->strings);
		intern_release(&s->tuple_index);
		intern_release(&s->pair_index);
		free(s->tuples);
		free(s->of_labels);
		free(s->first);
		free(s->frames);
		free(s->pairs);
		free(s->rows);
		free(s);
	}
	free(r);
}
