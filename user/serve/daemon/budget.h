/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rate that a budget of CPU time allows. Asked once a window, with what the window
 * has cost.
 *
 * What sampling costs goes with the rate. What else the daemon does (tables and names for new
 * programs, answers) does not, and is not charged to the rate. A window over the budget lowers
 * the rate as if all that is charged went with it, to half at most; windows that would stay
 * below three quarters of the budget at a higher rate raise it to where these are.
 */
#ifndef USTACK_USER_DAEMON_BUDGET_H
#define USTACK_USER_DAEMON_BUDGET_H

#include <stdint.h>

/* Shares are parts of this: 1 % of all CPUs is 10,000. */
#define BUDGET_WHOLE 1000000u

/* Of the kernel for a sample, which no process is charged for: the interrupt, the walk by
 * the module, the maps. `make sampler-cost` measures it; this is on the high side.
 */
#define BUDGET_SAMPLE_NS 10000u

/* Windows below the budget before the rate goes up. */
#define BUDGET_CALM 2u

/**
 * struct budget - set the first three, and @hz to what it begins with
 * @share: of the time of all CPUs; 0 is no limit: the rate stays at @most
 * @least: Hz, that the rate is not lowered below
 * @most: Hz, that was asked for
 * @hz: now
 * @calm: windows that would allow more
 * @used: share that the last window took, of all the daemon does
 * @charged: of @used, what counts for the rate
 * @lowered: times
 * @raised: times
 */
struct budget {
	uint32_t share;
	uint64_t least;
	uint64_t most;
	uint64_t hz;
	unsigned int calm;
	uint64_t used;
	uint64_t charged;
	uint64_t lowered;
	uint64_t raised;
};

/**
 * struct budget_window - what a window has cost
 * @ns: its length
 * @cpus: of the machine
 * @cpu_ns: CPU time of the daemon and its children in it
 * @other_ns: of @cpu_ns, what the rate has no part in: tables and names that are made, answers
 * @samples: taken
 */
struct budget_window {
	uint64_t ns;
	unsigned int cpus;
	uint64_t cpu_ns;
	uint64_t other_ns;
	uint64_t samples;
};

/* Return: the rate for the next window, which is @b->hz, too. */
uint64_t budget_window(struct budget *b, const struct budget_window *w);

#endif /* USTACK_USER_DAEMON_BUDGET_H */
