/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How names of functions are shown or stored: unchanged, demangled, or without
 * the parts that nobody reads. For all code that prints or writes names.
 *
 *	struct names *n = names_new(&(struct names_style){ .demangle = true });
 *
 *	puts(names_text(n, "_Z3fooi"));		foo(int)
 *	names_free(n);
 */
#ifndef USTACK_USER_NAMES_STYLE_H
#define USTACK_USER_NAMES_STYLE_H

#include <stdbool.h>

/**
 * struct names_style - what is changed in a name; nothing if all are false
 * @demangle: demangle C++, Rust, D, Ada, OCaml and Haskell, see demangle.h
 * @no_params: with @demangle: leave out parameters of C++
 * @collapse: with @demangle: arguments of templates become "..." in names that
 *            were demangled
 * @shorten_stl: shorten names of the C++ standard library, see stl.h: also in
 *               names that were given demangled, but not in mangled ones
 */
struct names_style {
	bool demangle;
	bool no_params;
	bool collapse;
	bool shorten_stl;
};

struct names;

/**
 * names_new() - make the state that one thread needs
 * @style: copied
 *
 * Return: state to be released by names_free(); NULL if there is no memory.
 */
struct names *names_new(const struct names_style *style);
/* @n may be NULL. */
void names_free(struct names *n);

/**
 * names_text() - apply the style to a name
 * @n: state of this thread; NULL for unchanged names
 * @name: any text
 *
 * The result for a name is always the same. The function cannot fail: a name
 * beyond the bounds of demangle.h is returned unchanged.
 *
 * Return: @name itself, or a text that is valid until the next call.
 */
const char *names_text(struct names *n, const char *name);

/**
 * names_text_from() - the same, for a function whose source file is known
 * @n: state of this thread; NULL for unchanged names
 * @name: any text
 * @source: name of the source file; "" if it is not known. A name from an Ada
 *          source (.adb, .ads) is a name of Ada, even if it looks like one of C
 *
 * Return: see names_text().
 */
const char *names_text_from(struct names *n, const char *name, const char *source);

#endif /* USTACK_USER_NAMES_STYLE_H */
