// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies a style to names (style.h): demangling, leaving out arguments, shortening.
 */
#include "formats/names/style.h"

#include <stdlib.h>
#include <string.h>

#include "formats/names/demangle.h"
#include "formats/names/languages.h"
#include "formats/names/stl.h"

#include "util/poison.h"

struct names {
	struct names_style style;
	struct stl stl;
	char plain[DEMANGLE_MAX_TEXT];
	char collapsed[DEMANGLE_MAX_TEXT];
	char shortened[DEMANGLE_MAX_TEXT];
};

struct names *names_new(const struct names_style *style)
{
	struct names *n = malloc(sizeof(*n));

	if (n)
		n->style = *style;
	return n;
}

void names_free(struct names *n)
{
	free(n);
}

static const char *take_demangled(struct names *n, const char *name)
{
	if (!demangle(name, n->style.no_params, n->plain))
		return name;
	if (n->style.collapse && demangle_collapse(n->plain, n->collapsed))
		return n->collapsed;
	return n->plain;
}

const char *names_text(struct names *n, const char *name)
{
	const char *text = name;

	if (!n)
		return name;
	if (n->style.demangle)
		text = take_demangled(n, name);
	if (!n->style.shorten_stl || !strstr(text, "std::") ||
	    strlen(text) >= sizeof(n->shortened))
		return text;
	stl_shorten(&n->stl, text, n->shortened);
	return n->shortened;
}

static bool is_ada_source(const char *source)
{
	const char *dot = strrchr(source, '.');

	return dot && (!strcmp(dot, ".adb") || !strcmp(dot, ".ads"));
}

const char *names_text_from(struct names *n, const char *name, const char *source)
{
	if (n && n->style.demangle && is_ada_source(source) &&
	    ada_name(name, true, n->plain, sizeof(n->plain)))
		return n->plain;
	return names_text(n, name);
}
