// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts of any bytes made short: never longer, done the first time, and nothing but the
 * text counts. The room that it works in has the exact size.
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
