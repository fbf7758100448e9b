// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of a record, written and read again: samples of one stack and one set of labels
 * are merged, and their values are added; times that are counts times a period take one byte.
 */
#include "store_random.h"

#include "serve/store/record.h"

/* Labels 0 and 1, stacks 0 to 2, a type of value for each of @types. */
static struct profile *make_definitions(struct store_samples *s, uint32_t types)
{
	struct profile *p = profile_new();
	struct profile_label l = { .key = profile_string(p, "key"), .str = profile_string(p, "text") };
	uint32_t i;

	*s = (struct store_samples){ .period = 1000000, .nr_value_types = types };
	for (i = 0; i < types; i++)
		s->value_types[i] = (struct profile_value_type){ .type = numbered(p, "type", i) };
	assert_int_equal(profile_stack(p, 0, profile_location(p, 0, 1)), 1);
	assert_int_equal(profile_stack(p, 1, profile_location(p, 0, 2)), 2);
	assert_int_equal(profile_labels(p, &l, 1), 1);
	return p;
}

/* Memory for samples belongs to the caller here, and only the reader's struct is released. */
static void put(struct store_samples *s, struct profile_sample *samples, uint32_t nr,
		struct buffer *out)
{
	s->samples = samples;
	s->nr_samples = nr;
	store_put_samples(s, out);
	assert_false(out->failed);
}

static void test_sums(void **state)
{
	struct profile_sample in[] = {
		{ .stack = 2, .labels = 1, .value = { 1, 10, INT64_MAX, INT64_MIN } },
		{ .stack = 1, .labels = 1, .value = { 2, 20, 5, 5 } },
		{ .stack = 2, .labels = 0, .value = { 3, 30, 6, 6 } },
		{ .stack = 2, .labels = 1, .value = { 4, -40, 1, -1 } },
		{ .stack = 1, .labels = 1, .value = { 0, 0, 0, 0 } },
		{ .stack = 2, .labels = 1, .value = { 100, -1000, 0, 0 } },
	};
	static const struct profile_sample want[] = {
		{ .stack = 2, .labels = 0, .value = { 3, 30, 6, 6 } },
		{ .stack = 1, .labels = 1, .value = { 2, 20, 5, 5 } },
		{ .stack = 2, .labels = 1, .value = { 105, -1030, INT64_MAX, INT64_MIN } },
	};
	struct store_samples s, got = { .period = 0 };
	struct profile *p = make_definitions(&s, 4);
	struct buffer out = { .len = 0 };
	const char *why = NULL;
	unsigned int i, k;

	put(&s, in, ARRAY_SIZE(in), &out);
	assert_int_equal(store_take_samples(p, out.at, out.len, &got, &why), 0);
	assert_int_equal(got.nr_samples, ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_int_equal(got.samples[i].stack, want[i].stack);
		assert_int_equal(got.samples[i].labels, want[i].labels);
		for (k = 0; k < 4; k++)
			assert_int_equal(got.samples[i].value[k], want[i].value[k]);
	}
	store_samples_release(&got);
	buffer_release(&out);
	profile_free(p);
}

/* Return: number of bytes of the second type's values, after the 0 or 1 before them. */
static size_t second_values(struct profile_sample *in, uint32_t nr, bool *guessed)
{
	struct store_samples s, got = { .period = 0 };
	struct profile *p = make_definitions(&s, 1);
	struct buffer one = { .len = 0 }, two = { .len = 0 };
	const char *why;
	size_t bytes;

	put(&s, in, nr, &one);
	profile_free(p);
	p = make_definitions(&s, 2);
	put(&s, in, nr, &two);
	/* the second type has two strings in the head */
	bytes = two.len - one.len - 3;
	*guessed = ((const uint8_t *)two.at)[two.len - bytes - 1];
	assert_int_equal(store_take_samples(p, two.at, two.len, &got, &why), 0);
	assert_int_equal(got.nr_samples, nr);
	while (nr--)
		assert_int_equal(got.samples[nr].value[1], in[nr].value[1]);
	store_samples_release(&got);
	buffer_release(&one);
	buffer_release(&two);
	profile_free(p);
	return bytes;
}

static void test_guesses(void **state)
{
	struct profile_sample in[] = {
		{ .stack = 0, .value = { 5, 5000000 } },
		{ .stack = 1, .value = { 2, 2000000 } },
		{ .stack = 2, .value = { 3, 3000000 } },
	};
	bool guessed;

	assert_int_equal(second_values(in, 1, &guessed), 1);
	assert_true(guessed);
	assert_int_equal(second_values(in, 3, &guessed), 3);
	assert_true(guessed);
	/* one of them is shorter unchanged, all together are not */
	in[0].value[1] = 0;
	assert_int_equal(second_values(in, 3, &guessed), 6);
	assert_true(guessed);
	/* nor if it is the last one */
	in[0].value[1] = 5000000;
	in[2].value[1] = 0;
	assert_int_equal(second_values(in, 3, &guessed), 6);
	assert_true(guessed);
	/* none is a multiple of the period */
	in[0].value[1] = in[1].value[1] = in[2].value[1] = 1;
	assert_int_equal(second_values(in, 3, &guessed), 3);
	assert_false(guessed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_guesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
