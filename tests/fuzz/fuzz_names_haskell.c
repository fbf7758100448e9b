// SPDX-License-Identifier: GPL-2.0-only
/*
 * Haskell's names with any bytes. The text fits its buffer and contains no NUL;
 * it is the same in any buffer that is large enough, and there is none in a
 * smaller one.
 *
 * The first byte chooses the start of the name and the size of the buffer.
 */
#include "fuzz.h"

#include "formats/names/languages.h"

static size_t decode(const char *name, size_t room, char **ret)
{
	char *text = *ret = malloc(room);
	size_t len = haskell_name(name, text, room);

	must(len < room);
	must(!len || strlen(text) == len);
	return len;
}

static void check(const char *name, size_t room)
{
	size_t all = 20 * strlen(name) + 64, len, less;
	char *text, *small;

	len = decode(name, all, &text);
	less = decode(name, room, &small);
	must(less == (len < room ? len : 0));
	must(!less || !memcmp(text, small, len));
	free(text);
	free(small);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const char *start = size && data[0] & 1 ? "base_GHCziList_" : "";
	char *name = malloc(size + strlen(start) + 1);

	strcpy(name, start);
	if (size)
		memcpy(name + strlen(start), data + 1, size - 1);
	name[strlen(start) + (size ? size - 1 : 0)] = '\0';
	check(name, 1 + (size ? data[0] >> 2 : 0));
	free(name);
	return 0;
}
