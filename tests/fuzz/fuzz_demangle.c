// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of any bytes, in all languages and styles: the demangled text is within
 * the bounds and always the same, and so is the text after the arguments of
 * templates are left out. A name that takes ten seconds fails by -timeout.
 *
 * The first byte chooses the start of the name, as mutations seldom find these.
 */
#include "fuzz.h"

#include "formats/names/demangle.h"
#include "formats/names/style.h"

static void check_collapsed(const char *text)
{
	static char once[DEMANGLE_MAX_TEXT], twice[DEMANGLE_MAX_TEXT];
	size_t len = demangle_collapse(text, once);

	must(len < DEMANGLE_MAX_TEXT);
	if (!len)
		return;
	must(strlen(once) == len);
	len = demangle_collapse(once, twice);
	must(!len || !strcmp(once, twice));
}

static void check(const char *name, bool no_params)
{
	static char text[DEMANGLE_MAX_TEXT], again[DEMANGLE_MAX_TEXT];
	size_t len = demangle(name, no_params, text);

	must(len < DEMANGLE_MAX_TEXT);
	if (!len)
		return;
	must(strlen(text) == len);
	must(demangle(name, no_params, again) == len && !memcmp(text, again, len + 1));
	check_collapsed(text);
}

static void check_style(const char *name, unsigned int bits)
{
	const struct names_style style = {
		.demangle = bits & 1, .no_params = bits & 2, .collapse = bits & 4,
		.shorten_stl = bits & 8,
	};
	struct names *n = names_new(&style);
	const char *text;

	must(n);
	text = names_text(n, name);
	must(text == name || strlen(text) < DEMANGLE_MAX_TEXT);
	must(text == name || *text);
	names_free(n);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const starts[] = {
		"", "_Z", "_ZN", "_R", "_D", "_ZNSt", "_Z1fI", "_GLOBAL__I_",
	};
	const char *start = starts[size ? data[0] & 7 : 0];
	char *name = malloc(size + strlen(start) + 1);

	strcpy(name, start);
	if (size)
		memcpy(name + strlen(start), data + 1, size - 1);
	name[strlen(start) + (size ? size - 1 : 0)] = '\0';
	check(name, false);
	check(name, true);
	check_style(name, size ? data[0] >> 3 : 0);
	free(name);
	return 0;
}
