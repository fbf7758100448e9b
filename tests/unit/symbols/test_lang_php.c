// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of PHP's functions, read from memory that may be forged; and recognising files that
 * contain PHP.
 */
#include "forged_memory.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/functions.h"
#include "symbols/lang/php.h"
#include "symbols/lang/php_function.h"
#include "symbols/lang/php_jit.h"

#define FUNCTION BASE
#define NAME (BASE + 0x200)
#define CLASS (BASE + 0x900)
#define CLASS_NAME (BASE + 0xa00)
#define FILE_NAME (BASE + 0x1100)

/* Offsets of 8.2. */
static const struct lang_php layout = { .func_last = 80, .func_opcodes = 88, .func_filename = 152 };

static void put_string(struct forged *m, u64 addr, const char *text, u64 len)
{
	put(m, addr + 16, len, 8);
	memcpy(m->bytes + (addr - BASE) + 24, text, len);
}

/* Service::handle() in line 7 of /srv/service.php */
static struct forged *forged(void)
{
	struct forged *m = calloc(1, sizeof(*m));

	put(m, FUNCTION, 2, 1);
	put(m, FUNCTION + 8, NAME, 8);
	put(m, FUNCTION + 16, CLASS, 8);
	put(m, FUNCTION + 152, FILE_NAME, 8);
	put(m, FUNCTION + 160, 7, 4);
	put(m, FUNCTION + 164, 20, 4);
	put(m, CLASS + 8, CLASS_NAME, 8);
	put_string(m, NAME, "handle", 6);
	put_string(m, CLASS_NAME, "App\\Service", 11);
	put_string(m, FILE_NAME, "/srv/service.php", 16);
	return m;
}

static u32 cookie_of(struct forged *m)
{
	const struct lang_memory memory = { read_image, m };
	struct lang_php_print print;

	assert_int_equal(php_function_print(&memory, &layout, FUNCTION, &print), PHP_FUNCTION_READ);
	return lang_php_cookie(&print);
}

static enum php_function_state read_function(struct forged *m, u64 addr, u32 cookie,
					     struct php_function *ret)
{
	const struct lang_memory memory = { read_image, m };

	return php_function_read(&memory, &layout, addr, cookie, ret);
}

static void is_called(struct forged *m, const char *name, const char *file, u32 line)
{
	struct php_function f;

	assert_int_equal(read_function(m, FUNCTION, cookie_of(m), &f), PHP_FUNCTION_READ);
	assert_string_equal(f.name, name);
	assert_string_equal(f.file, file);
	assert_int_equal(f.first_line, line);
}

static void functions_have_names(void **state)
{
	struct forged *m = forged();

	is_called(m, "App\\Service::handle", "/srv/service.php", 7);
	put(m, FUNCTION + 16, 0, 8);
	is_called(m, "handle", "/srv/service.php", 7);
	put(m, FUNCTION + 8, 0, 8);
	is_called(m, "{include}", "/srv/service.php", 7);
	put(m, FUNCTION, 4, 1);
	is_called(m, "{eval}", "/srv/service.php", 7);
	free(m);
}

static void functions_in_c_have_no_file(void **state)
{
	struct forged *m = forged();
	struct php_function f;

	put(m, FUNCTION, 1, 1);
	put(m, FUNCTION + 152, 0xdead0000, 8);
	is_called(m, "App\\Service::handle", "", 0);
	put(m, FUNCTION + 8, 0, 8);
	assert_int_equal(read_function(m, FUNCTION, cookie_of(m), &f), PHP_FUNCTION_STALE);
	free(m);
}

static void names_are_utf8_without_controls(void **state)
{
	struct forged *m = forged();

	put(m, FUNCTION + 16, 0, 8);
	put_string(m, NAME, "a\x1b[2J\n\xc2\x85\xc3\xb6\xff\xc3", 12);
	is_called(m, "a\\033[2J\\012\\205\xc3\xb6\xef\xbf\xbd\xef\xbf\xbd", "/srv/service.php", 7);
	/* where a class without a name was defined */
	put(m, FUNCTION + 16, CLASS, 8);
	put_string(m, NAME, "go", 2);
	put_string(m, CLASS_NAME, "class@anonymous\0/srv/a.php:3$0", 30);
	is_called(m, "class@anonymous::go", "/srv/service.php", 7);
	free(m);
}

static void long_names_are_cut(void **state)
{
	char name[1200], want[1100];
	struct forged *m = forged();

	put(m, FUNCTION + 16, 0, 8);
	memset(name, 'n', sizeof(name));
	put_string(m, NAME, name, sizeof(name));
	memset(want, 'n', sizeof(want));
	strcpy(want + PHP_TEXT, "\xe2\x80\xa6");
	is_called(m, want, "/srv/service.php", 7);
	free(m);
}

static void another_function_is_stale(void **state)
{
	static const struct { u64 at; u64 value; size_t len; } changes[] = {
		{ FUNCTION, 4, 1 }, { FUNCTION + 8, FILE_NAME, 8 }, { FUNCTION + 16, 0, 8 },
		{ FUNCTION + 160, 8, 4 }, { NAME + 24, 'H', 1 }, { NAME + 16, 5, 8 },
		{ CLASS_NAME + 34, 'E', 1 }, { FILE_NAME + 39, 'q', 1 }, { FUNCTION, 3, 1 },
		{ FUNCTION + 8, 0xdead0000, 8 }, { FUNCTION + 16, 0xdead0000, 8 },
		{ CLASS + 8, 0xdead0000, 8 }, { FUNCTION + 152, 0xdead0000, 8 },
		{ NAME + 16, 1ull << 32, 8 }, { NAME + 16, ~0ull, 8 },
	};
	struct php_function f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct forged *m = forged();
		u32 cookie = cookie_of(m);

		put(m, changes[i].at, changes[i].value, changes[i].len);
		assert_int_equal(read_function(m, FUNCTION, cookie, &f), PHP_FUNCTION_STALE);
		free(m);
	}
}

static void both_ends_of_a_long_name_count(void **state)
{
	char name[300];
	struct forged *m = forged();
	u32 cookie;

	memset(name, 'x', sizeof(name));
	put_string(m, FILE_NAME, name, sizeof(name));
	cookie = cookie_of(m);
	m->bytes[FILE_NAME - BASE + 24 + 31]++;
	assert_int_not_equal(cookie_of(m), cookie);
	m->bytes[FILE_NAME - BASE + 24 + 31]--;
	m->bytes[FILE_NAME - BASE + 24 + 268]++;
	assert_int_not_equal(cookie_of(m), cookie);
	free(m);
}

static void what_is_gone_is_unreadable(void **state)
{
	struct forged *m = forged();
	struct php_function f;

	assert_int_equal(read_function(m, 0, 0, &f), PHP_FUNCTION_UNREADABLE);
	assert_int_equal(read_function(m, ~0ull - 8, 0, &f), PHP_FUNCTION_UNREADABLE);
	free(m);
}

static void a_process_is_read_from_its_first_request_on(void **state)
{
	struct forged *m = forged();
	const struct lang_memory memory = { read_image, m };
	struct php_file file = { .globals = 0x1000, .layout = layout };
	struct lang_php found;

	put(m, BASE + 0x1000 + 432, 0, 8);
	assert_false(php_describe(&file, BASE, &memory, &found));
	put(m, BASE + 0x1000 + 432, 0x7000, 8);
	assert_true(php_describe(&file, BASE, &memory, &found));
	assert_int_equal(found.current, BASE + 0x1000 + 488);
	assert_int_equal(found.func_filename, 152);
	assert_int_equal(found.interpreter_len, ~0ull);
	assert_false(php_describe(&file, 0, &memory, &found));
	free(m);
}

static void a_jit_is_found_by_the_end_of_its_memory(void **state)
{
	static const struct { u64 used; u64 startup; bool found; } tails[] = {
		{ BASE + 0x400, BASE + 0x300, true }, { BASE + 0x300, BASE + 0x300, true },
		{ 0, 0, false }, { BASE + 0x200, BASE + 0x300, false }, { BASE + 0x400, BASE, false },
		{ BASE + 0xff8, BASE + 0x300, false }, { ~0ull, BASE + 0x300, false },
	};
	const struct range shared[] = { { 0x1000, 0x2000 }, { BASE, BASE + 8 }, { BASE, BASE + 0x1000 } };
	struct forged *m = forged();
	const struct lang_memory memory = { read_image, m };
	struct range found;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tails); i++) {
		put(m, BASE + 0x1000 - 16, tails[i].used, 8);
		put(m, BASE + 0x1000 - 8, tails[i].startup, 8);
		assert_int_equal(php_jit_find(shared, 3, &memory, &found), tails[i].found);
	}
	put(m, BASE + 0x1000 - 16, BASE + 0x400, 8);
	put(m, BASE + 0x1000 - 8, BASE + 0x300, 8);
	assert_true(php_jit_find(shared, 3, &memory, &found));
	assert_int_equal(found.start, BASE);
	assert_int_equal(found.end, BASE + 0x1000);
	free(m);
}

static void with_a_jit_registers_count_in_the_interpreter_only(void **state)
{
	struct php_file file = { .is_x86 = true, .eval = { { 0x100, 0x180 } }, .nr_eval = 1 };
	struct lang_php found = layout;

	assert_true(php_describe_jit(&file, BASE, &found));
	assert_int_equal(found.interpreter, BASE + 0x100);
	assert_int_equal(found.interpreter_len, 0x80);
	file.is_x86 = false;
	assert_false(php_describe_jit(&file, BASE, &found));
}

static void a_function_that_is_gone_has_a_name_if_it_was_told(void **state)
{
	__u64 word[] = { NAME, CLASS, FILE_NAME, 7 | 20ull << 32, 2 };
	struct forged *m = forged();
	const struct lang_memory memory = { read_image, m };
	u32 cookie = cookie_of(m);
	struct php_function f;

	memset(m->bytes, 0xaa, 0x200);
	assert_int_equal(php_function_from_words(&memory, word, cookie, &f), PHP_FUNCTION_READ);
	assert_string_equal(f.name, "App\\Service::handle");
	assert_string_equal(f.file, "/srv/service.php");
	assert_int_equal(f.first_line, 7);
	assert_int_equal(php_function_from_words(&memory, word, cookie + 1, &f), PHP_FUNCTION_STALE);
	m->bytes[NAME - BASE + 24]++;
	assert_int_equal(php_function_from_words(&memory, word, cookie, &f), PHP_FUNCTION_STALE);
	word[2] = 0xdead0000;
	assert_int_equal(php_function_from_words(&memory, word, cookie, &f), PHP_FUNCTION_STALE);
	free(m);
}

static void a_function_gets_its_name_later(void **state)
{
	struct lang_function f = { .process = 1, .pointer = 0x1000, .cookie = 7 };
	struct lang_functions all;
	u32 n;

	assert_int_equal(lang_functions_init(&all), 0);
	n = lang_functions_add(&all, &f, "[stale]", "");
	assert_int_equal(lang_functions_rename(&all, n, "{closure}", "/srv/a.php", 9, 0), 0);
	assert_int_equal(lang_functions_find(&all, 1, 0x1000, 7, 0), n);
	assert_string_equal(all.strings.entries[all.function[n].name].s, "{closure}");
	assert_string_equal(all.strings.entries[all.function[n].file].s, "/srv/a.php");
	assert_int_equal(all.function[n].first_line, 9);
	lang_functions_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_have_names),
		cmocka_unit_test(functions_in_c_have_no_file),
		cmocka_unit_test(names_are_utf8_without_controls),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(another_function_is_stale),
		cmocka_unit_test(both_ends_of_a_long_name_count),
		cmocka_unit_test(what_is_gone_is_unreadable),
		cmocka_unit_test(a_process_is_read_from_its_first_request_on),
		cmocka_unit_test(a_jit_is_found_by_the_end_of_its_memory),
		cmocka_unit_test(with_a_jit_registers_count_in_the_interpreter_only),
		cmocka_unit_test(a_function_that_is_gone_has_a_name_if_it_was_told),
		cmocka_unit_test(a_function_gets_its_name_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
