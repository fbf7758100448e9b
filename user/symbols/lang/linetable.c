// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads location tables of CPython. An entry is a byte with a code and a length, then
 * numbers, as many as the code needs. A number has six bits in each byte, least
 * significant first; bit 6 is set in all but its last byte. Bit 7 is set only in the
 * first byte of an entry.
 */
#include "symbols/lang/linetable.h"

#include <stdbool.h>

#include "util/poison.h"

#define ENTRY 0x80u
#define MORE 0x40u

enum code {
	CODE_ONE_LINE = 10,	/* 10 to 12: the line grows by the code minus 10 */
	CODE_NO_COLUMNS = 13,
	CODE_LONG = 14,
	CODE_NONE = 15,
};

struct table {
	const uint8_t *at;
	const uint8_t *end;
};

/* Reads a number. Return: false if it does not end or has more than 32 bits. */
static bool take_number(struct table *t, uint32_t *ret)
{
	uint64_t value = 0;
	unsigned int shift;

	for (shift = 0; shift < 36 && t->at < t->end && !(*t->at & ENTRY); shift += 6) {
		value |= (uint64_t)(*t->at & (MORE - 1)) << shift;
		if (!(*t->at++ & MORE)) {
			*ret = (uint32_t)value;
			return value <= UINT32_MAX;
		}
	}
	return false;
}

/* Reads a signed number: bit 0 is the sign. */
static bool take_signed(struct table *t, int64_t *ret)
{
	uint32_t value;

	if (!take_number(t, &value))
		return false;
	*ret = value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
	return true;
}

/* Reads by how many lines an entry changes the line. The caller skips the entry's rest. */
static bool take_delta(struct table *t, unsigned int code, int64_t *ret)
{
	*ret = 0;
	if (code == CODE_NO_COLUMNS || code == CODE_LONG)
		return take_signed(t, ret);
	if (code >= CODE_ONE_LINE && code < CODE_NO_COLUMNS)
		*ret = code - CODE_ONE_LINE;
	return true;
}

uint32_t linetable_line(const uint8_t *table, size_t len, uint32_t first_line, int64_t index)
{
	struct table t = { table, table + len };
	int64_t line = first_line, at = 0, delta;
	unsigned int code;

	if (index < 0)
		return first_line;
	while (t.at < t.end && *t.at & ENTRY) {
		code = *t.at >> 3 & 15;
		at += (*t.at & 7) + 1;
		t.at++;
		if (!take_delta(&t, code, &delta))
			return 0;
		line += delta;
		if (index < at)
			return code == CODE_NONE || line < 0 || line > INT32_MAX ? 0 : (uint32_t)line;
		/* skip the columns and the last line */
		while (t.at < t.end && !(*t.at & ENTRY))
			t.at++;
	}
	return 0;
}
