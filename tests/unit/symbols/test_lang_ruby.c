// SPDX-License-Identifier: GPL-2.0-only
/* Names and lines of Ruby's functions, read from memory that may be forged. */
#include "forged_ruby.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/ruby.h"
#include "symbols/lang/ruby_function.h"
#include "symbols/lang/ruby_lines.h"

#define BODY BASE
#define LABEL (BASE + 0x200)
#define PATH (BASE + 0x280)
#define PATHS (BASE + 0x300)
#define APART (BASE + 0x400)
#define CODE 0x7f0000001000ull
#define TABLE (BASE + 0xa00)
#define PLACES (BASE + 0x1000)
#define DEF (BASE + 0x1500)
#define SYMBOLS (BASE + 0x1600)
#define ARRAYS (BASE + 0x1640)
#define UNIT_1 (BASE + 0x16c0)
#define PAIRS (BASE + 0x1700)
#define NAME (BASE + 0x1f00)

static const struct lang_ruby layouts[] = {
	{ .frame_bytes = 64, .lines = 120, .jit = 280, .old = 1, .symbols = SYMBOLS },
	{ .frame_bytes = 56, .lines = 112, .jit = 288, .symbols = SYMBOLS },
};

static const struct lang_ruby *d = &layouts[0];

static void put_string(struct forged *m, u64 addr, const char *text)
{
	put_ruby_string(m, d, addr, text);
}

/* A long one is elsewhere. */
static void put_apart(struct forged *m, u64 addr, const char *text, u64 len)
{
	put(m, addr, STRING_APART, 8);
	put(m, addr + 16, len, 8);
	put(m, addr + 24, APART, 8);
	memcpy(m->bytes + (APART - BASE), text, len);
}

/*
 * The bit vector, as Ruby makes it, of the places where entries begin in @size words of code.
 */
static void put_places(struct forged *m, u32 size, const u32 *place, u32 nr)
{
	u32 near = (size < 54 ? size + 8 : 54) / 9, blocks = size < 54 ? 0 : (size - 54 + 511) / 512;
	u32 i, j, k, r = 0;

	for (j = 0; j < near; j++) {
		u64 word = 0;

		for (i = 0; i < 9; i++) {
			r += r < nr && place[r] == j * 9 + i;
			word |= (u64)r << 7 * i;
		}
		put(m, PLACES + 8 * j, word, 8);
	}
	for (k = 0; k < blocks; k++) {
		u64 at = PLACES + 48 + 80 * k, ranks = 0, small = 0;

		put(m, at, r, 4);
		for (j = 0; j < 8; j++) {
			u64 bits = 0;

			if (j)
				ranks |= small << 9 * (j - 1);
			for (i = 0; i < 64; i++)
				if (r < nr && place[r] == 54 + k * 512 + j * 64 + i) {
					bits |= 1ull << i;
					r++;
				}
			put(m, at + 16 + 8 * j, bits, 8);
			small += (u64)__builtin_popcountll(bits);
		}
		put(m, at + 8, ranks, 8);
	}
}

static void put_lines(struct forged *m, u32 size, const u32 *place, const u32 *line, u32 nr)
{
	u32 i;

	put(m, BODY + 4, size, 4);
	put(m, BODY + d->lines + 16, nr, 4);
	for (i = 0; i < nr; i++)
		put(m, TABLE + 12 * i, line[i], 4);
	put_places(m, size, place, nr);
}

/* "block in handle" from line 7 of /srv/a.rb on */
static struct forged *forged(void)
{
	static const u32 place[] = { 0, 3, 20 }, line[] = { 8, 9, 12 };
	struct forged *m = calloc(1, sizeof(*m));

	put(m, BODY + 8, CODE, 8);
	put(m, BODY + 64, PATH, 8);
	put(m, BODY + 80, LABEL, 8);
	put(m, BODY + 88, d->old ? 7 << 1 | 1 : 7, 8);
	put(m, BODY + d->lines, TABLE, 8);
	put(m, BODY + d->lines + 24, PLACES, 8);
	put_string(m, LABEL, "block in handle");
	put_string(m, PATH, "/srv/a.rb");
	put_lines(m, 40, place, line, 3);
	return m;
}

static u32 cookie_of(struct forged *m)
{
	const struct lang_memory memory = { read_image, m };
	struct lang_ruby_print print;

	assert_int_equal(ruby_function_print(&memory, d, BODY, &print), RUBY_FUNCTION_READ);
	return lang_ruby_cookie(&print, d);
}

static enum ruby_function_state read_function(struct forged *m, u64 addr, u32 cookie,
					      struct ruby_function *ret)
{
	const struct lang_memory memory = { read_image, m };

	return ruby_function_read(&memory, d, addr, cookie, ret);
}

static void is_called(struct forged *m, const char *name, const char *file, u32 line)
{
	struct ruby_function f;

	assert_int_equal(read_function(m, BODY, cookie_of(m), &f), RUBY_FUNCTION_READ);
	assert_string_equal(f.name, name);
	assert_string_equal(f.file, file);
	assert_int_equal(f.first_line, line);
	free(f.table);
}

static void code_has_names(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct forged *m;

		d = &layouts[i];
		m = forged();
		is_called(m, "block in handle", "/srv/a.rb", 7);
		/* the path and the real path */
		put(m, BODY + 64, PATHS, 8);
		put(m, PATHS, ARRAY_WITHIN, 8);
		put(m, PATHS + 16, PATH, 8);
		is_called(m, "block in handle", "/srv/a.rb", 7);
		put_apart(m, LABEL, "a name that is longer than what a small object has", 50);
		is_called(m, "a name that is longer than what a small object has", "/srv/a.rb", 7);
		free(m);
	}
	d = &layouts[0];
}

static void names_are_utf8_without_controls(void **state)
{
	struct forged *m = forged();

	put_apart(m, LABEL, "a\x1b[2J\n\xc2\x85\xc3\xb6\xff\0b\xc3", 14);
	is_called(m, "a\\033[2J\\012\\205\xc3\xb6\xef\xbf\xbd\\000b\xef\xbf\xbd", "/srv/a.rb", 7);
	free(m);
}

static void long_names_are_cut(void **state)
{
	char name[1200], want[1100];
	struct forged *m = forged();

	memset(name, 'n', sizeof(name));
	put_apart(m, LABEL, name, sizeof(name));
	memset(want, 'n', sizeof(want));
	strcpy(want + RUBY_TEXT, "\xe2\x80\xa6");
	is_called(m, want, "/srv/a.rb", 7);
	free(m);
}

/* The line of a frame whose next word of code is @next. */
static void line_is(struct forged *m, u32 next, u32 line)
{
	struct ruby_function f;

	assert_int_equal(read_function(m, BODY, cookie_of(m), &f), RUBY_FUNCTION_READ);
	assert_int_equal(ruby_lines_line(f.table, f.table_len, next + 1), line);
	assert_int_equal(ruby_lines_line(f.table, f.table_len, 0), 0);
	free(f.table);
}

static void lines_are_those_of_the_word_before(void **state)
{
	static const u32 place[] = { 0, 53, 54, 117, 118, 565, 566, 1200 },
			 line[] = { 10, 20, 30, 40, 50, 60, 70, 80 };
	static const u32 next[] = { 0, 1, 53, 54, 55, 117, 118, 119, 565, 566, 567, 1200, 1201, 1300 },
			 want[] = { 10, 10, 10, 20, 30, 30, 40, 50, 50, 60, 70, 70, 80, 80 };
	struct forged *m = forged();
	size_t i;

	line_is(m, 0, 8);
	line_is(m, 3, 8);
	line_is(m, 4, 9);
	line_is(m, 20, 9);
	line_is(m, 40, 12);
	put_lines(m, 1300, place, line, 8);
	for (i = 0; i < ARRAY_SIZE(next); i++)
		line_is(m, next[i], want[i]);
	put_lines(m, 1300, place, line, 1);
	put(m, BODY + d->lines + 24, 0, 8);
	line_is(m, 1000, 10);
	put(m, TABLE, (u64)-3, 4);
	line_is(m, 1000, 0);
	free(m);
}

/* The table of lines cannot be read, or is inconsistent: then no line is reported. */
static void lines_that_make_no_sense_are_stale(void **state)
{
	static const struct { u64 at; u64 value; size_t len; } changes[] = {
		{ BODY + 120 + 24, 0xdead0000, 8 }, { BODY + 120 + 16, 41, 4 },
		{ BODY + 120 + 16, 2, 4 }, { PLACES, ~0ull, 8 }, { PLACES + 8, 0, 8 },
	};
	struct ruby_function f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct forged *m = forged();

		put(m, changes[i].at, changes[i].value, changes[i].len);
		assert_int_equal(read_function(m, BODY, cookie_of(m), &f), RUBY_FUNCTION_STALE);
		assert_null(f.table);
		free(m);
	}
}

static void code_that_is_too_large_has_no_lines(void **state)
{
	struct forged *m = forged();
	struct ruby_function f;

	put(m, BODY + 4, RUBY_LINES_MAX_CODE + 1, 4);
	assert_int_equal(read_function(m, BODY, cookie_of(m), &f), RUBY_FUNCTION_READ);
	assert_null(f.table);
	assert_int_equal(ruby_lines_line(f.table, f.table_len, 5), 0);
	free(m);
}

static void other_code_is_stale(void **state)
{
	static const struct { u64 at; u64 value; size_t len; } changes[] = {
		{ BODY, 1, 1 }, { BODY + 4, 41, 4 }, { BODY + 8, CODE + 8, 8 }, { BODY + 88, 17, 8 },
		{ LABEL + 30, 'E', 1 }, { LABEL, STRING | 14 << 14, 8 }, { PATH + 24, 'q', 1 },
		{ TABLE, 7, 4 }, { TABLE + 28, 7, 4 }, { BODY + 136, 2, 4 },
		{ BODY + 80, 0xdead0000, 8 }, { BODY + 64, 0xdead0000, 8 }, { BODY + 120, 0xdead0000, 8 },
		/*
		 * an object that the collector has moved, and an array whose contents are
		 * elsewhere
		 */
		{ LABEL, 0x1e, 8 }, { PATH, ARRAY, 8 },
		{ LABEL, STRING_APART, 8 },
	};
	struct ruby_function f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct forged *m = forged();
		u32 cookie = cookie_of(m);

		put(m, changes[i].at, changes[i].value, changes[i].len);
		assert_int_equal(read_function(m, BODY, cookie, &f), RUBY_FUNCTION_STALE);
		free(m);
	}
}

/* The collector moves strings, and call caches are replaced. */
static void code_stays_the_same_when_objects_move(void **state)
{
	struct forged *m = forged();
	u32 cookie = cookie_of(m);

	put(m, BODY + 80, LABEL + 0x40, 8);
	put_string(m, LABEL + 0x40, "block in handle");
	put(m, LABEL, 0x1e, 8);
	put(m, BODY + 24, 77, 8);
	assert_int_equal(cookie_of(m), cookie);
	free(m);
}

static void what_is_gone_is_unreadable(void **state)
{
	struct forged *m = forged();
	const struct lang_memory memory = { read_image, m };
	struct ruby_function f;

	assert_int_equal(read_function(m, 0, 0, &f), RUBY_FUNCTION_UNREADABLE);
	assert_int_equal(read_function(m, ~0ull - 8, 0, &f), RUBY_FUNCTION_UNREADABLE);
	assert_int_equal(ruby_function_in_c(&memory, d, 0, 0, &f), RUBY_FUNCTION_UNREADABLE);
	free(m);
}

/* sort_by() has the number 0x2131: place 531 of the table */
static struct forged *forged_in_c(void)
{
	struct forged *m = calloc(1, sizeof(*m));

	put(m, DEF, 1, 8);
	put(m, DEF + 8, CODE, 8);
	put(m, DEF + 32, 531 << 4 | 1, 8);
	put(m, DEF + 40, 99, 8);
	put_ruby_symbols(m, SYMBOLS, PAIRS);
	put_ruby_symbol(m, PAIRS, 531 << 4 | 1, NAME);
	put_ruby_symbol(m, PAIRS, 43, NAME);
	put_string(m, NAME, "sort_by");
	return m;
}

static enum ruby_function_state read_in_c(struct forged *m, u32 cookie, struct ruby_function *ret)
{
	const struct lang_memory memory = { read_image, m };

	return ruby_function_in_c(&memory, d, DEF, cookie, ret);
}

static u32 cookie_in_c(struct forged *m)
{
	return lang_ruby_cookie_in_c((__u64 *)(m->bytes + (DEF - BASE)));
}

static void functions_in_c_have_names_of_symbols(void **state)
{
	struct forged *m = forged_in_c();
	struct ruby_function f;

	assert_int_equal(read_in_c(m, cookie_in_c(m), &f), RUBY_FUNCTION_READ);
	assert_string_equal(f.name, "sort_by");
	assert_string_equal(f.file, "");
	assert_int_equal(f.first_line, 0);
	assert_null(f.table);
	/* an operator */
	put(m, DEF + 32, 43, 8);
	assert_int_equal(read_in_c(m, cookie_in_c(m), &f), RUBY_FUNCTION_READ);
	assert_int_equal(read_in_c(m, cookie_in_c(m) + 1, &f), RUBY_FUNCTION_STALE);
	free(m);
}

static void symbols_that_make_no_sense_are_stale(void **state)
{
	static const struct { u64 at; u64 value; size_t len; } changes[] = {
		{ DEF, 0, 8 }, { DEF + 32, 0, 8 }, { DEF + 32, ~0ull, 8 }, { DEF + 32, 532 << 4 | 1, 8 },
		{ DEF + 32, (531ull + 512) << 4 | 1, 8 }, { SYMBOLS + 16, 0xdead0000, 8 },
		{ ARRAYS, ARRAY_WITHIN | 1 << 15, 8 }, { ARRAYS, STRING, 8 }, { UNIT_1, STRING, 8 },
		{ UNIT_1 + 16, 39, 8 }, { UNIT_1 + 16, 0, 8 }, { UNIT_1 + 32, 0xdead0000, 8 },
		{ PAIRS + 16 * 19 + 8, (531 << 4 | 3) << 8 | 12, 8 }, { PAIRS + 16 * 19, SYMBOLS, 8 },
	};
	struct ruby_function f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct forged *m = forged_in_c();

		put(m, changes[i].at, changes[i].value, changes[i].len);
		assert_int_equal(read_in_c(m, cookie_in_c(m), &f), RUBY_FUNCTION_STALE);
		free(m);
	}
}

static void code_of_a_jit_is_told(void **state)
{
	struct lang_ruby_print print;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		print = (struct lang_ruby_print){ 0 };
		assert_false(lang_ruby_is_compiled(&print, &layouts[i]));
		print.body[layouts[i].jit / 8] = 1;
		assert_true(lang_ruby_is_compiled(&print, &layouts[i]));
		print.body[layouts[i].jit / 8] = 0;
		print.body[RUBY_BODY_JIT_LAST] = 1;
		assert_true(lang_ruby_is_compiled(&print, &layouts[i]));
	}
}

static void a_process_is_read_when_it_is_loaded(void **state)
{
	const struct lang_libc libc = { .has_dtv = true, .dtv = 8 };
	struct forged *m = calloc(1, sizeof(*m));
	const struct lang_memory memory = { read_image, m };
	struct ruby_file file = { .places = { .tls = 0x1000, .tls_more = 16, .symbols = 0x1800 },
				  .layout = layouts[1] };
	struct lang_ruby found;

	assert_int_equal(ruby_describe(&file, BASE, &libc, &memory, &found), LANG_NOT_YET);
	put(m, BASE + 0x1000, 3, 8);
	put(m, BASE + 0x1008, 8, 8);
	/* few symbols: the interpreter starts, and its classes have no names yet */
	put(m, BASE + 0x1800, 300, 4);
	assert_int_equal(ruby_describe(&file, BASE, &libc, &memory, &found), LANG_NOT_YET);
	put(m, BASE + 0x1800, 3000, 4);
	assert_int_equal(ruby_describe(&file, BASE, &libc, &memory, &found), LANG_READY);
	assert_int_equal(found.dtv, 8);
	assert_int_equal(found.module, 3 * 16);
	assert_int_equal(found.ec, 24);
	assert_int_equal(found.symbols, BASE + 0x1800);
	assert_int_equal(found.frame_bytes, 56);
	assert_false(found.classes);
	put(m, BASE + 0x1000, 1 << 20, 8);
	assert_int_equal(ruby_describe(&file, BASE, &libc, &memory, &found), LANG_NEVER);
	assert_int_equal(ruby_describe(&file, 0, &libc, &memory, &found), LANG_NEVER);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_has_names),
		cmocka_unit_test(names_are_utf8_without_controls),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(lines_are_those_of_the_word_before),
		cmocka_unit_test(lines_that_make_no_sense_are_stale),
		cmocka_unit_test(code_that_is_too_large_has_no_lines),
		cmocka_unit_test(other_code_is_stale),
		cmocka_unit_test(code_stays_the_same_when_objects_move),
		cmocka_unit_test(what_is_gone_is_unreadable),
		cmocka_unit_test(functions_in_c_have_names_of_symbols),
		cmocka_unit_test(symbols_that_make_no_sense_are_stale),
		cmocka_unit_test(code_of_a_jit_is_told),
		cmocka_unit_test(a_process_is_read_when_it_is_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
