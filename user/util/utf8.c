// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks UTF-8, and replaces bytes that are not (util/utf8.h).
 */
#include "util/utf8.h"

#include <string.h>

#include "util/poison.h"

unsigned int utf8_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned int i, n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, beyond U+10FFFF */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

bool utf8_valid(const char *s)
{
	unsigned int n;

	for (; *s; s += n) {
		n = utf8_len(s);
		if (!n)
			return false;
	}
	return true;
}

size_t utf8_repair(const char *s, char *to)
{
	char *start = to;
	unsigned int n;

	while (*s) {
		n = utf8_len(s);
		if (n) {
			memcpy(to, s, n);
			to += n;
			s += n;
		} else {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
			s++;
		}
	}
	*to = '\0';
	return (size_t)(to - start);
}
