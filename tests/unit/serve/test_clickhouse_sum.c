// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile from the samples of a fleet, with a server whose tables do not fit together:
 * samples that arrived count whatever is missing, and missing parts are reported.
 */
#include "clickhouse_windows.h"

#define SAMPLES " ORDER BY stack"

static const char *const nothing[] = { NULL };

/* The contents of the server's tables. */
struct tables {
	struct house_rows windows;
	struct house_rows samples;
	struct house_rows stacks;
	struct house_rows frames;
	struct house_rows binaries;
	struct house_rows names;
};

static void put_sample(struct tables *t, uint32_t class, uint64_t stack, int64_t count)
{
	house_row(&t->samples);
	house_number(&t->samples, class, 4);
	house_number(&t->samples, stack, 8);
	house_number(&t->samples, (uint64_t)count, 8);
	house_number(&t->samples, 100, 8);
	house_length(&t->samples, 0);
	house_text(&t->samples, "");
}

/* @frames: innermost first, each a letter. */
static void put_stack(struct tables *t, uint64_t stack, const char *frames)
{
	house_row(&t->stacks);
	house_number(&t->stacks, stack, 8);
	house_length(&t->stacks, (uint8_t)strlen(frames));
	for (; *frames; frames++)
		house_number(&t->stacks, (uint8_t)*frames, 8);
}

static void put_frame(struct tables *t, char frame, uint64_t binary, uint64_t address)
{
	house_row(&t->frames);
	house_number(&t->frames, (uint8_t)frame, 8);
	house_number(&t->frames, binary, 8);
	house_number(&t->frames, address, 8);
}

/* As many systems and files as functions; @lines: line numbers. */
static void put_names(struct tables *t, char frame, uint8_t rank, const char *functions,
		      uint8_t lines)
{
	struct house_rows *r = &t->names;
	unsigned int i;

	house_row(r);
	house_number(r, (uint8_t)frame, 8);
	house_number(r, rank, 1);
	house_texts(r, functions);
	house_texts(r, functions);
	house_texts(r, functions);
	house_length(r, lines);
	house_bytes(r, (const char[64]){ 0 }, 4u * lines);
	house_length(r, lines);
	for (i = 0; i < lines; i++)
		house_number(r, i + 1, 4);
}

/**
 * struct summed - a query and its result
 * @t: types of the windows' values
 * @p: the resulting profile
 */
struct summed {
	struct tables t;
	struct profile *p;
	struct store_coverage coverage;
	struct asked a;
};

static void begin(struct summed *s)
{
	static const struct windows usual = USUAL;

	*s = (struct summed){ .p = profile_new() };
	put_windows(&s->t.windows, &usual);
}

static void release(struct summed *s)
{
	asked_release(&s->a);
	profile_free(s->p);
}

/*
 * @functions: only stacks with these functions, NULL selects all. Return: as clickhouse_sum().
 */
static int sum(struct summed *s, const char *const *functions)
{
	const struct tables *t = &s->t;
	const struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, &t->windows),
		HOUSE_ROWS(SAMPLES, &t->samples),
		HOUSE_ROWS("FROM stacks", &t->stacks),
		HOUSE_ROWS("FROM frames", &t->frames),
		HOUSE_ROWS("FROM binaries", &t->binaries),
		HOUSE_ROWS("FROM names", &t->names),
	};
	int err;

	asked_begin(&s->a, answers, ARRAY_SIZE(answers), "");
	s->a.q.q.keep = nothing;
	s->a.q.functions = functions;
	err = clickhouse_sum(s->a.c, &s->a.q, s->p, &s->coverage, &s->a.diag);
	asked_stop(&s->a);
	return err;
}

/*
 * The stack of a sample as text, innermost first: "function" or "file+address", separated by
 * ';'.
 */
static const char *stack_text(const struct profile *p, uint32_t stack)
{
	static char text[512];
	size_t len = 0;

	for (text[0] = '\0'; stack; stack = p->stacks[stack].parent) {
		const struct profile_location *l = &p->locations[p->stacks[stack].location];
		uint32_t i;

		for (i = 0; i < l->nr_lines; i++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s:%u;",
						profile_text(p, p->functions[p->lines[l->first_line + i].function].name),
						p->lines[l->first_line + i].line);
		if (!l->nr_lines)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s+%llx;",
						profile_text(p, p->mappings[l->mapping].file),
						(unsigned long long)l->address);
	}
	return text;
}

static void expect_sample(const struct profile *p, uint32_t nr, const char *stack, int64_t count)
{
	assert_true(nr < p->nr_samples);
	assert_string_equal(stack_text(p, p->samples[nr].stack), stack);
	assert_int_equal(p->samples[nr].value[0], count);
}

/* Missing stacks, frames, binaries and names. */
static void test_missing(void **state)
{
	struct summed s;

	begin(&s);
	put_sample(&s.t, 0, 1, 10);
	put_sample(&s.t, 0, 2, 20);
	put_sample(&s.t, 0, 3, 30);
	put_sample(&s.t, 0, 0, 40);
	put_stack(&s.t, 1, "abc");
	put_stack(&s.t, 2, "da");
	/* the same again belongs to another week; and one that was not requested */
	put_stack(&s.t, 1, "d");
	put_stack(&s.t, 99, "x");
	put_frame(&s.t, 'a', 7, 0x10);
	put_frame(&s.t, 'b', 8, 0x20);
	put_frame(&s.t, 'c', 7, 0x30);
	put_frame(&s.t, 'x', 9, 0x40);
	house_row(&s.t.binaries);
	house_number(&s.t.binaries, 7, 8);
	house_text(&s.t.binaries, "ab");
	house_text(&s.t.binaries, "web");
	put_names(&s.t, 'a', 1, "old", 1);
	put_names(&s.t, 'a', 3, "inner,outer", 2);
	put_names(&s.t, 'a', 2, "worse", 1);
	put_names(&s.t, 'x', 3, "nobody", 1);
	assert_int_equal(sum(&s, NULL), 0);
	/* 3 is nowhere, and 0 is no stack */
	assert_int_equal(s.coverage.bad, 1);
	assert_non_null(strstr(s.a.diag.text, "1 stacks of samples"));
	assert_int_equal(s.p->nr_samples, 3);
	expect_sample(s.p, 0, "inner:1;outer:2;+20;web+30;", 10);
	expect_sample(s.p, 1, "+0;inner:1;outer:2;", 20);
	expect_sample(s.p, 2, "", 70);
	release(&s);
}

/* Names whose arrays have different lengths, or with rank 0, which is invalid. */
static void test_names(void **state)
{
	struct summed s;

	begin(&s);
	put_sample(&s.t, 0, 1, 10);
	put_stack(&s.t, 1, "abc");
	put_frame(&s.t, 'a', 7, 0x10);
	put_frame(&s.t, 'b', 7, 0x20);
	put_frame(&s.t, 'c', 7, 0x30);
	put_names(&s.t, 'a', 3, "one,two,three", 2);
	put_names(&s.t, 'b', 0, "none", 1);
	put_names(&s.t, 'c', 1, "", 4);
	assert_int_equal(sum(&s, NULL), 0);
	expect_sample(s.p, 0, "one:1;two:2;+20;+30;", 10);
	release(&s);
}

/* Sums that overflow, and fewer values than there are types. */
static void test_values(void **state)
{
	static const struct windows more = { "samples,faults,pages", "count,count,count", "", 1, 1,
					     2, 1, 1 };
	struct summed s;

	begin(&s);
	put_sample(&s.t, 0, 1, INT64_MAX);
	put_sample(&s.t, 0, 1, INT64_MAX);
	put_sample(&s.t, 0, 2, INT64_MIN);
	put_sample(&s.t, 0, 2, -1);
	put_stack(&s.t, 1, "a");
	put_stack(&s.t, 2, "b");
	put_frame(&s.t, 'a', 7, 0x10);
	put_frame(&s.t, 'b', 7, 0x20);
	assert_int_equal(sum(&s, NULL), 0);
	expect_sample(s.p, 0, "+10;", INT64_MAX);
	expect_sample(s.p, 1, "+20;", INT64_MIN);
	assert_int_equal(s.p->samples[0].value[1], 200);
	release(&s);
	/* @more of a sample is empty */
	s.p = profile_new();
	s.t.windows = (struct house_rows){ .nr = 0 };
	put_windows(&s.t.windows, &more);
	assert_int_equal(sum(&s, NULL), 0);
	assert_int_equal(s.p->nr_value_types, 3);
	assert_int_equal(s.p->samples[0].value[1], 0);
	release(&s);
}

/* Labels must be numbers of existing sets. */
static void test_class(void **state)
{
	struct summed s;

	begin(&s);
	put_sample(&s.t, 0, 1, 1);
	put_sample(&s.t, 1, 1, 1);
	assert_int_equal(sum(&s, NULL), -EBADMSG);
	assert_non_null(strstr(s.a.diag.text, "row 2 has a class"));
	assert_string_equal(s.a.diag.file, s.a.place.shown);
	assert_int_equal(s.p->nr_samples, 0);
	release(&s);
}

/* The types of values of several kinds may be too many together. */
static void test_types(void **state)
{
	static const struct windows kinds[] = {
		{ "a,b,c,d,e", "1,2,3,4,5", "", 1, 1, 2, 1, 1 },
		{ "f,g,h,i,j", "1,2,3,4,5", "", 1, 1, 2, 1, 1 },
	};
	struct summed s;

	begin(&s);
	s.t.windows = (struct house_rows){ .nr = 0 };
	put_windows(&s.t.windows, &kinds[0]);
	put_windows(&s.t.windows, &kinds[1]);
	assert_int_equal(sum(&s, NULL), -E2BIG);
	assert_string_equal(s.a.diag.text, "windows have more than 8 types of values");
	release(&s);
}

/* Names of functions are literals. */
static void test_functions(void **state)
{
	static const char *const functions[] = { "it's", "a\\'", NULL };
	struct summed s;

	begin(&s);
	assert_int_equal(sum(&s, functions), 0);
	assert_non_null(house_asked(&s.a.s, "hasAny(functions, ['it\\'s', 'a\\\\\\''])"));
	/* without samples no stacks are requested */
	assert_null(house_asked(&s.a.s, "FROM stacks WHERE id GLOBAL IN ids"));
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing), cmocka_unit_test(test_names),
		cmocka_unit_test(test_values), cmocka_unit_test(test_class),
		cmocka_unit_test(test_types), cmocka_unit_test(test_functions),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
