// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work that a section can cause, counted instead of timed: after so many steps other tasks
 * may run, a task that is killed ends the work, and rules that are made to collide cost no more
 * than others. The two files with the loops are compiled here again, with counters in the
 * functions that they call.
 */
static struct {
	unsigned int work;	/* number of rows and functions decoded since the last pause */
	unsigned int most;	/* the largest number of them between two pauses */
	unsigned int pauses;
	unsigned int kill_at;	/* the pause that reports a killed task, once */
	unsigned long long compared;
	_Bool one_hash;		/* of all rules */
} seen;

static _Bool pause_here(void)
{
	if (seen.work > seen.most)
		seen.most = seen.work;
	seen.work = 0;
	return ++seen.pauses == seen.kill_at;
}

#define ustack_resched_or_abort() pause_here()
/* other names, because those of the core are linked, too */
#define ustack_section_pause counted_section_pause
#define ustack_section_open counted_section_open
#define ustack_section_scratch counted_section_scratch
#define ustack_verify counted_verify
#define ustack_section_is_partial counted_section_is_partial
#define ustack_compile_size counted_compile_size
#define ustack_compile counted_compile

#include "support.h"

#include "hash.h"

#define ustack_rule_equal(a, b) (seen.compared++, (ustack_rule_equal)(a, b))
#define ustack_decode_row(...) (seen.work++, (ustack_decode_row)(__VA_ARGS__))
#define ustack_decode_func(...) (seen.work++, (ustack_decode_func)(__VA_ARGS__))
#define ustack_siphash(...) (seen.one_hash ? 0 : (ustack_siphash)(__VA_ARGS__))

#include "../../../kmod/core/verify.c"
#include "../../../kmod/core/compile.c"

#define NR (5 * USTACK_MAX_STEPS)

static void image_begin(struct image *im, const struct ustack_arch *arch)
{
	image_init(im, arch);
	im->text[0].end = TEXT_START + 0x1000000;
}

/* All stages, over im->bytes; ends at the first refusal, and may be called again. */
static enum ustack_reason build(struct image *im)
{
	enum ustack_reason reason;
	u64 size;

	free(im->scratch);
	free(im->table);
	im->scratch = im->table = NULL;
	im->sec.bytes = im->bytes.p;
	im->sec.len = im->bytes.len;
	im->sec.text = im->text;
	seen.work = seen.most = seen.pauses = 0;
	seen.compared = 0;
	reason = ustack_section_open(&im->sec, NULL);
	if (reason)
		return reason;
	/* after a pause that reports no killed task, the work may continue */
	assert_false(im->sec.killed);
	im->scratch = malloc(ustack_section_scratch(&im->sec));
	reason = ustack_verify(&im->sec, im->scratch);
	if (reason)
		return reason;
	assert_false(im->sec.killed);
	reason = ustack_compile_size(&im->sec, &size);
	if (reason)
		return reason;
	assert_false(im->sec.killed);
	im->table = malloc(size);
	reason = ustack_compile(&im->sec, im->table);
	if (!reason)
		assert_reason(ustack_table_check(im->table, size), USTACK_OK);
	return reason;
}

/*
 * Other tasks run in time, @pauses times, as no step is counted twice; whenever the task is
 * killed, the work ends.
 */
static void check_pauses(struct image *im, unsigned int pauses)
{
	unsigned int all, i;

	assert_reason(build(im), USTACK_OK);
	all = seen.pauses;
	assert_int_equal(all, pauses);
	pause_here();
	/* is_plt_bug() reads two rows of a function again */
	assert_in_range(seen.most, 1, 2 * USTACK_MAX_STEPS);
	for (i = 1; i <= all; i++) {
		seen.kill_at = i;
		assert_reason(build(im), USTACK_INTERRUPTED);
		seen.kill_at = 0;
		assert_int_equal(seen.pauses, i);
		assert_int_equal(seen.work, 0);
	}
	image_release(im);
}

/* Other tasks run after 4,096 steps, however many are counted at once, and then again. */
static void steps_between_pauses(void **state)
{
	static const u32 at_once[] = { 1, 2, 4096 };
	struct ustack_section sec = { 0 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(at_once); i++) {
		seen.pauses = 0;
		for (k = at_once[i]; k < 4096; k += at_once[i])
			assert_false(ustack_section_worked(&sec, at_once[i]));
		assert_int_equal(seen.pauses, 0);
		assert_false(ustack_section_worked(&sec, at_once[i]));
		assert_int_equal(seen.pauses, 1);
	}
}

static void put_function(struct sf *s, u32 i)
{
	sf_func(s, TEXT_START + 16 * i, 16, 0, 0, 0);
	SF_ROW(s, 0, 3, (u8)(8 + 8 * (i % 2)));
}

/* NR functions in a section of version @v, of which the first @outside are not in the text. */
static void check_functions(u8 v, u32 outside, u64 steps)
{
	struct image im;
	struct sf s;
	u32 i;

	image_begin(&im, X86);
	if (outside)
		im.text[0].start = TEXT_START + 16 * outside;
	sf_init(&s, X86, v);
	for (i = 0; i < NR; i++)
		put_function(&s, i);
	sf_emit(&s, &im.bytes);
	check_pauses(&im, steps / USTACK_MAX_STEPS);
}

/*
 * Entries are read, compared with the next, counted and verified, rows are verified, and both are
 * compiled twice.
 */
static void many_functions(void **state)
{
	u8 v;

	for (v = 1; v <= 3; v++)
		check_functions(v, 0, 9 * NR);
}

/*
 * The first half of the functions is outside the text: when the task is killed in it, nothing is
 * known about the section.
 */
static void many_functions_outside_the_text(void **state)
{
	u8 v;

	/* read once for each anchor that is tried, and again for the first one */
	for (v = 1; v <= 3; v++)
		check_functions(v, NR / 2, (v < 3 ? 21 : 13) * NR / 2);
}

/* Not in order: sorting takes steps, too, in each pass over all of them. */
static void many_functions_to_sort(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	image_begin(&im, X86);
	sf_init(&s, X86, 2);
	s.flags = SFRAME_F_FDE_FUNC_START_PCREL;
	s.anchor = USTACK_ANCHOR_FIELD;
	/* 377 is prime to NR: a scattered order */
	for (i = 0; i < NR; i++)
		put_function(&s, i * 377 % NR);
	sf_emit(&s, &im.bytes);
	check_pauses(&im, 22 * NR / USTACK_MAX_STEPS);
}

/* One function of all rows. */
static void many_rows(void **state)
{
	struct image im;
	struct sf s;
	u32 i;
	u8 v;

	for (v = 1; v <= 3; v++) {
		image_begin(&im, X86);
		sf_init(&s, X86, v);
		sf_func(&s, TEXT_START, NR, FN_ADDR4, 0, 0);
		for (i = 0; i < NR; i++)
			SF_ROW(&s, (u8)i, (u8)(i >> 8), (u8)(i >> 16), 0, 3,
			       (u8)(8 + 8 * (i % 2)));
		sf_emit(&s, &im.bytes);
		check_pauses(&im, 3 * NR / USTACK_MAX_STEPS);
	}
}

/* The same for a block that is repeated, in which several rows have the same start. */
static void many_rows_of_a_block(void **state)
{
	struct image im;
	struct sf s;
	u32 i;
	u8 v;

	for (v = 1; v <= 3; v++) {
		image_begin(&im, A64);
		sf_init(&s, A64, v);
		sf_func(&s, TEXT_START, 256, FN_MASK, 0, 16);
		for (i = 0; i < NR; i++)
			SF_ROW(&s, (u8)(4 * i / NR * 4), 3, (u8)(16 * (i % 2)));
		sf_emit(&s, &im.bytes);
		check_pauses(&im, 5 * NR / USTACK_MAX_STEPS);
	}
}

/*
 * Headers without entries: a linker that does not know the format concatenates such sections.
 */
static void many_parts(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	image_begin(&im, X86);
	for (i = 0; i < NR; i++) {
		sf_init(&s, X86, 3);
		s.vaddr += im.bytes.len;
		if (!i)
			put_function(&s, i);
		sf_emit(&s, &im.bytes);
		bytes_put(&im.bytes, "\0\0\0\0\0\0\0", -im.bytes.len & 7);
	}
	check_pauses(&im, 2 * NR / USTACK_MAX_STEPS);
}

/* Bytes that no entry refers to are read once. */
static void many_bytes(void **state)
{
	struct image im;
	struct sf s;

	image_begin(&im, X86);
	sf_init(&s, X86, 3);
	put_function(&s, 0);
	sf_emit(&s, &im.bytes);
	im.bytes.p = realloc(im.bytes.p, NR * 512);
	assert_non_null(im.bytes.p);
	memset(im.bytes.p + im.bytes.len, 0, NR * 512 - im.bytes.len);
	im.bytes.len = NR * 512;
	check_pauses(&im, NR / USTACK_MAX_STEPS);
}

/* A row with its own start, and the rule CFA = SP + @cfa. */
static void put_row(struct sf *s, u32 start, u32 cfa)
{
	u8 row[9] = { 0, 0, 0, 0, 0x43 };

	memcpy(row, &start, 4);
	memcpy(row + 5, &cfa, 4);
	sf_row(s, row, sizeof(row));
}

/*
 * The hash of rules that ustack had before it was keyed: anybody could compute colliding rules.
 */
static u32 old_slot(u32 cfa)
{
	u64 h = (0xfffffff800000000ull | cfa) * 0x9e3779b97f4a7c15ull;

	h ^= 0x401ull * 0xc2b2ae3d27d4eb4full << 32;
	h *= 0xff51afd7ed558ccdull;
	return (u32)(h >> 32) & 0x1ffff;
}

/*
 * It took 60,000 comparisons per row: 39 seconds for 2 MB, and could not be interrupted by a
 * signal.
 */
static void rules_made_to_collide(void **state)
{
	const u32 nr_rules = 60000, nr_rows = 150000;
	u32 *cfa = malloc(nr_rules * sizeof(*cfa)), i, n;
	struct image im;
	struct sf s;

	assert_non_null(cfa);
	for (i = n = 0; n < nr_rules; i++)
		if (old_slot(i) < 64)
			cfa[n++] = i;
	image_begin(&im, X86);
	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, nr_rows, FN_ADDR4, 0, 0);
	for (i = 0; i < nr_rows; i++)
		put_row(&s, i, cfa[i % nr_rules]);
	sf_emit(&s, &im.bytes);
	assert_reason(build(&im), USTACK_OK);
	assert_int_equal(im.table->nr_rules, nr_rules + 1);
	/* two passes; each row checks the recent rule, and then about two slots */
	assert_in_range(seen.compared, 2 * nr_rows, 2 * 4 * nr_rows);
	image_release(&im);
	free(cfa);
}

/* Even somebody who knows the key and makes all rules collide cannot make it slow. */
static void rules_that_collide(void **state)
{
	u32 n, i, rows = 20000;
	struct image im;
	struct sf s;

	for (n = USTACK_MAX_PROBES; n <= USTACK_MAX_PROBES + 1; n++) {
		image_begin(&im, X86);
		sf_init(&s, X86, 2);
		sf_func(&s, TEXT_START, rows, FN_ADDR4, 0, 0);
		for (i = 0; i < rows; i++)
			put_row(&s, i, 8 * (i % n));
		sf_emit(&s, &im.bytes);
		seen.one_hash = true;
		assert_reason(build(&im), n > USTACK_MAX_PROBES ? USTACK_TOO_MANY_RULES :
								    USTACK_OK);
		seen.one_hash = false;
		assert_in_range(seen.compared, 0, 2 * rows * (USTACK_MAX_PROBES + 1ull));
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_between_pauses),
		cmocka_unit_test(many_functions),
		cmocka_unit_test(many_functions_outside_the_text),
		cmocka_unit_test(many_functions_to_sort),
		cmocka_unit_test(many_rows),
		cmocka_unit_test(many_rows_of_a_block),
		cmocka_unit_test(many_parts),
		cmocka_unit_test(many_bytes),
		cmocka_unit_test(rules_made_to_collide),
		cmocka_unit_test(rules_that_collide),
	};

	return cmocka_run_group_tests_name("resched", tests, NULL, NULL);
}
