// SPDX-License-Identifier: GPL-2.0-only
/* Sums up complete stacks and prints their share. See whole.h. */
#include "profile/whole.h"

#include <stdio.h>
#include <string.h>

#include "profile/profile.h"
#include "util/sum.h"
#include "util/text.h"

#include "util/poison.h"

bool profile_has_no_stack(const char *outcome)
{
	return !strcmp(outcome, PROFILE_STACK_KERNEL) || !strcmp(outcome, PROFILE_STACK_NO_MM);
}

bool profile_stack_is_short(const char *outcome)
{
	return strcmp(outcome, PROFILE_STACK_COMPLETE) != 0 && !profile_has_no_stack(outcome);
}

void profile_whole_add(struct profile_whole *w, const char *outcome, int64_t value)
{
	if (profile_has_no_stack(outcome)) {
		w->none = sum_i64(w->none, value);
		return;
	}
	w->stacks = sum_i64(w->stacks, value);
	if (!strcmp(outcome, PROFILE_STACK_COMPLETE))
		w->complete = sum_i64(w->complete, value);
	else if (!strcmp(outcome, PROFILE_STACK_GUESSED))
		w->guessed = sum_i64(w->guessed, value);
}

/* In the difference of two profiles a sum may be negative; it counts as 0. */
static uint64_t amount(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

const char *profile_whole_share(const struct profile_whole *w, char *buf)
{
	return text_share(amount(w->complete), amount(w->stacks), buf);
}

const char *profile_whole_text(const struct profile_whole *w, char buf[PROFILE_WHOLE_TEXT])
{
	char complete[TEXT_SHORT], guessed[TEXT_SHORT];

	buf[0] = '\0';
	if (w->stacks <= 0)
		return buf;
	profile_whole_share(w, complete);
	if (!w->guessed)
		snprintf(buf, PROFILE_WHOLE_TEXT, "%s of stacks complete", complete);
	else
		snprintf(buf, PROFILE_WHOLE_TEXT, "%s of stacks complete, %s guessed", complete,
			 text_share(amount(w->guessed), amount(w->stacks), guessed));
	return buf;
}
