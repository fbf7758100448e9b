// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts records into ascending order of time. perf writes the contents of the
 * buffers of all CPUs, and then FINISHED_ROUND. Records after that are not
 * earlier than the latest record of the round before the one that has ended. A
 * file without rounds would have to be kept in memory as a whole: if more than
 * PERFDATA_MAX_WAITING bytes wait, the earlier half is released, and records
 * that come too late are counted.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfdata/private.h"
#include "util/array.h"

#include "util/poison.h"

void perfdata_order_release(struct perfdata_order *o)
{
	size_t i;

	for (i = o->first; i < o->nr; i++)
		free(o->entry[i].record);
	free(o->entry);
	free(o->out);
	*o = (struct perfdata_order){ 0 };
}

static int by_time(const void *x, const void *y)
{
	const struct perfdata_waiting *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Closes the gap that released records have left at the start. */
static void close_up(struct perfdata_order *o)
{
	if (!o->first)
		return;
	memmove(o->entry, o->entry + o->first, (o->nr - o->first) * sizeof(*o->entry));
	o->nr -= o->first;
	o->sorted -= o->first;
	o->first = 0;
}

static void sort(struct perfdata_order *o)
{
	if (o->sorted == o->nr)
		return;
	close_up(o);
	qsort(o->entry, o->nr, sizeof(*o->entry), by_time);
	o->sorted = o->nr;
}

static void let_half_go(struct perfdata_order *o)
{
	uint64_t middle;

	sort(o);
	middle = o->entry[o->first + (o->nr - o->first) / 2].time;
	if (o->until < middle)
		o->until = middle;
	o->going = true;
}

int perfdata_order_put(struct perfdata_order *o, const struct perfdata_raw *r, uint64_t time)
{
	struct perf_event_header *copy;

	if (o->nr == o->room && o->first > o->nr / 2)
		close_up(o);
	if (!array_has_room(o->entry, o->nr, o->room))
		return -ENOMEM;
	copy = malloc(r->header->size);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, r->header, r->header->size);
	o->entry[o->nr++] = (struct perfdata_waiting){ time, o->orders++, r->offset, copy };
	/* records that come in order need not be sorted again */
	if (o->sorted + 1 == o->nr && (o->sorted == o->first || o->entry[o->sorted - 1].time <= time))
		o->sorted++;
	o->late += time < o->gone;
	if (time > o->latest)
		o->latest = time;
	o->bytes += copy->size + sizeof(*o->entry);
	if (o->bytes > o->most)
		o->most = o->bytes;
	if (o->bytes > PERFDATA_MAX_WAITING)
		let_half_go(o);
	return 0;
}

void perfdata_order_round(struct perfdata_order *o)
{
	if (o->until < o->round)
		o->until = o->round;
	o->round = o->latest;
	o->going = true;
}

void perfdata_order_end(struct perfdata_order *o)
{
	o->until = UINT64_MAX;
	o->going = true;
}

bool perfdata_order_get(struct perfdata_order *o, struct perfdata_raw *ret)
{
	struct perfdata_waiting *w;

	free(o->out);
	o->out = NULL;
	if (!o->going)
		return false;
	sort(o);
	o->going = o->first < o->nr && o->entry[o->first].time <= o->until;
	if (!o->going)
		return false;
	w = &o->entry[o->first];
	o->first++;
	o->bytes -= w->record->size + sizeof(*w);
	if (w->time > o->gone)
		o->gone = w->time;
	o->out = w->record;
	*ret = (struct perfdata_raw){ w->record, w->offset };
	return true;
}
