// SPDX-License-Identifier: GPL-2.0-only
/* Parses version numbers of language runtimes. */
#include "symbols/lang/version.h"

/* Reads up to three decimal digits at *@s, before @end. */
static bool number(const u8 **s, const u8 *end, u32 *ret)
{
	const u8 *from = *s;

	for (*ret = 0; *s < end && *s - from < 3 && **s >= '0' && **s <= '9'; (*s)++)
		*ret = *ret * 10 + (**s - '0');
	return *s != from && *ret < 256;
}

u32 lang_version_parse(const u8 *s, const u8 *end)
{
	u32 part[3], i;

	for (i = 0; i < 3; i++) {
		if (i && (s == end || *s++ != '.'))
			return 0;
		if (!number(&s, end, &part[i]))
			return 0;
	}
	return part[0] << 24 | part[1] << 16 | part[2] << 8;
}
