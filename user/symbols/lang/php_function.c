// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a function of PHP: its name, file and first line. Lengths come from the process
 * and are untrusted: each is limited before anything is read.
 */
#include "symbols/lang/php_function.h"

#include <string.h>

#include "util/utf8.h"
#include "util/poison.h"

static bool read_part(const struct lang_memory *m, uint64_t at, struct lang_ends *ret)
{
	return lang_memory_read(m, at + PHP_STRING_LEN, &ret->len, sizeof(ret->len)) &&
	       lang_ends_of(m, at + PHP_STRING_BYTES, ret);
}

/* The address of the class's name, 0 if it cannot be read. */
static uint64_t class_name(const struct lang_memory *m, const struct lang_php_print *p)
{
	uint64_t name = 0;

	if (!lang_memory_read(m, p->func[PHP_FUNC_SCOPE] + PHP_CLASS_NAME, &name, sizeof(name)))
		return 0;
	return name;
}

/* Reads the parts of the strings that count for the cookie; @p has the function's words. */
static bool read_contents(const struct lang_memory *m, struct lang_php_print *p)
{
	memset(&p->name, 0, sizeof(p->name));
	memset(&p->scope, 0, sizeof(p->scope));
	memset(&p->file, 0, sizeof(p->file));
	if (p->func[PHP_FUNC_NAME] && !read_part(m, p->func[PHP_FUNC_NAME], &p->name))
		return false;
	if (p->func[PHP_FUNC_SCOPE] && !read_part(m, class_name(m, p), &p->scope))
		return false;
	return lang_php_type(p) == PHP_INTERNAL || read_part(m, p->where[0], &p->file);
}

enum php_function_state php_function_print(const struct lang_memory *m, const struct lang_php *d,
					   uint64_t addr, struct lang_php_print *ret)
{
	uint32_t type;

	*ret = (struct lang_php_print){ 0 };
	if (!lang_memory_read(m, addr, ret->func, sizeof(ret->func)))
		return PHP_FUNCTION_UNREADABLE;
	type = lang_php_type(ret);
	if (type != PHP_INTERNAL && type != PHP_USER && type != PHP_EVAL)
		return PHP_FUNCTION_STALE;
	if (type != PHP_INTERNAL &&
	    !lang_memory_read(m, addr + d->func_filename, ret->where, sizeof(ret->where)))
		return PHP_FUNCTION_STALE;
	return read_contents(m, ret) ? PHP_FUNCTION_READ : PHP_FUNCTION_STALE;
}

/*
 * Writes the name in @bytes, which has a NUL at @len. The name of an anonymous class
 * contains a NUL and then its address: the text ends at the NUL.
 */
static char *put_text(char *to, const char *bytes, size_t len, bool more)
{
	const char *s = bytes;

	while (s < bytes + len && *s) {
		unsigned int n = utf8_len(s);

		if (*s == '\\')	/* separates the parts of a name */
			*to++ = *s;
		else
			to = lang_text_put(to, n ? lang_text_character(s, n) : LANG_TEXT_REPLACEMENT);
		s += n ? n : 1;
	}
	if (more && s == bytes + len)
		to = lang_text_put(to, LANG_TEXT_MORE);
	*to = '\0';
	return to;
}

/* Writes a string. Return: its NUL in @to, or NULL if it cannot be read. */
static char *read_text(const struct lang_memory *m, uint64_t at, uint64_t len, char *to)
{
	size_t n = len < PHP_TEXT ? (size_t)len : PHP_TEXT;
	char bytes[PHP_TEXT + 1];

	if (!lang_memory_read(m, at + PHP_STRING_BYTES, bytes, n))
		return NULL;
	bytes[n] = '\0';
	return put_text(to, bytes, n, n < len);
}

static bool read_name(const struct lang_memory *m, const struct lang_php_print *p, char *to)
{
	if (!p->func[PHP_FUNC_NAME]) {
		strcpy(to, lang_php_type(p) == PHP_EVAL ? PHP_NAME_EVAL : PHP_NAME_FILE);
		return lang_php_type(p) != PHP_INTERNAL;
	}
	if (p->func[PHP_FUNC_SCOPE]) {
		to = read_text(m, class_name(m, p), p->scope.len, to);
		if (!to)
			return false;
		*to++ = ':';
		*to++ = ':';
	}
	return read_text(m, p->func[PHP_FUNC_NAME], p->name.len, to);
}

/* Reads the names of the function in @p. Return: whether all could be read. */
static bool read_names(const struct lang_memory *m, const struct lang_php_print *p,
		       struct php_function *ret)
{
	ret->file[0] = '\0';
	ret->first_line = lang_php_line(p);
	return read_name(m, p, ret->name) && (lang_php_type(p) == PHP_INTERNAL ||
					      read_text(m, p->where[0], p->file.len, ret->file));
}

enum php_function_state php_function_read(const struct lang_memory *m, const struct lang_php *d,
					  uint64_t addr, uint32_t cookie, struct php_function *ret)
{
	struct lang_php_print print;
	enum php_function_state state = php_function_print(m, d, addr, &print);
	bool whole;

	if (state != PHP_FUNCTION_READ)
		return state;
	if (lang_php_cookie(&print) != cookie)
		return PHP_FUNCTION_STALE;
	whole = read_names(m, &print, ret);
	/* the names belong to the function only if it is still the same */
	state = php_function_print(m, d, addr, &print);
	if (state != PHP_FUNCTION_READ)
		return state;
	return whole && lang_php_cookie(&print) == cookie ? PHP_FUNCTION_READ : PHP_FUNCTION_STALE;
}

enum php_function_state php_function_from_words(const struct lang_memory *m, const __u64 word[5],
					  uint32_t cookie, struct php_function *ret)
{
	struct lang_php_print print = {
		.func[PHP_FUNC_TYPE] = word[4], .func[PHP_FUNC_NAME] = word[0],
		.func[PHP_FUNC_SCOPE] = word[1], .where = { word[2], word[3] },
	};

	if (!read_contents(m, &print) || lang_php_cookie(&print) != cookie ||
	    !read_names(m, &print, ret))
		return PHP_FUNCTION_STALE;
	/* as above: the strings may be gone by now */
	return read_contents(m, &print) && lang_php_cookie(&print) == cookie ? PHP_FUNCTION_READ :
									       PHP_FUNCTION_STALE;
}
