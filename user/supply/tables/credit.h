/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time that may be spent on something: some at once, and a part of a CPU for long. */
#ifndef USTACK_USER_TABLES_CREDIT_H
#define USTACK_USER_TABLES_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct credit - what is left
 * @ns: below 0 after more was spent than was left
 * @until: clock, up to when it has grown; 0: it has not been looked at
 */
struct credit {
	int64_t ns;
	uint64_t until;
};

/**
 * credit_left() - whether anything may be spent
 * @c: of zeros at first, which is all of @burst_ns
 * @now: of a clock of nanoseconds that does not go back, not 0
 * @burst_ns: it does not grow above this
 * @part: it grows by the time that passes divided by this
 */
static inline bool credit_left(struct credit *c, uint64_t now, int64_t burst_ns, unsigned int part)
{
	uint64_t grown = (now - c->until) / part;

	if (!c->until || grown >= (uint64_t)(burst_ns - c->ns))
		c->ns = burst_ns;
	else
		c->ns += (int64_t)grown;
	c->until = now;
	return c->ns > 0;
}

static inline void credit_spend(struct credit *c, uint64_t ns)
{
	c->ns -= (int64_t)ns;
}

#endif /* USTACK_USER_TABLES_CREDIT_H */
