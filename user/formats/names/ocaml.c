// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes names that OCaml's compiler makes:
 *
 *	name	= "caml" unit { separator part } "_" number
 *		| "caml" unit separator "entry"
 *	separator = "__" | "."
 *
 * A unit is a file; a unit of a library begins with the library's name:
 * Stdlib__List. A character that is not a letter, digit or underscore is
 * written as "$" and two hexadecimal digits. Flambda adds "_code" and a second
 * number.
 */
#include "formats/names/languages.h"

#include "util/poison.h"

#define PREFIX "caml"
#define CODE "_code"
#define ENTRY "entry"
#define NAMELESS "fun"

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

static bool is(const char *s, const char *end, const char *what)
{
	return (size_t)(end - s) == strlen(what) && !memcmp(s, what, strlen(what));
}

/* Return: number of bytes before a "_123" at the end; @len if there is no such number. */
static size_t without_number(const char *s, size_t len)
{
	size_t n = len;

	while (n && names_is_digit(s[n - 1]))
		n--;
	return n < len && n && s[n - 1] == '_' ? n - 1 : len;
}

/* Return: bytes of a separator at @s. A third underscore belongs to the next part. */
static size_t separator(const char *s, const char *end)
{
	if (s[0] == '.')
		return 1;
	return end - s >= 2 && s[0] == '_' && s[1] == '_' ? 2 : 0;
}

/*
 * Decodes an escape such as "$27". Return: false if it is not one of a
 * character that can be shown.
 */
static bool put_escape(struct names_out *o, const char *s, const char *end)
{
	int high, low, c;

	if (end - s < 3)
		return false;
	high = names_hex(s[1]);
	low = names_hex(s[2]);
	c = high * 16 + low;
	if (high < 0 || low < 0 || c <= ' ' || c > '~')
		return false;
	names_put_char(o, (char)c);
	return true;
}

/*
 * Decodes one part, up to a separator or @end. Return: the end of the part;
 * NULL if it is not one.
 */
static const char *put_part(struct names_out *o, const char *s, const char *end)
{
	const char *start = s;

	while (s < end && (s == start || !separator(s, end))) {
		if (names_is_alnum(*s) || *s == '_') {
			names_put_char(o, *s++);
		} else if (*s == '$' && put_escape(o, s, end)) {
			s += 3;
		} else {
			return NULL;
		}
	}
	return s > start ? s : NULL;
}

/*
 * Decodes all parts from the unit on. @last: start of the last one. Return:
 * false if they are not parts.
 */
static bool put_parts(struct names_out *o, const char *s, const char *end, const char **last)
{
	unsigned int nr = 0;

	for (;;) {
		*last = s;
		s = put_part(o, s, end);
		if (!s)
			return false;
		nr++;
		if (s == end)
			return nr > 1;
		s += separator(s, end);
		names_put_char(o, '.');
	}
}

size_t ocaml_name(const char *name, char *ret, size_t room)
{
	struct names_out o = { .s = ret, .room = room };
	size_t len = strnlen(name, LANGUAGES_MAX_NAME + 1), plain;
	const char *last;

	if (len > LANGUAGES_MAX_NAME || strncmp(name, PREFIX, strlen(PREFIX)) ||
	    !names_is_upper(name[strlen(PREFIX)]))
		return 0;
	if (ends_with(name, len, CODE)) {
		len -= strlen(CODE);
		len = without_number(name, len);
	}
	plain = without_number(name, len);
	if (!put_parts(&o, name + strlen(PREFIX), name + plain, &last) ||
	    (plain == len && !is(last, name + len, ENTRY)))
		return 0;
	if (is(last, name + plain, NAMELESS))
		names_put(&o, name + plain, len - plain);
	return names_end(&o);
}
