// SPDX-License-Identifier: GPL-2.0-only
/* Converts perf records from the kernel's rings to chunks of the record file (parse.h). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../pack.h"
#include "images.h"
#include "out.h"
#include "parse.h"

/* the rest of a perf record; reading beyond its end ends the program */
struct cursor {
	const uint8_t *p;
	const uint8_t *end;
};

static const void *take(struct cursor *c, size_t len)
{
	const void *p = c->p;

	if (len > (size_t)(c->end - c->p))
		die("a perf record ends before its contents do");
	c->p += len;
	return p;
}

static uint64_t take_u64(struct cursor *c)
{
	uint64_t v;

	memcpy(&v, take(c, 8), 8);
	return v;
}

static uint32_t take_u32(struct cursor *c)
{
	uint32_t v;

	memcpy(&v, take(c, 4), 4);
	return v;
}

/* the fields at the end of every record but a sample (SAMPLE_ID_TYPE) */
#define TRAILER 32

static uint64_t trailer_time(struct cursor *c)
{
	uint64_t time;

	if (c->end - c->p < TRAILER)
		die("a perf record without its trailer");
	memcpy(&time, c->end - TRAILER + 8, 8);
	c->end -= TRAILER;
	return time;
}

static void on_mmap2(struct ring *ring, struct cursor c)
{
	struct gt_map m = { .time = trailer_time(&c) };
	struct out_part path;

	m.pid = take_u32(&c);
	m.tid = take_u32(&c);
	m.start = take_u64(&c);
	m.len = take_u64(&c);
	m.pgoff = take_u64(&c);
	m.id.maj = take_u32(&c);
	m.id.min = take_u32(&c);
	m.id.ino = take_u64(&c);
	m.id.gen = take_u64(&c);
	m.prot = take_u32(&c);
	m.flags = take_u32(&c);
	path.data = c.p;
	path.len = c.end - c.p;
	out_chunk(&m.h, sizeof(m), GT_MAP, ring->stream, &path, 1);
	images_saw(&m, (const char *)c.p);
}

static void on_task(struct ring *ring, struct cursor c, enum gt_type type)
{
	struct gt_task t = { .time = trailer_time(&c) };

	t.pid = take_u32(&c);
	t.ppid = take_u32(&c);
	t.tid = take_u32(&c);
	t.ptid = take_u32(&c);
	out_chunk(&t.h, sizeof(t), type, ring->stream, NULL, 0);
}

static void on_comm(struct ring *ring, struct cursor c, bool exec)
{
	struct gt_comm m = { .time = trailer_time(&c), .exec = exec };
	size_t len;

	m.pid = take_u32(&c);
	m.tid = take_u32(&c);
	len = c.end - c.p;
	memcpy(m.comm, c.p, len < sizeof(m.comm) ? len : sizeof(m.comm) - 1);
	out_chunk(&m.h, sizeof(m), GT_COMM, ring->stream, NULL, 0);
}

static void on_count(struct ring *ring, struct cursor c, enum gt_type type, uint64_t n)
{
	struct gt_count m = { .time = trailer_time(&c), .count = n };

	out_chunk(&m.h, sizeof(m), type, ring->stream, NULL, 0);
}

/* the fields at the start of both kinds of samples */
static uint64_t take_head(struct cursor *c, uint32_t *pid, uint32_t *tid)
{
	uint64_t time;

	*pid = take_u32(c);
	*tid = take_u32(c);
	time = take_u64(c);
	take_u64(c);			/* CPU */
	return time;
}

static void on_reason(struct parse *p, struct ring *ring, struct cursor c)
{
	struct gt_reason m = {};
	uint32_t len;
	const void *raw;

	m.time = take_head(&c, &m.pid, &m.tid);
	len = take_u32(&c);
	raw = take(&c, len);
	m.reason = tracepoint_get(&p->tp->reason, raw, len);
	m.frames = tracepoint_get(&p->tp->frames, raw, len);
	m.pc = tracepoint_get(&p->tp->pc, raw, len);
	m.sp = tracepoint_get(&p->tp->sp, raw, len);
	out_chunk(&m.h, sizeof(m), GT_REASON, ring->stream, NULL, 0);
}

static uint64_t stack_pointer(const struct parse *p, const uint64_t *regs)
{
#ifdef __x86_64__
	const unsigned int sp = 7;	/* PERF_REG_X86_SP */
#else
	const unsigned int sp = 31;	/* PERF_REG_ARM64_SP */
#endif
	uint64_t v;

	memcpy(&v, regs + __builtin_popcountll(p->ev->reg_mask & ((1ull << sp) - 1)), 8);
	return v;
}

static void on_sample(struct parse *p, struct ring *ring, struct cursor c)
{
	static uint8_t packed[GT_PACK_BOUND];
	struct gt_sample s = {};
	struct out_part parts[3] = {};
	uint64_t size = 0, dyn = 0;
	const uint8_t *stack = NULL;

	s.ip = take_u64(&c);
	s.time = take_head(&c, &s.pid, &s.tid);
	s.chain = take_u64(&c);
	parts[1].len = 8 * (size_t)s.chain;
	parts[1].data = take(&c, parts[1].len);
	s.abi = take_u64(&c);
	if (s.abi) {
		s.regs = __builtin_popcountll(p->ev->reg_mask);
		parts[0].len = 8 * s.regs;
		parts[0].data = take(&c, parts[0].len);
	}
	size = take_u64(&c);
	if (size) {
		stack = take(&c, size);
		dyn = take_u64(&c);
	}
	if ((pid_t)s.pid == p->self) {
		p->own++;
		return;
	}
	if (s.abi && dyn && dyn <= size) {
		s.stack = dyn;
		s.packed = gt_pack_stack(p->packs[ring->cpu], s.tid,
					 stack_pointer(p, parts[0].data), stack,
					 dyn, packed);
	}
	parts[2].data = packed;
	parts[2].len = s.packed;
	out_chunk(&s.h, sizeof(s), GT_SAMPLE, ring->stream, parts, 3);
	p->samples++;
}

static void on_record(struct parse *p, struct ring *ring,
		      const struct perf_event_header *h, struct cursor c)
{
	uint64_t id;

	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		id = take_u64(&c);
		if (events_is_tracepoint(p->ev, id))
			on_reason(p, ring, c);
		else
			on_sample(p, ring, c);
		break;
	case PERF_RECORD_MMAP2:
		on_mmap2(ring, c);
		break;
	case PERF_RECORD_FORK:
		on_task(ring, c, GT_FORK);
		break;
	case PERF_RECORD_EXIT:
		on_task(ring, c, GT_EXIT);
		break;
	case PERF_RECORD_COMM:
		on_comm(ring, c, h->misc & PERF_RECORD_MISC_COMM_EXEC);
		break;
	case PERF_RECORD_LOST:
		take_u64(&c);
		id = take_u64(&c);
		p->lost += id;
		on_count(ring, c, GT_LOST, id);
		break;
	case PERF_RECORD_THROTTLE:
		on_count(ring, c, GT_THROTTLE, 1);
		break;
	}
}

void parse_init(struct parse *p, const struct events *ev, const struct tracepoint *tp)
{
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->ev = ev;
	p->tp = tp;
	p->self = getpid();
	p->packs = calloc(ev->cpus, sizeof(*p->packs));
	for (i = 0; p->packs && i < ev->cpus; i++) {
		p->packs[i] = calloc(1, sizeof(**p->packs));
		if (!p->packs[i])
			die("no memory");
	}
	if (!p->packs)
		die("no memory");
}

/* the record at TAIL, copied into one piece if it wraps around */
static const void *whole(const struct ring *ring, uint64_t tail, size_t len)
{
	static uint8_t buf[65536];
	uint64_t at = tail & (ring->size - 1);
	size_t first = ring->size - at;

	if (len <= first)
		return ring->data + at;
	memcpy(buf, ring->data + at, first);
	memcpy(buf + first, ring->data, len - first);
	return buf;
}

unsigned int parse_ring(struct parse *p, struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	unsigned int n = 0;

	while (tail < head) {
		const struct perf_event_header *h = whole(ring, tail, sizeof(*h));
		size_t len = h->size;
		struct cursor c;

		if (len < sizeof(*h) || len > head - tail)
			die("a perf record of %zu bytes", len);
		h = whole(ring, tail, len);
		c.p = (const uint8_t *)(h + 1);
		c.end = (const uint8_t *)h + len;
		on_record(p, ring, h, c);
		tail += len;
		n++;
		__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	}
	return n;
}
