// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers, paths and bytes as text for people (util/text.h).
 */
#include "util/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/poison.h"

/* Whether @s is one of U+0080 to U+009F, two bytes. Terminals interpret some of them. */
static bool is_c1(const char *s)
{
	return (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] >= 0x80 &&
	       (unsigned char)s[1] < 0xa0;
}

const char *text_escape(const char *s, char *buf, size_t len)
{
	/* bytes of @s before this belong to a C1 character and are escaped */
	const char *c1 = s;
	size_t n = 0;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (len - n < 5)
			break;
		if (is_c1(s))
			c1 = s + 2;
		if (c < ' ' || c == 0x7f || c == '\\' || s < c1)
			n += (size_t)snprintf(buf + n, len - n, "\\%03o", c);
		else
			buf[n++] = *s;
	}
	buf[n] = '\0';
	return buf;
}

const char *text_bytes(uint64_t bytes, char buf[TEXT_SHORT])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB" };
	double v = (double)bytes / 1024;
	unsigned int i = 0;

	if (bytes < 1024) {
		snprintf(buf, TEXT_SHORT, "%" PRIu64 " bytes", bytes);
		return buf;
	}
	while (v >= 1024 && i < sizeof(units) / sizeof(units[0]) - 1) {
		v /= 1024;
		i++;
	}
	snprintf(buf, TEXT_SHORT, "%.1f %s", v, units[i]);
	return buf;
}

const char *text_share(uint64_t part, uint64_t whole, char buf[TEXT_SHORT])
{
	uint64_t share;

	if (!whole) {
		snprintf(buf, TEXT_SHORT, "-");
		return buf;
	}
	/* hundredths of a percent */
	share = (uint64_t)((__uint128_t)part * 10000 / whole);
	snprintf(buf, TEXT_SHORT, "%" PRIu64 ".%02u %%", share / 100,
		 (unsigned int)(share % 100));
	return buf;
}

const char *text_hex(const uint8_t *bytes, size_t n, char *buf, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < n && 2 * i + 2 < len; i++) {
		buf[2 * i] = digits[bytes[i] >> 4];
		buf[2 * i + 1] = digits[bytes[i] & 15];
	}
	buf[2 * i] = '\0';
	return buf;
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
