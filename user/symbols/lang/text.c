// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes characters and strings of a process as UTF-8, and reads the parts of strings
 * that count for a fingerprint. Used by all readers of languages.
 */
#include "symbols/lang/text.h"

#include "util/utf8.h"
#include "util/poison.h"

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == '\\';
}

char *lang_text_put(char *to, uint32_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = LANG_TEXT_REPLACEMENT;
	if (is_control(c)) {
		*to++ = '\\';
		*to++ = (char)('0' + (c >> 6));
		*to++ = (char)('0' + (c >> 3 & 7));
		*to++ = (char)('0' + (c & 7));
	} else if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

uint32_t lang_text_character(const char *s, unsigned int len)
{
	static const uint8_t first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07, 0, 0, 0 };
	uint32_t c = (uint8_t)s[0] & first[len & 7];
	unsigned int i;

	for (i = 1; i < len; i++)
		c = c << 6 | ((uint8_t)s[i] & 63);
	return c;
}

char *lang_text_utf8(char *to, const char *bytes, size_t len, bool more)
{
	const char *s = bytes;

	while (s < bytes + len) {
		unsigned int n = *s ? utf8_len(s) : 1;

		to = lang_text_put(to, n ? lang_text_character(s, n) : LANG_TEXT_REPLACEMENT);
		s += n ? n : 1;
	}
	if (more)
		to = lang_text_put(to, LANG_TEXT_MORE);
	*to = '\0';
	return to;
}

bool lang_ends_of(const struct lang_memory *m, uint64_t at, struct lang_ends *ret)
{
	const struct peek_range ends[] = {
		{ at, ret->head, LANG_ENDS_BYTES },
		{ at + ret->len - LANG_ENDS_BYTES, ret->tail, LANG_ENDS_BYTES },
	};

	if (ret->len <= LANG_ENDS_BYTES)
		return lang_memory_read(m, at, ret->head, ret->len);
	return lang_memory_read_ranges(m, ends, 2);
}
