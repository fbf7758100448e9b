// SPDX-License-Identifier: GPL-2.0-only
/* perf script's text, as stackcollapse-perf.pl and speedscope read it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export.h"
#include "profile/export_text.h"
#include "util/array.h"
#include "util/intern.h"

#include "util/poison.h"

#define NS_PER_S 1000000000u

/**
 * struct thread_clock - the time of a thread's next block
 * @pid: process, 0 if it is not known
 * @tid: thread
 * @ns: what its blocks so far have taken
 */
struct thread_clock {
	int64_t pid;
	int64_t tid;
	uint64_t ns;
};

/**
 * struct clocks - of all threads
 * @at: @nr of them, with room for @room
 * @index: their numbers, from 1 on
 */
struct clocks {
	struct thread_clock *at;
	size_t nr;
	size_t room;
	struct intern index;
};

/* Return: the clock of a thread, until the next call; NULL if there is no memory. */
static struct thread_clock *clock_of(struct clocks *c, int64_t pid, int64_t tid)
{
	const uint64_t key[2] = { (uint64_t)pid, (uint64_t)tid };
	uint64_t hash = intern_words(&c->index, key, 2);
	struct intern_probe probe;
	uint32_t n;

	for (probe = intern_probe(&c->index, hash); (n = intern_next(&c->index, &probe));)
		if (c->at[n - 1].pid == pid && c->at[n - 1].tid == tid)
			return &c->at[n - 1];
	if (!array_has_room(c->at, c->nr, c->room) || !intern_room(&c->index))
		return NULL;
	c->at[c->nr] = (struct thread_clock){ .pid = pid, .tid = tid };
	intern_put(&c->index, hash, (uint32_t)++c->nr);
	return &c->at[c->nr - 1];
}

static void clocks_release(struct clocks *c)
{
	intern_release(&c->index);
	free(c->at);
}

/* What would end a line, or a block, becomes '?'. */
static void put_text(const char *s, FILE *out)
{
	for (; *s; s++)
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s, out);
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

/* How long a block takes that has @period of @value: what is not time has the period of the
 * profile if that is, or a microsecond.
 */
static uint64_t block_ns(const struct profile *p, uint32_t value, int64_t period)
{
	if (!strcmp(profile_text(p, p->value_types[value].unit), "nanoseconds"))
		return (uint64_t)period;
	if (p->period > 0 && !strcmp(profile_text(p, p->period_type.unit), "nanoseconds"))
		return (uint64_t)p->period;
	return 1000;
}

/* Lets @clock go on. Return: the time before. */
static uint64_t take_time(struct thread_clock *clock, uint64_t ns)
{
	/* no reader has more seconds than 32 bits */
	const uint64_t last = (uint64_t)UINT32_MAX * NS_PER_S;
	uint64_t now = clock->ns;

	clock->ns += ns < last - now ? ns : last - now;
	return now;
}

/* Return: 0, -ENOMEM. */
static int put_head(const struct profile *p, const struct profile_sample *s, uint32_t value,
		    int64_t period, struct clocks *clocks, FILE *out)
{
	const char *comm = profile_label_text(p, s->labels, PROFILE_LABEL_THREAD);
	const char *event = profile_label_text(p, s->labels, PROFILE_LABEL_EVENT);
	int64_t pid = label_number(p, s->labels, PROFILE_LABEL_PID);
	int64_t tid = label_number(p, s->labels, PROFILE_LABEL_TID);
	struct thread_clock *clock;
	uint64_t ns;

	if (!comm)
		comm = profile_label_text(p, s->labels, PROFILE_LABEL_COMMAND);
	put_text(comm && *comm ? comm : "[unknown]", out);
	pid = pid < 0 ? 0 : pid;
	tid = tid < 0 ? pid : tid;
	clock = clock_of(clocks, pid, tid);
	if (!clock)
		return -ENOMEM;
	ns = take_time(clock, block_ns(p, value, period));
	fprintf(out, " %" PRId64 "/%" PRId64 " %" PRIu64 ".%09" PRIu64 ": %" PRId64 " ", pid, tid,
		ns / NS_PER_S, ns % NS_PER_S, period);
	put_text(event ? event : profile_text(p, p->value_types[value].type), out);
	fputs(":\n", out);
	return 0;
}

/* The kernel's reader says "(inlined)" where there is the file. */
static void put_frame(const struct profile *p, const struct profile_location *l, uint32_t line,
		      FILE *out)
{
	const char *file = profile_text(p, p->mappings[l->mapping].file), *name = "";
	const struct profile_function *f;

	if (line < l->nr_lines) {
		f = &p->functions[p->lines[l->first_line + line].function];
		name = profile_text(p, f->name ? f->name : f->system_name);
	}
	fprintf(out, "\t%16" PRIx64 " ", l->address);
	put_text(*name ? name : "[unknown]", out);
	fputs(" (", out);
	if (line + 1 < l->nr_lines)
		fputs("inlined", out);
	else
		put_text(*file ? file : "[unknown]", out);
	fputs(")\n", out);
}

/* How often a sample was met; 1 where its value does not say. */
static uint64_t times(const struct profile *p, const struct profile_sample *s, uint32_t value)
{
	const struct profile_value_type *v = &p->value_types[value];
	int64_t n = 1;

	if (!strcmp(profile_text(p, v->unit), "count"))
		n = s->value[value];
	else if (p->period > 0 && p->period_type.unit == v->unit)
		n = s->value[value] / p->period;
	return n > 1 ? (uint64_t)n : 1;
}

static int put_sample(const struct profile *p, const struct profile_sample *s, uint32_t value,
		      struct clocks *clocks, FILE *out)
{
	uint64_t n = times(p, s, value);
	uint32_t stack, k;
	int err = put_head(p, s, value, s->value[value] / (int64_t)n, clocks, out);

	for (stack = s->stack; !err && stack; stack = p->stacks[stack].parent) {
		const struct profile_location *l = &p->locations[p->stacks[stack].location];

		k = 0;
		do {
			put_frame(p, l, k, out);
		} while (++k < l->nr_lines);
	}
	fputc('\n', out);
	return err;
}

int export_perf(const struct profile *p, const struct calltree *t, uint32_t value, FILE *out)
{
	struct clocks clocks = { .nr = 0 };
	uint64_t blocks = 0, n;
	uint32_t i;
	int err = 0;

	for (i = 0; i < p->nr_samples; i++) {
		n = p->samples[i].value[value] ? times(p, &p->samples[i], value) : 0;
		if (n > EXPORT_MAX_BLOCKS - blocks)
			return -EFBIG;
		blocks += n;
	}
	intern_init(&clocks.index);
	for (i = 0; i < p->nr_samples && !err && !ferror(out); i++) {
		n = p->samples[i].value[value] ? times(p, &p->samples[i], value) : 0;
		for (; n && !err; n--)
			err = put_sample(p, &p->samples[i], value, &clocks, out);
	}
	clocks_release(&clocks);
	return err;
}
