// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the function of a frame: looks it up among those read so far, or reads it from
 * the process with the reader of its language. Called by reader.c with its lock held.
 */
#include "symbols/lang/function_names.h"

#include <string.h>

#include "symbols/lang/beam_function.h"
#include "symbols/lang/cpython_code.h"
#include "symbols/lang/perl_place.h"
#include "symbols/lang/php_function.h"
#include "symbols/lang/reader.h"
#include "symbols/lang/ruby_class.h"
#include "symbols/lang/ruby_function.h"

static u32 add_nameless(struct lang_functions *f, const struct lang_function *new, bool stale)
{
	return lang_functions_add(f, new, stale ? LANG_NAME_STALE : LANG_NAME_GONE, "");
}

/* Reads and adds a function of CPython. Return: as function_names_get(). */
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

/* Reads and adds a function of PHP. Return: as function_names_get(). */
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

/* Reads and adds a function of Ruby, or a C function. Return: as function_names_get(). */
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

/* Reads and adds the name of a class of Ruby. Return: as function_names_get(). */
static u32 add_ruby_class(struct lang_functions *f, const struct lang_process *p,
			  const struct lang_function *new, u64 first, u64 second)
{
	struct lang_memory m = lang_process_memory(p);
	char name[RUBY_TEXT_BYTES];
	enum ruby_function_state state = ruby_class_name(&m, &p->found.ruby, first, second, name);

	if (state != RUBY_FUNCTION_READ)
		return add_nameless(f, new, state == RUBY_FUNCTION_STALE);
	return lang_functions_add(f, new, name, "");
}

/*
 * Reads and adds a sub of Perl, or eval or the main program. Return: as
 * function_names_get().
 */
static u32 add_perl(struct lang_functions *f, const struct lang_process *p,
		    struct lang_function *new, bool is_sub)
{
	struct lang_memory m = lang_process_memory(p);
	struct perl_function function;
	enum perl_function_state state;

	if (!is_sub) {
		new->root = new->pointer;
		return lang_functions_add(
			f, new, new->cookie == LANG_PERL_MAIN ? PERL_NAME_MAIN : PERL_NAME_EVAL, "");
	}
	state = perl_function_read(&m, new->pointer, new->cookie, &function);
	if (state != PERL_FUNCTION_READ)
		return add_nameless(f, new, state == PERL_FUNCTION_STALE);
	new->root = function.root;
	return lang_functions_add(f, new, function.name, "");
}

/* Reads and adds a place of Perl: a file without a name. Return: as function_names_get(). */
static u32 add_perl_place(struct lang_functions *f, const struct lang_process *p,
			  struct lang_function *new, u64 first, u64 second)
{
	struct lang_memory m = lang_process_memory(p);
	struct perl_place place;
	enum perl_function_state state =
		perl_place_read(&m, &p->found.perl, first, second, &place);

	if (state != PERL_FUNCTION_READ)
		return add_nameless(f, new, state == PERL_FUNCTION_STALE);
	new->root = place.root;
	new->first_line = place.line;
	return lang_functions_add(f, new, "", place.file);
}

/* Reads and adds a place in code of the BEAM. Return: as function_names_get(). */
static u32 add_beam(struct lang_functions *f, const struct lang_process *p,
		    struct lang_function *new, u64 first, u64 second)
{
	struct lang_memory m = lang_process_memory(p);
	struct beam_function function;
	enum beam_state state = beam_function_read(&m, &p->found.beam, first, second, &function);

	if (state != BEAM_FOUND)
		return add_nameless(f, new, state == BEAM_STALE);
	new->first_line = function.start_line;
	new->line = function.line;
	new->root = function.size | (function.calls_fragment ? BEAM_CALLS_FRAGMENT : 0);
	return lang_functions_add(f, new, function.name, function.file);
}

static bool is_stale(const struct lang_functions *f, u32 n)
{
	return !strcmp(f->strings.entries[f->function[n].name].s, LANG_NAME_STALE);
}

/*
 * Tries again to name a stale function of PHP. A closure is an object that lives for
 * moments, with its function inside. When the same closure is created again, it often
 * gets the same address: then its name can be read after all.
 */
static void read_php_again(struct lang_functions *f, const struct lang_process *p, u32 n)
{
	const struct lang_function *known = &f->function[n];
	struct lang_memory m = lang_process_memory(p);
	struct php_function function;

	if (!is_stale(f, n))
		return;
	/* without memory it stays stale */
	if (php_function_read(&m, &p->found.php, known->pointer, known->cookie, &function) ==
	    PHP_FUNCTION_READ)
		lang_functions_rename(f, n, function.name, function.file, function.first_line, 0);
}

/*
 * Tries again to read the name of a class of Ruby. GC.compact may have moved it when it was
 * read first, and back since.
 */
static void read_ruby_class_again(struct lang_functions *f, const struct lang_process *p, u32 n,
				  u64 first, u64 second)
{
	struct lang_memory m = lang_process_memory(p);
	char name[RUBY_TEXT_BYTES];

	if (is_stale(f, n) &&
	    ruby_class_name(&m, &p->found.ruby, first, second, name) == RUBY_FUNCTION_READ)
		lang_functions_rename(f, n, name, "", 0, 0);
}

/*
 * Functions of Perl are not distinguished by address and cookie alone. Frames without a
 * sub have no real cookie: their kind is added. Places get their operation. Names of
 * Ruby's classes have their kind. The innermost frame of the BEAM has no line, and the size
 * of its frame depends on where its stack was. Else 0.
 */
static u64 place_of(u64 first, u64 second)
{
	switch (first >> LANG_KIND_SHIFT) {
	case LANG_PERL:
		return first >> LANG_FLAGS_SHIFT & LANG_PERL_NO_SUB;
	case LANG_PERL_PLACE:
		return first >> LANG_FLAGS_SHIFT << 32 | (u32)second;
	case LANG_RUBY_CLASS:
		return LANG_RUBY_CLASS;
	case LANG_BEAM:
		return first >> LANG_FLAGS_SHIFT & LANG_BEAM_INNERMOST ? 1 + (u32)second : 0;
	}
	return 0;
}

u32 function_names_get(struct lang_functions *f, const struct lang_process *p, u64 number, u64 first,
		       u64 second)
{
	struct lang_function new = { .process = number, .pointer = first & LANG_POINTER,
				     .cookie = (u32)(second >> 32), .place = place_of(first, second) };
	u32 n = lang_functions_find(f, new.process, new.pointer, new.cookie, new.place);
	u32 flags = first >> LANG_FLAGS_SHIFT;

	if (n && p->kind == LANG_PHP)
		read_php_again(f, p, n);
	if (n && first >> LANG_KIND_SHIFT == LANG_RUBY_CLASS)
		read_ruby_class_again(f, p, n, first, second);
	if (n)
		return n;
	if (first >> LANG_KIND_SHIFT == LANG_RUBY_CLASS)
		return add_ruby_class(f, p, &new, first, second);
	if (flags & LANG_FAULTED_OBJECT)
		return add_nameless(f, &new, false);
	if (first >> LANG_KIND_SHIFT == LANG_PERL_PLACE)
		return add_perl_place(f, p, &new, first, second);
	if (p->kind == LANG_BEAM)
		return add_beam(f, p, &new, first, second);
	if (p->kind == LANG_PERL)
		return add_perl(f, p, &new, !(flags & LANG_PERL_NO_SUB));
	if (p->kind == LANG_RUBY)
		return add_ruby(f, p, &new, flags & LANG_IN_C);
	return p->kind == LANG_PHP ? add_php(f, p, &new) : add_cpython(f, p, &new);
}

/*
 * A function that the BPF programs have described, as read. @name and @file point into
 * one of the others.
 */
struct told {
	const char *name;
	const char *file;
	union {
		struct php_function php;
		struct perl_function perl;
	};
};

/* Reads a function of PHP that was described. Return: whether @ret has its names. */
static bool read_php_told(const struct lang_memory *m, const __u64 *word, struct lang_function *new,
			  struct told *ret)
{
	if (php_function_from_words(m, word, new->cookie, &ret->php) != PHP_FUNCTION_READ)
		return false;
	new->first_line = ret->php.first_line;
	ret->name = ret->php.name;
	ret->file = ret->php.file;
	return true;
}

static bool read_perl_told(const struct lang_memory *m, const __u64 *word, struct lang_function *new,
			   struct told *ret)
{
	if (perl_function_from_words(m, word, new->cookie, &ret->perl) != PERL_FUNCTION_READ)
		return false;
	new->root = ret->perl.root;
	ret->name = ret->perl.name;
	ret->file = "";
	return true;
}

void function_names_from_wish(struct lang_functions *f, const struct lang_process *p, u64 number,
			 const __u64 *word)
{
	struct lang_function new = { .process = number, .pointer = word[0] & LANG_POINTER,
				     .cookie = (u32)word[1] };
	struct lang_memory m = lang_process_memory(p);
	u32 n = lang_functions_find(f, new.process, new.pointer, new.cookie, 0);
	struct told told;

	if ((n && !is_stale(f, n)) ||
	    !(p->kind == LANG_PHP ? read_php_told : read_perl_told)(&m, word + 2, &new, &told))
		return;
	if (n)
		lang_functions_rename(f, n, told.name, told.file, new.first_line, new.root);
	else
		lang_functions_add(f, &new, told.name, told.file);
}
