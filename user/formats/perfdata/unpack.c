// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks records that perf packed: one stream of zstd for the whole file, in
 * pieces, each within a record. An unpacked record may begin in one piece and
 * end in the next.
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

/* Room for a record after an incomplete one. */
#define OUT_BYTES (2 * FORMAT_RECORD_MAX)

/**
 * struct perfdata_unpack - the stream
 * @z: zstd's state
 * @in: packed bytes of one record
 * @nr_in: number of bytes in @in
 * @in_at: number of bytes in @in that zstd has taken
 * @out: unpacked bytes; records from @out_at on
 * @nr_out: number of bytes in @out
 * @out_at: offset in @out of the next record
 * @more: zstd may have more output without more input
 */
struct perfdata_unpack {
	ZSTD_DStream *z;
	uint8_t in[FORMAT_RECORD_MAX];
	size_t nr_in;
	size_t in_at;
	uint8_t out[OUT_BYTES];
	size_t nr_out;
	size_t out_at;
	bool more;
};

void perfdata_unpack_free(struct perfdata_unpack *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->z);
	free(u);
}

int perfdata_unpack_put(struct perfdata_unpack **ret, const uint8_t *bytes, size_t len)
{
	struct perfdata_unpack *u = *ret;

	if (!u) {
		u = calloc(1, sizeof(*u));
		if (!u)
			return -ENOMEM;
		u->z = ZSTD_createDStream();
		if (!u->z || ZSTD_isError(ZSTD_initDStream(u->z))) {
			perfdata_unpack_free(u);
			return -ENOMEM;
		}
		*ret = u;
	}
	memcpy(u->in, bytes, len);
	u->nr_in = len;
	u->in_at = 0;
	return 0;
}

/* Return: 1 if there are more bytes now; 0; -EBADMSG. */
static int unpack(struct perfdata_unpack *u, const char **why)
{
	ZSTD_inBuffer in = { u->in, u->nr_in, u->in_at };
	ZSTD_outBuffer out = { u->out, OUT_BYTES, 0 };
	size_t r;

	memmove(u->out, u->out + u->out_at, u->nr_out - u->out_at);
	u->nr_out -= u->out_at;
	u->out_at = 0;
	if (in.pos == in.size && !u->more)
		return 0;
	out.pos = u->nr_out;
	r = ZSTD_decompressStream(u->z, &out, &in);
	if (ZSTD_isError(r)) {
		*why = ZSTD_getErrorName(r);
		return -EBADMSG;
	}
	u->in_at = in.pos;
	u->more = out.pos == out.size;
	r = out.pos - u->nr_out;
	u->nr_out = out.pos;
	return r || u->in_at < u->nr_in;
}

int perfdata_unpack_next(struct perfdata_unpack *u, uint8_t *to, const char **why)
{
	struct perf_event_header h;
	int r;

	for (;;) {
		size_t left = u->nr_out - u->out_at;

		if (left >= sizeof(h)) {
			memcpy(&h, u->out + u->out_at, sizeof(h));
			if (h.size < sizeof(h)) {
				*why = "a record is shorter than its header";
				return -EBADMSG;
			}
			if (left >= h.size) {
				memcpy(to, u->out + u->out_at, h.size);
				u->out_at += h.size;
				return 1;
			}
		}
		r = unpack(u, why);
		if (r <= 0)
			return r;
	}
}

size_t perfdata_unpack_rest(const struct perfdata_unpack *u)
{
	return u ? u->nr_out - u->out_at : 0;
}
