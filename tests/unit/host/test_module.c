// SPDX-License-Identifier: GPL-2.0-only
/* Figures that are computed from the module's counters. */
#include "support.h"

#include "host/module/module.h"
#include "profile/whole.h"
#include "reason.h"

/* The module counts guessed stacks among complete ones, and tasks without memory as samples. */
static void share_of_complete_stacks(void **state)
{
	struct ustack_stats st = { .samples = 1100, .guessed_complete = 40 };
	char text[PROFILE_WHOLE_TEXT];
	struct profile_whole w;

	st.reasons[USTACK_COMPLETE] = 990;
	st.reasons[USTACK_NO_MM] = 100;
	st.reasons[USTACK_NO_TABLE] = 10;
	module_whole(&st, &w);
	assert_string_equal(profile_whole_text(&w, text), "95.00 % of stacks complete, 4.00 % guessed");
	assert_int_equal(w.none, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_of_complete_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
