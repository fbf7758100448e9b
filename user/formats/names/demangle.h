/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Demangles names of C++ (Itanium ABI), Rust (both manglings), D and Ada by
 * libiberty, and of OCaml and Haskell (languages.h), within bounds. The bounds
 * are needed because anybody can choose names, and libiberty makes texts of any
 * length from some short names, and exits if there is no memory.
 *
 *	most of a name			reason
 *	1,024 bytes, C++ and D		libiberty's own limit for C++, with which its tables
 *					fit on the stack (PR 87675); D has no other limit
 *	4,096 bytes, the others
 *	65,536 bytes of text		it doubles with every back reference
 *	10 template parameters with	each may be read twice, with everything in its
 *	arguments beside a conversion	arguments: libiberty takes 2^n times the time
 *	operator, C++
 *	24 references to types, D	it cannot be stopped, and k references make at most
 *					3^(k/3) copies
 *	depth: libiberty's limits	1,024 to 2,048, never DMGL_NO_RECURSE_LIMIT
 *
 * A name beyond these bounds is not demangled. Whatever the name, the time is
 * that of a few texts of 65,536 bytes, and the stack takes a few hundred KB.
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
 * demangle() - demangle a name
 * @name: any text; if it ends with "@VERSION" of a symbol, so does the result
 * @no_params: C++ only: leave out parameters and the return type. The mark of a
 *             clone (" [clone .cold]") is not left out
 * @ret: room for DEMANGLE_MAX_TEXT bytes; undefined if nothing was demangled
 *
 * Context: any thread; nothing is kept.
 *
 * Return: bytes of the text without its NUL; 0 if @name is not mangled, or is
 * beyond the bounds.
 */
size_t demangle(const char *name, bool no_params, char *ret);

/**
 * demangle_collapse() - leave out the arguments of templates
 * @text: demangled name; arguments that are not empty become "...":
 *        "std::vector<...>::size()"
 * @ret: room for DEMANGLE_MAX_TEXT bytes
 *
 * Return: bytes in @ret without the NUL; 0 if there is nothing to leave out, if
 * the text cannot be parsed (see scan.h), or if the result does not fit.
 */
size_t demangle_collapse(const char *text, char *ret);

#endif /* USTACK_USER_NAMES_DEMANGLE_H */
