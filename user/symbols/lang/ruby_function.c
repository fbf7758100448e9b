// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a function of Ruby: its name, file and lines. Lengths come from the process and
 * are untrusted: each is limited before anything is read.
 */
#include "symbols/lang/ruby_function.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/ruby_lines.h"
#include "util/poison.h"

/* The address of the string with the file's path; 0 if it cannot be read. */
static uint64_t path_of(const struct lang_memory *m, const struct lang_ruby_print *p)
{
	uint64_t at = p->body[RUBY_BODY_PATH], object[RUBY_STRING_WORDS];

	if (!lang_memory_read(m, at, object, sizeof(object)))
		return 0;
	if ((object[0] & RUBY_TYPE) != RUBY_T_ARRAY)
		return at;
	return object[0] & RUBY_ARRAY_WITHIN ? object[2] : 0;
}

static bool read_lines(const struct lang_memory *m, const struct lang_ruby *d,
		       struct lang_ruby_print *p)
{
	uint64_t n = (uint64_t)lang_ruby_nr_lines(p, d) * RUBY_LINES_ENTRY;

	return lang_memory_read(m, lang_ruby_word(p, d->lines + 8 * RUBY_LINES_TABLE), p->lines,
				n < RUBY_TABLE_BYTES ? n : RUBY_TABLE_BYTES);
}

enum ruby_function_state ruby_function_print(const struct lang_memory *m, const struct lang_ruby *d,
					     uint64_t addr, struct lang_ruby_print *ret)
{
	*ret = (struct lang_ruby_print){ 0 };
	if (!lang_memory_read(m, addr, ret->body, 8 * RUBY_BODY_WORDS))
		return RUBY_FUNCTION_UNREADABLE;
	return ruby_ends(m, d, ret->body[RUBY_BODY_LABEL], &ret->label) &&
			       ruby_ends(m, d, path_of(m, ret), &ret->path) && read_lines(m, d, ret) ?
		       RUBY_FUNCTION_READ :
		       RUBY_FUNCTION_STALE;
}

static enum ruby_function_state compare(const struct lang_memory *m, const struct lang_ruby *d,
					uint64_t addr, uint32_t cookie, struct lang_ruby_print *ret)
{
	enum ruby_function_state state = ruby_function_print(m, d, addr, ret);

	if (state != RUBY_FUNCTION_READ)
		return state;
	return lang_ruby_cookie(ret, d) == cookie ? RUBY_FUNCTION_READ : RUBY_FUNCTION_STALE;
}

enum ruby_function_state ruby_function_read(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret)
{
	struct lang_ruby_print print, again;
	enum ruby_function_state state = compare(m, d, addr, cookie, &print);
	bool whole;

	ret->table = NULL;
	ret->table_len = 0;
	if (state != RUBY_FUNCTION_READ)
		return state;
	ret->first_line = lang_ruby_first_line(&print, d);
	whole = ruby_text(m, d, print.body[RUBY_BODY_LABEL], ret->name) &&
		ruby_text(m, d, path_of(m, &print), ret->file) &&
		ruby_lines_read(m, d, &print, &ret->table, &ret->table_len);
	/* the names belong to the function only if it is still the same */
	state = compare(m, d, addr, cookie, &again);
	if (state == RUBY_FUNCTION_READ && whole)
		return state;
	free(ret->table);
	ret->table = NULL;
	return state == RUBY_FUNCTION_READ ? RUBY_FUNCTION_STALE : state;
}

enum ruby_function_state ruby_function_in_c(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret)
{
	__u64 def[RUBY_DEF_WORDS];
	bool same;

	ret->file[0] = '\0';
	ret->first_line = 0;
	ret->table = NULL;
	ret->table_len = 0;
	if (!lang_memory_read(m, addr, def, sizeof(def)))
		return RUBY_FUNCTION_UNREADABLE;
	/* the name belongs to the id, even if another definition is here by now */
	same = lang_ruby_is_in_c(def) && lang_ruby_cookie_in_c(def) == cookie &&
	       ruby_symbol(m, d, def[RUBY_DEF_ID], ret->name);
	return same ? RUBY_FUNCTION_READ : RUBY_FUNCTION_STALE;
}
