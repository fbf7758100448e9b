// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares names of a GSYM file with those of DWARF, which may be mangled. A demangled
 * name is cached, as it is needed at each address of its function.
 */
#include "symbols/convert/verify_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

/* Whether the names are equal; @have may have namespaces in front. */
static bool same(const char *have, const char *want)
{
	size_t h, w;

	if (!strcmp(have, want))
		return true;
	h = strlen(have);
	w = strlen(want);
	return h > w + 2 && !strcmp(have + h - w, want) &&
	       !memcmp(have + h - w - 2, "::", 2);
}

/* DWARF's name in the style of the file, from the cache. */
static const char *text_of(struct verify_names *n, const char *name)
{
	struct verify_known_name *k;

	if (!n->known)
		n->known = calloc(VERIFY_NAMES, sizeof(*n->known));
	if (!n->known)
		return names_text(n->names, name);
	k = &n->known[((uintptr_t)name * 0x9e3779b97f4a7c15ull >> 40) & (VERIFY_NAMES - 1)];
	if (k->name != name) {
		free(k->text);
		k->text = strdup(names_text(n->names, name));
		k->name = k->text ? name : NULL;
	}
	return k->text ? k->text : names_text(n->names, name);
}

bool verify_names_same(struct verify_names *n, const char *have, const char *want)
{
	return same(have, want) || (n->names && same(have, text_of(n, want)));
}

void verify_names_release(struct verify_names *n)
{
	size_t i;

	for (i = 0; n->known && i < VERIFY_NAMES; i++)
		free(n->known[i].text);
	free(n->known);
	n->known = NULL;
}
