/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/gsym/verify*.c: names of a GSYM file that demangled them. */
#ifndef USTACK_USER_CONVERT_VERIFY_NAMES_H
#define USTACK_USER_CONVERT_VERIFY_NAMES_H

#include <stdbool.h>

#include "formats/names/style.h"

/* What names of DWARF become, by where they are: a power of two. */
#define VERIFY_NAMES 4096u

struct verify_known_name {
	const char *name;
	char *text;
};

/* Zeroed at first, but for @names, see struct gsym_verify_options. */
struct verify_names {
	struct names *names;
	struct verify_known_name *known;
};

/* Whether a GSYM file's name, which may have namespaces in front, is that of DWARF, as it
 * is or in the style. @want stays where it is, as libdw's strings do.
 */
bool verify_names_same(struct verify_names *n, const char *have, const char *want);
void verify_names_release(struct verify_names *n);

#endif /* USTACK_USER_CONVERT_VERIFY_NAMES_H */
