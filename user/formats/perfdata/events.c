// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a file: what their samples contain, and how a record says which
 * event it belongs to.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfdata/private.h"
#include "util/array.h"

#include "util/poison.h"

/* Fields before and after the id of a sample. */
#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
#define AFTER_ID (PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID)

void perfdata_events_release(struct perfdata_events *e)
{
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		free((char *)e->event[i].name);
	free(e->event);
	free(e->id);
	*e = (struct perfdata_events){ 0 };
}

/*
 * Return: the name of an event that has no other name, by its number (enum
 * perf_hw_id, perf_sw_ids).
 */
static const char *known_name(uint32_t type, uint64_t config)
{
	static const char *const hardware[] = {
		"cycles", "instructions", "cache-references", "cache-misses", "branches",
		"branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend",
		"ref-cycles",
	};
	static const char *const software[] = {
		"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
		"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
		"bpf-output", "cgroup-switches",
	};

	/* the upper 32 bits are the PMU of a hybrid machine */
	if (type == PERF_TYPE_HARDWARE && (uint32_t)config < sizeof(hardware) / sizeof(hardware[0]))
		return hardware[(uint32_t)config];
	if (type == PERF_TYPE_SOFTWARE && config < sizeof(software) / sizeof(software[0]))
		return software[config];
	return "";
}

/* Reads a struct perf_event_attr. Fields that an older kernel does not have are 0. */
static void read_attr(struct perfdata_event *e, const uint8_t *attr, size_t len)
{
	struct perf_event_attr a = { 0 };
	uint64_t flags;

	memcpy(&a, attr, len < sizeof(a) ? len : sizeof(a));
	memcpy(&flags, attr + FORMAT_ATTR_FLAGS_AT, sizeof(flags));
	*e = (struct perfdata_event){
		.type = a.type, .config = a.config, .sample_type = a.sample_type,
		.read_format = a.read_format, .branch_type = a.branch_sample_type,
		.regs_user = a.sample_regs_user, .regs_intr = a.sample_regs_intr,
		.stack_user = a.sample_stack_user,
		.build_id = flags & FORMAT_FLAG_BUILD_ID,
		.sample_id_all = flags & FORMAT_FLAG_SAMPLE_ID_ALL,
	};
	if (flags & FORMAT_FLAG_FREQ)
		e->frequency = a.sample_freq;
	else
		e->period = a.sample_period;
}

int perfdata_events_add(struct perfdata_events *e, const uint8_t *attr, size_t len)
{
	struct perfdata_event new;

	if (len < FORMAT_ATTR_LEAST)
		return -EBADMSG;
	if (e->nr == PERFDATA_MAX_EVENTS)
		return -E2BIG;
	read_attr(&new, attr, len);
	if (!array_has_room(e->event, e->nr, e->room))
		return -ENOMEM;
	new.name = strdup(known_name(new.type, new.config));
	if (!new.name)
		return -ENOMEM;
	e->event[e->nr++] = new;
	e->ready = false;
	return 0;
}

int perfdata_events_id(struct perfdata_events *e, uint32_t event, uint64_t id)
{
	if (e->nr_ids == PERFDATA_MAX_IDS)
		return -E2BIG;
	if (!array_has_room(e->id, e->nr_ids, e->ids_room))
		return -ENOMEM;
	e->id[e->nr_ids++] = (struct perfdata_id){ id, event };
	e->ready = false;
	return 0;
}

static int by_id(const void *x, const void *y)
{
	const struct perfdata_id *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

static unsigned int words(uint64_t bits)
{
	return (unsigned int)__builtin_popcountll(bits);
}

static enum perfdata_layout layout_of(struct perfdata_events *e)
{
	uint64_t all = ~0ull, any = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++) {
		all &= e->event[i].sample_type;
		any |= e->event[i].sample_type;
	}
	if (all & PERF_SAMPLE_IDENTIFIER)
		return PERFDATA_BY_IDENTIFIER;
	if (e->nr == 1)
		return PERFDATA_ONE_EVENT;
	if (any & PERF_SAMPLE_IDENTIFIER || !(all & PERF_SAMPLE_ID) ||
	    (all ^ any) & (BEFORE_ID | AFTER_ID))
		return PERFDATA_NO_LAYOUT;
	e->id_at = words(all & BEFORE_ID);
	return PERFDATA_BY_ID;
}

int perfdata_events_prepare(struct perfdata_events *e)
{
	if (e->ready || !e->nr)
		return 0;
	if (e->nr_ids)
		qsort(e->id, e->nr_ids, sizeof(*e->id), by_id);
	e->layout = layout_of(e);
	e->ready = true;
	return e->layout == PERFDATA_NO_LAYOUT ? -ENOTSUP : 0;
}

static const struct perfdata_id *find(const struct perfdata_events *e, uint64_t id)
{
	const struct perfdata_id key = { .id = id };

	return e->nr_ids ? bsearch(&key, e->id, e->nr_ids, sizeof(key), by_id) : NULL;
}

uint32_t perfdata_events_find(const struct perfdata_events *e, uint64_t id)
{
	const struct perfdata_id *found = find(e, id);

	if (found)
		return found->event;
	return e->nr == 1 ? 0 : PERFDATA_NO_EVENT;
}

int perfdata_events_name(struct perfdata_events *e, uint64_t id, const char *name, size_t len)
{
	const struct perfdata_id *found;
	char *copy;

	/* if the layout is not known, leave it to the reader of records to find that out */
	if (perfdata_events_prepare(e))
		e->ready = false;
	found = find(e, id);
	if (!found)
		return 0;
	copy = strndup(name, len);
	if (!copy)
		return -ENOMEM;
	free((char *)e->event[found->event].name);
	e->event[found->event].name = copy;
	return 0;
}
