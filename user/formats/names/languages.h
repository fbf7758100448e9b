/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/names: languages whose compilers make names that look
 * like those of C, without a mark that no other name has. A name is accepted as
 * one of theirs if it has what a name of C does not have:
 *
 *	OCaml	"caml", a capital letter, and a number or "entry" after the last separator
 *	Haskell	a module with capital letters, a suffix of GHC's, and one of its escapes in
 *		a place where a name of C has no reason for it: "zi" between capital
 *		letters, "zd" at the start, ...
 *	Ada	a unit of the language's own library, or "_ada_"
 *
 * Each function takes time linear in the length of the name, whatever its bytes
 * are.
 */
#ifndef USTACK_USER_NAMES_LANGUAGES_H
#define USTACK_USER_NAMES_LANGUAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Most bytes of a mangled name. */
#define LANGUAGES_MAX_NAME 4096u

/**
 * struct names_out - a text that is being written
 * @s: buffer of @room bytes; without a NUL until names_end()
 * @len: bytes used in @s
 * @room: bytes of @s, more than @len unless it is 0
 * @full: something did not fit
 */
struct names_out {
	char *s;
	size_t len;
	size_t room;
	bool full;
};

static inline void names_put(struct names_out *o, const char *s, size_t len)
{
	if (o->full || len >= o->room - o->len) {
		o->full = true;
		return;
	}
	memcpy(o->s + o->len, s, len);
	o->len += len;
}

static inline void names_put_char(struct names_out *o, char c)
{
	names_put(o, &c, 1);
}

/* Ends the text with a NUL. Return: its bytes; 0 if it did not fit. */
static inline size_t names_end(struct names_out *o)
{
	if (o->full)
		return 0;
	o->s[o->len] = '\0';
	return o->len;
}

static inline bool names_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool names_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool names_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool names_is_alnum(char c)
{
	return names_is_lower(c) || names_is_upper(c) || names_is_digit(c);
}

/* Return: the value of a hexadecimal digit in lower case; -1 for any other character. */
static inline int names_hex(char c)
{
	if (names_is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/**
 * ocaml_name() - decode a name such as camlStdlib__List__map_123, which is
 * Stdlib.List.map
 * @name: any text
 * @ret: room for @room bytes, at least 1; undefined if nothing was decoded
 * @room: bytes of @ret
 *
 * The number that makes a name unique is left out, except for functions without
 * a name: fun_123. The separator is "__" in OCaml 4 (asmcomp/compilenv.ml), and
 * "__" or "." from OCaml 5.1 on.
 *
 * Return: bytes of the text without its NUL; 0 if it is not a name of OCaml, or
 * too long.
 */
size_t ocaml_name(const char *name, char *ret, size_t room);

/**
 * haskell_name() - decode a name such as base_GHCziList_zdwspan_info, which is
 * GHC.List.$wspan
 * @name: any text
 * @ret: room for @room bytes, at least 1; undefined if nothing was decoded
 * @room: bytes of @ret
 *
 * The package, its version and GHC's kind of code are left out. Names without
 * an escape, such as Main_fib_info, are not decoded.
 *
 * Return: see ocaml_name().
 */
size_t haskell_name(const char *name, char *ret, size_t room);

/**
 * ada_name() - decode a name such as ada__text_io__put_line__2, which is
 * ada.text_io.put_line
 * @name: any text
 * @known: the caller knows that it is a name of Ada, whatever it looks like
 * @ret: room for @room bytes, at least 1; undefined if nothing was decoded
 * @room: bytes of @ret
 *
 * This uses libiberty. Names that it cannot read, such as procedures that
 * initialize types (IP), are not decoded. Clones that GCC makes are written as
 * those of C++: " [clone .part.0]".
 *
 * Return: see ocaml_name().
 */
size_t ada_name(const char *name, bool known, char *ret, size_t room);

#endif /* USTACK_USER_NAMES_LANGUAGES_H */
