// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunks of stacks with any bytes, in any order, with any ids: asking for a
 * stack ends, and gives the same as a simple walk over the list.
 */
#include "fuzz.h"

#include <errno.h>

#include "capture/sampler/stacks.h"

#define MAX 64

struct chunk {
	struct wire_chunk c;
	uint64_t id;
};

/* Return: the first chunk with an id, which is the one that the table must find. */
static const struct wire_chunk *find(const struct chunk *chunks, u32 nr, u64 id)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (chunks[i].id == id)
			return &chunks[i].c;
	return NULL;
}

static int naive(const struct chunk *chunks, u32 nr, u64 id, u64 *pcs)
{
	const struct wire_chunk *c;
	int count = 0, in;

	for (; id; id = c->link & WIRE_ID_MASK) {
		c = find(chunks, nr, id);
		if (!c)
			return -ENOENT;
		in = (int)(c->link >> 56);
		if (in < 1 || in > 8 || (count && in != 8) || count + in > 512)
			return -EPROTO;
		while (in--)
			pcs[count++] = c->pc[in];
	}
	return count;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct stacks s = STACKS_INIT;
	struct input in = { data, size };
	struct chunk chunks[MAX];
	u64 a[WIRE_FRAMES], b[WIRE_FRAMES];
	u32 nr = 0, i, j;
	int len;

	for (; in.left && nr < MAX; nr++) {
		struct chunk *c = &chunks[nr];

		c->id = take(&in, 1);
		c->c.link = take(&in, 1) | take(&in, 1) << WIRE_LINK_SHIFT;
		for (j = 0; j < WIRE_CHUNK_FRAMES; j++)
			c->c.pc[j] = 16 * nr + j;
		/* ids that are far apart */
		if (c->id & 0x80)
			c->id <<= 40;
		must(!stacks_add(&s, &c->c, &c->id, 1));
	}
	for (i = 0; i < nr; i++) {
		len = stacks_get(&s, chunks[i].id, a, WIRE_FRAMES);
		must(len == naive(chunks, nr, chunks[i].id, b));
		must(len < 0 || !memcmp(a, b, (size_t)len * 8));
	}
	must(!stacks_get(&s, 0, a, WIRE_FRAMES));
	stacks_release(&s);
	return 0;
}
