// SPDX-License-Identifier: GPL-2.0
/*
 * Long loops let others run: in the kernel, without preemption, a large section would hold
 * up its CPU. The two files that have such loops are compiled here once more, with a
 * ustack_breathe() that counts.
 */
static unsigned int breaths;

#define ustack_breathe() ((void)breaths++)
/* names of their own: those of the core are linked, too */
#define ustack_section_open counted_section_open
#define ustack_section_scratch counted_section_scratch
#define ustack_verify counted_verify
#define ustack_compile_size counted_compile_size
#define ustack_compile counted_compile

#include "support.h"

#include "../../kmod/core/verify.c"
#include "../../kmod/core/compile.c"

#define ROUNDS 4096u	/* of a loop, between two breaths */
#define NR (5 * ROUNDS)

/* Breaths while the section of @s is verified, and then compiled. */
static void count(struct sf *s, unsigned int *verify, unsigned int *compile)
{
	struct image im;
	u64 size;

	image_init(&im, s->arch);
	im.text[0].end = TEXT_START + 0x1000000;
	sf_emit(s, &im.bytes);
	im.sec.bytes = im.bytes.p;
	im.sec.len = im.bytes.len;
	im.sec.text = im.text;
	assert_reason(ustack_section_open(&im.sec, NULL), USTACK_OK);
	im.scratch = malloc(ustack_section_scratch(&im.sec));
	breaths = 0;
	assert_reason(ustack_verify(&im.sec, im.scratch), USTACK_OK);
	*verify = breaths;
	assert_reason(ustack_compile_size(&im.sec, &size), USTACK_OK);
	breaths = 0;
	im.table = malloc(size);
	ustack_compile(&im.sec, im.table);
	*compile = breaths;
	image_release(&im);
}

static void put_function(struct sf *s, u32 i)
{
	sf_func(s, TEXT_START + 16 * i, 16, 0, 0, 0);
	SF_ROW(s, 0, 3, (u8)(8 + 8 * (i % 2)));
}

static void many_functions(void **state)
{
	unsigned int verify, compile;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	for (i = 0; i < NR; i++)
		put_function(&s, i);
	count(&s, &verify, &compile);
	/* when entries are read and when rows are checked; and when they are compiled */
	assert_int_equal(verify, 2 * NR / ROUNDS);
	assert_int_equal(compile, NR / ROUNDS);
}

/* Not in order: sorting breathes, too, in each pass over all of them. */
static void many_functions_to_sort(void **state)
{
	unsigned int verify, compile;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	s.flags = SFRAME_F_FDE_FUNC_START_PCREL;
	s.anchor = USTACK_ANCHOR_FIELD;
	for (i = NR; i--;)
		put_function(&s, i);
	count(&s, &verify, &compile);
	assert_in_range(verify, 3 * NR / ROUNDS, 200 * NR / ROUNDS);
	assert_int_equal(compile, NR / ROUNDS);
}

static void many_rows(void **state)
{
	unsigned int verify, compile;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, NR, FN_ADDR4, 0, 0);
	for (i = 0; i < NR; i++)
		SF_ROW(&s, (u8)i, (u8)(i >> 8), (u8)(i >> 16), 0, 3, (u8)(8 + 8 * (i % 2)));
	count(&s, &verify, &compile);
	/* one function's entry, the function, and its rows */
	assert_int_equal(verify, 2 + NR / ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_functions),
		cmocka_unit_test(many_functions_to_sort),
		cmocka_unit_test(many_rows),
	};

	return cmocka_run_group_tests_name("breathe", tests, NULL, NULL);
}
