// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the fields of a record. If the record's event says so, a record that
 * is no sample ends with words that say its time, CPU, thread and event (struct
 * sample_id in <linux/perf_event.h>).
 */
#include <string.h>
#include <sys/sysmacros.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

#define ID_TYPES (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static uint64_t word_at(const struct cursor *b, size_t offset)
{
	uint64_t v;

	memcpy(&v, b->p + offset, sizeof(v));
	return v;
}

/* Return: index of the event of a record that is no sample. */
static uint32_t event_of(const struct perfdata_events *e, const struct cursor *b)
{
	uint32_t event;

	if (e->layout != PERFDATA_BY_IDENTIFIER || cursor_left(b) < sizeof(uint64_t))
		return 0;
	event = perfdata_events_find(e, word_at(b, cursor_left(b) - sizeof(uint64_t)));
	/*
	 * records that perf makes itself belong to no event: all events have
	 * the same words at the end then
	 */
	return event == PERFDATA_NO_EVENT ? 0 : event;
}

/*
 * Removes the words at the end and stores what they say. Return: false if they
 * are missing.
 */
static bool take_id(const struct perfdata_event *e, struct cursor *b, struct perfdata_record *ret)
{
	uint64_t type = e->sample_type & ID_TYPES;
	size_t len = (size_t)__builtin_popcountll(type) * sizeof(uint64_t);
	struct cursor id;

	if (cursor_left(b) < len)
		return false;
	b->end -= len;
	id = cursor_over(b->end, len);
	if (type & PERF_SAMPLE_TID) {
		ret->pid = cursor_u32(&id);
		ret->tid = cursor_u32(&id);
	}
	if (type & PERF_SAMPLE_TIME)
		ret->time = cursor_u64(&id);
	if (type & PERF_SAMPLE_ID)
		cursor_u64(&id);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(&id);
	if (type & PERF_SAMPLE_CPU)
		ret->cpu = cursor_u32(&id);
	return true;
}

/*
 * Whether a mapping's file is identified by its build id. Kernels up to 6.18
 * also set this mark in records of events that did not ask for it, if another
 * event of the machine did: then the length of the build id is a device number.
 * Records that perf inject makes from such records have build ids of the usual
 * length.
 */
static bool has_build_id(const struct perfdata_event *e, const struct perf_event_header *h,
			 struct cursor id)
{
	uint32_t len;

	if (!(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return false;
	len = cursor_u32(&id);
	return e->build_id ? len <= PERFDATA_BUILD_ID : len == 16 || len == PERFDATA_BUILD_ID;
}

static const char *decode_map(const struct perfdata_event *e, const struct perf_event_header *h,
			      struct cursor *b, struct perfdata_record *r)
{
	struct perfdata_map *m = &r->map;
	struct cursor id;
	uint32_t major;

	*m = (struct perfdata_map){ 0 };
	r->kind = PERFDATA_MAP;
	r->pid = cursor_u32(b);
	r->tid = cursor_u32(b);
	m->start = cursor_u64(b);
	m->len = cursor_u64(b);
	m->offset = cursor_u64(b);
	m->executable = !(h->misc & PERF_RECORD_MISC_MMAP_DATA);
	if (h->type == PERF_RECORD_MMAP2) {
		id = *b;
		cursor_take(b, 24);
		m->executable &= !!(cursor_u32(b) & 4);	/* 4 is PROT_EXEC */
		cursor_u32(b);
		if (!b->bad && has_build_id(e, h, id)) {
			m->build_id_len = (uint8_t)cursor_u32(&id);
			memcpy(m->build_id, id.p, m->build_id_len);
		} else {
			major = cursor_u32(&id);
			m->dev = makedev(major, cursor_u32(&id));
			m->ino = cursor_u64(&id);
		}
	}
	m->path = perfdata_string(b);
	if (b->bad)
		return "the name of the mapped file does not end";
	if (m->start + m->len < m->start)
		return "a mapping goes beyond the last address";
	return NULL;
}

static const char *decode_comm(const struct perf_event_header *h, struct cursor *b,
			       struct perfdata_record *r)
{
	r->kind = PERFDATA_COMM;
	r->pid = cursor_u32(b);
	r->tid = cursor_u32(b);
	r->comm.exec = h->misc & PERF_RECORD_MISC_COMM_EXEC;
	r->comm.name = perfdata_string(b);
	return b->bad ? "a thread's name does not end" : NULL;
}

static const char *decode_task(const struct perf_event_header *h, struct cursor *b,
			       struct perfdata_record *r)
{
	uint64_t time;

	r->kind = h->type == PERF_RECORD_FORK ? PERFDATA_FORK : PERFDATA_EXIT;
	r->task.found = h->misc & FORMAT_MISC_FORK_EXEC;
	r->pid = cursor_u32(b);
	r->task.parent_pid = cursor_u32(b);
	r->tid = cursor_u32(b);
	r->task.parent_tid = cursor_u32(b);
	time = cursor_u64(b);
	/* records that perf makes itself have no time at the end */
	if (!r->time)
		r->time = time;
	return b->bad ? "a record of a thread that begins or ends is cut" : NULL;
}

static const char *decode_lost(const struct perf_event_header *h, struct cursor *b,
			       struct perfdata_record *r)
{
	r->kind = PERFDATA_LOST;
	if (h->type == PERF_RECORD_LOST)
		cursor_u64(b);	/* id of the event */
	r->lost = cursor_u64(b);
	return b->bad ? "a record of lost samples is cut" : NULL;
}

static const char *decode_deferred(struct cursor *b, struct perfdata_record *r)
{
	struct perfdata_sample s = { 0 };
	const char *why;

	r->kind = PERFDATA_DEFERRED;
	r->deferred.cookie = cursor_u64(b);
	why = perfdata_chain(b, &s);
	r->deferred.ips = s.ips;
	r->deferred.nr_ips = s.nr_ips;
	return b->bad ? "a call chain is longer than its record" : why;
}

static const char *decode_ksymbol(struct cursor *b, struct perfdata_record *r)
{
	uint32_t words;

	r->kind = PERFDATA_KSYMBOL;
	r->symbol.start = cursor_u64(b);
	r->symbol.len = cursor_u32(b);
	words = cursor_u32(b);	/* type and flags */
	r->symbol.gone = words >> 16 & 1;
	r->symbol.name = perfdata_string(b);
	return b->bad ? "the name of a function of the kernel does not end" : NULL;
}

static const char *decode_cgroup(struct cursor *b, struct perfdata_record *r)
{
	r->kind = PERFDATA_CGROUP;
	r->cgroup.id = cursor_u64(b);
	r->cgroup.path = perfdata_string(b);
	return b->bad ? "the path of a cgroup does not end" : NULL;
}

static const char *decode_body(const struct perfdata_event *e, const struct perf_event_header *h,
			       struct cursor *b, struct perfdata_record *r)
{
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return decode_map(e, h, b, r);
	case PERF_RECORD_COMM:
		return decode_comm(h, b, r);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_task(h, b, r);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return decode_lost(h, b, r);
	case FORMAT_RECORD_DEFERRED:
		return decode_deferred(b, r);
	case FORMAT_RECORD_KSYMBOL:
		return decode_ksymbol(b, r);
	case FORMAT_RECORD_CGROUP:
		return decode_cgroup(b, r);
	}
	return NULL;
}

const char *perfdata_decode(const struct perfdata_events *e, const struct perfdata_raw *raw,
			    struct perfdata_record *ret)
{
	const struct perf_event_header *h = raw->header;
	struct cursor b = cursor_over(h + 1, h->size - sizeof(*h));

	*ret = (struct perfdata_record){
		.kind = PERFDATA_OTHER, .event = PERFDATA_NO_EVENT, .offset = raw->offset,
		.cpu = UINT32_MAX, .mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	if (h->type >= FORMAT_RECORD_KERNEL_END)
		return NULL;
	if (!e->nr)
		return "it belongs to no event: none was described before it";
	if (h->type == PERF_RECORD_SAMPLE)
		return perfdata_decode_sample(e, &b, ret);
	ret->event = event_of(e, &b);
	if (e->event[ret->event].sample_id_all && !take_id(&e->event[ret->event], &b, ret))
		return "it is too short for the time and the event at its end";
	return decode_body(&e->event[ret->event], h, &b, ret);
}
