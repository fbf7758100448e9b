/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/names: languages whose compilers make names of C of theirs, without a mark
 * that no other name has. A name is taken for one of them by what a name of C is not:
 *
 *	OCaml	"caml", a capital, and a number or "entry" behind the last separator
 *	Haskell	a module with capitals and a suffix of GHC's, and one of its escapes in what
 *		a name of C has no reason for: "zi" between capitals, "zd" in front, ...
 *	Ada	a unit of the language's own library, or "_ada_"
 *
 * Whatever the bytes, each takes time that is linear in their number.
 */
#ifndef USTACK_USER_NAMES_LANGUAGES_H
#define USTACK_USER_NAMES_LANGUAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes of a mangled name. */
#define LANGUAGES_MAX_NAME 4096u

/**
 * struct names_out - a text that is made
 * @s: @room bytes, without a NUL until names_end()
 * @len: of these
 * @room: more than @len, unless it is 0
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

/* Return: bytes of it; 0 if it did not fit. */
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

/* The value of a hexadecimal digit in small letters; -1 for another character. */
static inline int names_hex(char c)
{
	if (names_is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/**
 * ocaml_name() - camlStdlib__List__map_123 is Stdlib.List.map
 * @name: any
 * @ret: @room bytes, at least 1; of no use if nothing was decoded
 * @room: bytes of @ret
 *
 * The number that makes it unique is left out, but of functions without a name: fun_123.
 * OCaml 4 (asmcomp/compilenv.ml) separates by "__", OCaml 5.1 also by ".".
 *
 * Return: bytes of the text, without its NUL; 0 if it is no name of OCaml's, or too long.
 */
size_t ocaml_name(const char *name, char *ret, size_t room);

/**
 * haskell_name() - base_GHCziList_zdwspan_info is GHC.List.$wspan
 * @name: any
 * @ret: @room bytes, at least 1; of no use if nothing was decoded
 * @room: bytes of @ret
 *
 * The package, its version and what GHC calls the kind of code are left out. Names without
 * an escape, such as Main_fib_info, stay as they are.
 *
 * Return: as ocaml_name().
 */
size_t haskell_name(const char *name, char *ret, size_t room);

/**
 * ada_name() - ada__text_io__put_line__2 is ada.text_io.put_line
 * @name: any
 * @known: something else says that it is Ada's, so that it need not look so
 * @ret: @room bytes, at least 1; of no use if nothing was decoded
 * @room: bytes of @ret
 *
 * By libiberty. What it cannot read, such as the procedures that initialize types (IP), stays
 * as it is. Clones of GCC's are written as those of C++: " [clone .part.0]".
 *
 * Return: as ocaml_name().
 */
size_t ada_name(const char *name, bool known, char *ret, size_t room);

#endif /* USTACK_USER_NAMES_LANGUAGES_H */
