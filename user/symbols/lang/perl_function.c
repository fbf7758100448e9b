// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a sub of Perl: its name and the root of its operations. Lengths come from the
 * process and are untrusted: each is limited before anything is read.
 */
#include "symbols/lang/perl_function.h"

#include <string.h>

#include "util/poison.h"

/* After a name come a NUL and a byte of flags; one flag says that the name is UTF-8. */
#define NAME_FLAGS 1u
#define NAME_IS_UTF8 1u

/**
 * struct names - addresses of the names of a sub
 * @name: address of the sub's name; 0 if it has none
 * @package: address of its package's name; 0 if it has none
 */
struct names {
	uint64_t name;
	uint64_t package;
};

/* Reads the head of the value at @at, and @len bytes of its body at offset @from. */
static bool read_body(const struct lang_memory *m, uint64_t at, uint64_t from,
		      __u64 head[PERL_HEAD_WORDS], void *ret, size_t len)
{
	return lang_memory_read(m, at, head, 8 * PERL_HEAD_WORDS) &&
	       lang_memory_read(m, head[PERL_HEAD_BODY] + from, ret, len);
}

static bool read_ends(const struct lang_memory *m, uint64_t at, struct lang_ends *ret)
{
	uint64_t word;

	if (!lang_memory_read(m, at, &word, sizeof(word)))
		return false;
	ret->len = word >> 32;
	return lang_ends_of(m, at + PERL_NAME_BYTES, ret);
}

/* Finds the address of the name of the package at @at. */
static bool find_package(const struct lang_memory *m, struct lang_perl_print *p, uint64_t at,
			 uint64_t *ret)
{
	*ret = 0;
	if (!at)
		return true;
	if (!read_body(m, at, PERL_PACKAGE_AT, p->head, p->package, sizeof(p->package)))
		return false;
	if (lang_perl_type(p->head) != PERL_TYPE_HASH ||
	    !(lang_perl_flags(p->head) & PERL_HASH_EXTRA))
		return true;
	*ret = p->package[PERL_PACKAGE_NAME];
	if (!*ret || !(p->package[PERL_PACKAGE_NAMES] >> 32))
		return true;
	return lang_memory_read(m, *ret, ret, sizeof(*ret));
}

/* Reads the glob at @at, or the one that Perl shows in its place. */
static bool read_glob(const struct lang_memory *m, struct lang_perl_print *p, uint64_t at)
{
	uint64_t itself = 0;

	if (!read_body(m, at, PERL_CODE_AT, p->head, p->glob, sizeof(p->glob)))
		return false;
	if ((lang_perl_flags(p->head) & PERL_GLOB_HAS) &&
	    !lang_memory_read(m, p->head[PERL_HEAD_VALUE] + PERL_GLOB_ITSELF, &itself,
			      sizeof(itself)))
		return false;
	if (itself && itself != at &&
	    !read_body(m, itself, PERL_CODE_AT, p->head, p->glob, sizeof(p->glob)))
		return false;
	return lang_perl_type(p->head) == PERL_TYPE_GLOB;
}

/* Finds the names of the sub whose words are in @p->code. */
static bool find_names(const struct lang_memory *m, struct lang_perl_print *p, struct names *ret)
{
	uint64_t package = p->code[PERL_CODE_PACKAGE];

	*ret = (struct names){ .name = p->code[PERL_CODE_NAME] };
	if (!ret->name)
		return true;
	if (!(lang_perl_code_flags(p) & PERL_CODE_NAMED)) {
		if (!read_glob(m, p, ret->name))
			return false;
		ret->name = p->glob[PERL_GLOB_NAME];
		package = p->glob[PERL_GLOB_PACKAGE];
	}
	return lang_perl_code_flags(p) & PERL_CODE_LEXICAL ||
	       find_package(m, p, package, &ret->package);
}

/* Reads the parts of the names that count for the cookie. */
static bool print_names(const struct lang_memory *m, struct lang_perl_print *p, struct names *names)
{
	memset(&p->name, 0, sizeof(p->name));
	memset(&p->package_name, 0, sizeof(p->package_name));
	return find_names(m, p, names) && (!names->name || read_ends(m, names->name, &p->name)) &&
	       (!names->package || read_ends(m, names->package, &p->package_name));
}

static enum perl_function_state print(const struct lang_memory *m, uint64_t addr,
				      struct lang_perl_print *ret, struct names *names)
{
	memset(ret, 0, sizeof(*ret));
	if (!lang_memory_read(m, addr, ret->head, sizeof(ret->head)))
		return PERL_FUNCTION_UNREADABLE;
	if (!lang_perl_is_code(ret->head) ||
	    !lang_memory_read(m, ret->head[PERL_HEAD_BODY] + PERL_CODE_AT, ret->code,
			      sizeof(ret->code)) ||
	    !print_names(m, ret, names))
		return PERL_FUNCTION_STALE;
	return PERL_FUNCTION_READ;
}

enum perl_function_state perl_function_print(const struct lang_memory *m, uint64_t addr,
					     struct lang_perl_print *ret)
{
	struct names names;

	return print(m, addr, ret, &names);
}

static char *put_latin1(char *to, const char *bytes, size_t len, bool more)
{
	size_t i;

	for (i = 0; i < len; i++)
		to = lang_text_put(to, (uint8_t)bytes[i]);
	if (more)
		to = lang_text_put(to, LANG_TEXT_MORE);
	*to = '\0';
	return to;
}

/* Writes a name. Return: its NUL in @to, or NULL if it cannot be read. */
static char *read_name(const struct lang_memory *m, uint64_t at, uint64_t len, char *to)
{
	size_t n = len < PERL_TEXT ? (size_t)len : PERL_TEXT;
	uint8_t flags = 0;
	char bytes[PERL_TEXT + 1];

	if (!lang_memory_read(m, at + PERL_NAME_BYTES, bytes, n) ||
	    !lang_memory_read(m, at + PERL_NAME_BYTES + len + NAME_FLAGS, &flags, 1))
		return NULL;
	bytes[n] = '\0';
	return (flags & NAME_IS_UTF8 ? lang_text_utf8 : put_latin1)(to, bytes, n, n < len);
}

static bool read_names(const struct lang_memory *m, const struct lang_perl_print *p,
		       const struct names *names, char *to)
{
	if (!names->name) {
		strcpy(to, "(unknown)");
		return true;
	}
	if (!(lang_perl_code_flags(p) & PERL_CODE_LEXICAL)) {
		if (names->package)
			to = read_name(m, names->package, p->package_name.len, to);
		else
			to = stpcpy(to, "__ANON__");
		if (!to)
			return false;
		to = stpcpy(to, "::");
	}
	return read_name(m, names->name, p->name.len, to);
}

enum perl_function_state perl_function_read(const struct lang_memory *m, uint64_t addr,
					    uint32_t cookie, struct perl_function *ret)
{
	struct lang_perl_print p;
	struct names names;
	enum perl_function_state state = print(m, addr, &p, &names);
	bool whole;

	if (state != PERL_FUNCTION_READ)
		return state;
	if (lang_perl_code_cookie(&p) != cookie)
		return PERL_FUNCTION_STALE;
	ret->root = p.code[PERL_CODE_ROOT];
	whole = read_names(m, &p, &names, ret->name);
	/* the names belong to the sub only if it is still the same */
	state = print(m, addr, &p, &names);
	if (state != PERL_FUNCTION_READ)
		return state;
	return whole && lang_perl_code_cookie(&p) == cookie ? PERL_FUNCTION_READ :
							      PERL_FUNCTION_STALE;
}

enum perl_function_state perl_function_from_words(const struct lang_memory *m, const __u64 word[PERL_TOLD_WORDS],
					    uint32_t cookie, struct perl_function *ret)
{
	struct lang_perl_print p = { .code = { [PERL_CODE_PACKAGE] = word[PERL_TOLD_PACKAGE],
					       [PERL_CODE_ROOT] = word[PERL_TOLD_ROOT],
					       [PERL_CODE_NAME] = word[PERL_TOLD_NAME],
					       [PERL_CODE_FLAGS] = word[PERL_TOLD_FLAGS] } };
	struct names names;

	ret->root = word[PERL_TOLD_ROOT];
	if (!print_names(m, &p, &names) || lang_perl_code_cookie(&p) != cookie ||
	    !read_names(m, &p, &names, ret->name))
		return PERL_FUNCTION_STALE;
	/* as above: the names may be gone by now */
	return print_names(m, &p, &names) && lang_perl_code_cookie(&p) == cookie ? PERL_FUNCTION_READ :
										    PERL_FUNCTION_STALE;
}
