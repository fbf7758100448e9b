// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists samples one by one: with their recorded times, or as often as the
 * profile counted them, with made-up times. See export_times.h.
 */
#include "profile/export_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/moments.h"
#include "util/array.h"

#include "util/poison.h"

#define NS_PER_S 1000000000u
/* Readers of perf's text take at most 32 bits of seconds. */
#define LAST_NS ((uint64_t)UINT32_MAX * NS_PER_S)

void export_threads_init(struct export_threads *t)
{
	*t = (struct export_threads){ .nr = 0 };
	intern_init(&t->index);
}

void export_threads_release(struct export_threads *t)
{
	intern_release(&t->index);
	free(t->at);
}

static int64_t label_number(const struct profile *p, uint32_t labels, const char *key)
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (!l->str && !strcmp(profile_text(p, l->key), key))
			return l->num;
	}
	return -1;
}

/* Return: index of the sample's thread plus 1; 0 without memory. */
static uint32_t find_thread(struct export_threads *t, const struct profile *p, uint32_t sample)
{
	uint32_t labels = p->samples[sample].labels, n;
	int64_t pid = label_number(p, labels, PROFILE_LABEL_PID);
	int64_t tid = label_number(p, labels, PROFILE_LABEL_TID);
	struct intern_probe probe;
	uint64_t key[2], hash;

	key[0] = (uint64_t)(pid < 0 ? 0 : pid);
	key[1] = tid < 0 ? key[0] : (uint64_t)tid;
	hash = intern_words(&t->index, key, 2);
	for (probe = intern_probe(&t->index, hash); (n = intern_next(&t->index, &probe));)
		if ((uint64_t)t->at[n - 1].pid == key[0] && (uint64_t)t->at[n - 1].tid == key[1])
			return n;
	if (!array_has_room(t->at, t->nr, t->room) || !intern_room(&t->index))
		return 0;
	t->at[t->nr] = (struct export_thread){ (int64_t)key[0], (int64_t)key[1], sample, 0 };
	intern_put(&t->index, hash, (uint32_t)++t->nr);
	return (uint32_t)t->nr;
}

static const char *name_of(const struct profile *p, const struct export_thread *t, const char *key,
			   const char *other)
{
	uint32_t labels = p->samples[t->sample].labels;
	const char *name = profile_label_text(p, labels, key);

	if (!name || !*name)
		name = profile_label_text(p, labels, other);
	return name ? name : "";
}

const char *export_thread_name(const struct profile *p, const struct export_thread *t)
{
	return name_of(p, t, PROFILE_LABEL_THREAD, PROFILE_LABEL_COMMAND);
}

const char *export_process_name(const struct profile *p, const struct export_thread *t)
{
	return name_of(p, t, PROFILE_LABEL_COMMAND, PROFILE_LABEL_THREAD);
}

static bool is_time(const struct profile *p, uint32_t type)
{
	return !strcmp(profile_text(p, p->value_types[type].unit), "nanoseconds");
}

/*
 * Return: nanoseconds that a sample with @value stands for. If the value is no
 * time, that is the profile's period if this is a time, or a microsecond.
 */
static uint64_t length_of(const struct profile *p, uint32_t type, int64_t value)
{
	if (is_time(p, type))
		return (uint64_t)value;
	if (p->period > 0 && !strcmp(profile_text(p, p->period_type.unit), "nanoseconds"))
		return (uint64_t)p->period;
	return 1000;
}

/* Return: how often a sample was met; 1 if its value does not tell. */
static uint64_t times(const struct profile *p, const struct profile_sample *s, uint32_t value)
{
	const struct profile_value_type *v = &p->value_types[value];
	int64_t n = 1;

	if (!s->value[value])
		return 0;
	if (!strcmp(profile_text(p, v->unit), "count"))
		n = s->value[value];
	else if (p->period > 0 && p->period_type.unit == v->unit)
		n = s->value[value] / p->period;
	return n > 1 ? (uint64_t)n : 1;
}

static bool fits(const struct profile *p, uint32_t value)
{
	uint64_t all = 0, n;
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++) {
		n = times(p, &p->samples[i], value);
		if (n > EXPORT_MAX_BLOCKS - all)
			return false;
		all += n;
	}
	return true;
}

/*
 * Makes times up: each thread begins at 0, and each sample takes the time that
 * it stands for.
 */
static int made_up(const struct profile *p, const struct export_options *o,
		   struct export_threads *threads,
		   int (*take)(const struct export_time *t, void *arg), void *arg)
{
	struct export_time t;
	struct export_thread *clock;
	uint64_t n, left;
	int err = 0;

	for (t.sample = 0; t.sample < p->nr_samples && !err; t.sample++) {
		n = times(p, &p->samples[t.sample], o->value);
		if (!n)
			continue;
		t.thread = find_thread(threads, p, t.sample);
		if (!t.thread--)
			return -ENOMEM;
		clock = &threads->at[t.thread];
		t.value = p->samples[t.sample].value[o->value] / (int64_t)n;
		t.length = length_of(p, o->value, t.value);
		for (left = n; left && !err; left--) {
			/*
			 * the last one also gets the remainder of the division
			 */
			if (left == 1)
				t.value += p->samples[t.sample].value[o->value] % (int64_t)n;
			t.ns = clock->ns;
			clock->ns += t.length < LAST_NS - t.ns ? t.length : LAST_NS - t.ns;
			err = take(&t, arg);
		}
	}
	return err;
}

/*
 * Return: the value that a moment has for the value type to write; 0 is none.
 */
static int64_t value_at(const struct profile *p, const struct moment *m, uint32_t type)
{
	const struct profile_value_type *v = &p->value_types[type];

	if (m->value == type)
		return m->weight;
	return !strcmp(profile_text(p, v->type), "samples") &&
	       !strcmp(profile_text(p, v->unit), "count");
}

static int recorded(const struct profile *p, const struct export_options *o,
		    struct export_threads *threads,
		    int (*take)(const struct export_time *t, void *arg), void *arg)
{
	struct export_time t;
	int err = 0;
	size_t i;

	for (i = 0; i < o->moments->nr && !err; i++) {
		const struct moment *m = &o->moments->at[i];

		t.value = value_at(p, m, o->value);
		if (!t.value)
			continue;
		t.ns = m->ns;
		t.sample = m->sample;
		t.length = is_time(p, m->value) ? (uint64_t)m->weight : 0;
		t.thread = find_thread(threads, p, t.sample);
		if (!t.thread--)
			return -ENOMEM;
		err = take(&t, arg);
	}
	return err;
}

int export_times(const struct profile *p, const struct export_options *o,
		 struct export_threads *threads,
		 int (*take)(const struct export_time *t, void *arg), void *arg)
{
	if (o->moments && o->moments->nr)
		return recorded(p, o, threads, take, arg);
	return fits(p, o->value) ? made_up(p, o, threads, take, arg) : -EFBIG;
}

static int keep(const struct export_time *t, void *arg)
{
	struct export_timeline *all = arg;

	if (!array_has_room(all->at, all->nr, all->room))
		return -ENOMEM;
	all->at[all->nr++] = *t;
	return 0;
}

/* Samples of the same time stay in the order of the profile. */
static int by_thread(const void *x, const void *y)
{
	const struct export_time *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

int export_timeline(const struct profile *p, const struct export_options *o,
		    struct export_timeline *ret)
{
	int err;

	*ret = (struct export_timeline){ .nr = 0 };
	export_threads_init(&ret->threads);
	err = export_times(p, o, &ret->threads, keep, ret);
	if (!err && ret->nr)
		qsort(ret->at, ret->nr, sizeof(*ret->at), by_thread);
	return err;
}

void export_timeline_release(struct export_timeline *t)
{
	export_threads_release(&t->threads);
	free(t->at);
}
