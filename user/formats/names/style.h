/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How names of functions are shown or stored: as they are, demangled, without what
 * nobody reads. For all that prints or writes names.
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
 * struct names_style - what is done; nothing at all if all are false
 * @demangle: C++, Rust, D, Ada, OCaml and Haskell, see demangle.h
 * @no_params: of C++ without parameters; if @demangle
 * @collapse: arguments of templates are "..."; if @demangle, of what that demangled
 * @shorten_stl: names of the C++ standard library become short, see stl.h: also of names
 *               that came demangled, but not of mangled ones
 */
struct names_style {
	bool demangle;
	bool no_params;
	bool collapse;
	bool shorten_stl;
};

struct names;

/**
 * names_new() - what a thread needs for it
 * @style: copied
 *
 * Return: to be released by names_free(); NULL if there is no memory.
 */
struct names *names_new(const struct names_style *style);
/* NULL is fine. */
void names_free(struct names *n);

/**
 * names_text() - a name, in the style
 * @n: one thread's; NULL for names as they are
 * @name: any
 *
 * The same for the same name, always. It cannot fail: what is beyond the bounds of
 * demangle.h stays as it is.
 *
 * Return: @name itself, or a text that is good until the next call.
 */
const char *names_text(struct names *n, const char *name);

/**
 * names_text_from() - the same, of a function whose source is known
 * @n: one thread's; NULL for names as they are
 * @name: any
 * @source: name of the source file; "" if it is not known. What comes from an Ada source
 *          (.adb, .ads) is a name of Ada's, also where a name of C may look the same
 *
 * Return: as names_text().
 */
const char *names_text_from(struct names *n, const char *name, const char *source);

#endif /* USTACK_USER_NAMES_STYLE_H */
