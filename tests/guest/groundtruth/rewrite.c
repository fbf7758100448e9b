// SPDX-License-Identifier: GPL-2.0-only
/* Writes a record again with other walks (rewrite.h): reads chunks and writes samples. */
#include <err.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "rewrite.h"

struct gt_input gt_read(const char *path, size_t least)
{
	struct gt_input in = { NULL, 0 };
	FILE *f = fopen(path, "re");

	if (!f || fseek(f, 0, SEEK_END))
		err(2, "%s", path);
	in.len = (size_t)ftell(f);
	rewind(f);
	in.bytes = malloc(in.len + 1);
	if (!in.bytes || (in.len && fread(in.bytes, in.len, 1, f) != 1))
		err(2, "%s", path);
	fclose(f);
	if (in.len < least)
		errx(2, "%s: %zu bytes, %zu or more were expected", path, in.len, least);
	return in;
}

const struct gt_chunk *gt_next(const struct gt_input *in, size_t *at)
{
	const struct gt_chunk *h = (const void *)(in->bytes + *at);

	if (in->len - *at < sizeof(*h))
		return NULL;
	if (h->size < sizeof(*h) || h->size > in->len - *at)
		errx(2, "offset %zu: a chunk of %llu bytes", *at, (unsigned long long)h->size);
	*at += h->size;
	return h;
}

void gt_put(FILE *out, const void *bytes, size_t len)
{
	if (len && fwrite(bytes, len, 1, out) != 1)
		err(2, "writing");
}

void gt_put_walk(FILE *out, const struct gt_sample *raw, const uint64_t *pcs, uint32_t nr,
		 uint32_t why)
{
	const uint64_t marker = PERF_CONTEXT_USER;
	const struct gt_reason reason = {
		.h = { sizeof(reason), GT_REASON, raw->h.stream },
		.time = raw->time, .pid = raw->pid, .tid = raw->tid,
		.reason = why, .frames = nr, .pc = pcs[nr - 1],
	};
	struct gt_sample s = *raw;

	s.chain = nr + 1;
	s.h.size = raw->h.size - 8 * raw->chain + 8 * s.chain;
	gt_put(out, &reason, sizeof(reason));
	gt_put(out, &s, sizeof(s));
	gt_put(out, raw->words, 8ull * raw->regs);
	gt_put(out, &marker, sizeof(marker));
	gt_put(out, pcs, 8ull * nr);
	gt_put(out, raw->words + raw->regs + raw->chain,
	       raw->h.size - sizeof(s) - 8ull * (raw->regs + raw->chain));
}

void gt_put_unjudged(FILE *out, const struct gt_sample *raw)
{
	struct gt_sample s = *raw;

	s.unjudged = 1;
	gt_put(out, &s, sizeof(s));
	gt_put(out, raw->words, raw->h.size - sizeof(s));
}
