// SPDX-License-Identifier: GPL-2.0-only
/* reason.def: numbers are ABI, names and sentences are for people. */
#include <ctype.h>

#include "support.h"

static const struct {
	unsigned int number;
	const char *name;
	const char *text;
} list[] = {
#define USTACK_REASON(number, name, sentence) { number, #name, sentence },
#include "reason.def"
#undef USTACK_REASON
};

static void every_number_is_used_once_and_in_range(void **state)
{
	unsigned int i;

	assert_int_equal(list[0].number, 0);
	for (i = 1; i < ARRAY_SIZE(list); i++) {
		assert_true(list[i].number > list[i - 1].number);
		assert_true(list[i].number < USTACK_NR_REASONS);
	}
}

static void every_reason_has_name_and_sentence(void **state)
{
	unsigned int i;
	const char *c;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		assert_string_equal(ustack_reason_name(list[i].number),
				    list[i].name);
		assert_string_equal(ustack_reason_text(list[i].number),
				    list[i].text);
		for (c = list[i].name; *c; c++)
			assert_true(isupper(*c) || isdigit(*c) || *c == '_');
		assert_true(strlen(list[i].text) > 5);
		assert_true(list[i].text[strlen(list[i].text) - 1] != '.');
	}
}

static void other_numbers_are_harmless(void **state)
{
	static const unsigned int other[] = { 31, 63, 95, 96, 97, 4096, ~0u };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(other); i++) {
		assert_null(ustack_reason_name(other[i]));
		assert_string_equal(ustack_reason_text(other[i]),
				    "unknown reason");
	}
}

/* Published numbers never change; add a line here for a new reason. */
static void numbers_are_abi(void **state)
{
	assert_int_equal(USTACK_OK, 0);
	assert_int_equal(USTACK_COMPLETE, 1);
	assert_int_equal(USTACK_NO_ROW, 4);
	assert_int_equal(USTACK_BAD_CFA, 5);
	assert_int_equal(USTACK_STACK_FAULT, 6);
	assert_int_equal(USTACK_FILE_SYSTEM, 75);
	assert_int_equal(USTACK_PARTIAL, 76);
	assert_int_equal(USTACK_TRUNCATED, 32);
	assert_int_equal(USTACK_PLT_BUG, 51);
	assert_int_equal(USTACK_NOT_ELF, 64);
	assert_int_equal(USTACK_NOT_EXECUTABLE, 73);
	assert_int_equal(USTACK_INTERRUPTED, 74);
	assert_int_equal(USTACK_NR_REASONS, 96);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_used_once_and_in_range),
		cmocka_unit_test(every_reason_has_name_and_sentence),
		cmocka_unit_test(other_numbers_are_harmless),
		cmocka_unit_test(numbers_are_abi),
	};

	return cmocka_run_group_tests_name("reason", tests, NULL, NULL);
}
