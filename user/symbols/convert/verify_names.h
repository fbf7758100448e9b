/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/convert/verify*.c: compares names, also demangled ones. */
#ifndef USTACK_USER_CONVERT_VERIFY_NAMES_H
#define USTACK_USER_CONVERT_VERIFY_NAMES_H

#include <stdbool.h>

#include "formats/names/style.h"

/* Entries of the cache of demangled names, by the pointer of DWARF's name: a power of two. */
#define VERIFY_NAMES 4096u

struct verify_known_name {
	const char *name;
	char *text;
};

/* Zeroed at first, except @names, see struct gsym_verify_options. */
struct verify_names {
	struct names *names;
	struct verify_known_name *known;
};

/*
 * Whether @have, the name in a GSYM file, is DWARF's name @want, as it is or in the
 * file's style; @have may have namespaces before it. @want must not be freed, as it is a
 * key of the cache; libdw's strings stay.
 */
bool verify_names_same(struct verify_names *n, const char *have, const char *want);
void verify_names_release(struct verify_names *n);

#endif /* USTACK_USER_CONVERT_VERIFY_NAMES_H */
