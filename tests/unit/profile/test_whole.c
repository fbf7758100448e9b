// SPDX-License-Identifier: GPL-2.0-only
/* The share of complete stacks: the samples that count, and its text. */
#include "support.h"

#include "profile/profile.h"
#include "profile/whole.h"
#include "util/text.h"

static const char *text_of(const struct profile_whole *w)
{
	static char text[PROFILE_WHOLE_TEXT];

	return profile_whole_text(w, text);
}

static void shares(void **state)
{
	struct profile_whole w = { 0 };
	char share[TEXT_SHORT];

	assert_string_equal(text_of(&w), "");
	assert_string_equal(profile_whole_share(&w, share), "-");
	/* kernel threads are neither complete nor short */
	profile_whole_add(&w, "kernel", 1000);
	profile_whole_add(&w, "no_mm", 500);
	assert_string_equal(text_of(&w), "");
	assert_int_equal(w.none, 1500);
	profile_whole_add(&w, PROFILE_STACK_COMPLETE, 9999);
	assert_string_equal(text_of(&w), "100.00 % of stacks complete");
	/* rounded down */
	profile_whole_add(&w, "no_table", 1);
	assert_string_equal(text_of(&w), "99.99 % of stacks complete");
	profile_whole_add(&w, "guessed", 10000);
	assert_string_equal(text_of(&w), "49.99 % of stacks complete, 50.00 % guessed");
	assert_string_equal(profile_whole_share(&w, share), "49.99 %");
	profile_whole_add(&w, "a word of another version", 20000);
	assert_string_equal(text_of(&w), "24.99 % of stacks complete, 25.00 % guessed");
	profile_whole_add(&w, PROFILE_STACK_COMPLETE, INT64_MAX);
	assert_int_equal(w.complete, INT64_MAX);
	assert_int_equal(w.stacks, INT64_MAX);
	assert_string_equal(profile_whole_share(&w, share), "100.00 %");
}

/* Values from the difference of two profiles may be negative. */
static void differences(void **state)
{
	struct profile_whole w = { 0 };

	profile_whole_add(&w, PROFILE_STACK_COMPLETE, -5);
	assert_string_equal(text_of(&w), "");
	profile_whole_add(&w, "no_table", 10);
	assert_string_equal(text_of(&w), "0.00 % of stacks complete");
}

static void words(void **state)
{
	assert_true(profile_has_no_stack("kernel"));
	assert_true(profile_has_no_stack("no_mm"));
	assert_false(profile_has_no_stack("complete"));
	assert_false(profile_has_no_stack("execve"));
	assert_true(profile_stack_is_short("no_table"));
	assert_true(profile_stack_is_short("guessed"));
	assert_false(profile_stack_is_short("complete"));
	assert_false(profile_stack_is_short("kernel"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares), cmocka_unit_test(differences), cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
