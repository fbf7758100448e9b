// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads bytes of a file or pipe in sequence, ahead of their use, in large pieces.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

#define AHEAD (256u << 10)

int perfdata_stream_init(struct perfdata_stream *s, struct file_stream *file)
{
	*s = (struct perfdata_stream){
		.file = file, .end = file->regular ? file->size : UINT64_MAX,
		.buf = malloc(AHEAD > FILE_START_BYTES ? AHEAD : FILE_START_BYTES),
	};
	if (!s->buf)
		return -ENOMEM;
	memcpy(s->buf, file->start, file->nr_start);
	s->have = file->nr_start;
	return 0;
}

void perfdata_stream_release(struct perfdata_stream *s)
{
	free(s->buf);
	s->buf = NULL;
}

void perfdata_stream_seek(struct perfdata_stream *s, uint64_t at, uint64_t end)
{
	s->at = at;
	s->end = end < s->file->size ? end : s->file->size;
	s->pos = s->have = 0;
}

/* Return: 1; 0 at the end; a negative errno. */
static int refill(struct perfdata_stream *s)
{
	ssize_t n;

	do {
		n = s->file->regular ? pread(s->file->fd, s->buf, AHEAD, (off_t)s->at) :
				       read(s->file->fd, s->buf, AHEAD);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	s->pos = 0;
	s->have = (size_t)n;
	return n > 0;
}

int perfdata_stream_read(struct perfdata_stream *s, void *to, uint64_t len)
{
	uint8_t *out = to;
	uint64_t done = 0;
	size_t n;
	int r;

	if (s->at >= s->end)
		return len ? 0 : 1;
	if (len > s->end - s->at)
		return -ENODATA;
	while (done < len) {
		r = s->pos < s->have ? 1 : refill(s);
		if (r < 0)
			return r;
		if (!r)
			return done ? -ENODATA : 0;
		n = s->have - s->pos;
		if (n > len - done)
			n = (size_t)(len - done);
		if (out)
			memcpy(out + done, s->buf + s->pos, n);
		s->pos += n;
		s->at += n;
		done += n;
	}
	return 1;
}
