/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers that binaries, frames, labels and stacks of a window have in a fleet's tables. They
 * are the same on every host. Private to user/serve/push.
 */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H
#define USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H

#include "profile/profile.h"
#include "util/buffer.h"

/**
 * struct clickhouse_numbers - numbers in the tables, by the window's own numbers; all zeros is
 *                             an empty one
 * @w: the window
 * @binaries: number of the binary of each mapping; owns the memory of all arrays here
 * @frames: number of each location
 * @labels: number of each set of labels
 * @stacks: number of each stack
 * @inner: number of the binary of each stack's innermost frame that is not in the kernel; 0 if
 *         all frames are
 * @ended: number of the binary of each stack's outermost frame
 * @scratch: bytes that are being hashed
 */
struct clickhouse_numbers {
	const struct profile *w;
	uint64_t *binaries;
	uint64_t *frames;
	uint64_t *labels;
	uint64_t *stacks;
	uint64_t *inner;
	uint64_t *ended;
	struct buffer scratch;
};

/* Compute all numbers of a window. Return: 0 or -ENOMEM; @n is to be released in either case. */
int clickhouse_numbers_init(struct clickhouse_numbers *n, const struct profile *w);
void clickhouse_numbers_release(struct clickhouse_numbers *n);

/*
 * Sort the labels of a set by the text of their keys, because each window has them in another
 * order. Return: their number; @ret gets their places in @w->label.
 */
uint32_t clickhouse_labels(const struct profile *w, uint32_t labels,
			   uint32_t ret[PROFILE_MAX_LABELS]);

/* Return: whether addresses of a mapping mean the same on every host. */
bool clickhouse_is_shared(const struct profile *w, uint32_t mapping);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H */
