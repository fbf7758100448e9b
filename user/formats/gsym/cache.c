// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cache of decoded functions (cache.h). Functions are stored one after the
 * other in one block of memory, and found by a hash table of slots. If the
 * memory is full, all functions are discarded at once.
 */
#include "formats/gsym/cache.h"

#include <stdlib.h>

#include "formats/gsym/expand.h"

#include "util/poison.h"

/* Bytes of the cache for each slot. A decoded function takes about 2 KB. */
#define BYTES_PER_SLOT 512u
/* Slots that a function may be in: they share a cache line. */
#define WAYS 4u
/*
 * A function larger than this part of the cache is not stored, as it would
 * displace all others.
 */
#define LARGEST_PART 4u

/*
 * If most stored functions had been in the cache before, the cache is too small
 * for the present lookups. Then its contents stay for this many lookups per
 * stored function.
 */
#define REST 16u

/*
 * Values of @block of a slot whose function is not stored: it was looked up
 * once; it was stored until all functions were discarded; it is too large or
 * cannot be decoded.
 */
enum { SEEN = 0, FORGOTTEN = UINT32_MAX - 1, REFUSED = UINT32_MAX };

/**
 * struct slot - a function that was looked up
 * @at: @at of its struct gsym_function; 0 if the slot is free
 * @block: start of the function in the arena, in units of 8 bytes; or one of
 *         the values above
 */
struct slot {
	uint64_t at;
	uint32_t block;
};

/* A stored function; its nodes, lines and calls follow, see struct gsym_expanded. */
struct block {
	uint32_t nr_nodes;
	uint32_t nr_lines;
	uint32_t nr_calls;
	uint32_t unused;
};

/**
 * struct gsym_cache - decoded functions of a file
 * @g: the file; borrowed
 * @arena: memory of the stored functions; its first unit is never used
 * @room: size of @arena in units of 8 bytes
 * @used: number of units in use
 * @slots: hash table, WAYS slots for each value of the hash
 * @nr_slots: number of @slots
 * @shift: shift that makes a hash of a product
 * @turn: slot of WAYS that is replaced next if none is free
 * @added: number of functions in the arena
 * @again: number of these that had been there before
 * @rest: lookups left until functions are stored again
 * @scratch: the function that is being decoded
 */
struct gsym_cache {
	const struct gsym *g;
	uint64_t *arena;
	uint32_t room;
	uint32_t used;
	struct slot *slots;
	size_t nr_slots;
	unsigned int shift;
	unsigned int turn;
	uint32_t added;
	uint32_t again;
	uint64_t rest;
	struct gsym_expanded scratch;
};

int gsym_cache_new(const struct gsym *g, size_t bytes, struct gsym_cache **ret)
{
	struct gsym_cache *c = calloc(1, sizeof(*c));
	size_t units;

	if (!c)
		return -ENOMEM;
	if (bytes < GSYM_CACHE_LEAST)
		bytes = GSYM_CACHE_LEAST;
	units = bytes / sizeof(*c->arena);
	c->g = g;
	c->used = 1;
	c->room = units < FORGOTTEN ? (uint32_t)units : FORGOTTEN;
	c->nr_slots = 2 * WAYS;
	for (c->shift = 63; c->nr_slots < bytes / BYTES_PER_SLOT; c->shift--)
		c->nr_slots *= 2;
	c->arena = malloc(c->room * sizeof(*c->arena));
	c->slots = calloc(c->nr_slots, sizeof(*c->slots));
	if (!c->arena || !c->slots) {
		gsym_cache_free(c);
		return -ENOMEM;
	}
	*ret = c;
	return 0;
}

void gsym_cache_free(struct gsym_cache *c)
{
	if (!c)
		return;
	gsym_expanded_release(&c->scratch);
	free(c->arena);
	free(c->slots);
	free(c);
}

static size_t units_of(const struct gsym_expanded *e)
{
	size_t bytes = sizeof(struct block) + e->nr_nodes * sizeof(*e->nodes) +
		       e->nr_lines * sizeof(*e->lines) + e->nr_calls * sizeof(*e->calls);

	return (bytes + 7) / 8;
}

static const struct gsym_call_node *nodes_of(const struct block *b)
{
	return (const struct gsym_call_node *)(b + 1);
}

static const struct gsym_line_span *lines_of(const struct block *b)
{
	return (const struct gsym_line_span *)(nodes_of(b) + b->nr_nodes);
}

static const struct gsym_call_span *calls_of(const struct block *b)
{
	return (const struct gsym_call_span *)(lines_of(b) + b->nr_lines);
}

static void *put(void *to, const void *from, size_t bytes)
{
	if (bytes)
		memcpy(to, from, bytes);
	return (uint8_t *)to + bytes;
}

static uint32_t store(struct gsym_cache *c, const struct gsym_expanded *e)
{
	uint32_t units = (uint32_t)units_of(e), at = c->used;
	struct block *b = (struct block *)(c->arena + at);
	void *p = b + 1;

	*b = (struct block){
		.nr_nodes = (uint32_t)e->nr_nodes, .nr_lines = (uint32_t)e->nr_lines,
		.nr_calls = (uint32_t)e->nr_calls,
	};
	p = put(p, e->nodes, e->nr_nodes * sizeof(*e->nodes));
	p = put(p, e->lines, e->nr_lines * sizeof(*e->lines));
	put(p, e->calls, e->nr_calls * sizeof(*e->calls));
	c->used += units;
	return at;
}

static void forget_all(struct gsym_cache *c)
{
	size_t i;

	for (i = 0; i < c->nr_slots; i++)
		if (c->slots[i].block != SEEN && c->slots[i].block != REFUSED)
			c->slots[i].block = FORGOTTEN;
	c->used = 1;
	c->added = c->again = 0;
}

/* Return: false if nothing should be stored now. */
static bool make_room(struct gsym_cache *c, size_t units)
{
	if (units <= c->room - c->used)
		return true;
	if (c->again > c->added / 2) {
		c->rest = (uint64_t)c->added * REST;
		c->again = 0;
		return false;
	}
	forget_all(c);
	return true;
}

/* Decodes @f, stores it in the arena if that is possible, and sets @s accordingly. */
static void add(struct gsym_cache *c, const struct gsym_function *f, struct slot *s)
{
	struct gsym_expanded *e = &c->scratch;
	bool again = s->block == FORGOTTEN;

	if (gsym_expand(c->g, f, e) || units_of(e) > c->room / LARGEST_PART) {
		s->block = REFUSED;
		return;
	}
	if (!make_room(c, units_of(e)))
		return;
	s->block = store(c, e);
	c->added++;
	c->again += again;
}

static struct slot *slots_of(const struct gsym_cache *c, uint64_t at)
{
	return &c->slots[(at * 0x9e3779b97f4a7c15ull >> c->shift) * WAYS];
}

/*
 * Return: the slot of @f; if there is none, a free slot, one whose function is
 * not stored, or any.
 */
static struct slot *slot_of(struct gsym_cache *c, const struct gsym_function *f)
{
	struct slot *set = slots_of(c, f->at), *worst;
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (set[i].at == f->at)
			return &set[i];
	worst = &set[c->turn++ % WAYS];
	for (i = 0; i < WAYS; i++)
		if (set[i].block == SEEN && (worst->block != SEEN || !set[i].at))
			worst = &set[i];
	return worst;
}

/*
 * Return: the stored function for @f; NULL if it is not worth storing or cannot
 * be decoded.
 */
static const struct block *block_of(struct gsym_cache *c, const struct gsym_function *f)
{
	struct slot *s = slot_of(c, f);

	if (s->at != f->at) {
		*s = (struct slot){ f->at, SEEN };
		return NULL;
	}
	if (s->block == SEEN || s->block == FORGOTTEN) {
		if (!c->rest)
			add(c, f, s);
		else
			c->rest--;
	}
	if (s->block == SEEN || s->block >= FORGOTTEN)
		return NULL;
	return (const struct block *)(c->arena + s->block);
}

/*
 * Return: how many of @nr elements at @p have a first number that is at most
 * @key. Elements have @size bytes and ascend by that number.
 */
static inline __attribute__((always_inline)) uint32_t
count_up_to(const void *p, uint32_t nr, size_t size, uint32_t key)
{
	const uint8_t *at = p;
	uint32_t half, n = nr, v;

	if (!n)
		return 0;
	while (n > 1) {
		half = n / 2;
		memcpy(&v, at + (half - 1) * size, sizeof(v));
		at = v <= key ? at + half * size : at;
		n -= half;
	}
	memcpy(&v, at, sizeof(v));
	return (uint32_t)((size_t)(at - (const uint8_t *)p) / size) + (v <= key);
}

/* Writes the calls at @offset to the end of @calls. Return: index of the first one. */
static unsigned int take_calls(const struct block *b, const struct gsym_function *f,
			       uint32_t offset, struct gsym_inlined calls[GSYM_MAX_DEPTH])
{
	const struct gsym_call_span *spans = calls_of(b);
	unsigned int first = GSYM_MAX_DEPTH;
	uint32_t node;

	node = spans[count_up_to(spans, b->nr_calls, sizeof(*spans), offset) - 1].node;
	for (; node && node != GSYM_NO_NODE; node = nodes_of(b)[node].parent) {
		const struct gsym_call_node *n = &nodes_of(b)[node];

		calls[--first] = (struct gsym_inlined){
			n->name, n->file, n->line, f->start + n->start,
		};
	}
	return first;
}

static int lookup_in(const struct gsym_cache *c, const struct block *b,
		     const struct gsym_function *f, uint64_t addr, struct gsym_frame *ret,
		     unsigned int room)
{
	struct gsym_inlined calls[GSYM_MAX_DEPTH];
	const struct gsym_line_span *lines = lines_of(b);
	uint32_t offset = (uint32_t)(addr - f->start), n;
	unsigned int first;

	n = count_up_to(lines, b->nr_lines, sizeof(*lines), offset);
	if (!n)
		return gsym_frame_without_line(f, addr, ret, room);
	first = take_calls(b, f, offset, calls);
	return gsym_frames_set(c->g, f, addr,
			       &(struct gsym_file_line){ lines[n - 1].file, lines[n - 1].line },
			       calls + first, GSYM_MAX_DEPTH - first, ret, room);
}

int gsym_cache_lookup_function(struct gsym_cache *c, uint64_t addr, struct gsym_function *f,
		    struct gsym_frame *ret, unsigned int room)
{
	const struct block *b;
	int found;

	found = gsym_find(c->g, addr, f);
	if (found <= 0) {
		f->name = NULL;
		return found;
	}
	b = addr - f->start <= UINT32_MAX ? block_of(c, f) : NULL;
	return b ? lookup_in(c, b, f, addr, ret, room) :
		   gsym_lookup_in(c->g, f, addr, ret, room);
}

int gsym_cache_lookup(struct gsym_cache *c, uint64_t addr, struct gsym_frame *ret,
		      unsigned int room)
{
	struct gsym_function f;

	return gsym_cache_lookup_function(c, addr, &f, ret, room);
}

/* Number of pieces of 64 bytes that are prefetched from a function or a block. */
#define AHEAD 4u

static inline void prefetch(const void *p)
{
	unsigned int i;

	for (i = 0; i < AHEAD; i++)
		__builtin_prefetch((const uint8_t *)p + (size_t)64 * i);
}

void gsym_cache_prefetch(const struct gsym_cache *c, const uint64_t *addrs, unsigned int nr)
{
	const uint8_t *info[GSYM_CACHE_PREFETCHED];
	const struct slot *set;
	unsigned int i, k;

	if (nr > GSYM_CACHE_PREFETCHED)
		nr = GSYM_CACHE_PREFETCHED;
	for (i = 0; i < nr; i++) {
		info[i] = gsym_info_before(c->g, addrs[i]);
		if (!info[i])
			continue;
		__builtin_prefetch(info[i]);
		__builtin_prefetch(slots_of(c, (uint64_t)(info[i] - c->g->bytes)));
	}
	for (i = 0; i < nr; i++) {
		uint64_t at = info[i] ? (uint64_t)(info[i] - c->g->bytes) : 0;

		set = slots_of(c, at);
		for (k = 0; k < WAYS && set[k].at != at; k++)
			;
		if (at && k < WAYS && set[k].block != SEEN && set[k].block < FORGOTTEN)
			prefetch(c->arena + set[k].block);
		else if (at)
			prefetch(info[i]);
	}
}
