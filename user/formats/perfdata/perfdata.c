// SPDX-License-Identifier: GPL-2.0-only
/*
 * Returns the records of a file: takes raw ones, puts them in order of time, decodes them.
 */
#include "formats/perfdata/perfdata.h"

#include <errno.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

const struct perfdata_head *perfdata_head(const struct perfdata *d)
{
	return &d->head;
}

uint32_t perfdata_nr_events(const struct perfdata *d)
{
	return d->events.nr;
}

const struct perfdata_event *perfdata_event(const struct perfdata *d, uint32_t event)
{
	return &d->events.event[event];
}

void perfdata_counts(const struct perfdata *d, struct perfdata_counts *ret)
{
	*ret = d->counts;
	ret->late = d->order.late;
	ret->waiting = d->order.most;
}

static int decode(struct perfdata *d, const struct perfdata_raw *raw, struct perfdata_record *ret,
		  struct diag *diag)
{
	const char *file = d->in.file->path, *why;

	if (perfdata_events_prepare(&d->events))
		return perfdata_refuse(file, raw->offset, ENOTSUP, diag,
				       "its events' samples differ, and nothing says which event a "
				       "sample is of: record again with perf 3.14 or newer");
	why = perfdata_decode(&d->events, raw, ret);
	if (why)
		return perfdata_refuse(file, raw->offset, EBADMSG, diag, "record of type %u: %s",
				       raw->header->type, why);
	return 1;
}

/*
 * Takes a raw record. Return: 1 if it can be returned at once, as it has no
 * time; 0 if it waits or is skipped; a negative errno.
 */
static int meet(struct perfdata *d, const struct perfdata_raw *raw, struct perfdata_record *ret,
		struct diag *diag)
{
	int r;

	if (raw->header->type == FORMAT_RECORD_ROUND) {
		perfdata_order_round(&d->order);
		return 0;
	}
	r = decode(d, raw, ret, diag);
	if (r < 0)
		return r;
	if (ret->kind == PERFDATA_SAMPLE && ret->event == PERFDATA_NO_EVENT) {
		d->counts.unknown++;
		return 0;
	}
	if (ret->kind == PERFDATA_OTHER)
		return 0;
	if (!ret->time || ret->time == UINT64_MAX)
		return 1;
	r = perfdata_order_put(&d->order, raw, ret->time);
	return r ? diag_errno(diag, -r, d->in.file->path) : 0;
}

int perfdata_next(struct perfdata *d, struct perfdata_record *ret, struct diag *diag)
{
	struct perfdata_raw raw;
	int r;

	for (;;) {
		if (perfdata_order_get(&d->order, &raw))
			return decode(d, &raw, ret, diag);
		r = perfdata_raw_next(d, &raw, diag);
		if (r < 0)
			return r;
		if (r) {
			r = meet(d, &raw, ret, diag);
			if (r)
				return r;
			continue;
		}
		if (d->order.until == UINT64_MAX)
			return 0;
		perfdata_order_end(&d->order);
	}
}
