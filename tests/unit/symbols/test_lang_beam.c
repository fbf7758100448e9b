// SPDX-License-Identifier: GPL-2.0-only
/* Names, lines and sizes of the BEAM's frames, read from memory that may be forged. */
#include "forged_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/lang/beam_frames.h"
#include "symbols/lang/beam_function.h"
#include "symbols/lang/beam_size.h"

/* Lists of modules, code index, atoms; a module with two functions; the runtime's code. */
#define LISTS BASE
#define INDEX (BASE + 0x60)
#define MODULES (BASE + 0x80)
#define ATOMS (BASE + 0x100)
#define BLOCKS (BASE + 0x180)
#define BLOCK (BASE + 0x200)
#define ATOM(n) (BASE + 0x280 + 0x40 * (n))
#define MODULE (BASE + 0x1000)
#define HEADS (MODULE + 8 * BEAM_HEADER_WORDS)
#define FIRST (MODULE + 0x100)
#define SECOND (MODULE + 0x200)
#define CODE_END (MODULE + 0x300)
#define LINES (MODULE + 0x400)
#define LINE_ADDRESSES (LINES + 0x40)
#define LINE_TABLE (LINES + 0x80)
#define FILES (LINES + 0xa0)
#define MD5 (LINES + 0xc0)
#define TEXT (MODULE + 0x600)
#define MODULE_END (MODULE + 0x800)
#define FRAGMENTS (BASE + 0x1c00)
#define RAISE (FRAGMENTS + 0x80)
#define CODE(f) ((f) + BEAM_FUNCTION_HEAD)

static const struct lang_beam layout = {
	.ranges = LISTS, .index = INDEX, .normal_exit = FRAGMENTS, .scheduler_process = 168,
	.process_stop = 0x58, .atoms = ATOMS,
};

static void put_atom(struct forged *m, unsigned int n, const char *name)
{
	put(m, BLOCK + 8 * n, ATOM(n), 8);
	put(m, ATOM(n) + 24, strlen(name), 2);
	put(m, ATOM(n) + 32, TEXT + 0x20 * n, 8);
	memcpy(m->bytes + (TEXT + 0x20 * n - BASE), name, strlen(name));
}

static void put_function(struct forged *m, unsigned int i, u64 at, unsigned int name, u64 arity)
{
	put(m, HEADS + 8 * i, at, 8);
	put(m, at + 16, 0 << 6 | 0xb, 8);
	put(m, at + 24, name << 6 | 0xb, 8);
	put(m, at + 32, arity, 8);
}

static void put_code(struct forged *m, u64 at, const char *bytes, size_t len)
{
	memcpy(m->bytes + (at - BASE), bytes, len);
}

/* A list of characters in FILES. */
static void put_file(struct forged *m, const char *name)
{
	u64 cell = MODULE + 0x700;

	put(m, FILES, cell | 1, 8);
	for (; *name; name++, cell += 16) {
		put(m, cell, (u64)(u8)*name << 4 | 0xf, 8);
		put(m, cell + 8, name[1] ? (cell + 16) | 1 : 0x3b, 8);
	}
}

/* first/1 on line 3, calls on lines 4 and 5; second/2 on line 9. */
static void put_lines(struct forged *m)
{
	static const u16 line[] = { 3, 4, 5, 9 };
	const u64 at[] = { FIRST, CODE(FIRST) + 4, CODE(FIRST) + 9, SECOND };
	unsigned int i;

	put(m, MODULE + 8 * BEAM_HEADER_LINES, LINES, 8);
	put(m, LINES, FILES, 8);
	put(m, LINES + 8, 2, 8);
	put(m, LINES + 16, LINE_TABLE, 8);
	put(m, LINES + 24, LINE_ADDRESSES, 8);
	put(m, LINES + 32, LINE_ADDRESSES + 24, 8);
	put(m, LINES + 40, LINE_ADDRESSES + 32, 8);
	for (i = 0; i < 4; i++) {
		put(m, LINE_ADDRESSES + 8 * i, at[i], 8);
		put(m, LINE_TABLE + 2 * i, line[i], 2);
	}
	put_file(m, "a.erl");
}

static struct forged *forged(void)
{
	/* room for two words; two calls; ret */
	static const char first[] = "\x48\x83\xec\x10\xe8\0\0\0\0\x42\xff\x14\xe0\x48\x83\xc4\x10\xc3";
	/* push an address and jump elsewhere: nothing returns */
	static const char raise[] = "\x56\xff\xe0";
	struct forged *m = calloc(1, sizeof(*m));

	put(m, LISTS, MODULES, 8);
	put(m, LISTS + 8, 1, 8);
	put(m, MODULES, MODULE, 8);
	put(m, MODULES + 8, MODULE_END, 8);
	put(m, ATOMS + 120, BLOCKS, 8);
	put(m, BLOCKS, BLOCK, 8);
	put_atom(m, 0, "mod");
	put_atom(m, 1, "first");
	put_atom(m, 2, "-x\x1b\n\xc3\xb6-");
	put(m, MODULE, 2, 8);
	put(m, MODULE + 8 * BEAM_HEADER_MD5, MD5, 8);
	put_function(m, 0, FIRST, 1, 1);
	put_function(m, 1, SECOND, 2, 2);
	put(m, HEADS + 16, CODE_END, 8);
	put_code(m, CODE(FIRST), first, sizeof(first) - 1);
	put_code(m, RAISE, raise, sizeof(raise) - 1);
	put_lines(m);
	return m;
}

static u32 cookie_of(struct forged *m, u64 pc)
{
	const struct lang_memory memory = { .read = read_image, .arg = m };
	struct lang_beam_print print;

	assert_int_equal(beam_module_find(&memory, &layout, pc, &print), BEAM_FOUND);
	return lang_beam_cookie(&print);
}

static enum beam_state read_with(struct forged *m, u64 pc, u32 flags, u64 second, struct beam_function *ret)
{
	const struct lang_memory memory = { .read = read_image, .arg = m };

	return beam_function_read(&memory, &layout,
				  (u64)LANG_BEAM << LANG_KIND_SHIFT | (u64)flags << LANG_FLAGS_SHIFT | pc,
				  second, ret);
}

/* Reads a return address. */
static struct beam_function *caller(struct forged *m, u64 pc)
{
	static struct beam_function f;

	assert_int_equal(read_with(m, pc, LANG_ENTRY, (u64)cookie_of(m, pc) << 32, &f), BEAM_FOUND);
	return &f;
}

/* Return: where the return address of the innermost frame is. */
static u32 size_at(struct forged *m, u64 pc, enum lang_beam_stack stack)
{
	static struct beam_function f;

	assert_int_equal(read_with(m, pc, LANG_BEAM_INNERMOST, (u64)cookie_of(m, pc) << 32 | stack, &f),
			 BEAM_FOUND);
	assert_int_equal(f.line, 0);
	return f.size;
}

static void callers_have_names_and_lines(void **state)
{
	struct forged *m = forged();
	const struct beam_function *f = caller(m, CODE(FIRST) + 9);

	assert_string_equal(f->name, "mod:first/1");
	assert_string_equal(f->file, "a.erl");
	assert_int_equal(f->line, 4);
	assert_int_equal(f->start_line, 3);
	assert_int_equal(caller(m, CODE(FIRST) + 13)->line, 5);
	/* a return address may be after the end of its function */
	assert_string_equal(caller(m, SECOND)->name, "mod:first/1");
	assert_string_equal(caller(m, CODE(SECOND) + 1)->name, "mod:-x\\033\\012\xc3\xb6-/2");
	put(m, MODULE + 8 * BEAM_HEADER_LINES, 0, 8);
	assert_int_equal(caller(m, CODE(FIRST) + 9)->line, 0);
	assert_string_equal(caller(m, CODE(FIRST) + 9)->file, "");
	free(m);
}

static void other_code_is_stale(void **state)
{
	static struct beam_function f;
	struct forged *m = forged();
	u64 second = (u64)cookie_of(m, FIRST) << 32;

	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second + (1ull << 32), &f), BEAM_STALE);
	/* the checksum, and a line */
	put(m, MD5, 1, 1);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_STALE);
	put(m, MD5, 0, 1);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_FOUND);
	put(m, LINE_TABLE + 6, 10, 2);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_STALE);
	put(m, LINE_TABLE + 6, 9, 2);
	put(m, INDEX, 1, 4);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_STALE);
	put(m, INDEX, 3, 4);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_STALE);
	free(m);
}

static void what_makes_no_sense_has_no_name(void **state)
{
	static struct beam_function f;
	struct forged *m = forged();
	u64 second = (u64)cookie_of(m, FIRST) << 32;

	put(m, FIRST + 32, 256, 8);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_UNREADABLE);
	put(m, FIRST + 32, 1, 8);
	put(m, FIRST + 24, 0x0f, 8);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_UNREADABLE);
	put(m, FIRST + 24, 1 << 6 | 0xb, 8);
	put(m, ATOM(1) + 24, 0xffff, 2);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_UNREADABLE);
	put(m, ATOM(1) + 24, 5, 2);
	/* functions in disorder */
	put(m, HEADS + 8, FIRST - 8, 8);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_UNREADABLE);
	put(m, HEADS + 8, SECOND, 8);
	assert_int_equal(read_with(m, CODE(FIRST) + 9, 0, second, &f), BEAM_FOUND);
	free(m);
}

static void frames_are_as_large_as_the_code_proves(void **state)
{
	struct forged *m = forged();

	assert_int_equal(size_at(m, CODE(FIRST), BEAM_STACK_IN_SP), 1);
	assert_int_equal(size_at(m, CODE(FIRST) + 4, BEAM_STACK_IN_SP), 3);
	assert_int_equal(caller(m, CODE(FIRST) + 9)->size, 3);
	assert_int_equal(size_at(m, CODE(FIRST) + 17, BEAM_STACK_IN_SP), 1);
	/* a function begins with nothing on the stack, whatever it does; this is no code */
	assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 1);
	put(m, CODE(SECOND), 0x06, 1);
	assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 0);
	free(m);
}

static void last_calls_end_a_frame(void **state)
{
	/* jmp *0(%rax,%r12,8); a loop: jmp to the beginning; to the other function; to a fun */
	static const struct {
		const char *code;
		size_t len;
	} ends[] = {
		{ "\x48\x83\xc4\x08\x42\xff\x24\xe0", 8 },
		{ "\x48\x83\xc4\x08\xeb\xfa", 6 },
		{ "\x48\x83\xc4\x08\xe9\xf7\xfe\xff\xff", 9 },
		{ "\x48\x83\xc4\x08\xff\xe7", 6 },
	};
	struct forged *m = forged();
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		put_code(m, CODE(SECOND), ends[i].code, ends[i].len);
		assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 2);
	}
	free(m);
}

static void ways_that_differ_prove_nothing(void **state)
{
	/* je +4; add 8; ret */
	static const char differ[] = "\x74\x04\x48\x83\xc4\x08\xc3";
	/* je +5; add 8; ret; add 8; ret */
	static const char agree[] = "\x74\x05\x48\x83\xc4\x08\xc3\x48\x83\xc4\x08\xc3";
	/* a loop that pushes */
	static const char pushes[] = "\x90\x56\xeb\xfc";
	struct forged *m = forged();

	put_code(m, CODE(SECOND), differ, sizeof(differ) - 1);
	assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 0);
	put_code(m, CODE(SECOND), agree, sizeof(agree) - 1);
	assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 2);
	put_code(m, CODE(SECOND), pushes, sizeof(pushes) - 1);
	assert_int_equal(size_at(m, CODE(SECOND) + 1, BEAM_STACK_IN_SP), 0);
	free(m);
}

static void the_stack_is_where_the_code_takes_it_from(void **state)
{
	/* call; mov %rbp, %rsp; ret */
	static const char by_fp[] = "\xff\x15\0\0\0\0\x48\x89\xec\xc3";
	/* call; mov 0x58(%r13), %rsp; add 8; ret */
	static const char saved[] = "\xff\x15\0\0\0\0\x49\x8b\x65\x58\x48\x83\xc4\x08\xc3";
	/* lea -128(%rbx), %rsp; ret: on the thread's own stack */
	static const char away[] = "\x48\x8d\x63\x80\xc3";
	struct forged *m = forged();

	put_code(m, CODE(SECOND), by_fp, sizeof(by_fp) - 1);
	assert_int_equal(size_at(m, CODE(SECOND) + 6, BEAM_STACK_IN_FP), 1);
	assert_int_equal(size_at(m, CODE(SECOND) + 6, BEAM_STACK_SAVED), 0);
	assert_int_equal(size_at(m, CODE(SECOND) + 6, BEAM_STACK_IN_SP), 0);
	put_code(m, CODE(SECOND), saved, sizeof(saved) - 1);
	assert_int_equal(size_at(m, CODE(SECOND) + 6, BEAM_STACK_SAVED), 2);
	assert_int_equal(size_at(m, CODE(SECOND) + 6, BEAM_STACK_IN_FP), 0);
	put_code(m, CODE(SECOND), away, sizeof(away) - 1);
	assert_int_equal(size_at(m, CODE(SECOND), BEAM_STACK_IN_SP), 0);
	free(m);
}

/* Writes a call of the code at @to. */
static void put_call(struct forged *m, u64 at, u64 to)
{
	put(m, at, 0xe8, 1);
	put(m, at + 1, (u32)(to - at - 5), 4);
}

static void code_after_an_exception_does_not_run(void **state)
{
	/* je +5 over a call that raises; add 16; ret. After the call other code: ret */
	struct forged *m = forged();
	u64 at = CODE(SECOND);

	put_code(m, at, "\x74\x06", 2);
	put_call(m, at + 2, RAISE);
	put_code(m, at + 7, "\xc3\x48\x83\xc4\x10\xc3", 6);
	assert_int_equal(size_at(m, at, BEAM_STACK_IN_SP), 3);
	/* if the fragment returned, the ways would differ */
	put_code(m, RAISE, "\xc3", 1);
	assert_int_equal(size_at(m, at, BEAM_STACK_IN_SP), 0);
	free(m);
}

static void functions_that_never_return_are_followed_from_the_start(void **state)
{
	/* jmp over the prologue; sub 24; inc x(%r13); a call; one that raises; its handler: another one */
	struct forged *m = forged();
	u64 at = CODE(SECOND);

	put_code(m, at, "\xeb\x06\0\0\0\0\0\0\x48\x83\xec\x18\x49\xff\x45\x10", 16);
	put_code(m, at + 16, "\x42\xff\x14\xe0", 4);
	put_call(m, at + 20, RAISE);
	put_code(m, at + 25, "\x90", 1);
	put_call(m, at + 26, RAISE);
	put_code(m, at + 31, "\xcc", 1);
	assert_int_equal(size_at(m, at + 8, BEAM_STACK_IN_SP), 1);
	assert_int_equal(size_at(m, at + 12, BEAM_STACK_IN_SP), 4);
	assert_int_equal(caller(m, at + 20)->size, 4);
	/* nothing leads to the handler */
	assert_int_equal(size_at(m, at + 26, BEAM_STACK_IN_SP), 4);
	free(m);
}

static void functions_that_call_fragments_are_known(void **state)
{
	struct forged *m = forged();

	put_call(m, CODE(FIRST) + 4, RAISE);
	assert_true(caller(m, CODE(FIRST) + 9)->calls_fragment);
	assert_false(caller(m, CODE(FIRST) + 13)->calls_fragment);
	free(m);
}

/* The second word of a pair: cookie, and place. */
#define AT(cookie, place) ((u64)(cookie) << 32 | (place))
#define PAIR(flags, pc) ((u64)LANG_BEAM << LANG_KIND_SHIFT | (u64)(flags) << LANG_FLAGS_SHIFT | (pc))
#define INNERMOST (LANG_ENTRY | LANG_BEAM_INNERMOST)
#define OF_RUNTIME (LANG_ENTRY | LANG_BEAM_FRAGMENT)

/* Adds a place in code, with its name and size; the address is the cookie, too. */
static void know(struct lang_functions *f, u64 pc, const char *name, u64 size, u64 place)
{
	const struct lang_function function = { .process = 1, .pointer = pc, .cookie = (u32)pc,
						.place = place, .root = size };

	assert_int_not_equal(lang_functions_add(f, &function, name, ""), 0);
}

/* Names the frames of a chain; @expected: their names, each followed by a space. */
static void names(struct lang_functions *f, const u64 *word, size_t nr, enum lang_fate fate,
		  const char *expected, enum lang_fate found)
{
	const struct lang_process p = { .kind = LANG_BEAM, .found.beam = layout };
	struct lang_stack s = { .kind = LANG_BEAM, .fate = fate };
	struct lang_frame frame[8];
	char got[64] = "";
	size_t i;

	assert_int_equal(beam_frames(f, &p, 1, word, nr, &s, frame), 0);
	for (i = 0; i < s.nr; i++) {
		strcat(got, s.frame[i].name);
		strcat(got, " ");
	}
	assert_string_equal(got, expected);
	assert_int_equal(s.fate, found);
	assert_true(s.native == (word[0] & LANG_POINTER));
}

static void only_proven_words_are_frames(void **state)
{
	/* a, whose frame has 2 words, then b with 1; words 1 and 2 are old ones */
	u64 word[] = { PAIR(INNERMOST, 0x100), AT(0x100, BEAM_STACK_IN_SP),
		       PAIR(LANG_ENTRY, 0x300), AT(0x300, 1), PAIR(LANG_ENTRY, 0x400), AT(0x400, 1),
		       PAIR(LANG_ENTRY, 0x200), AT(0x200, 1), PAIR(OF_RUNTIME, FRAGMENTS), AT(0, 2) };
	struct lang_functions f;

	assert_int_equal(lang_functions_init(&f), 0);
	know(&f, 0x100, "a", 3, 1 + BEAM_STACK_IN_SP);
	know(&f, 0x200, "b", 2, 0);
	know(&f, 0x300, "c", 1, 0);
	know(&f, 0x400, "d", 0, 0);
	know(&f, 0x500, "e", 0, 1 + BEAM_STACK_IN_SP);
	names(&f, word, 5, LANG_WHOLE, "a b ", LANG_WHOLE);
	/* what the program has not read is missing at the end only */
	names(&f, word, 4, LANG_CUT, "a b ", LANG_CUT);
	names(&f, word, 4, LANG_WHOLE, "a b ", LANG_TORN);
	/* there is no word where the code wants one */
	word[7] = AT(0x200, 2);
	names(&f, word, 5, LANG_WHOLE, "a ", LANG_TORN);
	/* the caller's code proves nothing: the next word; the innermost one's: none */
	word[7] = AT(0x400, 1);
	word[6] = PAIR(LANG_ENTRY, 0x400);
	names(&f, word, 5, LANG_WHOLE, "a d ", LANG_WHOLE);
	word[0] = PAIR(INNERMOST, 0x500);
	word[1] = AT(0x500, BEAM_STACK_IN_SP);
	names(&f, word, 5, LANG_WHOLE, "e ", LANG_TORN);
	lang_functions_release(&f);
}

/* Code of the runtime, called by b, or jumped to. */
static void code_of_the_runtime_is_hidden_if_it_was_called(void **state)
{
	const u64 word[] = { PAIR(INNERMOST | LANG_BEAM_FRAGMENT, RAISE), AT(0, BEAM_STACK_SAVED),
			     PAIR(LANG_ENTRY, 0x200), AT(0x200, 1),
			     PAIR(OF_RUNTIME, FRAGMENTS), AT(0, 2) };
	const struct lang_process p = { .kind = LANG_BEAM, .found.beam = layout };
	struct lang_stack s = { .fate = LANG_WHOLE };
	struct lang_frame frame[8];
	struct lang_functions f;
	int called;

	for (called = 0; called < 2; called++) {
		const struct lang_function code = { .process = 1, .pointer = RAISE, .root = 1,
						    .place = 1 + BEAM_STACK_SAVED };

		assert_int_equal(lang_functions_init(&f), 0);
		assert_int_not_equal(lang_functions_add(&f, &code, "", ""), 0);
		know(&f, 0x200, "b", 2 | (called ? BEAM_CALLS_FRAGMENT : 0), 0);
		assert_int_equal(beam_frames(&f, &p, 1, word, 3, &s, frame), 0);
		assert_int_equal(s.nr, 1);
		assert_int_equal(s.keeps_native, !called);
		lang_functions_release(&f);
	}
}

static void words_of_another_kind_are_refused(void **state)
{
	const struct lang_process p = { .kind = LANG_BEAM, .found.beam = layout };
	u64 word[] = { PAIR(LANG_ENTRY, 0x100), 0, PAIR(LANG_ENTRY, 0x200), 1 };
	struct lang_stack s = { .fate = LANG_WHOLE };
	struct lang_frame frame[8];
	struct lang_functions f;

	assert_int_equal(lang_functions_init(&f), 0);
	assert_int_equal(beam_frames(&f, &p, 1, word, 2, &s, frame), -EPROTO);
	word[0] = (u64)LANG_PERL << LANG_KIND_SHIFT | (u64)INNERMOST << LANG_FLAGS_SHIFT;
	assert_int_equal(beam_frames(&f, &p, 1, word, 2, &s, frame), -EPROTO);
	lang_functions_release(&f);
}

static void a_process_is_read_when_it_has_code(void **state)
{
	const struct lang_libc libc = { .specific = 1296, .per_block = 32, .key_size = 16, .data = 8 };
	const struct beam_file file = { .version = 0x0d010500, .ranges = 0x10, .index = 0x18, .normal_exit = 0x100,
					.frames = 0x108, .key = 0x110, .schedulers = 0x118, .atoms = 0x20 };
	struct forged *m = calloc(1, sizeof(*m));
	const struct lang_memory memory = { .read = read_image, .arg = m };
	struct lang_beam found;

	put(m, BASE + 0x110, 3, 4);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_NOT_YET);
	put(m, BASE + 0x118, BASE + 0x200, 8);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_NOT_YET);
	put(m, BASE + 0x200 + 184, 1, 8);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_NOT_YET);
	put(m, BASE + 0x100, FRAGMENTS, 8);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_READY);
	assert_true(found.normal_exit == FRAGMENTS && found.ranges == BASE + 0x10);
	assert_int_equal(found.key.value, 56);
	put(m, BASE + 0x108, 1, 4);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_FRAME_POINTERS);
	put(m, BASE + 0x108, 0, 4);
	put(m, BASE + 0x200 + 184, 7, 8);
	assert_int_equal(beam_describe(&file, BASE, &libc, &memory, &found), BEAM_INVALID);
	assert_int_equal(beam_describe(&file, 0, &libc, &memory, &found), BEAM_INVALID);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_have_names_and_lines),
		cmocka_unit_test(other_code_is_stale),
		cmocka_unit_test(what_makes_no_sense_has_no_name),
		cmocka_unit_test(frames_are_as_large_as_the_code_proves),
		cmocka_unit_test(last_calls_end_a_frame),
		cmocka_unit_test(ways_that_differ_prove_nothing),
		cmocka_unit_test(the_stack_is_where_the_code_takes_it_from),
		cmocka_unit_test(code_after_an_exception_does_not_run),
		cmocka_unit_test(functions_that_never_return_are_followed_from_the_start),
		cmocka_unit_test(functions_that_call_fragments_are_known),
		cmocka_unit_test(only_proven_words_are_frames),
		cmocka_unit_test(code_of_the_runtime_is_hidden_if_it_was_called),
		cmocka_unit_test(words_of_another_kind_are_refused),
		cmocka_unit_test(a_process_is_read_when_it_has_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
