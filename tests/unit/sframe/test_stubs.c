// SPDX-License-Identifier: GPL-2.0-only
/* Rows of code that a process made, and frames of functions by their prologues. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "sframe/synth_prologue.h"
#include "sframe/synth_stubs.h"

#define START 0x7f0000000000ull
#define HOST 0x555500001000ull
#define BODY 160

/* CFA - SP at an offset, 0 if each step is refused there; @called: in code that is called. */
struct expected {
	u32 at;
	s32 cfa;
	bool called;
};

static const struct ustack_rule body = {
	.cfa = USTACK_OP_SP, .cfa_off = BODY, .ra = USTACK_OP_CFA | USTACK_OP_DEREF, .ra_off = -8,
	.fp = USTACK_OP_CFA | USTACK_OP_DEREF, .fp_off = -48,
};

static const struct ustack_rule *rule_at(const struct sframe_row *rows, u32 nr, u32 at)
{
	u32 i;

	for (i = nr; i--;)
		if (rows[i].start <= at)
			return &rows[i].rule;
	return NULL;
}

static void has_rows(const u8 *bytes, u32 len, const struct expected *expected, u32 nr_expected)
{
	const struct stubs_code c = {
		.bytes = bytes, .len = len, .vaddr = START, .host = { HOST, HOST + 0x1000 },
		.made = { START, START + 0x100000 }, .rule = body,
	};
	struct sframe_row *rows = NULL;
	u32 nr = synth_stubs(&c, &rows), i;

	assert_true(nr > 0);
	assert_int_equal(rows[0].start, 0);
	for (i = 1; i < nr; i++) {
		assert_true(rows[i].start > rows[i - 1].start);
		assert_false(ustack_rule_equal(&rows[i].rule, &rows[i - 1].rule));
		assert_int_equal(rows[i].rule.cfa_off & 7, 0);
	}
	/* what is made later has no frame of its own */
	assert_true(ustack_rule_equal(rule_at(rows, nr, len), &body));
	for (i = 0; i < nr_expected; i++) {
		const struct ustack_rule *rule = rule_at(rows, nr, expected[i].at);

		if (rule->cfa_off != expected[i].cfa)
			fail_msg("0x%x: CFA = SP + %d, not %d", expected[i].at, rule->cfa_off,
				 expected[i].cfa);
		assert_int_equal(rule->fp, expected[i].called || !expected[i].cfa ? USTACK_OP_NONE : body.fp);
		assert_int_equal(rule->ra_off, -8);
	}
	free(rows);
}

#define HAS_ROWS(bytes, ...)                                                                       \
	do {                                                                                       \
		const struct expected e[] = { __VA_ARGS__ };                                       \
		has_rows(bytes, sizeof(bytes), e, ARRAY_SIZE(e));                                  \
	} while (0)

static void parts_are_left_by_jumps_to_the_script(void **state)
{
	/* mov (%r14),%r15; jmp *(%r15); then zeros; push %rax; pop %rax; jmp *%r15(%rax) */
	static const u8 code[] = {
		0x4d, 0x8b, 0x3e, 0x41, 0xff, 0x27, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0x50, 0x58, 0x41, 0xff, 0x24, 0x07,
	};

	HAS_ROWS(code, { 0, BODY }, { 3, BODY }, { 16, BODY }, { 17, BODY + 8 }, { 18, BODY });
}

static void functions_end_with_a_return(void **state)
{
	/* sub $8,%rsp; call; add $8,%rsp; ret; then push %rbx; nop; pop %rbx; ret */
	static const u8 code[] = {
		0x48, 0x83, 0xec, 0x08, 0xe8, 0, 0, 0x10, 0, 0x48, 0x83, 0xc4, 0x08, 0xc3, 0, 0,
		0x53, 0x90, 0x5b, 0xc3,
	};

	HAS_ROWS(code, { 0, 8, true }, { 4, 16, true }, { 9, 16, true }, { 13, 8, true },
		 { 16, 8, true }, { 17, 16, true }, { 19, 8, true });
}

static void ends_of_a_jump_count_for_its_start(void **state)
{
	/*
	 * push $1; jmp 1f; nop... 1: sub $0xf8,%rsp; call; add $0x100,%rsp; je 2f; jmp *(%r15);
	 * 2: jmp to the function
	 */
	static const u8 code[] = {
		0x6a, 0x01, 0xeb, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0x48, 0x81, 0xec, 0xf8, 0, 0, 0, 0xe8, 0, 0, 0x10, 0,
		0x48, 0x81, 0xc4, 0, 1, 0, 0, 0x74, 0x03, 0x41, 0xff, 0x27,
		0x49, 0xbb, 0x10, 0x10, 0, 0, 0x55, 0x55, 0, 0, 0x41, 0xff, 0xe3,
	};

	HAS_ROWS(code, { 0, BODY }, { 2, BODY + 8 }, { 16, BODY + 8 }, { 23, BODY + 0x100 },
		 { 28, BODY + 0x100 }, { 35, BODY }, { 40, BODY });
}

static void jumps_to_functions_are_their_calls(void **state)
{
	/* mov (%r14),%r15; mov $elsewhere,%rax; jmp *%rax */
	static const u8 code[] = {
		0x4d, 0x8b, 0x3e, 0x48, 0xb8, 0x10, 0x90, 0, 0x55, 0x55, 0x55, 0, 0, 0xff, 0xe0,
	};

	HAS_ROWS(code, { 0, 8, true }, { 13, 8, true });
}

static void what_is_not_proven_is_refused(void **state)
{
	/* je 1f; ret; 1: jmp *(%r15) */
	static const u8 both[] = { 0x74, 0x01, 0xc3, 0x41, 0xff, 0x27 };
	/* jmp *%rax, from nowhere */
	static const u8 nowhere[] = { 0xff, 0xe0 };
	/* mov $elsewhere,%rcx; jmp *%rax */
	static const u8 other[] = { 0x48, 0xb9, 0x10, 0x90, 0, 0x55, 0x55, 0x55, 0, 0, 0xff, 0xe0 };
	/* 1: push %rax; jmp 1b */
	static const u8 loop[] = { 0x50, 0xeb, 0xfd };
	/* mov %rax,%rsp; ret */
	static const u8 lost[] = { 0x48, 0x89, 0xc4, 0xc3 };
	/* push %rax; ret: below what was there before; then no instruction */
	static const u8 below[] = { 0x50, 0xc3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x06, 0xc3 };

	/* sub $4,%rsp; nop; add $4,%rsp; ret */
	static const u8 odd[] = { 0x48, 0x83, 0xec, 0x04, 0x90, 0x48, 0x83, 0xc4, 0x04, 0xc3 };

	HAS_ROWS(odd, { 0, 8, true }, { 4, 0 }, { 9, 8, true });
	HAS_ROWS(both, { 0, 0 }, { 2, 0 }, { 3, 0 });
	HAS_ROWS(nowhere, { 0, 0 });
	HAS_ROWS(other, { 0, 0 });
	HAS_ROWS(loop, { 0, 0 }, { 1, 0 });
	HAS_ROWS(lost, { 0, 0 });
	HAS_ROWS(below, { 0, 0 }, { 16, 0 });
}

/* A file of another user can have a rule with any distance. */
static void far_frames_are_refused(void **state)
{
	/* push %rax; pop %rax; jmp *0(%rip) */
	static const u8 code[] = { 0x50, 0x58, 0xff, 0x25, 0, 0, 0, 0 };
	struct stubs_code c = {
		.bytes = code, .len = sizeof(code), .vaddr = START, .host = { HOST, HOST + 0x1000 },
		.made = { START, START + 0x100000 }, .rule = body,
	};
	struct sframe_row *rows;
	u32 nr;

	c.rule.cfa_off = INT32_MAX - 7;
	nr = synth_stubs(&c, &rows);
	assert_int_equal(rule_at(rows, nr, 0)->cfa_off, INT32_MAX - 7);
	assert_int_equal(rule_at(rows, nr, 1)->cfa_off, 0);
	assert_int_equal(rule_at(rows, nr, 2)->cfa_off, INT32_MAX - 7);
	free(rows);
}

static void random_code_gives_rows(void **state)
{
	u8 code[512];
	u32 i, round;

	srandom(1);
	for (round = 0; round < 2000; round++) {
		const u32 len = 1 + (u32)random() % sizeof(code);

		for (i = 0; i < len; i++)
			code[i] = random() % 3 ? (u8)random() : (u8)"\x50\x58\xc3\x00\xe8\xeb\x74\xff"[random() % 8];
		has_rows(code, len, NULL, 0);
	}
}

static void prologues_give_frames(void **state)
{
	/* push %rbp; mov %rsp,%rbp; push %rbx; sub $0x10,%rsp; call; add $0x10,%rsp; pop; pop; ret */
	static const u8 good[] = {
		0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x10, 0xe8, 0, 0, 0, 0,
		0x48, 0x83, 0xc4, 0x10, 0x5b, 0x5d, 0xc3,
	};
	/* the same, with a push after the call */
	static const u8 moves[] = { 0x55, 0xe8, 0, 0, 0, 0, 0x50, 0x58, 0x5d, 0xc3 };
	static const u8 lost[] = { 0x55, 0x48, 0x83, 0xe4, 0xf0, 0xe8, 0, 0, 0, 0, 0xc3 };
	static const u8 odd[] = { 0x48, 0x83, 0xec, 0x04, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 0x04, 0xc3 };
	static const u8 broken[] = { 0x55, 0xe8, 0, 0, 0, 0, 0x06 };
	u32 depth = 0;

	assert_true(synth_prologue_depth(good, sizeof(good), 0x1000, &depth));
	assert_int_equal(depth, 32);
	assert_false(synth_prologue_depth(moves, sizeof(moves), 0x1000, &depth));
	assert_false(synth_prologue_depth(lost, sizeof(lost), 0x1000, &depth));
	assert_false(synth_prologue_depth(odd, sizeof(odd), 0x1000, &depth));
	assert_false(synth_prologue_depth(broken, sizeof(broken), 0x1000, &depth));
	assert_false(synth_prologue_depth(good, 4, 0x1000, &depth));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_left_by_jumps_to_the_script),
		cmocka_unit_test(functions_end_with_a_return),
		cmocka_unit_test(ends_of_a_jump_count_for_its_start),
		cmocka_unit_test(jumps_to_functions_are_their_calls),
		cmocka_unit_test(what_is_not_proven_is_refused),
		cmocka_unit_test(far_frames_are_refused),
		cmocka_unit_test(random_code_gives_rows),
		cmocka_unit_test(prologues_give_frames),
	};

	return cmocka_run_group_tests_name("stubs", tests, NULL, NULL);
}
