// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes GHC's names of code (compiler/GHC/Cmm/CLabel.hs), whose escapes are
 * those of GHC.Utils.Encoding. As underscores are escaped, each underscore in a
 * name is a separator:
 *
 *	name = [ package "_" ] module "_" function [ "_" unique ] "_" kind
 */
#include "formats/names/languages.h"

#include <stdint.h>

#include "util/poison.h"

#define MAX_PARTS 6u
/* The largest tuple of GHC. */
#define MAX_TUPLE 64u
#define MAX_PACKAGE 512u

struct piece {
	const char *s;
	size_t len;
};

/* Escapes of two characters that begin with 'z' or 'Z', and their meaning. */
static const struct {
	char first;
	char second;
	char is;
} escapes[] = {
	{ 'z', 'a', '&' }, { 'z', 'b', '|' }, { 'z', 'c', '^' }, { 'z', 'd', '$' },
	{ 'z', 'e', '=' }, { 'z', 'g', '>' }, { 'z', 'h', '#' }, { 'z', 'i', '.' },
	{ 'z', 'l', '<' }, { 'z', 'm', '-' }, { 'z', 'n', '!' }, { 'z', 'p', '+' },
	{ 'z', 'q', '\'' }, { 'z', 'r', '\\' }, { 'z', 's', '/' }, { 'z', 't', '*' },
	{ 'z', 'u', '_' }, { 'z', 'v', '%' }, { 'z', 'z', 'z' }, { 'Z', 'C', ':' },
	{ 'Z', 'L', '(' }, { 'Z', 'M', '[' }, { 'Z', 'N', ']' }, { 'Z', 'R', ')' },
	{ 'Z', 'Z', 'Z' },
};

/* The kinds of code. "con" and "static" may precede them: "_con_info". */
static const char *const kinds[] = { "info", "entry", "fast", "slow", "ret" };
static const char *const kinds_of[] = { "con", "static" };

static bool is_any(struct piece p, const char *const *words, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (p.len == strlen(words[i]) && !memcmp(p.s, words[i], p.len))
			return true;
	return false;
}

static void put_utf8(struct names_out *o, uint32_t c)
{
	char s[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;

	for (i = n; --i; c >>= 6)
		s[i] = (char)(0x80 | (c & 0x3f));
	s[0] = (char)(n > 1 ? (0xf00u >> n & 0xff) | c : c);
	names_put(o, s, n);
}

/*
 * Decodes an escape such as "z2cU" (a comma) or "z3b1U" (a Greek letter).
 * Return: its bytes; 0 if it is not such an escape, or the character cannot be
 * shown.
 */
static size_t take_character(struct names_out *o, const char *s, size_t len)
{
	uint32_t c = 0;
	size_t i;

	for (i = 1; i < len && i < 8 && names_hex(s[i]) >= 0; i++)
		c = c << 4 | (uint32_t)names_hex(s[i]);
	if (i == len || s[i] != 'U' || c <= ' ' ||
	    (c >= 0x7f && c < 0xa0) || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	put_utf8(o, c);
	return i + 1;
}

/*
 * Decodes a tuple: "Z2T" is (,), "Z3H" is (#,,#), "Z0T" is (). Return: its
 * bytes; 0 if it is none.
 */
static size_t take_tuple(struct names_out *o, const char *s, size_t len)
{
	unsigned int n = 0;
	size_t i;
	bool bare;

	for (i = 1; i < len && i < 4 && names_is_digit(s[i]); i++)
		n = 10 * n + (unsigned int)(s[i] - '0');
	if (i == len || (s[i] != 'T' && s[i] != 'H') || n > MAX_TUPLE)
		return 0;
	bare = s[i] == 'H';
	names_put(o, "(#", 1 + bare);
	for (; n > 1; n--)
		names_put_char(o, ',');
	names_put(o, &"#)"[!bare], 1 + bare);
	return i + 1;
}

static size_t take_escape(struct names_out *o, const char *s, size_t len)
{
	size_t i;

	if (len < 2)
		return 0;
	if (names_is_digit(s[1]))
		return s[0] == 'z' ? take_character(o, s, len) : take_tuple(o, s, len);
	for (i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (escapes[i].first == s[0] && escapes[i].second == s[1]) {
			names_put_char(o, escapes[i].is);
			return 2;
		}
	return 0;
}

/*
 * Return: the decoded text; its @s is NULL if @p is not encoded correctly, or
 * does not fit.
 */
static struct piece decode(struct names_out *o, struct piece p)
{
	size_t from = o->len, i = 0, n = 1;

	for (; i < p.len && n; i += n) {
		n = 1;
		if (p.s[i] == 'z' || p.s[i] == 'Z')
			n = take_escape(o, p.s + i, p.len - i);
		else if (names_is_alnum(p.s[i]))
			names_put_char(o, p.s[i]);
		else
			n = 0;
	}
	if (!n || o->full)
		return (struct piece){ 0 };
	return (struct piece){ o->s + from, o->len - from };
}

static bool is_letter(char c)
{
	return names_is_alnum(c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

/* Whether @p is a name such as "GHC.List". */
static bool is_module(struct piece p)
{
	bool start = true;
	size_t i;

	for (i = 0; i < p.len; i++) {
		if (start ? !names_is_upper(p.s[i]) : p.s[i] != '.' && !is_letter(p.s[i]))
			return false;
		start = p.s[i] == '.';
	}
	return p.len && !start;
}

/* Whether @p is a name such as "ghc-prim" or "text-2.0.1". */
static bool is_package(struct piece p)
{
	size_t i;

	for (i = 0; i < p.len; i++)
		if (!names_is_alnum(p.s[i]) && p.s[i] != '-' && p.s[i] != '.')
			return false;
	return p.len && names_is_alnum(p.s[0]);
}

static bool has_only(struct piece p, const char *characters)
{
	size_t i;

	for (i = 0; i < p.len; i++)
		if (!strchr(characters, p.s[i]))
			return false;
	return p.len;
}

/*
 * Return: whether @p can be the name of a function. @special: a name of C
 * cannot look like that.
 */
static bool is_function(struct piece p, bool *special)
{
	size_t i = 0;

	*special = true;
	if (!p.len)
		return false;
	/* names made by the compiler; the constructor of a class */
	if (p.s[0] == '$' || (p.len > 2 && !memcmp(p.s, "C:", 2)))
		return p.len > 1;
	if (has_only(p, "!#$%&*+./<=>?@\\^|-~:") || has_only(p, "()[],#"))
		return true;
	while (i < p.len && is_letter(p.s[i]))
		i++;
	*special = i < p.len;
	while (i < p.len && p.s[i] == '#')
		i++;
	return i == p.len && !names_is_digit(p.s[0]) && p.s[0] != '\'';
}

/*
 * Whether @p is a number such as "r1Ab" or "s2", which functions that are not
 * exported have.
 */
static bool is_unique(struct piece p)
{
	bool digit = false;
	size_t i;

	for (i = 0; i < p.len; i++) {
		if (!names_is_alnum(p.s[i]))
			return false;
		digit |= names_is_digit(p.s[i]);
	}
	return digit && names_is_lower(p.s[0]) && p.len <= 12;
}

/*
 * Splits a name at its underscores, and removes the parts that are the kind.
 * Return: number of parts, or 0.
 */
static size_t split(const char *name, struct piece parts[MAX_PARTS])
{
	size_t nr = 0, len = strlen(name);
	const char *end = name + len, *next;

	/* LLVM's name for the same code */
	if (len > 4 && !strcmp(end - 4, "$def"))
		end -= 4;
	for (; nr < MAX_PARTS; name = next + 1) {
		next = memchr(name, '_', (size_t)(end - name));
		parts[nr++] = (struct piece){ name, (size_t)((next ? next : end) - name) };
		if (!next)
			break;
	}
	if (next || !is_any(parts[nr - 1], kinds, sizeof(kinds) / sizeof(*kinds)))
		return 0;
	nr--;
	if (nr && is_any(parts[nr - 1], kinds_of, sizeof(kinds_of) / sizeof(*kinds_of)))
		nr--;
	return nr;
}

/* Whether a first part is a package. @special: a name of C cannot look like that. */
static bool take_package(struct piece p, bool *special)
{
	char text[MAX_PACKAGE];
	struct names_out o = { .s = text, .room = sizeof(text) };

	p = decode(&o, p);
	*special = p.s && memchr(p.s, '-', p.len);
	return p.s && is_package(p) && (*special || !is_module(p));
}

size_t haskell_name(const char *name, char *ret, size_t room)
{
	struct names_out o = { .s = ret, .room = room };
	struct piece parts[MAX_PARTS], module, function;
	bool by_package = false, by_function;
	size_t nr, at;

	if (strnlen(name, LANGUAGES_MAX_NAME + 1) > LANGUAGES_MAX_NAME || !strpbrk(name, "zZ"))
		return 0;
	nr = split(name, parts);
	at = nr > 2 && take_package(parts[0], &by_package);
	if (nr < at + 2 || nr > at + 3 || (nr == at + 3 && !is_unique(parts[at + 2])))
		return 0;
	module = decode(&o, parts[at]);
	if (!module.s || !is_module(module))
		return 0;
	names_put_char(&o, '.');
	function = decode(&o, parts[at + 1]);
	if (!function.s || !is_function(function, &by_function) ||
	    !(by_package || by_function || memchr(module.s, '.', module.len)))
		return 0;
	return names_end(&o);
}
