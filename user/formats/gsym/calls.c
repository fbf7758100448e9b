// SPDX-License-Identifier: MIT
/*
 * Reads trees of inlined calls: the calls at an address for a lookup, and walks
 * over all calls of a function.
 */
#include "formats/gsym/read.h"

/* Bytes that are being read. They only become fewer, so every loop here ends. */
struct cursor {
	const uint8_t *p;
	const uint8_t *end;
};

static bool uleb(struct cursor *c, uint64_t *ret)
{
	return gsym_uleb(&c->p, c->end, ret);
}

/* Facts about the ranges of a node: their number and the lowest start. */
struct ranges {
	uint64_t nr;
	uint64_t start;
	bool has;	/* the address that is looked for is in one of them */
};

static bool read_ranges(struct cursor *c, uint64_t base, uint64_t addr, struct ranges *ret)
{
	uint64_t i, off, size;

	*ret = (struct ranges){ .start = UINT64_MAX };
	if (!uleb(c, &ret->nr))
		return false;
	for (i = 0; i < ret->nr; i++) {
		if (!uleb(c, &off) || !uleb(c, &size))
			return false;
		off += base;
		ret->has |= addr - off < size;
		if (off < ret->start)
			ret->start = off;
	}
	return true;
}

/* The fields of a node after its ranges. */
struct node {
	bool children;
	uint64_t name;
	uint64_t call_file;
	uint64_t call_line;
};

static bool read_node(const struct gsym *g, struct cursor *c, struct node *ret)
{
	unsigned int word = gsym_word_size(g);

	if (c->end - c->p <= word)
		return false;
	ret->children = *c->p++;
	ret->name = gsym_get_word(g, c->p);
	c->p += word;
	return uleb(c, &ret->call_file) && uleb(c, &ret->call_line);
}

/* Skips numbers of any size. */
static inline bool skip_numbers(struct cursor *c, uint64_t nr)
{
	const uint8_t *p = c->p;

	for (; nr && p < c->end; p++)
		nr -= *p < 0x80;
	c->p = p;
	return !nr;
}

/* Skips everything below a node that has @nr open lists of children. */
static bool skip(const struct gsym *g, struct cursor *c, uint64_t nr)
{
	const unsigned int word = gsym_word_size(g);
	uint64_t ranges;

	while (nr) {
		if (!uleb(c, &ranges))
			return false;
		if (!ranges) {
			nr--;
			continue;
		}
		if (!skip_numbers(c, ranges) || !skip_numbers(c, ranges) ||
		    (uint64_t)(c->end - c->p) <= word)
			return false;
		nr += *c->p != 0;
		c->p += 1 + word;
		if (!skip_numbers(c, 2))
			return false;
	}
	return true;
}

const uint8_t *gsym_inlined_end(const struct gsym *g, const uint8_t *p, const uint8_t *end)
{
	struct cursor c = { p, end };
	struct ranges r;
	struct node n;

	if (!read_ranges(&c, 0, 0, &r))
		return NULL;
	if (r.nr && (!read_node(g, &c, &n) || !skip(g, &c, n.children)))
		return NULL;
	return c.p;
}

int gsym_inlined_at(const struct gsym *g, const struct gsym_entry *calls, uint64_t start,
		    uint64_t addr, struct gsym_inlined ret[GSYM_MAX_DEPTH])
{
	struct cursor c = { calls->data, calls->end };
	uint64_t base = start;
	/* depth of the node found last; the root has 0 */
	int depth = -1;
	struct ranges r;
	struct node n;

	while (c.p < c.end) {
		if (!read_ranges(&c, base, addr, &r))
			return -EBADMSG;
		if (!r.nr)
			break;
		if (!read_node(g, &c, &n))
			return -EBADMSG;
		if (!r.has) {
			/* the root has no siblings */
			if (depth < 0)
				break;
			if (!skip(g, &c, n.children))
				return -EBADMSG;
			continue;
		}
		if (depth == (int)GSYM_MAX_DEPTH)
			return -EBADMSG;
		if (depth++ >= 0) {
			ret[depth - 1] = (struct gsym_inlined){
				gsym_string(g, n.name), n.call_file, n.call_line, r.start,
			};
			if (!ret[depth - 1].name)
				return -EBADMSG;
		}
		if (!n.children)
			break;
		base = r.start;
	}
	return depth < 0 ? 0 : depth;
}

int gsym_calls_init(struct gsym_calls *it, const struct gsym *g,
		    const struct gsym_function *f)
{
	struct gsym_entry e;
	int err;

	err = gsym_entry_find(g, f, GSYM_INFO_INLINES, &e);
	it->g = g;
	it->p = e.data;
	it->end = e.end;
	it->depth = 0;
	it->done = err || e.data == e.end;
	it->base[0] = f->start;
	return err;
}

static int take_call(const struct gsym_calls *it, const struct node *n, struct gsym_call *ret)
{
	ret->name = gsym_string(it->g, n->name);
	if (!ret->name || n->call_file > UINT32_MAX || n->call_line > UINT32_MAX)
		return -EBADMSG;
	ret->call_file_index = (uint32_t)n->call_file;
	ret->call_line = (uint32_t)n->call_line;
	return gsym_file(it->g, ret->call_file_index, &ret->call_dir, &ret->call_file) ?
		       -EBADMSG : 1;
}

int gsym_calls_next(struct gsym_calls *it, struct gsym_call *ret)
{
	struct cursor c = { it->p, it->end };
	struct ranges r;
	struct node n;

	while (!it->done) {
		ret->ranges = c.p;
		ret->base = it->base[it->depth];
		if (!read_ranges(&c, ret->base, 0, &r) || r.nr > UINT32_MAX)
			return -EBADMSG;
		if (!r.nr) {
			it->done = it->depth <= 1;
			it->depth -= !it->done;
			continue;
		}
		if (!read_node(it->g, &c, &n) || it->depth + n.children > GSYM_MAX_DEPTH)
			return -EBADMSG;
		ret->depth = it->depth;
		ret->nr_ranges = (uint32_t)r.nr;
		ret->start = r.start;
		ret->end = c.p;
		it->done = !it->depth && !n.children;
		it->depth += n.children;
		it->base[it->depth] = n.children ? r.start : it->base[it->depth];
		it->p = c.p;
		return take_call(it, &n, ret);
	}
	return 0;
}

void gsym_ranges_init(struct gsym_ranges *it, const struct gsym_call *c)
{
	struct cursor at = { c->ranges, c->end };

	*it = (struct gsym_ranges){ .base = c->base, .end = c->end };
	uleb(&at, &it->left);
	it->p = at.p;
}

bool gsym_ranges_next(struct gsym_ranges *it, uint64_t *start, uint64_t *end)
{
	struct cursor at = { it->p, it->end };
	uint64_t off, size;

	if (!it->left || !uleb(&at, &off) || !uleb(&at, &size))
		return false;
	it->p = at.p;
	it->left--;
	*start = it->base + off;
	*end = *start + size;
	return true;
}
