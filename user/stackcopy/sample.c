// SPDX-License-Identifier: GPL-2.0-only
/* perf_event_open(2), "PERF_RECORD_SAMPLE": fields in this order, those asked for. */
#include "stackcopy/sample.h"

#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

struct cursor {
	const uint8_t *at;
	size_t left;
	bool good;
};

static const void *take(struct cursor *c, uint64_t len)
{
	const uint8_t *at = c->at;

	if (len > c->left) {
		c->good = false;
		return NULL;
	}
	c->at += len;
	c->left -= len;
	return at;
}

static uint64_t take_u64(struct cursor *c)
{
	const void *p = take(c, sizeof(uint64_t));
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

/* Two halves of 32 bits. */
static uint64_t take_pair(struct cursor *c, uint32_t *low)
{
	uint64_t v = take_u64(c);

	*low = (uint32_t)v;
	return v >> 32;
}

/* Markers stand for contexts; they are above all addresses. */
static void take_kernel(struct cursor *c, struct sample *s)
{
	uint64_t nr = take_u64(c), i;
	const uint64_t *pcs;

	if (nr > c->left / sizeof(uint64_t)) {
		c->good = false;
		return;
	}
	pcs = take(c, nr * sizeof(uint64_t));
	for (i = 0; i < nr && pcs[i] < (uint64_t)PERF_CONTEXT_MAX; i++)
		;
	if (i)		/* there is none without its marker */
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

	s->abi = (uint32_t)take_u64(c);
	if (s->abi != PERF_SAMPLE_REGS_ABI_NONE) {
		regs = take(c, sizeof(s->regs));
		if (regs)
			memcpy(s->regs, regs, sizeof(s->regs));
	}
	asked = take_u64(c);
	s->stack = take(c, asked);
	if (!asked || !s->stack)
		return;
	copied = take_u64(c);
	if (copied > asked)
		c->good = false;
	s->asked = (uint32_t)asked;
	s->stack_len = (uint32_t)copied;
}

static bool parse_sample(struct cursor *c, uint64_t type, struct sample *s)
{
	uint32_t cpu;

	s->id = take_u64(c);
	take_u64(c);	/* the address: regs and chains have it */
	s->tid = (uint32_t)take_pair(c, &s->tgid);
	s->time = take_u64(c);
	take_pair(c, &cpu);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = take_u64(c);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_kernel(c, s);
	if (type & PERF_SAMPLE_STACK_USER)
		take_user(c, s);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = take_u64(c);
	s->kind = RECORD_SAMPLE;
	return c->good;
}

/* pid, tid, name */
static bool parse_comm(struct cursor *c, bool exec, struct sample *s)
{
	size_t len;

	s->tid = (uint32_t)take_pair(c, &s->tgid);
	len = strnlen((const char *)c->at, c->left);
	if (!c->good || len == c->left)
		return false;
	memcpy(s->comm, c->at, len < sizeof(s->comm) ? len : sizeof(s->comm) - 1);
	s->exec = exec;
	s->kind = RECORD_NAME;
	return true;
}

/* pid, ppid, tid, ptid, time */
static bool parse_fork(struct cursor *c, struct sample *s)
{
	s->parent_tgid = (uint32_t)take_pair(c, &s->tgid);
	s->parent = (uint32_t)take_pair(c, &s->tid);
	s->time = take_u64(c);
	s->kind = RECORD_THREAD;
	return c->good;
}

bool sample_parse(const struct perf_event_header *h, uint64_t type, struct sample *ret)
{
	struct cursor c = { (const uint8_t *)(h + 1), h->size - sizeof(*h), true };
	/* behind it are tid, time, cpu and identifier */
	struct cursor id = { c.at + c.left - SAMPLE_ID_BYTES, SAMPLE_ID_BYTES, true };
	uint32_t tgid;

	*ret = (struct sample){ .kind = RECORD_OTHER };
	if (h->type == PERF_RECORD_SAMPLE)
		return parse_sample(&c, type, ret);
	if (h->type != PERF_RECORD_COMM && h->type != PERF_RECORD_FORK)
		return true;
	if (c.left < SAMPLE_ID_BYTES)
		return false;
	c.left -= SAMPLE_ID_BYTES;
	take_pair(&id, &tgid);
	ret->time = take_u64(&id);
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
