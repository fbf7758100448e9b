// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shortening of any text: the result is never longer, shortening it again
 * changes nothing, and only the text counts. Working memory has the exact size.
 */
#include "fuzz.h"

#include "formats/names/stl.h"

static char *shorten(const char *name, int junk)
{
	struct stl *stl = malloc(sizeof(*stl));
	size_t room = strlen(name) + 1, len;
	char *out = malloc(room);

	memset(stl, junk, sizeof(*stl));
	len = stl_shorten(stl, name, out);
	must(len < room && strlen(out) == len);
	free(stl);
	return out;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *name = malloc(size + 1), *once, *other, *twice;

	memcpy(name, data, size);
	name[size] = '\0';
	once = shorten(name, 0);
	other = shorten(name, 0xa5);
	must(!strcmp(once, other));
	twice = shorten(once, 0);
	must(!strcmp(once, twice));
	free(name);
	free(once);
	free(other);
	free(twice);
	return 0;
}
