/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mangled names of C++ (Itanium ABI), Rust (both manglings), D and Ada, by libiberty, and of
 * OCaml and Haskell (languages.h), within bounds: names are anybody's, and libiberty makes
 * texts of any length of some that are short, and exits where there is no memory.
 *
 *	what a name may have		because
 *	1,024 bytes, C++ and D		libiberty's own limit of C++, by which its tables fit
 *					on the stack (PR 87675); D has none but this
 *	4,096 bytes, the others
 *	65,536 bytes of text		it doubles with every reference back
 *	10 template parameters with	each may be read twice, with all that is in its
 *	arguments beside a conversion	arguments: libiberty takes 2^n times the time
 *	operator, C++
 *	24 references to types, D	there is no way to stop it, and k references make
 *					3^(k/3) copies at most
 *	depth: libiberty's limits	1,024 to 2,048, never DMGL_NO_RECURSE_LIMIT
 *
 * What is beyond is not demangled. Time is that of a few texts of 65,536 bytes, and the
 * stack some hundred KB, whatever the name.
 */
#ifndef USTACK_USER_NAMES_DEMANGLE_H
#define USTACK_USER_NAMES_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define DEMANGLE_MAX_CPLUS 1024u
#define DEMANGLE_MAX_RUST 4096u
#define DEMANGLE_MAX_TEXT 65536u
#define DEMANGLE_MAX_REREADS 10u
#define DEMANGLE_MAX_D_REFERENCES 24u

/**
 * demangle() - the text of a mangled name
 * @name: any; "@VERSION" of a symbol may be behind it, and is in the text, too
 * @no_params: C++ only: leave out parameters and the type that is returned. What a clone
 *             is called (" [clone .cold]") is not left out
 * @ret: DEMANGLE_MAX_TEXT bytes; of no use if nothing was demangled
 *
 * Context: any thread; nothing is kept.
 *
 * Return: bytes of the text, without the NUL that is behind it; 0 if @name is not
 * mangled, or beyond the bounds.
 */
size_t demangle(const char *name, bool no_params, char *ret);

/**
 * demangle_collapse() - leave out the arguments of templates
 * @text: demangled; those that are not empty become "...": "std::vector<...>::size()"
 * @ret: DEMANGLE_MAX_TEXT bytes
 *
 * Return: bytes in @ret, without the NUL; 0 if nothing is to be left out, the text
 * cannot be followed (see scan.h) or does not fit.
 */
size_t demangle_collapse(const char *text, char *ret);

#endif /* USTACK_USER_NAMES_DEMANGLE_H */
