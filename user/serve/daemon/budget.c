// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adapts the sampling rate to a budget of CPU time. daemon_windows.c calls it once for each window.
 */
#include "serve/daemon/budget.h"

/*
 * The share of all CPUs' time that a window has cost. It is 0 for a window without length, as after
 * a fault of the clock.
 */
static uint64_t share_of(const struct budget_window *w, uint64_t cpu_ns)
{
	long double all = (long double)w->ns * w->cpus;
	long double cost = (long double)cpu_ns + (long double)w->samples * BUDGET_SAMPLE_NS;

	if (all <= 0)
		return 0;
	cost = cost / all * BUDGET_WHOLE;
	return cost > BUDGET_WHOLE ? BUDGET_WHOLE : (uint64_t)cost;
}

static uint64_t within(const struct budget *b, uint64_t hz)
{
	uint64_t least = b->least < b->most ? b->least : b->most;

	if (!least)
		least = 1;
	return hz < least ? least : hz > b->most ? b->most : hz;
}

static uint64_t lower(const struct budget *b)
{
	uint64_t hz = (uint64_t)((long double)b->hz * b->share / b->charged);

	/* never below half: one window may have had more to do than the next ones */
	if (hz < b->hz / 2)
		hz = b->hz / 2;
	return hz < b->hz ? hz : b->hz - 1;
}

/* The rate at which costs reach three quarters of the budget; they grow no faster than the rate. */
static uint64_t higher(const struct budget *b)
{
	long double hz = b->charged ? 0.75L * b->hz * b->share / b->charged : b->most;

	return hz < b->most ? (uint64_t)hz : b->most;
}

uint64_t budget_window(struct budget *b, const struct budget_window *w)
{
	uint64_t before = b->hz, more = before + before / 8 + 1;

	b->used = share_of(w, w->cpu_ns);
	b->charged = share_of(w, w->cpu_ns > w->other_ns ? w->cpu_ns - w->other_ns : 0);
	if (!b->share) {
		b->hz = within(b, b->most);
		return b->hz;
	}
	if (b->charged > b->share) {
		b->calm = 0;
		b->hz = within(b, lower(b));
		b->lowered += b->hz < before;
		return b->hz;
	}
	if ((long double)b->charged * more / before > b->share * 0.75L || before >= b->most)
		b->calm = 0;
	else
		b->calm++;
	if (b->calm >= BUDGET_CALM) {
		b->calm = 0;
		b->hz = higher(b);
	}
	b->hz = within(b, b->hz);
	b->raised += b->hz > before;
	return b->hz;
}
