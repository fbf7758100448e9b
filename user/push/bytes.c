// SPDX-License-Identifier: GPL-2.0
#include "push/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/utf8.h"

#include "util/poison.h"

#define FIRST_ROOM 4096u
#define WIRE_VARINT 0u
#define WIRE_FIXED64 1u
#define WIRE_BYTES 2u
#define MAX_VARINT 10u
/* Of a message whose length is not known yet: enough for 256 MB. */
#define LENGTH_BYTES 4u
/* zlib: gzip's header, and the largest window */
#define GZIP_BITS (15 + 16)
#define GZIP_MEMORY 8

void push_bytes_release(struct push_bytes *b)
{
	free(b->at);
	*b = (struct push_bytes){ 0 };
}

static bool has_room(struct push_bytes *b, size_t len)
{
	size_t want = b->room ? b->room : FIRST_ROOM;
	uint8_t *more;

	if (b->failed)
		return false;
	if (b->room - b->len >= len)
		return true;
	while (want - b->len < len && want <= SIZE_MAX / 2)
		want *= 2;
	more = want - b->len < len ? NULL : realloc(b->at, want);
	if (!more) {
		b->failed = true;
		return false;
	}
	b->at = more;
	b->room = want;
	return true;
}

void push_put(struct push_bytes *b, const void *bytes, size_t len)
{
	if (!len || !has_room(b, len))
		return;
	memcpy(b->at + b->len, bytes, len);
	b->len += len;
}

void push_put_text(struct push_bytes *b, const char *text)
{
	push_put(b, text, strlen(text));
}

void push_put_base64(struct push_bytes *b, const void *bytes, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *p = bytes;
	uint8_t *to;
	uint32_t v;

	if (!has_room(b, (len + 2) / 3 * 4))
		return;
	to = b->at + b->len;
	for (; len; p += 3) {
		v = (uint32_t)p[0] << 16 | (len > 1 ? (uint32_t)p[1] << 8 : 0) | (len > 2 ? p[2] : 0);
		*to++ = (uint8_t)digits[v >> 18];
		*to++ = (uint8_t)digits[v >> 12 & 63];
		*to++ = len > 1 ? (uint8_t)digits[v >> 6 & 63] : '=';
		*to++ = len > 2 ? (uint8_t)digits[v & 63] : '=';
		len -= len > 3 ? 3 : len;
	}
	b->len = (size_t)(to - b->at);
}

static void put_escaped(struct push_bytes *b, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";
	const char text[6] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15] };

	push_put(b, text, sizeof(text));
}

void push_put_json(struct push_bytes *b, const char *text)
{
	unsigned int n;

	push_put_text(b, "\"");
	for (; *text; text += n) {
		n = utf8_len(text);
		if (!n)
			push_put_text(b, "\\ufffd");
		else if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
			put_escaped(b, (unsigned char)*text);
		else
			push_put(b, text, n);
		n += !n;
	}
	push_put_text(b, "\"");
}

void push_put_varint(struct push_bytes *b, uint64_t value)
{
	uint8_t bytes[MAX_VARINT];
	size_t n = 0;

	for (; value > 127; value >>= 7)
		bytes[n++] = (uint8_t)(value | 128);
	bytes[n++] = (uint8_t)value;
	push_put(b, bytes, n);
}

static void put_tag(struct push_bytes *b, uint32_t field, uint32_t wire)
{
	push_put_varint(b, (uint64_t)field << 3 | wire);
}

void push_put_number_always(struct push_bytes *b, uint32_t field, uint64_t value)
{
	put_tag(b, field, WIRE_VARINT);
	push_put_varint(b, value);
}

void push_put_number(struct push_bytes *b, uint32_t field, uint64_t value)
{
	if (value)
		push_put_number_always(b, field, value);
}

void push_put_fixed64(struct push_bytes *b, uint32_t field, uint64_t value)
{
	uint8_t bytes[8];
	unsigned int i;

	if (!value)
		return;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	put_tag(b, field, WIRE_FIXED64);
	push_put(b, bytes, sizeof(bytes));
}

void push_put_field(struct push_bytes *b, uint32_t field, const void *bytes, size_t len)
{
	put_tag(b, field, WIRE_BYTES);
	push_put_varint(b, len);
	push_put(b, bytes, len);
}

void push_put_string(struct push_bytes *b, uint32_t field, const char *text)
{
	size_t len = strlen(text);
	char *mended;

	if (!len)
		return;
	if (utf8_valid(text)) {
		push_put_field(b, field, text, len);
		return;
	}
	mended = malloc(UTF8_MEND_BYTES(len));
	if (mended)
		push_put_field(b, field, mended, utf8_mend(text, mended));
	else
		b->failed = true;
	free(mended);
}

size_t push_message(struct push_bytes *b, uint32_t field)
{
	static const uint8_t length[LENGTH_BYTES];

	put_tag(b, field, WIRE_BYTES);
	push_put(b, length, LENGTH_BYTES);
	return b->len;
}

/* The length always has its four bytes, of which all but the last say that more follow. */
void push_message_end(struct push_bytes *b, size_t message)
{
	size_t len = b->len - message;
	unsigned int i;

	if (len >> 7 * LENGTH_BYTES)
		b->failed = true;
	if (b->failed)
		return;
	for (i = 0; i < LENGTH_BYTES; i++)
		b->at[message - LENGTH_BYTES + i] =
			(uint8_t)(len >> 7 * i & 127) | (i + 1 < LENGTH_BYTES ? 128 : 0);
}

int push_gzip(struct push_bytes *b, struct diag *diag)
{
	struct push_bytes out = { 0 };
	z_stream z = { 0 };
	int r = Z_MEM_ERROR;

	if (b->failed || b->len > UINT32_MAX ||
	    deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return diag_errno(diag, ENOMEM, NULL);
	if (has_room(&out, deflateBound(&z, b->len))) {
		z.next_in = b->at;
		z.avail_in = (uInt)b->len;
		z.next_out = out.at;
		z.avail_out = (uInt)out.room;
		r = deflate(&z, Z_FINISH);
		out.len = z.total_out;
	}
	deflateEnd(&z);
	if (r != Z_STREAM_END) {
		push_bytes_release(&out);
		return diag_errno(diag, ENOMEM, NULL);
	}
	push_bytes_release(b);
	*b = out;
	return 0;
}
