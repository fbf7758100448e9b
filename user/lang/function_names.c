// SPDX-License-Identifier: GPL-2.0-only
#include "lang/function_names.h"

#include <string.h>

#include "lang/cpython_code.h"
#include "lang/php_function.h"
#include "lang/reader.h"
#include "lang/ruby_function.h"

static u32 add_nameless(struct lang_functions *f, const struct lang_function *new, bool stale)
{
	return lang_functions_add(f, new, stale ? LANG_NAME_STALE : LANG_NAME_GONE, "");
}

/* Adds what CPython's code object says. Return: as function_names_get(). */
static u32 add_cpython(struct lang_functions *f, const struct lang_process *p,
		       struct lang_function *new)
{
	struct lang_memory m = lang_process_memory(p);
	struct cpython_code code;
	enum cpython_code_state state =
		cpython_code_read(&m, &p->found.cpython, new->pointer, new->cookie, &code);

	if (state != CPYTHON_CODE_READ)
		return add_nameless(f, new, state == CPYTHON_CODE_STALE);
	new->first_line = code.first_line;
	new->table = code.table;
	new->table_len = code.table_len;
	return lang_functions_add(f, new, code.name, code.file);
}

/* Adds what PHP's function says. Return: as function_names_get(). */
static u32 add_php(struct lang_functions *f, const struct lang_process *p, struct lang_function *new)
{
	struct lang_memory m = lang_process_memory(p);
	struct php_function function;
	enum php_function_state state =
		php_function_read(&m, &p->found.php, new->pointer, new->cookie, &function);

	if (state != PHP_FUNCTION_READ)
		return add_nameless(f, new, state == PHP_FUNCTION_STALE);
	new->first_line = function.first_line;
	return lang_functions_add(f, new, function.name, function.file);
}

/* Adds what Ruby's code, or its function in C, says. Return: as function_names_get(). */
static u32 add_ruby(struct lang_functions *f, const struct lang_process *p, struct lang_function *new,
		    bool in_c)
{
	struct lang_memory m = lang_process_memory(p);
	struct ruby_function function;
	enum ruby_function_state state =
		(in_c ? ruby_function_in_c : ruby_function_read)(&m, &p->found.ruby, new->pointer,
								 new->cookie, &function);

	if (state != RUBY_FUNCTION_READ)
		return add_nameless(f, new, state == RUBY_FUNCTION_STALE);
	new->first_line = function.first_line;
	new->table = function.table;
	new->table_len = function.table_len;
	return lang_functions_add(f, new, function.name, function.file);
}

static bool is_stale(const struct lang_functions *f, u32 n)
{
	return !strcmp(f->strings.entries[f->function[n].name].s, LANG_NAME_STALE);
}

/*
 * A closure of PHP is an object that lives for moments, and its function is a part of it. When the
 * same closure is made again, it is often at the same address: then its name can be read after all.
 */
static void read_php_again(struct lang_functions *f, const struct lang_process *p, u32 n)
{
	const struct lang_function *known = &f->function[n];
	struct lang_memory m = lang_process_memory(p);
	struct php_function function;

	if (!is_stale(f, n))
		return;
	/* without memory it stays as it is */
	if (php_function_read(&m, &p->found.php, known->pointer, known->cookie, &function) ==
	    PHP_FUNCTION_READ)
		lang_functions_rename(f, n, function.name, function.file, function.first_line);
}

u32 function_names_get(struct lang_functions *f, const struct lang_process *p, u64 number, u64 first,
		       u64 second)
{
	struct lang_function new = { .process = number, .pointer = first & LANG_POINTER,
				     .cookie = (u32)(second >> 32) };
	u32 n = lang_functions_find(f, new.process, new.pointer, new.cookie);

	if (n && p->kind == LANG_PHP)
		read_php_again(f, p, n);
	if (n)
		return n;
	if (first >> LANG_FLAGS_SHIFT & LANG_FAULTED_OBJECT)
		return add_nameless(f, &new, false);
	if (p->kind == LANG_RUBY)
		return add_ruby(f, p, &new, first >> LANG_FLAGS_SHIFT & LANG_IN_C);
	return p->kind == LANG_PHP ? add_php(f, p, &new) : add_cpython(f, p, &new);
}

void function_names_told(struct lang_functions *f, const struct lang_process *p, u64 number,
			 const __u64 *word)
{
	struct lang_function new = { .process = number, .pointer = word[0] & LANG_POINTER,
				     .cookie = (u32)word[1] };
	struct lang_memory m = lang_process_memory(p);
	u32 n = lang_functions_find(f, new.process, new.pointer, new.cookie);
	struct php_function function;

	if ((n && !is_stale(f, n)) ||
	    php_function_told(&m, word + 2, new.cookie, &function) != PHP_FUNCTION_READ)
		return;
	new.first_line = function.first_line;
	if (n)
		lang_functions_rename(f, n, function.name, function.file, function.first_line);
	else
		lang_functions_add(f, &new, function.name, function.file);
}
