// SPDX-License-Identifier: GPL-2.0-only
/*
 * Demangles names that GNAT makes, by libiberty. Names for which libiberty
 * would write past the end of its memory are left alone.
 */
#include "formats/names/languages.h"

#include <libiberty/demangle.h>
#include <stdlib.h>

#include "util/poison.h"

/*
 * Units of the language's own library: by ISO/IEC 8652, annexes A to J, no
 * others may be children of these. "gnat" is GCC's.
 */
static const char *const roots[] = { "_ada_", "ada__", "gnat__", "interfaces__", "system__" };

static bool is_ada(const char *name, bool known)
{
	size_t i;

	if (known && names_is_lower(name[0]) && strstr(name, "__"))
		return true;

	for (i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (!strncmp(name, roots[i], strlen(roots[i])))
			return names_is_lower(name[strlen(roots[i])]);
	return false;
}

/*
 * libiberty reserves room for one replacement that is longer than its code
 * ('Output for SO, .Finalize for DF), and writes past the end of its memory if
 * there are two.
 */
static bool may_overflow(const char *name)
{
	unsigned int nr = 0;

	for (; *name; name++)
		nr += *name == 'S' || *name == 'D';
	return nr > 1;
}

/*
 * Return: start of the suffix that GCC gives to clones: ".part.0", but not
 * ".12" of a nested function.
 */
static const char *find_clone(const char *name)
{
	const char *dot = strchr(name, '.');

	while (dot && !names_is_lower(dot[1]))
		dot = strchr(dot + 1, '.');
	return dot ? dot : name + strlen(name);
}

size_t ada_name(const char *name, bool known, char *ret, size_t room)
{
	struct names_out o = { .s = ret, .room = room };
	char plain[LANGUAGES_MAX_NAME + 1];
	const char *clone;
	char *text;

	if (!is_ada(name, known) || strlen(name) > LANGUAGES_MAX_NAME || may_overflow(name))
		return 0;
	clone = find_clone(name);
	memcpy(plain, name, (size_t)(clone - name));
	plain[clone - name] = '\0';
	text = ada_demangle(plain, 0);
	if (!text)
		return 0;
	/* "<NAME>" means that libiberty cannot read the name */
	o.full = text[0] == '<';
	names_put(&o, text, strlen(text));
	free(text);
	if (*clone) {
		names_put(&o, " [clone ", 8);
		names_put(&o, clone, strlen(clone));
		names_put_char(&o, ']');
	}
	return names_end(&o);
}
