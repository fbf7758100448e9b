/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The form in which our reader and libdw print a file: lines of fields,
 * separated by tabs.
 *
 *	F start end name			a range of a function
 *	C depth start-end,... file line name	an inlined call in it
 *	R addr file line			a row of it
 *	S offset name				a call site in it: offset of the return address
 *	T offset				a line table
 *	r addr file line			a row in it
 *	e addr					the end of the rows since the last end
 *
 * libdw's output differs: S has an address; R is printed where no other reader
 * says more; C has all ranges of the function; and there is also
 *
 *	U offset				a unit, by its line table
 */
#ifndef USTACK_TESTS_DWARF_SAY_H
#define USTACK_TESTS_DWARF_SAY_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void say_row(char what, uint64_t addr, const char *dir, const char *sub,
			   const char *name, uint64_t line)
{
	printf("%c\t%" PRIx64 "\t%s/%s/%s\t%" PRIu64 "\n", what, addr, dir ? dir : "",
	       sub ? sub : "", name ? name : "", line);
}

#endif /* USTACK_TESTS_DWARF_SAY_H */
