// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a segment file: header, heads of records, definitions and samples. It also makes the bytes
 * of headers and heads for the writer. Checksums and limits are checked here, because the file may
 * come from anybody.
 */
#include "serve/store/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "serve/store/limits.h"
#include "util/array.h"

#include "util/poison.h"

#define VERSION 1u

static const char header_magic[8] = "USTKSEG\n";
static const char head_magic[4] = "USWD";

static uint64_t get(const uint8_t *at, unsigned int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | at[bytes];
	return v;
}

static void put(uint8_t *at, uint64_t v, unsigned int bytes)
{
	for (; bytes--; v >>= 8)
		*at++ = (uint8_t)v;
}

uint32_t store_crc(const void *bytes, size_t len)
{
	return (uint32_t)crc32_z(0, bytes, len);
}

__attribute__((__format__(__printf__, 4, 5)))
static int bad(const struct store_segment *s, uint64_t offset, struct diag *diag,
	       const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(diag, EBADMSG, s->dir, "%s: %s", s->name, text);
	if (diag)
		diag->offset = offset;
	return -EBADMSG;
}

static int system_said(const struct store_segment *s, int err, struct diag *diag)
{
	return diag_set(diag, err, s->dir, "%s: %s", s->name, strerror(err));
}

/* Return: number of bytes read, fewer than @len only at the end of the file; a negative errno. */
static ssize_t read_at(const struct store_segment *s, uint64_t offset, void *to, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = pread(s->fd, (uint8_t *)to + done, len - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

void store_header_put(const struct store_segment *s, uint8_t to[STORE_HEADER_BYTES])
{
	memset(to, 0, STORE_HEADER_BYTES);
	memcpy(to, header_magic, sizeof(header_magic));
	put(to + 8, VERSION, 4);
	put(to + 16, s->number, 8);
	put(to + 24, s->created_ns, 8);
	memcpy(to + 32, s->host, strnlen(s->host, STORE_HOST_BYTES));
	put(to + 124, store_crc(to, 124), 4);
}

static int read_header(struct store_segment *s, struct diag *diag)
{
	uint8_t h[STORE_HEADER_BYTES];
	ssize_t n = read_at(s, 0, h, sizeof(h));

	if (n < 0)
		return system_said(s, (int)-n, diag);
	if ((size_t)n < sizeof(h)) {
		bad(s, 0, diag, "the header is not whole");
		return -ENODATA;
	}
	if (memcmp(h, header_magic, sizeof(header_magic)))
		return bad(s, 0, diag, "not a segment of a store");
	if (get(h + 124, 4) != store_crc(h, 124))
		return bad(s, 124, diag, "the header's checksum is wrong");
	if (get(h + 8, 4) != VERSION) {
		bad(s, 8, diag, "version %" PRIu64 ", which this program does not know",
		    get(h + 8, 4));
		return -ENOTSUP;
	}
	if (get(h + 16, 8) != s->number)
		return bad(s, 16, diag, "its number is not that of its name");
	s->created_ns = get(h + 24, 8);
	memcpy(s->host, h + 32, STORE_HOST_BYTES);
	s->end = STORE_HEADER_BYTES;
	return 0;
}

int store_segment_open(int dirfd, const char *dir, uint64_t number, int flags,
		       struct store_segment **ret, struct diag *diag)
{
	struct store_segment *s = reallocarray(NULL, 1, sizeof(*s));
	struct stat st;
	int err = 0;

	if (!s)
		return diag_errno(diag, ENOMEM, dir);
	*s = (struct store_segment){ .dir = dir, .number = number };
	snprintf(s->name, sizeof(s->name), "%016" PRIx64 ".seg", number);
	s->fd = openat(dirfd, s->name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st))
		err = system_said(s, errno, diag);
	else if (!S_ISREG(st.st_mode))
		err = bad(s, 0, diag, "not a regular file");
	else
		err = read_header(s, diag);
	if (!err) {
		s->defs = profile_new();
		s->zstd = ZSTD_createDCtx();
		if (!s->defs || !s->zstd)
			err = diag_errno(diag, ENOMEM, dir);
	}
	if (!err)
		*ret = s;
	else
		store_segment_free(s);
	return err;
}

void store_segment_free(struct store_segment *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	profile_free(s->defs);
	ZSTD_freeDCtx(s->zstd);
	buffer_release(&s->tail);
	buffer_release(&s->stored);
	buffer_release(&s->unpacked);
	free(s->heads);
	free(s);
}

static void put_part(uint8_t *at, const struct store_part *p)
{
	put(at, p->stored, 4);
	put(at + 4, p->raw, 4);
}

void store_head_put(const struct store_segment *s, uint32_t record, const struct store_head *h,
		    uint8_t to[STORE_HEAD_BYTES])
{
	memset(to, 0, STORE_HEAD_BYTES);
	memcpy(to, head_magic, sizeof(head_magic));
	put(to + 8, record, 4);
	put(to + 16, s->number, 8);
	put(to + 24, h->time_ns, 8);
	put(to + 32, h->duration_ns, 8);
	put_part(to + 40, &h->definitions);
	put_part(to + 48, &h->samples);
	put(to + 56, h->definitions.crc, 4);
	put(to + 60, h->samples.crc, 4);
	put(to + 4, store_crc(to + 8, STORE_HEAD_BYTES - 8), 4);
}

/* Decodes a record's head. Return: NULL, or the reason why it is no head of this segment. */
static const char *take_head(const struct store_segment *s, const uint8_t *at,
			     struct store_head *h, uint32_t *record)
{
	if (memcmp(at, head_magic, sizeof(head_magic)))
		return "no record begins here";
	if (get(at + 4, 4) != store_crc(at + 8, STORE_HEAD_BYTES - 8))
		return "the checksum of a record's head is wrong";
	if (get(at + 16, 8) != s->number)
		return "a record of another segment";
	*record = (uint32_t)get(at + 8, 4);
	h->time_ns = get(at + 24, 8);
	h->duration_ns = get(at + 32, 8);
	h->definitions = (struct store_part){ (uint32_t)get(at + 40, 4), (uint32_t)get(at + 44, 4),
					      (uint32_t)get(at + 56, 4) };
	h->samples = (struct store_part){ (uint32_t)get(at + 48, 4), (uint32_t)get(at + 52, 4),
					  (uint32_t)get(at + 60, 4) };
	if (h->definitions.raw > STORE_MAX_DEFINITIONS || h->samples.raw > STORE_MAX_SAMPLES_BYTES ||
	    h->definitions.stored > ZSTD_compressBound(h->definitions.raw) ||
	    h->samples.stored > ZSTD_compressBound(h->samples.raw))
		return "a record is larger than the format allows";
	return NULL;
}

int store_segment_scan(struct store_segment *s, struct diag *diag)
{
	uint8_t bytes[STORE_HEAD_BYTES];
	struct store_head h;
	const char *why;
	struct stat st;
	uint32_t record;
	uint64_t left;
	ssize_t n;

	for (;;) {
		n = read_at(s, s->end, bytes, sizeof(bytes));
		if (n < 0)
			return system_said(s, (int)-n, diag);
		if ((size_t)n < sizeof(bytes))
			return n ? STORE_SHORT : 0;
		why = take_head(s, bytes, &h, &record);
		if (!why && record != s->nr)
			why = "a record before this one is missing";
		if (why)
			return bad(s, s->end, diag, "%s", why);
		if (fstat(s->fd, &st))
			return system_said(s, errno, diag);
		h.offset = s->end;
		left = (uint64_t)st.st_size < s->end ? 0 : (uint64_t)st.st_size - s->end;
		if (left < (uint64_t)STORE_HEAD_BYTES + h.definitions.stored + h.samples.stored)
			return STORE_SHORT;
		if (!array_has_room(s->heads, s->nr, s->room))
			return diag_errno(diag, ENOMEM, s->dir);
		s->heads[s->nr++] = h;
		s->end += STORE_HEAD_BYTES + h.definitions.stored + h.samples.stored;
	}
}

void store_segment_unscan(struct store_segment *s)
{
	if (s->nr == s->loaded)
		return;
	s->nr = s->loaded;
	s->end = s->heads[s->nr].offset;
}

/* Reads a packed part to @s->stored, and checks its checksum. */
static int read_part(struct store_segment *s, const struct store_part *p, uint64_t offset,
		     struct diag *diag)
{
	ssize_t n;

	s->stored.len = 0;
	if (!buffer_begin(&s->stored, p->stored + 1ul))
		return diag_errno(diag, ENOMEM, s->dir);
	n = read_at(s, offset, s->stored.at, p->stored);
	if (n < 0)
		return system_said(s, (int)-n, diag);
	if ((size_t)n < p->stored || store_crc(s->stored.at, p->stored) != p->crc)
		return bad(s, offset, diag, "the checksum of a record is wrong");
	return 0;
}

int store_segment_remember(struct store_segment *s, const void *definitions, size_t len)
{
	size_t keep, take = len < STORE_TAIL_BYTES ? len : STORE_TAIL_BYTES;

	if (!len)
		return 0;
	if (!buffer_begin(&s->tail, take))
		return -ENOMEM;
	keep = s->tail.len < STORE_TAIL_BYTES - take ? s->tail.len : STORE_TAIL_BYTES - take;
	memmove(s->tail.at, s->tail.at + s->tail.len - keep, keep);
	s->tail.len = keep;
	buffer_put(&s->tail, (const uint8_t *)definitions + len - take, take);
	return 0;
}

/* Reads a part and unpacks it to @s->unpacked. */
static int unpack_part(struct store_segment *s, const struct store_part *p, uint64_t offset,
		       const struct buffer *prefix, struct diag *diag)
{
	int err = read_part(s, p, offset, diag);
	size_t n;

	if (err)
		return err;
	s->unpacked.len = 0;
	if (!buffer_begin(&s->unpacked, p->raw + 1ul))
		return diag_errno(diag, ENOMEM, s->dir);
	if (!p->raw && !p->stored)
		return 0;
	/* a prefix is valid for one frame only; NULL means none */
	n = ZSTD_DCtx_refPrefix(s->zstd, prefix ? prefix->at : NULL, prefix ? prefix->len : 0);
	if (ZSTD_isError(n))
		return diag_errno(diag, ENOMEM, s->dir);
	n = ZSTD_decompressDCtx(s->zstd, s->unpacked.at, p->raw, s->stored.at, p->stored);
	if (ZSTD_isError(n) || n != p->raw)
		return bad(s, offset, diag, "a record does not unpack: %s",
			   ZSTD_isError(n) ? ZSTD_getErrorName(n) : "too short");
	return 0;
}

static int load_one(struct store_segment *s, const struct store_head *h, struct diag *diag)
{
	uint64_t offset = h->offset + STORE_HEAD_BYTES;
	const char *why = NULL;
	int err;

	if (h->definitions.raw > STORE_MAX_DEFINITIONS - s->raw)
		return bad(s, h->offset, diag, "more definitions than a segment may have");
	err = unpack_part(s, &h->definitions, offset, &s->tail, diag);
	if (err)
		return err;
	err = store_take_definitions(s->defs, s->unpacked.at, h->definitions.raw, &why);
	if (!err)
		err = store_segment_remember(s, s->unpacked.at, h->definitions.raw);
	if (!err) {
		s->raw += h->definitions.raw;
		return 0;
	}
	return err == -EBADMSG ? bad(s, offset, diag, "%s", why) : diag_errno(diag, -err, s->dir);
}

/*
 * Loads the definitions of all known records. On failure it frees @defs, which may have a part of
 * the bad record. Return: as store_segment_load().
 */
static int load_all(struct store_segment *s, struct diag *diag)
{
	int err = 0;

	if (!s->defs) {
		s->loaded = 0;
		s->raw = 0;
		s->tail.len = 0;
		s->defs = profile_new();
		if (!s->defs)
			return diag_errno(diag, ENOMEM, s->dir);
	}
	for (; s->loaded < s->nr; s->loaded++) {
		err = load_one(s, &s->heads[s->loaded], diag);
		if (err)
			break;
	}
	if (store_is_bad(err)) {
		s->nr = s->loaded;
		s->end = s->heads[s->nr].offset;
	}
	if (err) {
		profile_free(s->defs);
		s->defs = NULL;
		s->loaded = 0;
	}
	return err;
}

int store_segment_load(struct store_segment *s, struct diag *diag)
{
	int err = load_all(s, diag), again;

	if (!store_is_bad(err))
		return err;
	/* load the records before the bad one again, since @defs has been freed */
	again = load_all(s, NULL);
	return again ? diag_errno(diag, -again, s->dir) : err;
}

int store_segment_samples(struct store_segment *s, uint32_t record, struct store_samples *ret,
			  struct diag *diag)
{
	const struct store_head *h = &s->heads[record];
	uint64_t offset = h->offset + STORE_HEAD_BYTES + h->definitions.stored;
	const char *why = NULL;
	int err = unpack_part(s, &h->samples, offset, NULL, diag);

	if (err)
		return err;
	err = store_take_samples(s->defs, s->unpacked.at, h->samples.raw, ret, &why);
	if (err == -EBADMSG)
		return bad(s, offset, diag, "%s", why);
	return err ? diag_errno(diag, -err, s->dir) : 0;
}

int store_segment_check(struct store_segment *s, uint32_t record, struct diag *diag)
{
	const struct store_head *h = &s->heads[record];
	uint64_t offset = h->offset + STORE_HEAD_BYTES;
	int err = read_part(s, &h->definitions, offset, diag);

	return err ? err :
		     read_part(s, &h->samples, offset + h->definitions.stored, diag);
}

int64_t store_segment_later(struct store_segment *s)
{
	enum { PIECE = 1 << 20 };
	uint8_t *bytes = reallocarray(NULL, PIECE, 1);
	uint64_t at = s->end;
	struct store_head h;
	int64_t ret = 0;
	uint32_t record;
	ssize_t n, i;

	if (!bytes)
		return -ENOMEM;
	for (;; at += (uint64_t)n - STORE_HEAD_BYTES + 1) {
		n = read_at(s, at, bytes, PIECE);
		if (n < (ssize_t)STORE_HEAD_BYTES)
			break;
		for (i = 0; i + (ssize_t)STORE_HEAD_BYTES <= n && !ret; i++)
			if (!take_head(s, bytes + i, &h, &record) && record > s->nr)
				ret = (int64_t)at + i;
		if (ret)
			break;
	}
	free(bytes);
	return n < 0 ? n : ret;
}
