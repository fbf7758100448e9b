// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks xz data with liblzma, with limits for memory and output. Called for the
 * .gnu_debugdata section of ELF files.
 */
#include "symbols/convert/unxz.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "util/poison.h"

/* Memory limit of the decoder: the manual page says that xz -9 needs 65 MiB. */
#define MEMORY (80ull << 20)
#define FIRST_ROOM 65536u

static int error_of(lzma_ret ret)
{
	switch (ret) {
	case LZMA_STREAM_END:
		return 0;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	case LZMA_MEMLIMIT_ERROR:
		return -EFBIG;
	default:
		return -EBADMSG;
	}
}

/* Enlarges the buffer, up to @max bytes and one more, which tells that there is too much. */
static int grow(lzma_stream *s, size_t max, uint8_t **bytes, size_t *room)
{
	size_t used = s->total_out, more = *room ? 2 * *room : FIRST_ROOM;
	uint8_t *p;

	if (used > max)
		return -EFBIG;
	if (more > max + 1)
		more = max + 1;
	p = realloc(*bytes, more);
	if (!p)
		return -ENOMEM;
	*bytes = p;
	*room = more;
	s->next_out = p + used;
	s->avail_out = more - used;
	return 0;
}

static int unpack(lzma_stream *s, size_t max, uint8_t **bytes)
{
	lzma_ret ret = LZMA_OK;
	size_t room = 0;
	int err;

	while (ret == LZMA_OK) {
		if (!s->avail_out) {
			err = grow(s, max, bytes, &room);
			if (err)
				return err;
		}
		ret = lzma_code(s, LZMA_FINISH);
	}
	if (s->total_out > max)
		return -EFBIG;
	return error_of(ret);
}

int unxz(const uint8_t *packed, size_t len, size_t max, uint8_t **ret, size_t *ret_len)
{
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t *bytes = NULL;
	int err;

	if (lzma_stream_decoder(&s, MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	s.next_in = packed;
	s.avail_in = len;
	err = unpack(&s, max, &bytes);
	*ret_len = s.total_out;
	lzma_end(&s);
	if (err) {
		free(bytes);
		return err;
	}
	*ret = bytes;
	return 0;
}
