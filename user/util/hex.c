// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hexadecimal digits and base64, from text and to text.
 */
#include "util/hex.h"

#include "util/poison.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool hex_is_lower(const char *s, size_t len)
{
	for (; len; len--, s++)
		if ((*s < '0' || *s > '9') && (*s < 'a' || *s > 'f'))
			return false;
	return true;
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_bytes(const char *s, uint8_t *ret, size_t len)
{
	int high, low;

	for (; len; len--, s += 2) {
		high = hex_digit(s[0]);
		low = high < 0 ? -1 : hex_digit(s[1]);
		if (low < 0)
			return false;
		*ret++ = (uint8_t)(high << 4 | low);
	}
	return true;
}

void base64_write(const uint8_t *bytes, size_t len, char *ret)
{
	uint32_t v;
	size_t i;

	for (i = 0; i < len; i += 3) {
		v = (uint32_t)bytes[i] << 16;
		v |= i + 1 < len ? (uint32_t)bytes[i + 1] << 8 : 0;
		v |= i + 2 < len ? bytes[i + 2] : 0;
		*ret++ = digits[v >> 18];
		*ret++ = digits[v >> 12 & 63];
		*ret++ = i + 1 < len ? digits[v >> 6 & 63] : '=';
		*ret++ = i + 2 < len ? digits[v & 63] : '=';
	}
	*ret = '\0';
}

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool base64_read(const char *s, size_t len, uint8_t *ret, size_t *ret_len)
{
	unsigned int digit = 0, padding = 0;
	const char *end = s + len;
	uint32_t v = 0;
	int value;

	*ret_len = 0;
	for (; s < end; s++) {
		if (is_space(*s))
			continue;
		if (*s == '=') {
			padding++;
			continue;
		}
		value = base64_value(*s);
		if (value < 0 || padding)
			return false;
		v = v << 6 | (uint32_t)value;
		if (digit++ % 4)
			ret[(*ret_len)++] = (uint8_t)(v >> (6 - 2 * ((digit - 1) % 4)));
	}
	return digit % 4 != 1 && (!padding || (padding + digit) % 4 == 0) && padding < 3;
}
