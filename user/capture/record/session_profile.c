// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile of each interval of a session: begins it, adds comments and
 * losses, and hands it out. See session_private.h; session.c calls it.
 */
#include "capture/record/session_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/clock.h"

/* Chooses the profile's value types for an event. */
static void value_of(struct session *s, const struct sampler_event_info *info,
		     struct record_event *e)
{
	bool clock = !strcmp(info->name, "cpu-clock") || !strcmp(info->name, "task-clock");
	bool counted = info->period == 1 && strcmp(info->unit, "nanoseconds") != 0;

	e->samples = profile_value_type(s->profile, "samples", "count");
	e->weight = e->samples;
	if (clock)
		e->weight = profile_value_type(s->profile, "cpu", "nanoseconds");
	else if (!counted)
		e->weight = profile_value_type(s->profile, info->name,
					       strcmp(info->unit, "events") ? info->unit :
									      "count");
}

/*
 * Return: a random part of the time between two samples, in nanoseconds. Ten
 * seconds are exactly 190 samples at 19 Hz: if intervals ended after just that,
 * the work at their end would always be sampled, or never.
 */
static uint64_t some_of_a_sample(struct session *s)
{
	uint64_t most = s->interval_ms * 1000000 / 16, sample = s->hz ? 1000000000 / s->hz : 0;

	return (uint64_t)(erand48(s->random) * (double)(sample < most ? sample : most));
}

/*
 * Return: CLOCK_REALTIME at the moment @now of the other clock. Takes the
 * closest of some pairs of readings, because this thread may be delayed between
 * two.
 */
static uint64_t realtime_at(uint64_t now)
{
	uint64_t before, realtime, after, closest = UINT64_MAX, ret = 0;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		before = watch_now();
		realtime = clock_ns(CLOCK_REALTIME);
		after = watch_now();
		if (after - before >= closest)
			continue;
		closest = after - before;
		ret = realtime - (before + closest / 2 - now);
	}
	return ret;
}

/*
 * If an interval ends late, the next one is shorter, so that they keep step
 * with the clock.
 */
void session_begin_interval(struct session *s, uint64_t now)
{
	uint64_t ns = s->interval_ms * 1000000;

	s->interval_began = now;
	s->interval_time = realtime_at(now);
	s->interval_due += ns;
	if (s->interval_due <= now || s->interval_due > now + ns)
		s->interval_due = now + ns;
	s->interval_end = s->interval_due + some_of_a_sample(s);
}

void session_begin_profile(struct session *s)
{
	size_t nr_events = s->sampler.nr_events;
	struct profile *p = s->profile;
	struct sampler_event_info info;
	size_t i;

	p->time_ns = s->interval_time;
	for (i = 0; i < nr_events; i++) {
		if (s->source.ops->event(s->source.source, i, &info))
			continue;
		value_of(s, &info, &s->events[i]);
		s->events[i].label = NULL;
		if (nr_events > 1)
			s->events[i].label = profile_text(p, profile_string(p, info.name));
		if (i)
			continue;
		s->hz = info.frequency;
		if (info.period > 1 && !strcmp(info.unit, "nanoseconds"))
			s->hz = 1000000000 / info.period;
		p->period = info.period ? (int64_t)info.period :
			    info.frequency ? 1000000000 / (int64_t)info.frequency : 1;
		p->period_type = p->value_types[s->events[0].weight];
		p->default_type = p->period_type.type;
	}
	record_clock(s->names, s->interval_time, s->interval_began);
	record_profile(s->names, p);
}

static void add_comments(struct session *s)
{
	struct utsname u;
	char text[256];

	if (!uname(&u)) {
		snprintf(text, sizeof(text), "host: %s, Linux %s %s", u.nodename, u.release,
			 u.machine);
		profile_comment(s->profile, text);
	}
	snprintf(text, sizeof(text), "stacks: %s", s->source.ops->name);
	profile_comment(s->profile, text);
}

/*
 * Estimates samples that inherited events did not take, from the CPU time that
 * the kernel accounts to the command. A difference within the error of sampling
 * counts as none.
 */
static void add_unsampled(struct session *s)
{
	static const char text[] = "an estimate, for processes and threads that ran for less than "
				   "a period; to sample these takes root, or CAP_BPF and CAP_PERFMON";
	struct record_summary *sum = s->summary;
	struct sampler_event_info info;
	double due, got = (double)sum->samples;
	unsigned int i;

	if (s->interval_ms || s->sampler.no_user || sum->nr_losses == RECORD_MAX_LOSSES ||
	    s->source.ops->event(s->source.source, 0, &info) || !info.inherited)
		return;
	due = (double)(s->child.user_ns + (info.user_only ? 0 : s->child.system_ns)) *
	      (double)s->hz / 1e9;
	for (i = 0; i < sum->nr_losses; i++)
		got += (double)sum->losses[i].value;
	if (due - got > due / 20 + 3 * sqrt(due))
		sum->losses[sum->nr_losses++] =
			(struct record_loss){ "short-lived", text, (uint64_t)(due - got) };
}

static void add_losses(struct session *s)
{
	struct record_summary *sum = s->summary;
	struct sampler_counter c[RECORD_MAX_COUNTERS];
	unsigned int nr = s->source.ops->counters(s->source.source, c), i;

	sum->nr_losses = 0;
	for (i = 0; i < nr && sum->nr_losses < RECORD_MAX_LOSSES; i++)
		if (c[i].fate == SAMPLER_LOST && c[i].value)
			sum->losses[sum->nr_losses++] =
				(struct record_loss){ c[i].name, c[i].text, c[i].value };
}

static void sum_up(struct session *s)
{
	struct record_summary *sum = s->summary;

	sum->source = s->source.ops->name;
	sum->mmaps_lost = s->mmaps_lost;
	if (s->source.ops->tables)
		s->source.ops->tables(s->source.source, &sum->tables, &sum->table_bytes,
				      &sum->table_ns);
	add_losses(s);
	add_unsampled(s);
}

void session_end_profile(struct session *s)
{
	sum_up(s);
	add_comments(s);
}

/* Applies the changes that the interval's receiver asks for. */
static int change(struct session *s, const struct record_interval *wish, struct diag *diag)
{
	int err;

	if (wish->ms != s->interval_ms) {
		s->interval_ms = wish->ms;
		s->interval_due = s->interval_began + wish->ms * 1000000;
		s->interval_end = s->interval_due;
	}
	if (!wish->hz || wish->hz == s->hz)
		return 0;
	err = s->source.ops->set_rate(s->source.source, 0, wish->hz, diag);
	if (err)
		return err;
	s->profile->period = (int64_t)(1000000000 / wish->hz);
	s->hz = wish->hz;
	return 0;
}

/* Hands out the profile of the interval that ended, and begins the next one. */
int session_hand_out(struct session *s, bool last, struct diag *diag)
{
	struct record_interval i = { .names = s->names, .so_far = s->summary, .hz = s->hz,
				     .ms = s->interval_ms, .last = last };
	uint64_t now = watch_now();
	int wish, err;

	/*
	 * names and image maps may take a while, which does not belong to this
	 * interval
	 */
	s->profile->duration_ns = now - s->interval_began;
	session_begin_interval(s, now);
	err = record_name_now(s->names);
	if (err)
		return diag_errno(diag, -err, "the interval");
	if (s->options->imagemaps)
		record_imagemaps(s->names);
	session_end_profile(s);
	if (last)
		session_detail_end(s);
	i.profile = s->profile;
	s->profile = profile_new();
	err = s->profile ? profile_error(i.profile) : -ENOMEM;
	if (s->profile)
		session_begin_profile(s);
	wish = err ? err : s->options->interval(&i, s->options->arg);
	if (!err)
		err = record_names_forget(s->names);
	profile_free(i.profile);
	s->stop |= wish > 0;
	if (wish < 0 || err)
		return diag_errno(diag, wish < 0 ? -wish : -err, "the interval");
	return s->stop || last ? 0 : change(s, &i, diag);
}
