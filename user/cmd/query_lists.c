// SPDX-License-Identifier: GPL-2.0-only
/* Prints the lists of ustack query: series, values of labels, windows. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/query.h"
#include "show/report/text.h"
#include "serve/store/reader.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/screen.h"
#include "util/text.h"
#include "util/when.h"

#include "util/poison.h"

/* Largest number of bytes that are printed of a foreign text. */
#define SHOWN 400

/**
 * struct list - a list that is being printed
 * @view: the values to print from a window, and their unit
 * @json: the JSON writer
 * @group: group of the last point
 * @nr: number of points so far
 * @begun: the JSON of the list has been begun
 */
struct list {
	const struct query_opts *o;
	struct report_view view;
	struct json json;
	char *group;
	uint64_t nr;
	bool begun;
};

static void put_coverage(struct json *j, const struct store_coverage *c)
{
	json_object(j, "coverage");
	json_u64(j, "windows", c->windows);
	json_u64(j, "first_ns", c->first_ns);
	json_u64(j, "last_ns", c->last_ns);
	json_u64(j, "recorded_ns", c->recorded_ns);
	json_u64(j, "bad", c->bad);
	json_object_end(j);
}

static bool is_in(const struct query_opts *o, const struct profile *p)
{
	uint64_t middle = p->time_ns + p->duration_ns / 2;

	return middle >= o->q.from_ns && (!o->q.to_ns || middle < o->q.to_ns);
}

/*
 * Finds the next window that the query selects, and adds it to the coverage. Return: 1, 0 after
 * the last, or a negative errno. Damaged parts are counted in @c.
 */
static int next_window(const struct query_opts *o, struct store_reader *r, struct store_window *w,
		       struct store_coverage *c, struct diag *diag)
{
	int n;

	for (;;) {
		n = store_reader_next(r, w, diag);
		if (n == -EBADMSG || n == -ENOTSUP) {
			/* @diag names the segment's file, whose name goes with the reader */
			diag->file = o->dir;
			c->bad++;
			continue;
		}
		if (n <= 0 || is_in(o, w->profile))
			break;
	}
	if (n < 0)
		diag->file = o->dir;
	if (n <= 0)
		return n;
	store_cover(c, w->profile->time_ns, w->profile->time_ns + w->profile->duration_ns);
	return 1;
}

static int open_reader(const struct query_opts *o, struct store_reader **ret, struct diag *diag)
{
	const struct store_position first = { 0, 0 };
	int err = store_reader_new(o->dir, &first, ret, diag);

	if (!err)
		store_reader_times(*ret, o->q.from_ns, o->q.to_ns);
	if (diag->file)
		diag->file = o->dir;
	return err;
}

/* Takes type and unit of the values from the first window that has such values. */
static int find_view(struct list *l, struct store_reader *r, struct diag *diag)
{
	struct store_coverage c = { 0 };
	struct store_window w;
	int n, err = -ENODATA;

	diag_set(diag, ENODATA, l->o->dir, "there are no windows of that time");
	while ((n = next_window(l->o, r, &w, &c, diag)) > 0) {
		err = report_value_type(w.profile, l->o->value, l->o->dir, &l->view.value, diag);
		if (!err) {
			l->view.p = w.profile;
			return 0;
		}
	}
	return n < 0 ? n : err;
}

static int print_point(const struct store_point *p, void *arg)
{
	char shown[SHOWN], when[WHEN_TEXT], value[TEXT_SHORT];
	struct list *l = arg;

	printf("%s %14s  %s\n", when_text(p->at_ns, when), report_value(&l->view, p->value, value),
	       screen_text(p->group, shown, sizeof(shown)));
	l->nr++;
	return ferror(stdout) ? -EIO : 0;
}

static void end_group(struct list *l)
{
	if (!l->group)
		return;
	json_array_end(&l->json);
	json_object_end(&l->json);
}

static int put_point(const struct store_point *p, void *arg)
{
	struct list *l = arg;

	if (!l->group || strcmp(l->group, p->group)) {
		end_group(l);
		free(l->group);
		l->group = strdup(p->group);
		if (!l->group)
			return -ENOMEM;
		json_object(&l->json, NULL);
		json_string(&l->json, "group", p->group);
		json_array(&l->json, "points");
	}
	json_array(&l->json, NULL);
	json_u64(&l->json, NULL, p->at_ns);
	json_i64(&l->json, NULL, p->value);
	json_array_end(&l->json);
	l->nr++;
	return ferror(stdout) ? -EIO : 0;
}

static int ask_series(struct list *l, struct diag *diag)
{
	const struct profile_value_type *v = &l->view.p->value_types[l->view.value];
	const struct query_opts *o = l->o;
	struct store_coverage c = { 0 };
	int err;

	if (o->json) {
		json_init(&l->json, stdout);
		json_object(&l->json, NULL);
		json_string(&l->json, "label", o->series);
		json_string(&l->json, "value", profile_text(l->view.p, v->type));
		json_string(&l->json, "unit", profile_text(l->view.p, v->unit));
		json_u64(&l->json, "step_ns", o->step_ns);
		json_array(&l->json, "series");
	}
	err = query_ask_series(o, profile_text(l->view.p, v->type),
			       o->json ? put_point : print_point, l, &c, diag);
	if (err)
		return err;
	if (o->json) {
		end_group(l);
		json_array_end(&l->json);
		put_coverage(&l->json, &c);
		json_object_end(&l->json);
		json_end(&l->json);
	}
	query_say_coverage(o, &c, diag);
	return 0;
}

/* Prints the series of a database. */
static int fleet_series(const struct query_opts *o, struct diag *diag)
{
	_cleanup_(profile_cleanup) struct profile *p = profile_new();
	struct list l = { .o = o, .view.p = p };
	int err = p ? query_ask_types(o, p, diag) : diag_errno(diag, ENOMEM, o->dir);

	if (!err && !p->nr_value_types)
		err = diag_set(diag, ENODATA, o->dir, "there are no windows of that time");
	err = err ? err : report_value_type(p, o->value, o->dir, &l.view.value, diag);
	if (!err)
		err = ask_series(&l, diag);
	free(l.group);
	return err;
}

int query_series(const struct query_opts *o, struct diag *diag)
{
	struct list l = { .o = o };
	struct store_reader *r;
	int err;

	if (o->database.client)
		return fleet_series(o, diag);
	err = open_reader(o, &r, diag);
	if (err)
		return err;
	err = find_view(&l, r, diag);
	if (!err)
		err = ask_series(&l, diag);
	free(l.group);
	store_reader_free(r);
	return err;
}

static int print_value(const char *text, uint64_t samples, void *arg)
{
	char shown[SHOWN];

	printf("%12" PRIu64 "  %s\n", samples, screen_text(text, shown, sizeof(shown)));
	return ferror(stdout) ? -EIO : 0;
}

static int put_value(const char *text, uint64_t samples, void *arg)
{
	struct list *l = arg;

	json_object(&l->json, NULL);
	json_string(&l->json, "text", text);
	json_u64(&l->json, "samples", samples);
	json_object_end(&l->json);
	return ferror(stdout) ? -EIO : 0;
}

int query_values(const struct query_opts *o, struct diag *diag)
{
	struct list l = { .o = o };
	struct store_coverage c = { 0 };
	int err;

	if (o->json) {
		json_init(&l.json, stdout);
		json_object(&l.json, NULL);
		json_array(&l.json, o->labels ? "labels" : "values");
	}
	err = query_ask_values(o, o->json ? put_value : print_value, &l, &c, diag);
	if (err)
		return err;
	if (o->json) {
		json_array_end(&l.json);
		put_coverage(&l.json, &c);
		json_object_end(&l.json);
		json_end(&l.json);
	}
	query_say_coverage(o, &c, diag);
	return 0;
}

/* Adds up the samples that are selected. Return: their number; *@sum: their sum. */
static uint32_t add_up(const struct query_opts *o, const struct profile *p, uint32_t value,
		       int64_t *sum)
{
	uint32_t i, nr = 0;

	*sum = 0;
	for (i = 0; i < p->nr_samples; i++) {
		if (!store_selector_matches(o->q.selector, p, p->samples[i].labels))
			continue;
		nr++;
		if (__builtin_add_overflow(*sum, p->samples[i].value[value], sum))
			*sum = INT64_MAX;
	}
	return nr;
}

/* @w: the @host is NULL for a window of this machine's store. */
static void show_window(struct list *l, const struct clickhouse_window *w)
{
	char when[WHEN_TEXT], value[TEXT_SHORT] = "-", host[SHOWN];

	if (!l->o->json) {
		if (w->has_sum)
			report_value(&l->view, w->sum, value);
		printf("%s %7.1f s %8" PRIu64 " stacks %14s  %" PRIu64 ":%" PRIu64 "%s%s\n",
		       when_text(w->time_ns, when), (double)w->duration_ns / 1e9, w->stacks, value,
		       w->segment, w->record, w->host ? "  " : "",
		       w->host ? screen_text(w->host, host, sizeof(host)) : "");
		return;
	}
	json_object(&l->json, NULL);
	json_u64(&l->json, "time_ns", w->time_ns);
	json_u64(&l->json, "duration_ns", w->duration_ns);
	json_u64(&l->json, "stacks", w->stacks);
	if (w->has_sum)
		json_i64(&l->json, "sum", w->sum);
	json_u64(&l->json, "segment", w->segment);
	json_u64(&l->json, "record", w->record);
	if (w->host)
		json_string(&l->json, "host", w->host);
	json_object_end(&l->json);
}

static void show_own_window(struct list *l, const struct store_window *w)
{
	struct clickhouse_window shown = {
		.time_ns = w->profile->time_ns, .duration_ns = w->profile->duration_ns,
		.segment = w->at.segment, .record = w->at.record,
	};

	l->view.p = w->profile;
	shown.has_sum = !report_value_type(w->profile, l->o->value, l->o->dir, &l->view.value, NULL);
	shown.stacks = add_up(l->o, w->profile, shown.has_sum ? l->view.value : 0, &shown.sum);
	show_window(l, &shown);
}

static int take_window(const struct clickhouse_window *w, void *arg)
{
	show_window(arg, w);
	return ferror(stdout) ? -EIO : 0;
}

static void begin_windows(struct list *l)
{
	l->begun = l->o->json;
	if (!l->begun)
		return;
	json_init(&l->json, stdout);
	json_object(&l->json, NULL);
	json_array(&l->json, "windows");
}

/* All windows show the type of value that most windows have; a window without it shows none. */
static int show_fleet_windows(struct list *l, struct store_coverage *c, struct diag *diag)
{
	_cleanup_(profile_cleanup) struct profile *p = profile_new();
	const char *type = NULL;
	int err = p ? query_ask_types(l->o, p, diag) : diag_errno(diag, ENOMEM, l->o->dir);

	if (err)
		return err;
	l->view.p = p;
	if (!report_value_type(p, l->o->value, l->o->dir, &l->view.value, NULL))
		type = profile_text(p, p->value_types[l->view.value].type);
	begin_windows(l);
	return query_ask_windows(l->o, type, take_window, l, c, diag);
}

static int show_own_windows(struct list *l, struct store_coverage *c, struct diag *diag)
{
	struct store_reader *r;
	struct store_window w;
	int err = open_reader(l->o, &r, diag);

	if (err)
		return err;
	begin_windows(l);
	while ((err = next_window(l->o, r, &w, c, diag)) > 0 && !ferror(stdout))
		show_own_window(l, &w);
	store_reader_free(r);
	return err < 0 ? err : 0;
}

int query_windows(const struct query_opts *o, struct diag *diag)
{
	struct list l = { .o = o };
	struct store_coverage c = { 0 };
	int err = o->database.client ? show_fleet_windows(&l, &c, diag) :
				       show_own_windows(&l, &c, diag);

	if (l.begun) {
		json_array_end(&l.json);
		put_coverage(&l.json, &c);
		json_object_end(&l.json);
		json_end(&l.json);
	}
	if (!err)
		query_say_coverage(o, &c, diag);
	return err;
}
