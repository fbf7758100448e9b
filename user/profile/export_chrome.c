// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes Chrome's trace events: for each thread its name, a "Profile" that
 * begins a CPU profile of V8, and one "ProfileChunk" with all of it: nodes
 * (functions, callers first), the node of each sample, and the microseconds
 * since the previous sample. See export.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export_frames.h"
#include "profile/export_text.h"
#include "profile/export_times.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

#define NS_PER_US 1000u
/* Nodes that every thread's profile has; functions follow them. */
#define NODE_ROOT 1u
#define NODE_IDLE 2u
#define NODE_FIRST 3u

/**
 * struct chrome - the state of the writer
 * @p: the profile
 * @rows: frames of its stacks
 * @all: samples of the profile, by thread and time
 * @thread: for each row, the last thread that got its node, plus 1
 * @before: time of the previous sample in microseconds
 * @j: the output
 */
struct chrome {
	const struct profile *p;
	struct export_rows rows;
	struct export_timeline all;
	uint32_t *thread;
	uint64_t before;
	struct json j;
};

/* Writes the members that every event has, and opens its "args". */
static void begin_event(struct chrome *c, const char *name, const char *phase, uint32_t thread,
			uint64_t ns)
{
	const struct export_thread *t = &c->all.threads.at[thread];
	char id[16];

	json_object(&c->j, NULL);
	json_string(&c->j, "name", name);
	json_string(&c->j, "cat", *phase == 'M' ? "__metadata" : "disabled-by-default-v8.cpu_profiler");
	json_string(&c->j, "ph", phase);
	json_i64(&c->j, "pid", t->pid);
	json_i64(&c->j, "tid", t->tid);
	json_u64(&c->j, "ts", ns / NS_PER_US);
	if (*phase == 'P') {
		snprintf(id, sizeof(id), "0x%x", thread + 1);
		json_string(&c->j, "id", id);
	}
	json_object(&c->j, "args");
}

static void end_event(struct chrome *c)
{
	json_object_end(&c->j);
	json_object_end(&c->j);
}

static void put_name(struct chrome *c, const char *event, uint32_t thread, const char *name)
{
	begin_event(c, event, "M", thread, 0);
	json_string(&c->j, "name", *name ? name : "[unknown]");
	end_event(c);
}

static void put_node(struct chrome *c, uint32_t id, uint32_t parent, const char *name, const char *image,
		     uint32_t line)
{
	json_object(&c->j, NULL);
	json_u64(&c->j, "id", id);
	if (parent)
		json_u64(&c->j, "parent", parent);
	json_object(&c->j, "callFrame");
	json_string(&c->j, "functionName", name);
	json_string(&c->j, "scriptId", "0");
	json_string(&c->j, "url", image);
	/* starts at 0; -1 means not known */
	json_i64(&c->j, "lineNumber", (int64_t)line - 1);
	json_i64(&c->j, "columnNumber", -1);
	json_object_end(&c->j);
	json_object_end(&c->j);
}

/*
 * Writes nodes for a row and its callers, as far as the thread does not have
 * them yet.
 */
static void put_nodes(struct chrome *c, uint32_t row, uint32_t thread, uint32_t *way)
{
	const struct profile *p = c->p;
	char name[EXPORT_NAME];
	uint32_t nr = 0;

	for (; row != EXPORT_NO_ROW && c->thread[row] != thread + 1; row = c->rows.at[row].parent)
		way[nr++] = row;
	while (nr--) {
		const struct export_row *r = &c->rows.at[way[nr]];
		const struct profile_location *l = &p->locations[r->location];

		c->thread[way[nr]] = thread + 1;
		put_node(c, NODE_FIRST + way[nr],
			 r->parent == EXPORT_NO_ROW ? NODE_ROOT : NODE_FIRST + r->parent,
			 export_row_name(p, r, name), export_row_image(p, r),
			 l->nr_lines ? p->lines[l->first_line + r->line].line : 0);
	}
}

static uint32_t row_of(const struct chrome *c, const struct export_time *t)
{
	return c->rows.of_stack[c->p->samples[t->sample].stack];
}

static bool is_idle_after(const struct export_time *t, const struct export_time *next)
{
	return next && t->length && next->ns > t->ns && next->ns - t->ns > 2 * t->length;
}

/*
 * Calls @put for each sample, and for the idle time between a sample and the
 * next.
 */
static void each(struct chrome *c, const struct export_time *from, const struct export_time *to,
		 void (*put)(struct chrome *c, uint32_t node, uint64_t ns))
{
	const struct export_time *t;
	uint32_t row;

	for (t = from; t < to; t++) {
		row = row_of(c, t);
		put(c, row == EXPORT_NO_ROW ? NODE_ROOT : NODE_FIRST + row, t->ns);
		if (is_idle_after(t, t + 1 < to ? t + 1 : NULL))
			put(c, NODE_IDLE, t->ns + t->length);
	}
	/* the time that the last sample stands for */
	put(c, NODE_IDLE, to[-1].ns + to[-1].length);
}

static void put_sample(struct chrome *c, uint32_t node, uint64_t ns)
{
	json_u64(&c->j, NULL, node);
}

static void put_delta(struct chrome *c, uint32_t node, uint64_t ns)
{
	uint64_t us = ns / NS_PER_US;

	json_u64(&c->j, NULL, us - c->before);
	c->before = us;
}

static void put_chunk(struct chrome *c, const struct export_time *from, const struct export_time *to,
		      uint32_t *way)
{
	const struct export_time *t;

	begin_event(c, "ProfileChunk", "P", from->thread, from->ns);
	json_object(&c->j, "data");
	json_object(&c->j, "cpuProfile");
	json_array(&c->j, "nodes");
	put_node(c, NODE_ROOT, 0, "(root)", "", 0);
	put_node(c, NODE_IDLE, NODE_ROOT, "(idle)", "", 0);
	for (t = from; t < to; t++)
		put_nodes(c, row_of(c, t), from->thread, way);
	json_array_end(&c->j);
	json_array(&c->j, "samples");
	each(c, from, to, put_sample);
	json_array_end(&c->j);
	json_object_end(&c->j);
	json_array(&c->j, "timeDeltas");
	c->before = from->ns / NS_PER_US;
	each(c, from, to, put_delta);
	json_array_end(&c->j);
	json_object_end(&c->j);
	end_event(c);
}

static void put_thread(struct chrome *c, const struct export_time *from, const struct export_time *to,
		       uint32_t *way)
{
	const struct export_thread *t = &c->all.threads.at[from->thread];

	put_name(c, "process_name", from->thread, export_process_name(c->p, t));
	put_name(c, "thread_name", from->thread, export_thread_name(c->p, t));
	begin_event(c, "Profile", "P", from->thread, from->ns);
	json_object(&c->j, "data");
	json_u64(&c->j, "startTime", from->ns / NS_PER_US);
	json_object_end(&c->j);
	end_event(c);
	put_chunk(c, from, to, way);
}

static int put_threads(struct chrome *c)
{
	_cleanup_(cleanup_free) uint32_t *way = malloc(((size_t)c->rows.nr + 1) * sizeof(*way));
	const struct export_time *at = c->all.at, *end = at + c->all.nr, *to;

	if (!way)
		return -ENOMEM;
	for (; at < end && !ferror(c->j.out); at = to) {
		for (to = at; to < end && to->thread == at->thread; to++)
			;
		put_thread(c, at, to, way);
	}
	return 0;
}

int export_chrome(const struct profile *p, const struct calltree *tree,
		  const struct export_options *o, FILE *out)
{
	struct chrome c = { .p = p };
	int err = export_rows(p, &c.rows);

	if (!err)
		err = export_timeline(p, o, &c.all);
	if (!err) {
		c.thread = calloc((size_t)c.rows.nr + 1, sizeof(*c.thread));
		err = c.thread ? 0 : -ENOMEM;
	}
	if (!err) {
		json_init(&c.j, out);
		json_object(&c.j, NULL);
		json_array(&c.j, "traceEvents");
		err = put_threads(&c);
		json_array_end(&c.j);
		json_string(&c.j, "displayTimeUnit", "ms");
		json_object_end(&c.j);
		json_end(&c.j);
	}
	free(c.thread);
	export_timeline_release(&c.all);
	export_rows_release(&c.rows);
	return err;
}
