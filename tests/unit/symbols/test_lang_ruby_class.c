// SPDX-License-Identifier: GPL-2.0-only
/* Classes of Ruby's methods, read from memory that may be forged, and names with them. */
#include "forged_ruby.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/lang/ruby.h"
#include "symbols/lang/ruby_class.h"
#include "symbols/lang/ruby_frames.h"

#define OBJECT BASE
#define SINGLETON (BASE + 0x100)
#define EXTRA (BASE + 0x200)	/* for 3.1; that of the singleton class follows, as with the next ones */
#define TABLE (BASE + 0x240)
#define ENTRIES (BASE + 0x300)
#define NAME (BASE + 0x500)
#define OTHER (BASE + 0x540)
#define IDS (BASE + 0x580)	/* names of both variables, in 64 bytes each */
#define SYMBOLS (BASE + 0x700)
#define PAIRS (BASE + 0x900)

#define CLASSPATH (240u << 4 | 1)
#define ATTACHED (193u << 4 | 1)

static const struct lang_ruby layouts[] = {
	{ .frame_bytes = 64, .lines = 120, .jit = 280, .old = 1, .symbols = SYMBOLS },
	{ .frame_bytes = 56, .lines = 112, .jit = 288, .symbols = SYMBOLS },
};

static void put_variable(struct forged *m, u64 class, u32 at, u64 id, u64 value)
{
	u64 singleton = class == SINGLETON, entry = ENTRIES + 0x100 * singleton + 24 * at;

	put(m, class + 24, EXTRA + 0x20 * singleton, 8);
	put(m, EXTRA + 0x20 * singleton + 8, TABLE + 0x40 * singleton, 8);
	put(m, TABLE + 0x40 * singleton + 40, at + 1, 8);
	put(m, TABLE + 0x40 * singleton + 48, ENTRIES + 0x100 * singleton, 8);
	put(m, entry, 77, 8);
	put(m, entry + 8, id, 8);
	put(m, entry + 16, value, 8);
}

/* The class Object, and its singleton class */
static struct forged *forged(const struct lang_ruby *d)
{
	struct forged *m = calloc(1, sizeof(*m));

	put(m, OBJECT, 0x142, 8);
	put(m, OBJECT + 8, SINGLETON, 8);
	put(m, SINGLETON, 0x1042, 8);
	put_ruby_string(m, d, NAME, "Object");
	put_ruby_symbols(m, SYMBOLS, PAIRS);
	put_ruby_string(m, d, IDS, "__classpath__");
	put_ruby_string(m, d, IDS + 0x40, "__attached__");
	put_ruby_string(m, d, IDS + 0x80, "@@variable");
	put_ruby_symbol(m, PAIRS, CLASSPATH, IDS);
	put_ruby_symbol(m, PAIRS, ATTACHED, IDS + 0x40);
	put_ruby_symbol(m, PAIRS, 300 << 4 | 3, IDS + 0x80);
	if (d->old) {
		put_variable(m, OBJECT, 0, 300 << 4 | 3, NAME);
		put_variable(m, OBJECT, 1, CLASSPATH, NAME);
		put_variable(m, SINGLETON, 0, ATTACHED, OBJECT);
		return m;
	}
	put(m, OBJECT + 144, RUBY_CLASS_NAMED, 8);
	put(m, OBJECT + 152, NAME, 8);
	put(m, SINGLETON + 128, OBJECT, 8);
	return m;
}

static bool has_classes(struct forged *m, const struct lang_ruby *layout, struct lang_ruby *ret)
{
	const struct lang_memory memory = { read_image, m };

	*ret = *layout;
	ruby_class_check(&memory, ret, OBJECT);
	return ret->classes;
}

static void classes_are_those_of_the_version(void **state)
{
	struct lang_ruby d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct forged *m = forged(&layouts[i]);
		const struct lang_memory memory = { read_image, m };

		assert_true(has_classes(m, &layouts[i], &d));
		assert_int_equal(d.name, d.old ? CLASSPATH : 0);
		assert_int_equal(d.attached, d.old ? ATTACHED : 0);
		/* the variable was not set, or is elsewhere */
		d = layouts[i];
		ruby_class_check(&memory, &d, 0);
		assert_false(d.classes);
		free(m);
	}
}

static void other_structures_have_no_classes(void **state)
{
	static const struct { size_t layout; u64 at; u64 value; size_t len; } changes[] = {
		{ 0, OBJECT, 0x145, 8 }, { 0, OBJECT, 0x1142, 8 }, { 0, OBJECT + 8, 0xdead0000, 8 },
		{ 0, OBJECT + 8, OBJECT, 8 }, { 0, SINGLETON, 0x42, 8 }, { 0, SINGLETON, 0x1045, 8 },
		{ 0, OBJECT + 24, 0xdead0000, 8 }, { 0, EXTRA + 8, 0xdead0000, 8 },
		{ 0, TABLE + 40, 1, 8 }, { 0, TABLE + 48, 0xdead0000, 8 },
		{ 0, ENTRIES + 24, ~0ull, 8 }, { 0, ENTRIES + 32, ATTACHED, 8 },
		{ 0, ENTRIES + 40, IDS, 8 }, { 0, ENTRIES + 0x100 + 16, SINGLETON, 8 },
		{ 0, ENTRIES + 0x100, ~0ull, 8 }, { 0, IDS + 16, 'x', 1 }, { 0, NAME + 17, 'B', 1 },
		{ 1, OBJECT, 0x145, 8 }, { 1, OBJECT, 0x1142, 8 }, { 1, OBJECT + 8, 0xdead0000, 8 },
		{ 1, OBJECT + 8, OBJECT, 8 }, { 1, SINGLETON, 0x42, 8 },
		{ 1, OBJECT + 144, 0, 8 }, { 1, OBJECT + 152, OTHER, 8 },
		{ 1, SINGLETON + 144, RUBY_CLASS_NAMED, 8 }, { 1, SINGLETON + 128, SINGLETON, 8 },
	};
	struct lang_ruby d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		const struct lang_ruby *layout = &layouts[changes[i].layout];
		struct forged *m = forged(layout);

		put_ruby_string(m, layout, OTHER, "Subject");
		put(m, changes[i].at, changes[i].value, changes[i].len);
		assert_false(has_classes(m, layout, &d));
		free(m);
	}
}

static u64 first_of(u64 at, u64 flags)
{
	return (u64)LANG_RUBY_CLASS << LANG_KIND_SHIFT | flags << LANG_FLAGS_SHIFT | at;
}

static u64 second_of(struct forged *m, const struct lang_ruby *d, u64 at, u64 flags)
{
	const struct lang_memory memory = { read_image, m };
	struct lang_ends ends = { 0 };

	assert_true(ruby_ends(&memory, d, at, &ends));
	return (u64)lang_ruby_class_cookie(&ends, flags) << 32;
}

static void names_are_those_of_the_sample(void **state)
{
	char name[RUBY_TEXT_BYTES];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		const struct lang_ruby *d = &layouts[i];
		struct forged *m = forged(d);
		const struct lang_memory memory = { read_image, m };
		u64 first = first_of(OTHER, 0), second;

		put_ruby_string(m, d, OTHER, "App::\x1b[2J");
		second = second_of(m, d, OTHER, 0);
		assert_int_equal(ruby_class_name(&memory, d, first, second, name),
				 RUBY_FUNCTION_READ);
		assert_string_equal(name, "App::\\033[2J");
		assert_int_equal(ruby_class_name(&memory, d, first_of(OTHER, LANG_RUBY_OF_CLASS), second,
						 name), RUBY_FUNCTION_STALE);
		assert_int_equal(ruby_class_name(&memory, d, first_of(NAME, 0), second, name),
				 RUBY_FUNCTION_STALE);
		assert_int_equal(ruby_class_name(&memory, d, first_of(0, 0), second, name),
				 RUBY_FUNCTION_UNREADABLE);
		/* the collector has moved it, or uses its place again */
		put(m, OTHER, 0x1e, 8);
		assert_int_equal(ruby_class_name(&memory, d, first, second, name),
				 RUBY_FUNCTION_STALE);
		put_ruby_string(m, d, OTHER, "App::\x1b[2K");
		assert_int_equal(ruby_class_name(&memory, d, first, second, name),
				 RUBY_FUNCTION_STALE);
		free(m);
	}
}

/* Adds a function, or a class, that has been read. Return: the first word of its pair. */
static u64 add(struct lang_functions *f, enum lang_kind kind, u64 flags, u64 pointer, const char *name)
{
	const struct lang_function new = { .process = 1, .pointer = pointer,
					   .place = kind == LANG_RUBY_CLASS ? kind : 0 };

	assert_true(lang_functions_add(f, &new, name, kind == LANG_RUBY && !flags ? "/a.rb" : ""));
	return (u64)kind << LANG_KIND_SHIFT | flags << LANG_FLAGS_SHIFT | pointer;
}

static void methods_get_the_names_of_their_classes(void **state)
{
	static const struct { const char *label; u64 flags; const char *class; u64 of; const char *want; } names[] = {
		{ "handle", 0, "App::Server", 0, "App::Server#handle" },
		{ "handle", LANG_ENTRY, "App::Server", LANG_RUBY_OF_CLASS, "App::Server.handle" },
		{ "block (2 levels) in []=", 0, "A", 0, "block (2 levels) in A#[]=" },
		{ "rescue in block in x", 0, "A", LANG_RUBY_OF_CLASS, "rescue in block in A.x" },
		{ "a b", LANG_IN_C, "A", 0, "A#a b" },
		{ "", 0, "A", 0, "A#" },
		{ "handle", 0, NULL, 0, "handle" },
		{ "handle", 0, LANG_NAME_GONE, 0, "handle" },
		{ LANG_NAME_GONE, 0, "A", 0, LANG_NAME_GONE },
		{ LANG_NAME_STALE, LANG_IN_C, "A", 0, LANG_NAME_STALE },
	};
	struct lang_process p = { .kind = LANG_RUBY };
	u64 word[4 * ARRAY_SIZE(names)] = { 0 };
	struct lang_frame frame[2 * ARRAY_SIZE(names)];
	struct lang_functions f;
	size_t i, nr = 0;

	assert_int_equal(lang_functions_init(&f), 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		word[2 * nr++] = add(&f, LANG_RUBY, names[i].flags, 0x1000 + i, names[i].label);
		if (names[i].class)
			word[2 * nr++] = add(&f, LANG_RUBY_CLASS, names[i].of, 0x1000 + i, names[i].class);
	}
	assert_int_equal(ruby_frames(&f, &p, 1, word, nr, frame), ARRAY_SIZE(names));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_string_equal(frame[i].name, names[i].want);
		assert_int_equal(frame[i].in_c, !!(names[i].flags & LANG_IN_C));
		assert_int_equal(frame[i].entry, !!(names[i].flags & LANG_ENTRY));
	}
	lang_functions_release(&f);
}

static void words_of_others_are_refused(void **state)
{
	const u64 code = (u64)LANG_RUBY << LANG_KIND_SHIFT, class = first_of(BASE, 0);
	u64 word[] = { code, 0, class, 0, code, 0 };
	struct lang_frame frame[3];

	assert_int_equal(ruby_frames(NULL, NULL, 0, word, 3, frame), 2);
	assert_string_equal(frame[0].name, LANG_NAME_GONE);
	assert_string_equal(frame[1].name, LANG_NAME_GONE);
	assert_int_equal(ruby_frames(NULL, NULL, 0, word, 2, frame), 1);
	assert_int_equal(ruby_frames(NULL, NULL, 0, word + 2, 2, frame), -EPROTO);
	word[4] = class;
	assert_int_equal(ruby_frames(NULL, NULL, 0, word, 3, frame), -EPROTO);
	word[4] = (u64)LANG_PHP << LANG_KIND_SHIFT;
	assert_int_equal(ruby_frames(NULL, NULL, 0, word, 3, frame), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_are_those_of_the_version),
		cmocka_unit_test(other_structures_have_no_classes),
		cmocka_unit_test(names_are_those_of_the_sample),
		cmocka_unit_test(methods_get_the_names_of_their_classes),
		cmocka_unit_test(words_of_others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
