/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes the sampling rate that a budget of CPU time allows. It is called once for each window,
 * with the window's cost.
 *
 * The cost of sampling grows with the rate. The daemon's other work (tables and names for new
 * programs, answers) does not, and is not charged. A window over the budget lowers the rate in
 * proportion, at most to half. BUDGET_CALM windows in a row that would stay below three quarters
 * of the budget at a higher rate raise it until the cost reaches three quarters.
 */
#ifndef USTACK_USER_DAEMON_BUDGET_H
#define USTACK_USER_DAEMON_BUDGET_H

#include <stdint.h>

/* Shares are counted in parts of this: 1 % of all CPUs' time is 10,000. */
#define BUDGET_WHOLE 1000000u

/* Kernel time of a sample that no process is charged for: the interrupt, the walk by the module,
 * the BPF maps. `make sampler-cost` measures it; this is a high estimate.
 */
#define BUDGET_SAMPLE_NS 10000u

/* Number of windows in a row below the budget before the rate goes up. */
#define BUDGET_CALM 2u

/**
 * struct budget - state; the caller sets @share, @least and @most, and @hz to the first rate
 * @share: the budget, a share of all CPUs' time; 0 means no limit: the rate stays at @most
 * @least: lowest rate, Hz
 * @most: highest rate, Hz: the one that is configured
 * @hz: the rate now
 * @calm: number of windows in a row that would allow a higher rate
 * @used: share of all CPUs' time that the daemon took in the last window
 * @charged: the part of @used that counts against the budget
 * @lowered: how often the rate was lowered
 * @raised: how often the rate was raised
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
 * struct budget_window - the cost of a window
 * @ns: length of the window
 * @cpus: number of the machine's CPUs
 * @cpu_ns: CPU time of the daemon and its children during the window
 * @other_ns: the part of @cpu_ns that does not depend on the rate: making tables and names, answers
 * @samples: number of samples that were taken
 */
struct budget_window {
	uint64_t ns;
	unsigned int cpus;
	uint64_t cpu_ns;
	uint64_t other_ns;
	uint64_t samples;
};

/* Charges a window. Return: the rate for the next one, which is also in @b->hz. */
uint64_t budget_window(struct budget *b, const struct budget_window *w);

#endif /* USTACK_USER_DAEMON_BUDGET_H */
