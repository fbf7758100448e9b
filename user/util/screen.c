// SPDX-License-Identifier: GPL-2.0-only
/*
 * Escapes foreign texts before they go to a terminal (util/screen.h).
 */
#include "util/screen.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#include "util/poison.h"

static uint32_t code_point(const char *s, unsigned int n)
{
	static const uint8_t first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = (unsigned char)s[0] & first[n];
	unsigned int i;

	for (i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

/*
 * Whether a terminal may interpret @c: Unicode's general categories Cc, Zl and
 * Zp, and the explicit formatting characters of its annex 9.
 */
static bool is_obeyed(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* Writes one character, escaped if needed. Return: number of bytes of @s that it has. */
static unsigned int put(const char *s, char ret[20])
{
	unsigned int n = utf8_len(s), i, taken = n ? n : 1;

	if (n && *s != '\\' && !is_obeyed(code_point(s, n))) {
		memcpy(ret, s, n);
		ret[n] = '\0';
		return n;
	}
	for (i = 0; i < taken; i++)
		snprintf(ret + (size_t)4 * i, 5, "\\%03o", (unsigned char)s[i]);
	return taken;
}

const char *screen_text(const char *s, char *buf, size_t len)
{
	char one[20];
	size_t n = 0, add;

	while (*s) {
		s += put(s, one);
		add = strlen(one);
		if (len - n <= add)
			break;
		memcpy(buf + n, one, add);
		n += add;
	}
	buf[n] = '\0';
	return buf;
}

const char *screen_column(const char *s, unsigned int cells, char *buf, size_t len)
{
	unsigned int cell = 0;
	size_t n = 0;

	screen_text(s, buf, len);
	while (buf[n] && cell < cells) {
		n += utf8_len(buf + n);
		cell++;
	}
	for (; cell < cells && n + 1 < len; cell++)
		buf[n++] = ' ';
	buf[n] = '\0';
	return buf;
}
