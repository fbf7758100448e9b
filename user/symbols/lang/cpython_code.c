// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a code object of CPython: its name, file and line table. Called for a frame whose
 * function is not known yet.
 */
#include "symbols/lang/cpython_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

/* Reads what the cookie is computed from, and compares the cookie. */
static enum cpython_code_state read_print(const struct lang_memory *m, const struct lang_cpython *d,
					  uint64_t addr, uint32_t cookie,
					  struct lang_cpython_print *ret)
{
	uint64_t name, table;
	struct peek_range both[2];

	*ret = (struct lang_cpython_print){ 0 };
	if (!lang_memory_read(m, addr, ret->code, LANG_CODE_BYTES))
		return CPYTHON_CODE_UNREADABLE;
	name = lang_code_word(ret, d->code_qualname);
	table = lang_code_word(ret, d->code_linetable);
	both[0] = (struct peek_range){ name + LANG_TEXT_AT, ret->text, sizeof(ret->text) };
	both[1] = (struct peek_range){ table + LANG_TEXT_AT, ret->table, sizeof(ret->table) };
	if (ret->code[1] != d->code_type || !lang_memory_read_ranges(m, both, 2))
		return CPYTHON_CODE_STALE;
	if (lang_text_has_tail(d, (__u64 *)ret->text) &&
	    !lang_memory_read(m, name + lang_text_data(d, ret->text) + lang_text_bytes(ret->text) -
			      sizeof(ret->tail), ret->tail, sizeof(ret->tail)))
		return CPYTHON_CODE_STALE;
	return lang_cpython_cookie(d, ret) == cookie ? CPYTHON_CODE_READ : CPYTHON_CODE_STALE;
}

enum cpython_code_state cpython_code_read(const struct lang_memory *m, const struct lang_cpython *d,
					  uint64_t addr, uint32_t cookie, struct cpython_code *ret)
{
	const struct cpython_strings s = { d->str_ascii, d->str_other };
	struct cpython_texts texts = { .name = ret->name, .file = ret->file };
	struct lang_cpython_print print, again;
	struct cpython_objects objects;
	enum cpython_code_state state;
	bool whole;

	ret->table = NULL;
	ret->table_len = 0;
	state = read_print(m, d, addr, cookie, &print);
	if (state != CPYTHON_CODE_READ)
		return state;
	ret->first_line = lang_code_line(d, &print);
	objects = (struct cpython_objects){
		.name = lang_code_word(&print, d->code_qualname),
		.file = lang_code_word(&print, d->code_filename),
		.table = lang_code_word(&print, d->code_linetable),
	};
	whole = cpython_texts(m, &s, &objects, &texts);
	state = read_print(m, d, addr, cookie, &again);
	if (state == CPYTHON_CODE_READ && whole) {
		ret->table = texts.table;
		ret->table_len = texts.table_len;
		return state;
	}
	free(texts.table);
	return state == CPYTHON_CODE_READ ? CPYTHON_CODE_STALE : state;
}
