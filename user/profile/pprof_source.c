// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a file field by field, and unpacks it if it is gzip'd. See
 * pprof_source.h; pprof_read.c calls it.
 */
#include "profile/pprof_source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/pprof.h"
#include "util/leb.h"

#include "util/poison.h"

#define WINDOW (64u << 10)
/* window bits for zlib: a gzip header, and the largest window */
#define GZIP_BITS (15 + 16)

int pprof_source_init(struct pprof_source *s, const void *bytes, size_t len, const char *name,
		      struct diag *diag)
{
	const uint8_t *p = bytes;

	*s = (struct pprof_source){ .bytes = bytes, .len = len, .name = name, .diag = diag };
	s->gzip = len >= 2 && p[0] == 0x1f && p[1] == 0x8b;
	if (s->gzip) {
		s->unpacked = malloc(WINDOW);
		if (!s->unpacked || inflateInit2(&s->z, GZIP_BITS) != Z_OK) {
			free(s->unpacked);
			s->unpacked = NULL;
			return diag_errno(diag, ENOMEM, name);
		}
	}
	pprof_source_rewind(s);
	return 0;
}

void pprof_source_release(struct pprof_source *s)
{
	if (s->unpacked)
		inflateEnd(&s->z);
	free(s->unpacked);
	free(s->field);
	*s = (struct pprof_source){ 0 };
}

void pprof_source_rewind(struct pprof_source *s)
{
	s->at = 0;
	s->offset = 0;
	s->ended = false;
	if (!s->gzip) {
		s->window = s->bytes;
		s->have = s->len;
		return;
	}
	s->window = s->unpacked;
	s->have = 0;
	inflateReset(&s->z);
	s->z.next_in = (uint8_t *)s->bytes;
	s->z.avail_in = 0;
}

__attribute__((__format__(__printf__, 3, 4)))
static int bad(struct pprof_source *s, int err, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(s->diag, err, s->name, "%s", text);
	if (s->diag)
		s->diag->offset = s->offset + s->at;
	return -err;
}

/* Return: number of packed bytes that zlib has not been given yet. */
static size_t left(const struct pprof_source *s)
{
	return (size_t)(s->bytes + s->len - s->z.next_in) - s->z.avail_in;
}

/* A file may consist of several gzip files, one after the other. */
static int end_member(struct pprof_source *s)
{
	if (!s->z.avail_in && !left(s)) {
		s->ended = true;
		return 0;
	}
	inflateReset(&s->z);
	return 0;
}

/* Unpacks the next part. Return: 1; 0 at the end; a negative errno. */
static int refill(struct pprof_source *s)
{
	int r;

	s->offset += s->have;
	s->at = s->have = 0;
	if (!s->gzip)
		return 0;
	while (!s->have && !s->ended) {
		size_t more = left(s);

		if (!s->z.avail_in)
			s->z.avail_in = more > WINDOW ? WINDOW : (uInt)more;
		s->z.next_out = s->unpacked;
		s->z.avail_out = WINDOW;
		r = inflate(&s->z, Z_NO_FLUSH);
		s->have = WINDOW - s->z.avail_out;
		if (r == Z_MEM_ERROR)
			return diag_errno(s->diag, ENOMEM, s->name);
		if (r == Z_BUF_ERROR || (r == Z_OK && !s->have && !left(s) && !s->z.avail_in))
			return bad(s, EBADMSG, "gzip's data ends too early");
		if (r != Z_OK && r != Z_STREAM_END)
			return bad(s, EBADMSG, "gzip's data is damaged: %s",
				   s->z.msg ? s->z.msg : "zlib gives no reason");
		if (s->offset + s->have > PPROF_MAX_BYTES)
			return bad(s, EFBIG, "unpacks to more than %llu bytes", PPROF_MAX_BYTES);
		if (r == Z_STREAM_END)
			end_member(s);
	}
	return s->have ? 1 : 0;
}

/* Return: 1; 0 at the end; a negative errno. */
static int next_byte(struct pprof_source *s, uint8_t *ret)
{
	int r = s->at < s->have ? 1 : refill(s);

	if (r > 0)
		*ret = s->window[s->at++];
	return r;
}

/*
 * Reads a number, which may cross windows. Return: 1; 0 at the end; a negative
 * errno.
 */
static int next_varint(struct pprof_source *s, uint64_t *ret)
{
	uint8_t bytes[LEB_MAX];
	unsigned int n = 0;
	int r;

	do {
		r = next_byte(s, &bytes[n]);
		if (r < 0 || (!r && !n))
			return r;
		if (!r)
			return bad(s, EBADMSG, "ends within a number");
	} while (bytes[n++] & 0x80 && n < LEB_MAX);
	if (!uleb_read(bytes, bytes + n, ret))
		return bad(s, EBADMSG, "a number has more than 64 bits");
	return 1;
}

/* Reads bytes. @to: NULL to skip them. */
static int next_bytes(struct pprof_source *s, uint8_t *to, uint64_t len)
{
	int r;

	while (len) {
		size_t n = s->have - s->at;

		if (!n) {
			r = refill(s);
			if (r < 0)
				return r;
			if (!r)
				return bad(s, EBADMSG, "ends within a field");
			continue;
		}
		if (n > len)
			n = (size_t)len;
		if (to) {
			memcpy(to, s->window + s->at, n);
			to += n;
		}
		s->at += n;
		len -= n;
	}
	return 1;
}

static int read_bytes(struct pprof_source *s, bool wanted, struct pprof_field *ret)
{
	uint64_t len;
	int r;

	r = next_varint(s, &len);
	if (!r)
		return bad(s, EBADMSG, "ends within a field");
	if (r < 0)
		return r;
	if (!wanted)
		return next_bytes(s, NULL, len);
	if (len > PPROF_MAX_FIELD)
		return bad(s, EFBIG, "field %u has %llu bytes, more than %u", ret->number,
			   (unsigned long long)len, PPROF_MAX_FIELD);
	if (len + 1 > s->field_room) {
		uint8_t *field = realloc(s->field, len + 1 + len / 2);

		if (!field)
			return diag_errno(s->diag, ENOMEM, s->name);
		s->field = field;
		s->field_room = len + 1 + len / 2;
	}
	r = next_bytes(s, s->field, len);
	s->field[len] = '\0';
	ret->bytes = s->field;
	ret->len = (size_t)len;
	return r;
}

int pprof_source_next(struct pprof_source *s, uint32_t wanted, struct pprof_field *ret)
{
	uint64_t tag;
	int r;

	*ret = (struct pprof_field){ .offset = s->offset + s->at };
	r = next_varint(s, &tag);
	if (r <= 0)
		return r;
	if (!(tag >> 3) || tag >> 3 >= 1u << 29)
		return bad(s, EBADMSG, "is not a pprof profile: there is no field %llu",
			   (unsigned long long)(tag >> 3));
	ret->number = (uint32_t)(tag >> 3);
	ret->type = tag & 7;
	switch (ret->type) {
	case PPROF_VARINT:
		r = next_varint(s, &ret->value);
		return r ? r : bad(s, EBADMSG, "ends within a field");
	case PPROF_FIXED64:
		return next_bytes(s, NULL, 8);
	case PPROF_FIXED32:
		return next_bytes(s, NULL, 4);
	case PPROF_BYTES:
		return read_bytes(s, ret->number < 32 && wanted >> ret->number & 1, ret);
	}
	return bad(s, EBADMSG, "is not a pprof profile: field %u has an unknown type",
		   ret->number);
}
