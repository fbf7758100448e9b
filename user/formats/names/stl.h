/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces names of the C++ standard library by those that people write:
 *
 *	std::vector<std::__cxx11::basic_string<char, std::char_traits<char>,
 *		std::allocator<char> >, std::allocator<...the same... > >::size() const
 *	std::vector<std::string>::size() const
 *
 * Inline namespaces of libraries are removed, and so are arguments that are
 * equal to their defaults; a type for which the standard has a typedef gets
 * that name. The prototype of GSYM did this for some types (shortencpp.py);
 * Documentation/formats/gsym.md describes the differences.
 */
#ifndef USTACK_USER_NAMES_STL_H
#define USTACK_USER_NAMES_STL_H

#include <stddef.h>

#include "formats/names/scan.h"

/* Most arguments of a template that are examined; a list with more stays unchanged. */
#define STL_MAX_ARGS 6u

/*
 * An open list of arguments: @name, @open, @args: where its name, the list and
 * each argument start in the new text.
 */
struct stl_list {
	size_t name;
	size_t open;
	size_t args[STL_MAX_ARGS];
	unsigned int nr_args;
};

/* Working memory of one thread; it needs no initialization. */
struct stl {
	struct scan scan;
	struct stl_list lists[SCAN_MAX_DEPTH];
	char *out;
	size_t len;
	size_t name;
	bool in_name;
};

/**
 * stl_shorten() - shorten a demangled name
 * @s: working memory
 * @name: any text
 * @out: room for strlen(@name) + 1 bytes
 *
 * A name that is already short stays unchanged. The time is at most the length
 * times the depth of brackets. A name that cannot be parsed (see scan.h) is
 * copied.
 *
 * Return: bytes in @out without the NUL: never more than @name has.
 */
size_t stl_shorten(struct stl *s, const char *name, char *out);

#endif /* USTACK_USER_NAMES_STL_H */
