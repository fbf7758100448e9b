// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads perf-PID.map files, which processes write and which may have any content. Called
 * by jit.c with what was added since the last call.
 */
#include "symbols/symstore/perf_map.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "util/poison.h"

static bool hex(const char **at, const char *end, uint64_t *ret)
{
	const char *p = *at;
	uint64_t v = 0;
	int digits = 0;

	if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	for (; p < end && isxdigit((unsigned char)*p); p++, digits++)
		v = v << 4 | (uint64_t)(isdigit((unsigned char)*p) ? *p - '0' :
								   (*p | 0x20) - 'a' + 10);
	if (!digits || digits > 16 || p == end || *p != ' ')
		return false;
	while (p < end && *p == ' ')
		p++;
	*at = p;
	*ret = v;
	return true;
}

static int parse_line(struct jit_codes *c, const char *p, const char *end)
{
	struct jit_code code = { .lines = JIT_NO_LINES };
	uint64_t size;
	int err;

	if (end > p && end[-1] == '\r')
		end--;
	if (!hex(&p, end, &code.start) || !hex(&p, end, &size) || p == end ||
	    __builtin_add_overflow(code.start, size, &code.end))
		return 0;
	err = jit_codes_name(c, p, (size_t)(end - p), &code.name);
	return err ? err : jit_codes_add(c, &code);
}

int64_t perf_map_parse(struct jit_codes *c, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *newline;
	int err;

	while ((newline = memchr(p, '\n', (size_t)(end - p)))) {
		err = parse_line(c, p, newline);
		if (err)
			return err;
		p = newline + 1;
	}
	return p - text;
}
