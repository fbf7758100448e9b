// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses records of perf's rings into struct sample. Fields come in the order
 * that perf_event_open(2) gives for PERF_RECORD_SAMPLE, those asked for only.
 * reader.c calls it.
 */
#include "capture/stackcopy/sample.h"

#include <stdlib.h>
#include <string.h>

#include "util/cursor.h"

#include "util/poison.h"

/* Reads two halves of 32 bits. */
static uint64_t take_pair(struct cursor *c, uint32_t *low)
{
	uint64_t v = cursor_u64(c);

	*low = (uint32_t)v;
	return v >> 32;
}

/*
 * Markers, which are above all addresses, tell where the stack of a context
 * begins.
 */
static void take_kernel(struct cursor *c, struct sample *s)
{
	uint64_t nr = cursor_u64(c), i;
	const uint64_t *pcs;

	if (nr > cursor_left(c) / sizeof(uint64_t)) {
		cursor_set_bad(c);
		return;
	}
	pcs = (const void *)cursor_take(c, nr * sizeof(uint64_t));
	if (!pcs)
		return;
	for (i = 0; i < nr && pcs[i] < (uint64_t)PERF_CONTEXT_MAX; i++)
		;
	if (i)		/* no kernel frames come without a marker */
		return;
	for (i = 0; i < nr && pcs[i] >= (uint64_t)PERF_CONTEXT_MAX; i++)
		if (pcs[i] != (uint64_t)PERF_CONTEXT_KERNEL)
			return;
	s->kernel = pcs + i;
	for (; i < nr && pcs[i] < (uint64_t)PERF_CONTEXT_MAX; i++)
		s->nr_kernel++;
}

static void take_user(struct cursor *c, struct sample *s)
{
	uint64_t asked, copied;
	const void *regs;

	s->abi = (uint32_t)cursor_u64(c);
	if (s->abi != PERF_SAMPLE_REGS_ABI_NONE) {
		regs = cursor_take(c, sizeof(s->regs));
		if (regs)
			memcpy(s->regs, regs, sizeof(s->regs));
	}
	asked = cursor_u64(c);
	s->stack = cursor_take(c, asked);
	if (!asked || !s->stack)
		return;
	copied = cursor_u64(c);
	if (copied > asked)
		cursor_set_bad(c);
	s->asked = (uint32_t)asked;
	s->stack_len = (uint32_t)copied;
}

static bool parse_sample(struct cursor *c, uint64_t type, struct sample *s)
{
	uint32_t cpu;

	s->id = cursor_u64(c);
	cursor_u64(c);	/* the address is in the registers or the chain too */
	s->tid = (uint32_t)take_pair(c, &s->tgid);
	s->time = cursor_u64(c);
	take_pair(c, &cpu);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(c);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_kernel(c, s);
	if (type & PERF_SAMPLE_STACK_USER)
		take_user(c, s);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	s->kind = RECORD_SAMPLE;
	return !c->bad;
}

/* Reads pid, tid and name. */
static bool parse_comm(struct cursor *c, bool exec, struct sample *s)
{
	size_t len;

	s->tid = (uint32_t)take_pair(c, &s->tgid);
	len = strnlen((const char *)c->p, cursor_left(c));
	if (c->bad || len == cursor_left(c))
		return false;
	memcpy(s->comm, c->p, len < sizeof(s->comm) ? len : sizeof(s->comm) - 1);
	s->exec = exec;
	s->kind = RECORD_NAME;
	return true;
}

/* Reads pid, ppid, tid, ptid and time. */
static bool parse_fork(struct cursor *c, struct sample *s)
{
	s->parent_tgid = (uint32_t)take_pair(c, &s->tgid);
	s->parent = (uint32_t)take_pair(c, &s->tid);
	s->time = cursor_u64(c);
	s->kind = RECORD_THREAD;
	return !c->bad;
}

bool sample_parse(const struct perf_event_header *h, uint64_t type, struct sample *ret)
{
	struct cursor c = cursor_over(h + 1, h->size - sizeof(*h)), id;
	uint32_t tgid;

	*ret = (struct sample){ .kind = RECORD_OTHER };
	if (h->type == PERF_RECORD_SAMPLE)
		return parse_sample(&c, type, ret);
	if (h->type != PERF_RECORD_COMM && h->type != PERF_RECORD_FORK)
		return true;
	if (cursor_left(&c) < SAMPLE_ID_BYTES)
		return false;
	/* at the end of the record: tid, time, cpu and identifier */
	c.end -= SAMPLE_ID_BYTES;
	id = cursor_over(c.end, SAMPLE_ID_BYTES);
	take_pair(&id, &tgid);
	ret->time = cursor_u64(&id);
	if (h->type == PERF_RECORD_FORK)
		return parse_fork(&c, ret);
	return parse_comm(&c, h->misc & PERF_RECORD_MISC_COMM_EXEC, ret);
}

struct sample *sample_keep(const struct sample *s, size_t *bytes)
{
	size_t kernel = s->nr_kernel * sizeof(uint64_t);
	struct sample *copy;

	*bytes = sizeof(*s) + kernel + s->stack_len;
	copy = malloc(*bytes);
	if (!copy)
		return NULL;
	*copy = *s;
	copy->kernel = (const uint64_t *)(copy + 1);
	copy->stack = (const uint8_t *)(copy + 1) + kernel;
	if (kernel)
		memcpy(copy + 1, s->kernel, kernel);
	if (s->stack_len)
		memcpy((uint8_t *)(copy + 1) + kernel, s->stack, s->stack_len);
	return copy;
}
