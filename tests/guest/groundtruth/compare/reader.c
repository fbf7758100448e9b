// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file is mapped as a whole. Opening it checks the size of every chunk and makes a list of
 * each stream's chunks; reading merges the lists by time.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../pack.h"
#include "reader.h"
#include "util.h"

struct stream {
	const struct gt_chunk **chunks;
	size_t count;
	size_t next;
	struct gt_pack *pack;
};

struct reader {
	const char *path;
	const uint8_t *data;
	size_t len;
	const struct gt_info *info;
	const struct gt_end *end;
	const struct gt_stat *stat[2];
	struct stream streams[GT_MAX_STREAMS];
	unsigned int stream_count;
};

static uint64_t time_of(const struct gt_chunk *h)
{
	return ((const struct gt_count *)h)->time;
}

/* the minimum size of a chunk of each type */
static size_t least(unsigned int type)
{
	switch (type) {
	case GT_INFO:
		return sizeof(struct gt_info);
	case GT_IMAGE:
		return sizeof(struct gt_image);
	case GT_MAP:
		return sizeof(struct gt_map) + 8;
	case GT_FORK:
	case GT_EXIT:
		return sizeof(struct gt_task);
	case GT_COMM:
		return sizeof(struct gt_comm);
	case GT_SAMPLE:
		return sizeof(struct gt_sample);
	case GT_REASON:
		return sizeof(struct gt_reason);
	case GT_LOST:
	case GT_THROTTLE:
		return sizeof(struct gt_count);
	case GT_STAT:
		return sizeof(struct gt_stat);
	case GT_END:
		return sizeof(struct gt_end);
	default:
		return SIZE_MAX;
	}
}

static void stream_add(struct reader *r, const struct gt_chunk *h)
{
	struct stream *s;

	if (h->stream >= GT_MAX_STREAMS)
		die("%s: a chunk of stream %u", r->path, h->stream);
	s = &r->streams[h->stream];
	if ((s->count & (s->count + 1)) == 0)
		s->chunks = xrealloc(s->chunks, (2 * s->count + 2) * sizeof(*s->chunks));
	s->chunks[s->count++] = h;
	if (h->stream >= r->stream_count)
		r->stream_count = h->stream + 1;
}

static void check_image(const struct reader *r, const struct gt_image *m)
{
	size_t room = m->h.size - sizeof(*m);

	if (m->path_len > room || m->len > room - m->path_len ||
	    !memchr(m->path, 0, m->path_len))
		die("%s: a broken image chunk", r->path);
}

static void check_map(const struct reader *r, const struct gt_map *m)
{
	if (!memchr(m->path, 0, m->h.size - sizeof(*m)))
		die("%s: a mapping without a name", r->path);
}

static void take_stat(struct reader *r, const struct gt_stat *m)
{
	if (m->len > m->h.size - sizeof(*m))
		die("%s: a broken statistics chunk", r->path);
	r->stat[!!m->after] = m;
}

static void take_chunk(struct reader *r, const struct gt_chunk *h)
{
	switch (h->type) {
	case GT_INFO:
		r->info = (const void *)h;
		return;
	case GT_END:
		r->end = (const void *)h;
		return;
	case GT_STAT:
		take_stat(r, (const void *)h);
		return;
	case GT_IMAGE:
		check_image(r, (const void *)h);
		break;
	case GT_MAP:
		check_map(r, (const void *)h);
		break;
	}
	stream_add(r, h);
}

static void index_chunks(struct reader *r)
{
	size_t at = sizeof(struct gt_file);

	while (at < r->len) {
		const struct gt_chunk *h = (const void *)(r->data + at);

		if (r->end || r->len - at < sizeof(*h) || h->size % 8 ||
		    h->size > r->len - at || h->size < least(h->type))
			die("%s: a broken chunk at byte %zu", r->path, at);
		take_chunk(r, h);
		at += h->size;
	}
	if (!r->info || !r->end)
		die("%s: the record is cut short", r->path);
}

struct reader *reader_open(const char *path)
{
	struct reader *r = xcalloc(1, sizeof(*r));
	const struct gt_file *head;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", path, strerror(errno));
	r->path = path;
	r->len = st.st_size;
	if (r->len < sizeof(*head))
		die("%s: not a record file", path);
	r->data = mmap(NULL, r->len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (r->data == MAP_FAILED)
		die("%s: %s", path, strerror(errno));
	close(fd);
	head = (const void *)r->data;
	if (memcmp(head->magic, GT_MAGIC, 8) || head->version != GT_VERSION)
		die("%s: not a record file of version %d", path, GT_VERSION);
	index_chunks(r);
	return r;
}

void reader_close(struct reader *r)
{
	unsigned int i;

	for (i = 0; i < r->stream_count; i++) {
		free(r->streams[i].chunks);
		free(r->streams[i].pack);
	}
	munmap((void *)r->data, r->len);
	free(r);
}

uint32_t reader_machine(const struct reader *r)
{
	return ((const struct gt_file *)r->data)->machine;
}

const struct gt_info *reader_info(const struct reader *r)
{
	return r->info;
}

const struct gt_end *reader_end(const struct reader *r)
{
	return r->end;
}

const struct gt_stat *reader_stat(const struct reader *r, bool after)
{
	return r->stat[after];
}

void reader_each_image(struct reader *r, void (*image)(const struct gt_image *))
{
	const struct stream *s = &r->streams[GT_STREAM_START];
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->chunks[i]->type == GT_IMAGE)
			image((const void *)s->chunks[i]);
}

const struct gt_chunk *reader_next(struct reader *r)
{
	struct stream *best = NULL;
	unsigned int i;

	for (i = 0; i < r->stream_count; i++) {
		struct stream *s = &r->streams[i];

		while (s->next < s->count && s->chunks[s->next]->type == GT_IMAGE)
			s->next++;
		/* at equal times the lower stream comes first: mappings before samples */
		if (s->next < s->count &&
		    (!best || time_of(s->chunks[s->next]) < time_of(best->chunks[best->next])))
			best = s;
	}
	return best ? best->chunks[best->next++] : NULL;
}

void reader_sample(struct reader *r, const struct gt_chunk *h, struct sample *ret)
{
	const struct gt_sample *m = (const void *)h;
	struct stream *s = &r->streams[h->stream];
	size_t words = (h->size - sizeof(*m)) / 8;
	unsigned int sp = reader_machine(r) == EM_X86_64 ? 7 : 31;
	uint64_t below = r->info->reg_mask & ((1ull << sp) - 1);

	if (m->regs > GT_MAX_REGS || m->regs > words || m->chain > words - m->regs ||
	    m->packed > 8 * (words - m->regs - m->chain) ||
	    (m->regs && m->regs != (unsigned int)__builtin_popcountll(r->info->reg_mask)))
		die("%s: a broken sample", r->path);
	ret->raw = m;
	ret->regs = m->words;
	ret->chain = m->words + m->regs;
	ret->stack = NULL;
	ret->stream = h->stream;
	if (!m->regs || !m->stack)
		return;
	if (!s->pack)
		s->pack = xcalloc(1, sizeof(*s->pack));
	ret->stack = gt_unpack_stack(s->pack, m->tid,
				     m->words[__builtin_popcountll(below)], m->stack,
				     (const uint8_t *)(ret->chain + m->chain), m->packed);
	if (!ret->stack)
		die("%s: a broken stack", r->path);
}
