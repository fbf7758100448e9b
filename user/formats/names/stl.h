/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that people use for what is in the C++ standard library:
 *
 *	std::vector<std::__cxx11::basic_string<char, std::char_traits<char>,
 *		std::allocator<char> >, std::allocator<...the same... > >::size() const
 *	std::vector<std::string>::size() const
 *
 * Inline namespaces of libraries are dropped, arguments that are what they would be if
 * nobody gave them, and what has a typedef in the standard gets its name. The prototype
 * of GSYM did so for some of them (shortencpp.py); Documentation/formats/gsym.md says
 * what is different.
 */
#ifndef USTACK_USER_NAMES_STL_H
#define USTACK_USER_NAMES_STL_H

#include <stddef.h>

#include "formats/names/scan.h"

/* Arguments of a template that are looked at; one with more stays as it is. */
#define STL_MAX_ARGS 6u

/* A list of arguments that is open: where in the new text it and its name start. */
struct stl_list {
	size_t name;
	size_t open;
	size_t args[STL_MAX_ARGS];
	unsigned int nr_args;
};

/* What a thread needs; of any content. */
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
 * @s: room to work in
 * @name: any text
 * @out: of strlen(@name) + 1 bytes
 *
 * What it makes it leaves as it is. Time is at most the length times the depth of
 * brackets. A name that cannot be followed (see scan.h) is copied.
 *
 * Return: bytes in @out, without the NUL: never more than @name has.
 */
size_t stl_shorten(struct stl *s, const char *name, char *out);

#endif /* USTACK_USER_NAMES_STL_H */
