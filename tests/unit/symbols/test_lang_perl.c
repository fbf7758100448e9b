// SPDX-License-Identifier: GPL-2.0-only
/* Names and places of Perl's frames, read from memory that may be forged. */
#include "forged_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/lang/perl.h"
#include "symbols/lang/perl_frames.h"
#include "symbols/lang/perl_place.h"

#define CODE BASE
#define CODE_BODY (BASE + 0x40)
#define GLOB (BASE + 0xc0)
#define GLOB_BODY (BASE + 0x100)
#define GLOB_HAS (BASE + 0x140)
#define OTHER_GLOB (BASE + 0x190)
#define OTHER_BODY (BASE + 0x1c0)
#define PACKAGE (BASE + 0x200)
#define PACKAGE_BODY (BASE + 0x240)
#define NAMES (BASE + 0x290)
#define NAME (BASE + 0x300)
#define OTHER_NAME (BASE + 0x800)
#define PACKAGE_NAME (BASE + 0x880)
#define FILE_NAME (BASE + 0x900)
#define OPS (BASE + 0xa00)
#define ROOT OPS
#define OP(n) (OPS + 0x60 * (n))

static const struct lang_perl layout = { .statement_file = 0x30, .statement_number = 0x3c,
					 .op_nextstate = 195, .op_scope = 200 };

#define NAMED 0x8000u
#define LEXICAL 0x10000u

/* A name: hash, length, bytes, a NUL, flags. */
static void put_name(struct forged *m, u64 addr, const char *text, bool utf8)
{
	size_t len = strlen(text);

	put(m, addr, 1, 4);
	put(m, addr + 4, len, 4);
	memcpy(m->bytes + (addr - BASE) + 8, text, len + 1);
	put(m, addr + 8 + len + 1, utf8, 1);
}

/* A value's head: body, flags, and contents. */
static void put_head(struct forged *m, u64 addr, u64 body, u32 flags, u64 has)
{
	put(m, addr, body, 8);
	put(m, addr + 12, flags, 4);
	put(m, addr + 16, has, 8);
}

static void put_glob(struct forged *m, u64 addr, u64 body, u64 name, u64 itself)
{
	put_head(m, addr, body, 0x8009, GLOB_HAS);
	put(m, body + 32, name, 8);
	put(m, body + 40, PACKAGE, 8);
	put(m, GLOB_HAS + 56, itself, 8);
}

/* App::handle, by its own name or by a glob */
static struct forged *forged(u32 flags)
{
	struct forged *m = calloc(1, sizeof(*m));

	put_head(m, CODE, CODE_BODY, 13, 0);
	put(m, CODE_BODY + 32, PACKAGE, 8);
	put(m, CODE_BODY + 48, ROOT, 8);
	put(m, CODE_BODY + 56, flags & NAMED ? NAME : GLOB, 8);
	put(m, CODE_BODY + 92, flags, 4);
	put_glob(m, GLOB, GLOB_BODY, NAME, GLOB);
	put_head(m, PACKAGE, PACKAGE_BODY, 12 | 0x2000000, 0);
	put(m, PACKAGE_BODY + 32, PACKAGE_NAME, 8);
	put_name(m, NAME, "handle", false);
	put_name(m, PACKAGE_NAME, "App", false);
	return m;
}

static u32 cookie_of(struct forged *m)
{
	const struct lang_memory memory = { read_image, m };
	struct lang_perl_print print;

	assert_int_equal(perl_function_print(&memory, CODE, &print), PERL_FUNCTION_READ);
	return lang_perl_code_cookie(&print);
}

static void is_called(struct forged *m, const char *name)
{
	const struct lang_memory memory = { read_image, m };
	struct perl_function f;

	assert_int_equal(perl_function_read(&memory, CODE, cookie_of(m), &f), PERL_FUNCTION_READ);
	assert_string_equal(f.name, name);
	assert_int_equal(f.root, ROOT);
}

static void subs_are_called_as_caller_calls_them(void **state)
{
	struct forged *m = forged(NAMED);

	is_called(m, "App::handle");
	put(m, CODE_BODY + 92, NAMED | LEXICAL, 4);
	is_called(m, "handle");
	/* a package that was freed, or has lost its name */
	put(m, CODE_BODY + 92, NAMED, 4);
	put(m, CODE_BODY + 32, 0, 8);
	is_called(m, "__ANON__::handle");
	put(m, CODE_BODY + 32, PACKAGE, 8);
	put(m, PACKAGE + 12, 12, 4);
	is_called(m, "__ANON__::handle");
	put(m, CODE_BODY + 56, 0, 8);
	is_called(m, "(unknown)");
	free(m);
	m = forged(0);
	is_called(m, "App::handle");
	put(m, CODE + 12, 14, 4);
	is_called(m, "App::handle");
	free(m);
}

static void globs_and_packages_may_have_others_names(void **state)
{
	struct forged *m = forged(0);

	put_name(m, OTHER_NAME, "real", false);
	put_head(m, OTHER_GLOB, OTHER_BODY, 9, 0);
	put(m, OTHER_BODY + 32, OTHER_NAME, 8);
	put(m, OTHER_BODY + 40, PACKAGE, 8);
	put(m, GLOB_HAS + 56, OTHER_GLOB, 8);
	is_called(m, "App::real");
	/* a package with several names has them in an array */
	put(m, PACKAGE_BODY + 32, NAMES, 8);
	put(m, PACKAGE_BODY + 32 + 28, 2, 4);
	put(m, NAMES, PACKAGE_NAME, 8);
	is_called(m, "App::real");
	put(m, NAMES, 0, 8);
	is_called(m, "__ANON__::real");
	free(m);
}

static void names_are_utf8_without_controls(void **state)
{
	struct forged *m = forged(NAMED);

	put_name(m, NAME, "gr\xf6\xdf" "e\x1b", false);
	put_name(m, PACKAGE_NAME, "\xe5\x90\x8d", true);
	is_called(m, "\xe5\x90\x8d::gr\xc3\xb6\xc3\x9f" "e\\033");
	put_name(m, NAME, "\xff\xe5", true);
	is_called(m, "\xe5\x90\x8d::\xef\xbf\xbd\xef\xbf\xbd");
	free(m);
}

static void long_names_are_cut(void **state)
{
	struct forged *m = forged(NAMED);
	const struct lang_memory memory = { read_image, m };
	struct perl_function f;

	memset(m->bytes + (NAME - BASE) + 8, 'x', 0x480);
	put(m, NAME + 4, 0x480, 4);
	put(m, CODE_BODY + 92, NAMED | LEXICAL, 4);
	assert_int_equal(perl_function_read(&memory, CODE, cookie_of(m), &f), PERL_FUNCTION_READ);
	assert_int_equal(strlen(f.name), PERL_TEXT + 3);
	assert_string_equal(f.name + PERL_TEXT, "\xe2\x80\xa6");
	/* 4 GB */
	put(m, NAME + 4, UINT32_MAX, 4);
	assert_int_equal(perl_function_read(&memory, CODE, 1, &f), PERL_FUNCTION_STALE);
	free(m);
}

static void other_code_is_stale(void **state)
{
	struct forged *m = forged(NAMED);
	const struct lang_memory memory = { read_image, m };
	struct perl_function f;
	u32 cookie = cookie_of(m);

	put_name(m, NAME, "Handle", false);
	assert_int_equal(perl_function_read(&memory, CODE, cookie, &f), PERL_FUNCTION_STALE);
	put_name(m, NAME, "handle", false);
	put(m, CODE_BODY + 48, ROOT + 8, 8);
	assert_int_equal(perl_function_read(&memory, CODE, cookie, &f), PERL_FUNCTION_STALE);
	put(m, CODE_BODY + 48, ROOT, 8);
	assert_int_equal(perl_function_read(&memory, CODE, cookie, &f), PERL_FUNCTION_READ);
	/* freed, or another kind of value */
	put(m, CODE + 12, 0xff, 4);
	assert_int_equal(perl_function_read(&memory, CODE, cookie, &f), PERL_FUNCTION_STALE);
	assert_int_equal(perl_function_read(&memory, 0, cookie, &f), PERL_FUNCTION_UNREADABLE);
	free(m);
}

static void code_that_may_go_is_told(void **state)
{
	struct forged *m = forged(0x80);
	const struct lang_memory memory = { read_image, m };
	const __u64 told[PERL_TOLD_WORDS] = { PACKAGE, ROOT, GLOB, 0x80ull << 32 };
	struct perl_function f;
	u32 cookie = cookie_of(m);

	memset(m->bytes, 0, GLOB - BASE);
	assert_int_equal(perl_function_read(&memory, CODE, cookie, &f), PERL_FUNCTION_STALE);
	assert_int_equal(perl_function_from_words(&memory, told, cookie, &f), PERL_FUNCTION_READ);
	assert_string_equal(f.name, "App::handle");
	assert_int_equal(f.root, ROOT);
	assert_int_equal(perl_function_from_words(&memory, told, cookie + 1, &f), PERL_FUNCTION_STALE);
	put(m, GLOB_BODY + 32, 0, 8);
	assert_int_equal(perl_function_from_words(&memory, told, cookie, &f), PERL_FUNCTION_STALE);
	free(m);
}

enum { ENTERSUB = 184, NEXTSTATE = 195, SCOPE = 200 };

/*
 * An operation: the next one, its type, its first kid, and its sibling, or with @last its
 * parent. A statement has a line.
 */
static void put_op(struct forged *m, u32 n, u32 type, u32 next, u32 kid, u32 sibling, bool last)
{
	put(m, OP(n), next ? OP(next) : 0, 8);
	put(m, OP(n) + 8, OP(sibling), 8);
	put(m, OP(n) + 32, type | (last ? 0 : 1u << 14) | (kid ? 1u << 18 : 0), 4);
	put(m, OP(n) + 40, kid ? OP(kid) : 0, 8);
}

static void put_statement(struct forged *m, u32 n, u32 line)
{
	put(m, OP(n) + 36, line, 4);
	put(m, OP(n) + 48, FILE_NAME, 8);
	put(m, OP(n) + 60, 100 + n, 4);
}

/* A statement that was optimized away: an operation of type 0 that was a statement. */
static void put_left_out(struct forged *m, u32 n, u32 line, u32 sibling)
{
	put_op(m, n, 0, 0, 0, sibling, false);
	put(m, OP(n) + 24, NEXTSTATE, 8);
	put(m, OP(n) + 36, line, 4);
}

/*
 *	0 root
 *	  1 statement, line 5
 *	  2 if: 3 condition
 *		4 scope: 5 left out, line 6; 6 call; 7 left out, line 7; 8 call
 *		9 call, without a block
 */
static struct forged *forged_tree(void)
{
	struct forged *m = calloc(1, sizeof(*m));

	put_op(m, 0, 172, 0, 1, 0, true);
	put(m, OP(0) + 8, 0, 8);
	put_op(m, 1, NEXTSTATE, 2, 0, 2, false);
	put_statement(m, 1, 5);
	put_op(m, 2, 100, 11, 3, 0, true);
	put_op(m, 3, 101, 10, 0, 4, false);
	put_op(m, 4, SCOPE, 11, 5, 9, false);
	put_left_out(m, 5, 6, 6);
	put_op(m, 6, ENTERSUB, 12, 0, 7, false);
	put_left_out(m, 7, 7, 8);
	put_op(m, 8, ENTERSUB, 11, 0, 4, true);
	put_op(m, 9, ENTERSUB, 13, 0, 2, true);
	strcpy((char *)m->bytes + (FILE_NAME - BASE), "/srv/a.pl");
	return m;
}

static void words_of_place(struct forged *m, u32 statement, u64 op, u32 flags, u64 *ret)
{
	const struct lang_memory memory = { read_image, m };
	bool compiling = flags & LANG_PERL_COMPILING;
	struct lang_perl_print print;

	assert_int_equal(perl_place_print(&memory, &layout, OP(statement), &print),
			 PERL_FUNCTION_READ);
	ret[0] = (u64)LANG_PERL_PLACE << LANG_KIND_SHIFT | (u64)flags << LANG_FLAGS_SHIFT |
		 OP(statement);
	ret[1] = (u64)lang_perl_place_cookie(&print, &layout, compiling) << 32 |
		 lang_perl_distance(OP(statement), op);
}

static struct perl_place place_of(struct forged *m, u32 statement, u64 op, u32 flags)
{
	const struct lang_memory memory = { read_image, m };
	struct perl_place p;
	u64 word[2];

	words_of_place(m, statement, op, flags, word);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_READ);
	assert_string_equal(p.file, "/srv/a.pl");
	return p;
}

static void lines_are_those_of_statements_that_were_left_out(void **state)
{
	struct forged *m = forged_tree();

	/* by the next operation */
	assert_int_equal(place_of(m, 1, OP(12), 0).line, 6);
	assert_int_equal(place_of(m, 1, OP(10), 0).line, 0);
	assert_int_equal(place_of(m, 1, OP(13), 0).line, 0);
	/* a block has the lines of its last statement, and is not meant itself */
	put_op(m, 2, 100, 14, 3, 0, true);
	assert_int_equal(place_of(m, 1, OP(11), 0).line, 7);
	/* by the running operation */
	assert_int_equal(place_of(m, 1, OP(8), LANG_PERL_INNERMOST).line, 7);
	assert_int_equal(place_of(m, 1, OP(9), LANG_PERL_INNERMOST).line, 0);
	/* one that is nowhere, or is unknown */
	assert_int_equal(place_of(m, 1, OP(20), 0).line, 0);
	assert_int_equal(place_of(m, 1, 0, 0).line, 0);
	assert_int_equal(place_of(m, 1, OP(8) + 4, 0).line, 0);
	assert_int_equal(place_of(m, 1, OP(8) + (1ull << 40), 0).line, 0);
	free(m);
}

static void innermost_statements_have_a_root(void **state)
{
	struct forged *m = forged_tree();

	assert_int_equal(place_of(m, 1, OP(8), LANG_PERL_INNERMOST).root, ROOT);
	assert_int_equal(place_of(m, 1, OP(8), 0).root, 0);
	/* code that is being compiled is in no tree, and its line changes */
	put(m, OP(1) + 8, 0xdead0000, 8);
	assert_int_equal(place_of(m, 1, 0, LANG_PERL_INNERMOST | LANG_PERL_COMPILING).root, 0);
	free(m);
}

static void trees_that_make_no_sense_have_no_place(void **state)
{
	struct forged *m = forged_tree();
	const struct lang_memory memory = { read_image, m };
	struct perl_place p;
	u64 word[2];

	/* kids and parents in a circle */
	put_op(m, 4, SCOPE, 11, 2, 9, false);
	words_of_place(m, 1, OP(20), 0, word);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put_op(m, 4, SCOPE, 11, 5, 4, false);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put_op(m, 2, 100, 11, 3, 2, false);
	words_of_place(m, 1, 0, LANG_PERL_INNERMOST, word);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put(m, OP(2) + 8, 0xdead0000, 8);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	free(m);
}

static void other_statements_are_stale(void **state)
{
	struct forged *m = forged_tree();
	const struct lang_memory memory = { read_image, m };
	struct perl_place p;
	u64 word[2];

	words_of_place(m, 1, OP(12), 0, word);
	put(m, OP(1) + 60, 999, 4);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put_statement(m, 1, 4);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put_statement(m, 1, 5);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_READ);
	m->bytes[FILE_NAME - BASE + 6] = 'b';
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	put(m, OP(1) + 48, 0, 8);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	assert_int_equal(perl_place_read(&memory, &layout, 0, word[1], &p), PERL_FUNCTION_UNREADABLE);
	free(m);
}

static void files_without_an_end_are_cut(void **state)
{
	struct forged *m = forged_tree();
	const struct lang_memory memory = { read_image, m };
	struct perl_place p;
	u64 word[2];

	put(m, OP(1) + 48, BASE + 0x1a00, 8);
	memset(m->bytes + 0x1a00, 'x', 0x600);
	words_of_place(m, 1, 0, 0, word);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_READ);
	assert_int_equal(strlen(p.file), PERL_TEXT + 3);
	/* where the memory ends first */
	put(m, OP(1) + 48, BASE + 0x1f80, 8);
	assert_int_equal(perl_place_read(&memory, &layout, word[0], word[1], &p), PERL_FUNCTION_STALE);
	free(m);
}

static void frames_are_pairs_of_pairs(void **state)
{
	const u64 what = (u64)LANG_PERL << LANG_KIND_SHIFT |
			 (u64)LANG_PERL_NO_SUB << LANG_FLAGS_SHIFT;
	const u64 place = (u64)LANG_PERL_PLACE << LANG_KIND_SHIFT;
	u64 word[] = { what | (u64)LANG_ENTRY << LANG_FLAGS_SHIFT, (u64)LANG_PERL_CALL << 32,
		       what, (u64)LANG_PERL_MAIN << 32 | 7, place, 0 };
	struct lang_frame frame[4];

	assert_int_equal(perl_frames(NULL, NULL, 0, word, 3, frame), 2);
	assert_true(frame[0].hidden && frame[0].entry && !frame[0].base);
	assert_true(frame[1].base && !frame[1].hidden && !frame[1].entry);
	assert_string_equal(frame[1].name, "[gone]");
	assert_int_equal(perl_frames(NULL, NULL, 0, word, 2, frame), -EPROTO);
	assert_int_equal(perl_frames(NULL, NULL, 0, word + 4, 1, frame), -EPROTO);
	word[4] = what;
	assert_int_equal(perl_frames(NULL, NULL, 0, word, 3, frame), -EPROTO);
}

static void a_process_is_read_when_it_has_an_interpreter(void **state)
{
	const struct lang_libc libc = { .specific = 8, .per_block = 32, .key_size = 16, .data = 8 };
	struct forged *m = calloc(1, sizeof(*m));
	const struct lang_memory memory = { read_image, m };
	struct perl_file file = { .first = 0x100, .key = 0x108, .phase = 0x20, .layout = layout };
	struct lang_perl found;

	assert_int_equal(perl_describe(&file, BASE, &libc, &memory, &found), LANG_NOT_YET);
	put(m, BASE + 0x100, BASE + 0x200, 8);
	/* the key does not exist yet, although 0 is a valid key */
	assert_int_equal(perl_describe(&file, BASE, &libc, &memory, &found), LANG_NOT_YET);
	put(m, BASE + 0x220, 1, 4);
	assert_int_equal(perl_describe(&file, BASE, &libc, &memory, &found), LANG_READY);
	assert_int_equal(found.key.value, 8);
	assert_int_equal(found.op_nextstate, NEXTSTATE);
	put(m, BASE + 0x108, 3, 4);
	assert_int_equal(perl_describe(&file, BASE, &libc, &memory, &found), LANG_READY);
	assert_int_equal(found.key.value, 56);
	put(m, BASE + 0x108, 5000, 4);
	assert_int_equal(perl_describe(&file, BASE, &libc, &memory, &found), LANG_NEVER);
	assert_int_equal(perl_describe(&file, 0, &libc, &memory, &found), LANG_NEVER);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subs_are_called_as_caller_calls_them),
		cmocka_unit_test(globs_and_packages_may_have_others_names),
		cmocka_unit_test(names_are_utf8_without_controls),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(other_code_is_stale),
		cmocka_unit_test(code_that_may_go_is_told),
		cmocka_unit_test(lines_are_those_of_statements_that_were_left_out),
		cmocka_unit_test(innermost_statements_have_a_root),
		cmocka_unit_test(trees_that_make_no_sense_have_no_place),
		cmocka_unit_test(other_statements_are_stale),
		cmocka_unit_test(files_without_an_end_are_cut),
		cmocka_unit_test(frames_are_pairs_of_pairs),
		cmocka_unit_test(a_process_is_read_when_it_has_an_interpreter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
