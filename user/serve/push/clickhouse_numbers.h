/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, the same on every host, of what a window has: for user/serve/push alone. */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H
#define USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H

#include "profile/profile.h"
#include "util/buffer.h"

/**
 * struct clickhouse_numbers - by the window's own; all zeros is none
 * @w: the window
 * @binaries: of mappings
 * @frames: of locations
 * @labels: of sets
 * @stacks: of stacks
 * @inner: of stacks: binary of the innermost frame that is not the kernel's
 * @ended: of stacks: binary of the outermost frame
 * @scratch: what is hashed
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

/* Return: 0 or -ENOMEM; to be released in either case. */
int clickhouse_numbers_init(struct clickhouse_numbers *n, const struct profile *w);
void clickhouse_numbers_release(struct clickhouse_numbers *n);

/* A set's labels by the words of their keys: a window has them in an order of its own.
 * Return: how many, as places in @label of the window.
 */
uint32_t clickhouse_labels(const struct profile *w, uint32_t labels,
			   uint32_t ret[PROFILE_MAX_LABELS]);

/* Whether a mapping's addresses mean the same on every host. */
bool clickhouse_is_shared(const struct profile *w, uint32_t mapping);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_NUMBERS_H */
