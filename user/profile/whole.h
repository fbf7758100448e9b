/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many stacks are complete: the one definition of it (Documentation/short-stacks.md), for
 * all that print the share. user/show/flame/page/text.js has it for pages.
 *
 * Of a user's stacks those are complete whose outermost frame was reached, every step of the way
 * being proven. Stacks that reached it with a guess on the way are told apart. A thread that has
 * no user memory has no such stack, and is neither complete nor not.
 */
#ifndef USTACK_USER_PROFILE_WHOLE_H
#define USTACK_USER_PROFILE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct profile_whole - sums of samples, or of another value of theirs; all zero at first
 * @stacks: with a user's stack
 * @complete: of these
 * @guessed: of these
 * @none: without one
 */
struct profile_whole {
	int64_t stacks;
	int64_t complete;
	int64_t guessed;
	int64_t none;
};

/* Room for profile_whole_text(). */
#define PROFILE_WHOLE_TEXT 80

/**
 * profile_whole_add() - add samples
 * @w: gets them; its sums stay at the largest number if they do not fit
 * @outcome: text of their label PROFILE_LABEL_STACK
 * @value: of them
 */
void profile_whole_add(struct profile_whole *w, const char *outcome, int64_t value);

/* Return: whether @outcome is of samples that have no user's stack. */
bool profile_has_no_stack(const char *outcome);

/* Return: whether a user's stack with this outcome ended before it was whole, or by a guess. */
bool profile_stack_is_short(const char *outcome);

/* The share of complete stacks, as text_share() has it: "98.31 %", or "-" of none. */
const char *profile_whole_share(const struct profile_whole *w, char *buf);

/**
 * profile_whole_text() - the share for people
 * @w: the sums
 * @buf: gets "98.31 % of stacks complete", the same with ", 0.20 % guessed" behind it, or ""
 *       without any stack
 *
 * Return: @buf.
 */
const char *profile_whole_text(const struct profile_whole *w, char buf[PROFILE_WHOLE_TEXT]);

#endif /* USTACK_USER_PROFILE_WHOLE_H */
