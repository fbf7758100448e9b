// SPDX-License-Identifier: GPL-2.0-only
#include "lang/text.h"

#include <stdbool.h>

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
