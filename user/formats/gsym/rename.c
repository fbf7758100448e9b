// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces names of functions by what the caller's namer returns. Threads ask
 * for each name once; then the new names get their numbers, in the order of the
 * old ones.
 */
#include "formats/gsym/plan.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

#define MAX_THREADS 64u
/* Names that a thread takes at a time. */
#define BATCH 256u
/* Bytes by which all names may grow, in addition to GSYM_MAX_NAMES_GROW times their size. */
#define MAX_GROWN (1u << 20)

/**
 * struct renaming - state that the threads share
 * @plan: plan, whose strings are only read and whose @renamed is filled
 * @namer: returns the new names
 * @limit: most bytes of all new names
 * @next: first name that no thread has taken
 * @bytes: bytes of the new names so far
 * @failed: there was no memory
 */
struct renaming {
	struct gsym_plan *plan;
	const struct gsym_namer *namer;
	uint64_t limit;
	_Atomic uint64_t next;
	_Atomic uint64_t bytes;
	_Atomic bool failed;
};

static void rename_one(struct renaming *r, void *state, uint32_t i)
{
	const struct gsym_plan_string *old = &r->plan->strings[i];
	const char *text;

	if (!old->is_name)
		return;
	text = r->namer->name(state, old->s);
	if (text == old->s || !strcmp(text, old->s) || !*text)
		return;
	r->plan->renamed[i] = strdup(text);
	if (!r->plan->renamed[i])
		r->failed = true;
	r->bytes += strlen(text);
}

/*
 * Threads stop only when the sum of all names exceeds the limit: so the result
 * does not depend on the threads.
 */
static void *run_thread(void *arg)
{
	struct renaming *r = arg;
	void *state = r->namer->start(r->namer->arg);
	uint64_t i, end;

	if (!state)
		r->failed = true;
	while (!r->failed && r->bytes <= r->limit) {
		i = atomic_fetch_add(&r->next, BATCH);
		if (i >= r->plan->nr_renamed)
			break;
		end = r->plan->nr_renamed - i < BATCH ? r->plan->nr_renamed : i + BATCH;
		for (; i < end; i++)
			rename_one(r, state, (uint32_t)i);
	}
	if (state)
		r->namer->end(state);
	return NULL;
}

/* If fewer threads can be started, they do all of the work. */
static void run_threads(struct renaming *r, unsigned int nr)
{
	pthread_t threads[MAX_THREADS];
	unsigned int i, started = 0;

	if (nr > MAX_THREADS)
		nr = MAX_THREADS;
	if (nr > r->plan->nr_renamed / BATCH + 1)
		nr = r->plan->nr_renamed / BATCH + 1;
	for (i = 1; i < nr; i++)
		if (!pthread_create(&threads[started], NULL, run_thread, r))
			started++;
	run_thread(r);
	while (started--)
		pthread_join(threads[started], NULL);
}

static int ask_all(struct gsym_plan *plan, const struct gsym_write_options *o)
{
	struct renaming r = { .plan = plan, .namer = &o->namer, .limit = MAX_GROWN };
	uint32_t i;

	for (i = 0; i < plan->nr_renamed; i++)
		if (plan->strings[i].is_name)
			r.limit += (uint64_t)GSYM_MAX_NAMES_GROW * plan->strings[i].len;
	run_threads(&r, o->threads);
	if (r.failed)
		return -ENOMEM;
	return r.bytes > r.limit ? -EFBIG : 0;
}

/* Finds or adds the string that name @i becomes. */
static int number_name(struct gsym_plan *plan, struct gsym_finder *f, uint32_t i)
{
	const char *text = plan->renamed[i];
	uint32_t *slot = gsym_finder_slot(f, plan, text, (uint32_t)strlen(text));
	int err;

	if (!*slot) {
		err = gsym_plan_add_string(plan, text, (uint32_t)strlen(text));
		if (err)
			return err;
		*slot = plan->nr_strings - 1;
	}
	plan->names[i] = *slot;
	return 0;
}

/* Strings that stay are entered first: a name may become the same as another string. */
static int number_names(struct gsym_plan *plan, struct gsym_finder *f)
{
	uint32_t i;
	int err = 0;

	for (i = 1; i < plan->nr_renamed; i++) {
		struct gsym_plan_string *s = &plan->strings[i];

		plan->names[i] = i;
		s->gone = plan->renamed[i] && !s->is_text;
		if (!s->gone)
			*gsym_finder_slot(f, plan, s->s, s->len) = i;
	}
	for (i = 1; !err && i < plan->nr_renamed; i++)
		if (plan->renamed[i])
			err = number_name(plan, f, i);
	return err;
}

int gsym_plan_rename(struct gsym_plan *plan, const struct gsym_write_options *o)
{
	struct gsym_finder f;
	int err;

	plan->renamed = calloc(plan->nr_strings, sizeof(*plan->renamed));
	plan->names = calloc(plan->nr_strings, sizeof(*plan->names));
	if (!plan->renamed || !plan->names)
		return -ENOMEM;
	plan->nr_renamed = plan->nr_strings;
	err = ask_all(plan, o);
	if (err)
		return err;
	err = gsym_finder_init(&f, 2 * (size_t)plan->nr_renamed);
	if (!err)
		err = number_names(plan, &f);
	free(f.slots);
	return err;
}
