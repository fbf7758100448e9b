// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds and reads the process contexts of sampled processes, and caches their
 * labels. See otel_processes.h; resolve_stack.c asks for the labels of each
 * count.
 */
#include "capture/record/otel_processes.h"

#include <stdlib.h>
#include <string.h>

#include "host/process/peek.h"
#include "host/process/scan.h"
#include "util/clock.h"

#include "util/poison.h"

/*
 * Size of the cache: a process has one of WAYS places; the least recently used
 * is replaced.
 */
#define SETS 1024u
#define WAYS 4u
/*
 * Limit for the time spent on looks in a second: the thread that samples waits
 * for them.
 */
#define BUDGET_NS 50000000ull
#define SECOND_NS 1000000000ull
/*
 * Time until a context is looked at again, and until one that was being written
 * is.
 */
#define AGAIN_NS SECOND_NS
#define SOON_NS 100000000ull
/*
 * Longest time until a process without context is looked at again; it doubles
 * each time.
 */
#define AGAIN_MOST_NS (64 * SECOND_NS)
/*
 * Bytes of /proc/PID/maps that are searched, and mappings of the right name
 * that are tried.
 */
#define MAX_MAPS (1u << 20)
#define MAX_TRIES 4u
/* How often a header that changes while the message is read is read again. */
#define READS 3u

/**
 * struct process - a sampled process
 * @pid: process; 0: the place is free
 * @epoch: see otel_processes_labels()
 * @used: CLOCK_MONOTONIC nanoseconds when it was last asked for
 * @next: CLOCK_MONOTONIC nanoseconds when to look at it again
 * @wait: nanoseconds between two looks, for a process without context
 * @memory: open memory of the process, if it has a context
 * @addr: address of the header; 0: none is known
 * @published: @published of the header that @labels come from
 * @labels: labels of the context, or NULL
 */
struct process {
	uint32_t pid;
	uint64_t epoch;
	uint64_t used;
	uint64_t next;
	uint64_t wait;
	struct peek_memory memory;
	uint64_t addr;
	uint64_t published;
	struct otel_labels *labels;
};

/**
 * struct otel_processes - see otel_processes.h
 * @peek: reads memory of other processes
 * @second: CLOCK_MONOTONIC nanoseconds at the begin of the present second
 * @spent: nanoseconds spent on looks since @second
 * @process: the cache
 * @text: buffer for /proc/PID/maps
 */
struct otel_processes {
	struct peek peek;
	uint64_t second;
	uint64_t spent;
	struct process process[SETS][WAYS];
	char text[PEEK_TEXT + 1];
};

struct otel_processes *otel_processes_new(void)
{
	struct otel_processes *all = calloc(1, sizeof(*all));

	if (all && peek_open(&all->peek)) {
		free(all);
		return NULL;
	}
	return all;
}

/* Drops the context. */
static void forget(struct process *p)
{
	if (p->addr)
		peek_memory_close(&p->memory);
	free(p->labels);
	p->addr = 0;
	p->published = 0;
	p->labels = NULL;
}

void otel_processes_free(struct otel_processes *all)
{
	size_t i;

	if (!all)
		return;
	for (i = 0; i < SETS * WAYS; i++)
		forget(&all->process[i / WAYS][i % WAYS]);
	peek_close(&all->peek);
	free(all);
}

/*
 * A new process is not looked at at once: a machine that builds programs has
 * hundreds a second.
 */
static struct process *find(struct otel_processes *all, uint32_t pid, uint64_t now)
{
	struct process *set = all->process[pid % SETS], *least = set;
	size_t i;

	for (i = 0; i < WAYS; i++) {
		if (set[i].pid == pid)
			return &set[i];
		if (set[i].used < least->used)
			least = &set[i];
	}
	forget(least);
	*least = (struct process){ .pid = pid, .next = now + SOON_NS, .memory = PEEK_MEMORY_INIT };
	return least;
}

/*
 * Parses a message. If it is malformed there are no labels. Return: false
 * without memory.
 */
static bool take_labels(struct process *p, const struct otel_header *h, const uint8_t *payload)
{
	struct otel_labels *labels = malloc(sizeof(*labels));

	if (!labels)
		return false;
	if (!otel_labels(payload, h->size, labels))
		labels->nr = 0;
	free(p->labels);
	p->labels = labels;
	p->published = h->published;
	return true;
}

static enum otel_state read_header(struct otel_processes *all, struct peek_memory *m, uint64_t addr,
				   uint8_t bytes[OTEL_HEADER_BYTES], struct otel_header *ret)
{
	return peek_read(&all->peek, m, addr, bytes, OTEL_HEADER_BYTES) ? otel_header(bytes, ret) : OTEL_NONE;
}

/* Reads the context at @p->addr, if it was published again. */
static enum otel_state read_context(struct otel_processes *all, struct process *p)
{
	uint8_t before[OTEL_HEADER_BYTES], after[OTEL_HEADER_BYTES], payload[OTEL_MAX_PAYLOAD];
	enum otel_state state = OTEL_CHANGING;
	struct otel_header h;
	unsigned int i;

	for (i = 0; i < READS && state == OTEL_CHANGING; i++) {
		struct peek_range both[2];

		state = read_header(all, &p->memory, p->addr, before, &h);
		if (state != OTEL_READY || h.published == p->published)
			continue;
		/* the message before the header */
		both[0] = (struct peek_range){ h.payload, payload, h.size };
		both[1] = (struct peek_range){ p->addr, after, sizeof(after) };
		if (!peek_read_ranges(&all->peek, &p->memory, both, 2))
			return OTEL_NONE;
		state = memcmp(before, after, sizeof(before)) ? OTEL_CHANGING : OTEL_READY;
		if (state == OTEL_READY && !take_labels(p, &h, payload))
			return OTEL_NONE;
	}
	return state;
}

/* Return: whether there is a context at a mapping; then @p uses it. */
static bool try_mapping(struct otel_processes *all, struct process *p, uint64_t addr)
{
	if (!peek_memory_open(&p->memory, p->pid)) {
		peek_memory_close(&p->memory);
		return false;
	}
	p->addr = addr;
	if (read_context(all, p) != OTEL_NONE)
		return true;
	forget(p);
	return false;
}

/*
 * Searches whole lines of @all->text. Return: number of bytes that were used.
 */
static size_t try_lines(struct otel_processes *all, struct process *p, unsigned int *tries)
{
	char *line = all->text, *end;
	struct scan_line l;

	while (!p->addr && *tries < MAX_TRIES && (end = strchr(line, '\n'))) {
		*end = '\0';
		if (scan_line(line, &l) && otel_is_mapping(l.id.path)) {
			++*tries;
			try_mapping(all, p, l.start);
		}
		line = end + 1;
	}
	return (size_t)(line - all->text);
}

static void look_for_mapping(struct otel_processes *all, struct process *p)
{
	struct peek_memory maps;
	unsigned int tries = 0;
	size_t at = 0, n, used;

	if (peek_maps_open(&maps, p->pid)) {
		do {
			if (!peek_read_text(&all->peek, &maps, at, all->text, PEEK_TEXT, &n))
				break;
			all->text[n] = '\0';
			used = try_lines(all, p, &tries);
			at += used;
		} while (n && used && !p->addr && tries < MAX_TRIES && at < MAX_MAPS);
	}
	peek_memory_close(&maps);
}

static void look(struct otel_processes *all, struct process *p, uint64_t now)
{
	enum otel_state state = p->addr ? read_context(all, p) : OTEL_NONE;

	if (state == OTEL_NONE) {
		forget(p);
		look_for_mapping(all, p);
	}
	if (p->addr) {
		p->wait = 0;
		p->next = now + (state == OTEL_CHANGING ? SOON_NS : AGAIN_NS);
		return;
	}
	p->wait = p->wait ? 2 * p->wait : AGAIN_NS;
	p->wait = p->wait < AGAIN_MOST_NS ? p->wait : AGAIN_MOST_NS;
	p->next = now + p->wait;
}

static bool may_look(struct otel_processes *all, uint64_t now)
{
	if (now - all->second > SECOND_NS) {
		all->second = now;
		all->spent = 0;
	}
	return all->spent < BUDGET_NS;
}

const struct otel_labels *otel_processes_labels(struct otel_processes *all, uint32_t pid, uint64_t epoch)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct process *p;

	if (!pid)
		return NULL;
	p = find(all, pid, now);
	p->used = now;
	/*
	 * a program that was just executed or has loaded a library may publish
	 * a context soon
	 */
	if (p->epoch != epoch && p->wait > AGAIN_NS) {
		p->next -= p->wait - AGAIN_NS;
		p->wait = AGAIN_NS;
	}
	p->epoch = epoch;
	if (now >= p->next && may_look(all, now)) {
		look(all, p, now);
		all->spent += clock_ns(CLOCK_MONOTONIC) - now;
	}
	return p->labels && p->labels->nr ? p->labels : NULL;
}
