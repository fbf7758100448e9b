/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The share of complete stacks. This is the only definition of it
 * (Documentation/short-stacks.md), for all programs that print the share;
 * user/show/flame/page/text.js has it for pages.
 *
 * A user stack is complete if its outermost frame was reached and every step is
 * proven. Stacks that reached it with a guessed step are counted separately. A
 * thread without user memory has no user stack, and counts as neither.
 */
#ifndef USTACK_USER_PROFILE_WHOLE_H
#define USTACK_USER_PROFILE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct profile_whole - sums of samples, or of another value of theirs; all
 * zero at first
 * @stacks: samples with a user stack
 * @complete: samples among @stacks that are complete
 * @guessed: samples among @stacks that reached the outermost frame with a guess
 * @none: samples without a user stack
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
 * @w: the sums; they stay at the largest number if they overflow
 * @outcome: text of the samples' label PROFILE_LABEL_STACK
 * @value: value to add
 */
void profile_whole_add(struct profile_whole *w, const char *outcome, int64_t value);

/* Return: whether samples with this outcome have no user stack. */
bool profile_has_no_stack(const char *outcome);

/*
 * Return: whether a user stack with this outcome is incomplete, or complete
 * only by a guess.
 */
bool profile_stack_is_short(const char *outcome);

/*
 * Return: the share of complete stacks, as of text_share(): "98.31 %", or "-"
 * without stacks.
 */
const char *profile_whole_share(const struct profile_whole *w, char *buf);

/**
 * profile_whole_text() - print the share for users
 * @w: the sums
 * @buf: gets "98.31 % of stacks complete", with ", 0.20 % guessed" after it if
 *	there are any; "" without any stack
 *
 * Return: @buf.
 */
const char *profile_whole_text(const struct profile_whole *w, char buf[PROFILE_WHOLE_TEXT]);

#endif /* USTACK_USER_PROFILE_WHOLE_H */
