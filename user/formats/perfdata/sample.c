// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the fields of a sample, in the order of PERF_RECORD_SAMPLE in
 * <linux/perf_event.h>.
 */
#include "formats/perfdata/private.h"

#include "util/poison.h"

/* Words of a branch: from, to, flags. */
#define BRANCH_WORDS 3u

static uint32_t event_of(const struct perfdata_events *e, const struct cursor *b)
{
	struct cursor look = *b;
	unsigned int i;

	switch (e->layout) {
	case PERFDATA_ONE_EVENT:
	case PERFDATA_NO_LAYOUT:
		return 0;
	case PERFDATA_BY_ID:
		for (i = 0; i < e->id_at; i++)
			cursor_u64(&look);
		break;
	case PERFDATA_BY_IDENTIFIER:
		break;
	}
	return perfdata_events_find(e, cursor_u64(&look));
}

const char *perfdata_chain(struct cursor *b, struct perfdata_sample *s)
{
	size_t i;

	s->nr_ips = (size_t)cursor_u64(b);
	s->ips = perfdata_words(b, s->nr_ips);
	if (!s->ips) {
		s->nr_ips = 0;
		return NULL;
	}
	/*
	 * the mark and the cookie are the last two words; they cannot follow
	 * the user's mark
	 */
	for (i = 0; i < s->nr_ips && s->ips[i] != (uint64_t)PERF_CONTEXT_USER; i++)
		if (s->ips[i] == FORMAT_CONTEXT_USER_DEFERRED) {
			if (i + 1 >= s->nr_ips)
				return "a call chain ends before its cookie";
			s->cookie = s->ips[i + 1];
			s->nr_ips = i;
		}
	return NULL;
}

/* Skips the counts of PERF_SAMPLE_READ: those of one event, or of its whole group. */
static void pass_read(uint64_t format, struct cursor *b)
{
	uint64_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t nr = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = cursor_u64(b);
	if (nr > cursor_left(b)) {
		b->bad = true;
		return;
	}
	cursor_take(b, (nr * each + times) * sizeof(uint64_t));
}

static const char *pass_raw(struct cursor *b)
{
	uint32_t len = cursor_u32(b);

	cursor_take(b, len);
	return (sizeof(len) + len) % sizeof(uint64_t) ? "its raw data is not a whole number of words" : NULL;
}

static void take_branches(const struct perfdata_event *e, struct cursor *b,
			  struct perfdata_sample *s)
{
	s->nr_branches = (size_t)cursor_u64(b);
	if (e->branch_type & FORMAT_BRANCH_HW_INDEX)
		cursor_u64(b);
	if (s->nr_branches > cursor_left(b)) {
		b->bad = true;
		return;
	}
	s->branches = perfdata_words(b, BRANCH_WORDS * (uint64_t)s->nr_branches);
	if (e->branch_type & FORMAT_BRANCH_COUNTERS)
		perfdata_words(b, s->nr_branches);
}

static const char *take_stack(struct cursor *b, struct perfdata_sample *s)
{
	uint64_t len = cursor_u64(b), there;

	s->stack_asked = (size_t)len;
	if (!len)
		return NULL;
	s->stack = cursor_take(b, len);
	there = cursor_u64(b);
	if (len % sizeof(uint64_t))
		return "its stack is not a whole number of words";
	s->stack_len = (size_t)there;
	return there > len ? "it claims more bytes of stack than were copied" : NULL;
}

/* Reads the fields before the call chain. */
static void take_head(const struct perfdata_event *e, struct cursor *b, struct perfdata_record *r)
{
	uint64_t type = e->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		cursor_u64(b);
	if (type & PERF_SAMPLE_IP)
		r->sample.ip = cursor_u64(b);
	if (type & PERF_SAMPLE_TID) {
		r->pid = cursor_u32(b);
		r->tid = cursor_u32(b);
	}
	if (type & PERF_SAMPLE_TIME)
		r->time = cursor_u64(b);
	if (type & PERF_SAMPLE_ADDR)
		r->sample.addr = cursor_u64(b);
	if (type & PERF_SAMPLE_ID)
		cursor_u64(b);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(b);
	if (type & PERF_SAMPLE_CPU) {
		r->cpu = cursor_u32(b);
		cursor_u32(b);
	}
	r->sample.period = e->period;
	if (type & PERF_SAMPLE_PERIOD)
		r->sample.period = cursor_u64(b);
	if (type & PERF_SAMPLE_READ)
		pass_read(e->read_format, b);
}

/* Reads the registers and the stack. */
static const char *take_user(const struct perfdata_event *e, struct cursor *b,
			     struct perfdata_sample *s)
{
	if (e->sample_type & PERF_SAMPLE_REGS_USER) {
		s->abi = cursor_u64(b);
		if (s->abi)
			s->regs = perfdata_words(b, (uint64_t)__builtin_popcountll(e->regs_user));
	}
	return e->sample_type & PERF_SAMPLE_STACK_USER ? take_stack(b, s) : NULL;
}

/* Reads the fields after the stack, up to the cgroup. */
static void take_tail(const struct perfdata_event *e, struct cursor *b, struct perfdata_sample *s)
{
	uint64_t type = e->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		cursor_u64(b);
	if (type & PERF_SAMPLE_DATA_SRC)
		cursor_u64(b);
	if (type & PERF_SAMPLE_TRANSACTION)
		cursor_u64(b);
	if (type & PERF_SAMPLE_REGS_INTR && cursor_u64(b))
		perfdata_words(b, (uint64_t)__builtin_popcountll(e->regs_intr));
	if (type & PERF_SAMPLE_PHYS_ADDR)
		cursor_u64(b);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor_u64(b);
}

const char *perfdata_decode_sample(const struct perfdata_events *events, struct cursor *b,
				   struct perfdata_record *ret)
{
	const struct perfdata_event *e;
	const char *why = NULL;

	ret->kind = PERFDATA_SAMPLE;
	ret->event = event_of(events, b);
	ret->sample = (struct perfdata_sample){ 0 };
	if (ret->event == PERFDATA_NO_EVENT)
		return NULL;
	e = &events->event[ret->event];
	take_head(e, b, ret);
	if (e->sample_type & PERF_SAMPLE_CALLCHAIN)
		why = perfdata_chain(b, &ret->sample);
	if (!why && e->sample_type & PERF_SAMPLE_RAW)
		why = pass_raw(b);
	if (!why && e->sample_type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(e, b, &ret->sample);
	if (!why)
		why = take_user(e, b, &ret->sample);
	if (!why)
		take_tail(e, b, &ret->sample);
	return b->bad ? "a sample is shorter than its event's description" : why;
}
