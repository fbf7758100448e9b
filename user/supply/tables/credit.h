/* SPDX-License-Identifier: GPL-2.0-only */
/* Rations CPU time (a token bucket): a burst at once, and a part of a CPU for long. */
#ifndef USTACK_USER_TABLES_CREDIT_H
#define USTACK_USER_TABLES_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct credit - CPU time that is left
 * @ns: nanoseconds left; negative after more was spent than was left
 * @until: time up to which @ns has grown; 0 before the first credit_left()
 */
struct credit {
	int64_t ns;
	uint64_t until;
};

/**
 * credit_left() - whether anything may be spent
 * @c: zeros at first, which means @burst_ns
 * @now: nanoseconds of a monotonic clock, not 0
 * @burst_ns: upper limit of @c->ns
 * @part: @c->ns grows by the passed time divided by this
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
