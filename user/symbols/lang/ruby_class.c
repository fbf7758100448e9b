// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads names of Ruby's classes, see ruby_class.h. Everything comes from the process and
 * is untrusted: a name is only believed if it has the fingerprint of the sample.
 */
#include "symbols/lang/ruby_class.h"

#include <string.h>

#include "util/poison.h"

/* Reads @nr words of the class at @at. Return: whether it is one. */
static bool read_class(const struct lang_memory *m, uint64_t at, __u64 *ret, size_t nr)
{
	return lang_memory_read(m, at, ret, 8 * nr) && lang_ruby_is_class(ret[RUBY_CLASS_FLAGS]);
}

/*
 * Reads the first variables of a class of 3.1. Return: number of entries; those that were
 * removed have the id 0.
 */
static size_t read_variables(const struct lang_memory *m, const __u64 *class,
			     __u64 ret[RUBY_ENTRIES][RUBY_ENTRY_WORDS])
{
	__u64 table, head[RUBY_TABLE_HEAD_WORDS];
	size_t n, i;

	if (!lang_memory_read(m, class[RUBY_CLASS_EXTRA] + 8, &table, sizeof(table)) ||
	    !lang_memory_read(m, table, head, sizeof(head)))
		return 0;
	n = head[RUBY_TABLE_BOUND] < RUBY_ENTRIES ? head[RUBY_TABLE_BOUND] : RUBY_ENTRIES;
	if (!lang_memory_read(m, head[RUBY_TABLE_ENTRIES], ret, n * sizeof(ret[0])))
		return 0;
	for (i = 0; i < n; i++)
		if (!~ret[i][RUBY_ENTRY_HASH])
			ret[i][RUBY_ENTRY_ID] = 0;
	return n;
}

/* Finds the variable @name of a class of 3.1. Return: its number, with @value set; 0 if none. */
static uint32_t find_variable(const struct lang_memory *m, const struct lang_ruby *d,
			      const __u64 *class, const char *name, uint64_t *value)
{
	__u64 entry[RUBY_ENTRIES][RUBY_ENTRY_WORDS];
	size_t n = read_variables(m, class, entry), i;
	char text[RUBY_TEXT_BYTES];

	for (i = 0; i < n; i++) {
		uint64_t id = entry[i][RUBY_ENTRY_ID];

		if (id <= UINT32_MAX && ruby_symbol(m, d, id, text) && !strcmp(text, name)) {
			*value = entry[i][RUBY_ENTRY_VALUE];
			return (uint32_t)id;
		}
	}
	return 0;
}

static bool is_called_object(const struct lang_memory *m, const struct lang_ruby *d, uint64_t name)
{
	char text[RUBY_TEXT_BYTES];

	return ruby_text(m, d, name, text) && !strcmp(text, "Object");
}

static bool check_old(const struct lang_memory *m, struct lang_ruby *d, uint64_t object)
{
	__u64 class[RUBY_CLASS_OLD_WORDS], singleton[RUBY_CLASS_OLD_WORDS];
	uint64_t name = 0, attached = 0;

	if (!read_class(m, object, class, RUBY_CLASS_OLD_WORDS) ||
	    !read_class(m, class[RUBY_CLASS_SINGLETON], singleton, RUBY_CLASS_OLD_WORDS))
		return false;
	d->name = find_variable(m, d, class, "__classpath__", &name);
	d->attached = find_variable(m, d, singleton, "__attached__", &attached);
	return d->name && is_called_object(m, d, name) && d->attached && attached == object &&
	       !lang_ruby_is_singleton(class[RUBY_CLASS_FLAGS]) &&
	       lang_ruby_is_singleton(singleton[RUBY_CLASS_FLAGS]);
}

static bool check_new(const struct lang_memory *m, const struct lang_ruby *d, uint64_t object)
{
	__u64 class[RUBY_CLASS_WORDS], singleton[RUBY_CLASS_WORDS];

	return read_class(m, object, class, RUBY_CLASS_WORDS) &&
	       read_class(m, class[RUBY_CLASS_SINGLETON], singleton, RUBY_CLASS_WORDS) &&
	       !lang_ruby_is_singleton(class[RUBY_CLASS_FLAGS]) &&
	       class[RUBY_CLASS_BITS] & RUBY_CLASS_NAMED &&
	       is_called_object(m, d, class[RUBY_CLASS_NAME]) &&
	       lang_ruby_is_singleton(singleton[RUBY_CLASS_FLAGS]) &&
	       !(singleton[RUBY_CLASS_BITS] & RUBY_CLASS_NAMED) &&
	       singleton[RUBY_CLASS_ATTACHED] == object;
}

void ruby_class_check(const struct lang_memory *m, struct lang_ruby *d, uint64_t object)
{
	d->classes = object && (d->old ? check_old(m, d, object) : check_new(m, d, object));
}

enum ruby_function_state ruby_class_name(const struct lang_memory *m, const struct lang_ruby *d,
					 uint64_t first, uint64_t second,
					 char ret[RUBY_TEXT_BYTES])
{
	uint64_t at = first & LANG_POINTER, flags = first >> LANG_FLAGS_SHIFT & LANG_RUBY_OF_CLASS;
	struct lang_ends ends = { 0 };
	__u64 word;

	if (!lang_memory_read(m, at, &word, sizeof(word)))
		return RUBY_FUNCTION_UNREADABLE;
	/* the fingerprint is that of the text only if the string is the same afterwards */
	if (!ruby_text(m, d, at, ret) || !ruby_ends(m, d, at, &ends) ||
	    lang_ruby_class_cookie(&ends, flags) != second >> 32)
		return RUBY_FUNCTION_STALE;
	return RUBY_FUNCTION_READ;
}
