// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes base64, JSON texts, protocol buffers and gzip into buffers that grow. A failure is kept in
 * the buffer (@failed), so callers check once at the end.
 */
#include "serve/push/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/hex.h"
#include "util/utf8.h"

#include "util/poison.h"

#define WIRE_VARINT 0u
#define WIRE_FIXED64 1u
#define WIRE_BYTES 2u
/* Bytes for the length of a message whose length is not known yet: enough for 256 MB. */
#define LENGTH_BYTES 4u
/* windowBits of zlib: 15 is the largest window, 16 asks for a gzip header */
#define GZIP_BITS (15 + 16)
#define GZIP_MEMORY 8

void push_put_base64(struct buffer *b, const void *bytes, size_t len)
{
	uint8_t *to = buffer_begin(b, BASE64_LEN(len) + 1);

	if (!to)
		return;
	base64_write(bytes, len, (char *)to);
	buffer_end(b, to + BASE64_LEN(len));
}

static void put_escaped(struct buffer *b, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";
	const char text[6] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15] };

	buffer_put(b, text, sizeof(text));
}

void push_put_json(struct buffer *b, const char *text)
{
	unsigned int n;

	buffer_text(b, "\"");
	for (; *text; text += n) {
		n = utf8_len(text);
		if (!n)
			buffer_text(b, "\\ufffd");
		else if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
			put_escaped(b, (unsigned char)*text);
		else
			buffer_put(b, text, n);
		n += !n;
	}
	buffer_text(b, "\"");
}

static void put_tag(struct buffer *b, uint32_t field, uint32_t wire)
{
	buffer_uleb(b, (uint64_t)field << 3 | wire);
}

void push_put_number_always(struct buffer *b, uint32_t field, uint64_t value)
{
	put_tag(b, field, WIRE_VARINT);
	buffer_uleb(b, value);
}

void push_put_number(struct buffer *b, uint32_t field, uint64_t value)
{
	if (value)
		push_put_number_always(b, field, value);
}

void push_put_fixed64(struct buffer *b, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	put_tag(b, field, WIRE_FIXED64);
	buffer_fixed(b, value, sizeof(value));
}

void push_put_field(struct buffer *b, uint32_t field, const void *bytes, size_t len)
{
	put_tag(b, field, WIRE_BYTES);
	buffer_counted(b, bytes, len);
}

void push_put_string(struct buffer *b, uint32_t field, const char *text)
{
	size_t len = strlen(text);
	char *mended;

	if (!len)
		return;
	if (utf8_valid(text)) {
		push_put_field(b, field, text, len);
		return;
	}
	mended = malloc(UTF8_REPAIR_BYTES(len));
	if (mended)
		push_put_field(b, field, mended, utf8_repair(text, mended));
	else
		b->failed = true;
	free(mended);
}

size_t push_message(struct buffer *b, uint32_t field)
{
	static const uint8_t length[LENGTH_BYTES];

	put_tag(b, field, WIRE_BYTES);
	buffer_put(b, length, LENGTH_BYTES);
	return b->len;
}

/* The length always has LENGTH_BYTES bytes: all but the last have the bit that says more follow. */
void push_message_end(struct buffer *b, size_t message)
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

int push_gzip(struct buffer *b, struct diag *diag)
{
	struct buffer out = { 0 };
	z_stream z = { 0 };
	int r = Z_MEM_ERROR;

	if (b->failed || b->len > UINT32_MAX ||
	    deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return diag_errno(diag, ENOMEM, NULL);
	if (buffer_begin(&out, deflateBound(&z, b->len))) {
		z.next_in = b->at;
		z.avail_in = (uInt)b->len;
		z.next_out = out.at;
		z.avail_out = (uInt)out.room;
		r = deflate(&z, Z_FINISH);
		out.len = z.total_out;
	}
	deflateEnd(&z);
	if (r != Z_STREAM_END) {
		buffer_release(&out);
		return diag_errno(diag, ENOMEM, NULL);
	}
	buffer_release(b);
	*b = out;
	return 0;
}
