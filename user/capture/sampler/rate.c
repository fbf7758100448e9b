// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler_set_rate() of sampler.h: changes the rate while sampling, by opening
 * events anew. PERF_EVENT_IOC_PERIOD is not used: after it a clock still
 * reports its first period with each sample (hw.last_period).
 */
#include <errno.h>

#include "capture/sampler/internal.h"

#include "util/poison.h"

#define NSEC 1000000000u

int sampler_set_rate(struct sampler *s, size_t event, uint64_t hz, struct diag *diag)
{
	struct cpu_events *e = event < s->options.nr_events ? &s->cpu_events[event] : NULL;
	struct cpus cpus;
	int err;

	if (!e || s->events[event].kind != EVENT_PERF || (!e->spec.clock && !e->frequency) ||
	    !hz || hz > NSEC)
		return diag_set(diag, EINVAL, NULL, "event %zu has no rate, or cannot have %llu Hz",
				event, (unsigned long long)hz);
	cpu_events_close(e);
	err = sampler_settle(s, e);
	if (err)
		return diag_errno(diag, -err, "the sampler's tallies");
	if (e->spec.clock)
		e->period = NSEC / hz;
	else
		e->frequency = hz;
	err = sampler_cpus(s, &cpus, diag);
	if (!err)
		err = cpu_events_open(e, &cpus, s->state == SAMPLER_RUNNING, diag);
	return err < 0 ? err : 0;
}
