// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides which events of a file are taken, and which values of the profile
 * they become. See import.h; import.c and script.c call it.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/perfimport/import.h"
#include "util/array.h"

/*
 * Return: length of a name without modifiers: that of "cycles" in "cycles:u";
 * all of "sched:sched_switch".
 */
static size_t base_len(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!colon || colon == name || strspn(colon + 1, "ukhIGHpPSDWeb") != strlen(colon + 1))
		return strlen(name);
	return (size_t)(colon - name);
}

bool import_listed(const char *list, const char *name)
{
	size_t len = strlen(name), base = base_len(name), item;

	for (;; list += item + 1) {
		item = strcspn(list, ",");
		if ((item == len || item == base) && !strncmp(list, name, item))
			return true;
		if (!list[item])
			return false;
	}
}

static bool is(const char *name, const char *word)
{
	return base_len(name) == strlen(word) && !strncmp(name, word, strlen(word));
}

static bool has_type(const struct profile *p, const char *type)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), type))
			return true;
	return false;
}

bool import_value(struct profile *p, const char *name, bool is_taken, uint32_t *ret)
{
	/* ustack export writes "cpu" for samples that have no event label */
	bool clock = is(name, "cpu-clock") || is(name, "task-clock") || is(name, "cpu");
	char type[256];
	size_t len = is_taken ? strlen(name) : base_len(name);

	len = len < sizeof(type) ? len : sizeof(type) - 1;
	memcpy(type, name, len);
	type[len] = '\0';
	if (!len)
		strcpy(type, "events");
	else if (clock && !is_taken)
		strcpy(type, "cpu");
	*ret = 0;
	if (p->nr_value_types == PROFILE_MAX_VALUES && !has_type(p, type))
		return false;
	*ret = profile_value_type(p, type, clock ? "nanoseconds" : "count");
	return true;
}

/*
 * Return: whether there are several events. Dummy events, for records of
 * processes, have no samples.
 */
static bool are_several(const struct import *im)
{
	uint32_t i, nr = 0;

	for (i = 0; i < perfdata_nr_events(im->file); i++) {
		const struct perfdata_event *e = perfdata_event(im->file, i);

		nr += e->type != PERF_TYPE_SOFTWARE || e->config != PERF_COUNT_SW_DUMMY;
	}
	return nr > 1;
}

/*
 * Return: whether another event has this value already, as "cycles:u" beside
 * "cycles:k".
 */
static bool is_taken(const struct import *im, uint32_t value)
{
	uint32_t i;

	for (i = 0; i < im->events.nr; i++)
		if (im->events.event[i].ready && im->events.event[i].wanted &&
		    im->events.event[i].values.weight == value)
			return true;
	return false;
}

static void prepare(struct import *im, uint32_t number, struct import_event *e)
{
	const struct perfdata_event *event = perfdata_event(im->file, number);
	struct profile *p = im->p;

	e->wanted = !im->options->event || import_listed(im->options->event, event->name);
	if (e->wanted) {
		e->values.samples = profile_value_type(p, "samples", "count");
		im->events.too_many |= !import_value(p, event->name, false, &e->values.weight);
		if (is_taken(im, e->values.weight))
			im->events.too_many |= !import_value(p, event->name, true,
							     &e->values.weight);
		if (are_several(im))
			e->values.label = profile_text(p, profile_string(p, event->name));
	}
	e->ready = true;
}

struct import_event *import_event(struct import *im, uint32_t event)
{
	struct import_events *all = &im->events;

	while (all->nr <= event) {
		if (!array_has_room(all->event, all->nr, all->room))
			return NULL;
		all->event[all->nr++] = (struct import_event){ .ready = false };
	}
	if (!all->event[event].ready)
		prepare(im, event, &all->event[event]);
	return &all->event[event];
}

/* Lists the names of the events that exist, for a message. */
static void list(const struct import *im, char *ret, size_t room)
{
	size_t at = 0, len;
	uint32_t i;

	ret[0] = '\0';
	for (i = 0; i < perfdata_nr_events(im->file); i++) {
		const char *name = perfdata_event(im->file, i)->name;

		len = strlen(name);
		if (at + len + 3 > room)
			break;
		at += (size_t)snprintf(ret + at, room - at, "%s%s", at ? ", " : "", name);
	}
}

static bool is_there(const struct import *im)
{
	uint32_t i;

	for (i = 0; i < perfdata_nr_events(im->file); i++)
		if (import_listed(im->options->event, perfdata_event(im->file, i)->name))
			return true;
	return false;
}

static int64_t period_of(const struct perfdata_event *e)
{
	if (e->period)
		return (int64_t)(e->period & INT64_MAX);
	return e->frequency && e->frequency <= 1000000000 ? 1000000000 / (int64_t)e->frequency : 1;
}

int import_events_end(struct import *im, struct diag *diag)
{
	struct profile *p = im->p;
	char names[160];
	uint32_t i;

	if (im->options->event && !is_there(im)) {
		list(im, names, sizeof(names));
		return diag_set(diag, ENODATA, im->path, "has no event '%.60s'; it has: %s",
				im->options->event, names);
	}
	if (im->events.too_many)
		return diag_set(diag, E2BIG, im->path, IMPORT_TOO_MANY);
	for (i = 0; i < im->events.nr; i++) {
		if (!im->events.event[i].samples)
			continue;
		p->period_type = p->value_types[im->events.event[i].values.weight];
		p->default_type = p->period_type.type;
		p->period = period_of(perfdata_event(im->file, i));
		break;
	}
	/* a profile without samples still needs a value type */
	if (!p->nr_value_types)
		profile_value_type(p, "samples", "count");
	return 0;
}
