// SPDX-License-Identifier: GPL-2.0-only
/*
 * The texts of `ustack record -v`: how a session samples, each drain, and its
 * outcome.
 */
#include "capture/record/session_private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void session_detail(const struct session *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!s->options->detail)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->options->detail(text, s->options->arg);
}

static void tell_event(const struct session *s, size_t i)
{
	struct sampler_event_info e;
	const char *unit;

	if (s->source.ops->event(s->source.source, i, &e))
		return;
	unit = strcmp(e.unit, "events") ? " ns" : " events";
	if (e.frequency)
		session_detail(s, "event %s: %" PRIu64 " times a second and CPU", e.name,
			       e.frequency);
	else if (e.period > 1)
		session_detail(s, "event %s: one sample in %" PRIu64 "%s%s%s", e.name, e.period, unit,
			       e.inherited ? ", inherited by children" : "",
			       e.user_only ? ", not in the kernel" : "");
	else
		session_detail(s, "event %s: every event is counted", e.name);
}

void session_detail_begin(const struct session *s)
{
	const struct sampler_options *o = &s->sampler;
	size_t i;

	if (!s->options->detail)
		return;
	session_detail(s, "stacks are taken by: %s", s->source.ops->name);
	for (i = 0; i < o->nr_events; i++)
		tell_event(s, i);
	if (o->nr_pids + o->nr_tids)
		session_detail(s, "recording %zu processes and %zu threads, the first is %u",
			       o->nr_pids, o->nr_tids, o->nr_pids ? o->pids[0] : o->tids[0]);
	else
		session_detail(s, "recording all processes");
}

void session_detail_drain(const struct session *s, uint64_t began, uint64_t samples)
{
	const struct profile *p = s->profile;

	session_detail(s, "%" PRIu64 " samples in %.1f ms: in all %" PRIu32
		       " different samples with %" PRIu32 " addresses",
		       s->summary->samples - samples, (double)(watch_now() - began) / 1e6,
		       p->nr_samples, p->nr_locations - 1);
}

static void tell_file(const struct record_named *f, void *arg)
{
	static const char *const from[] = {
		[SYMSTORE_NOTHING] = "", [SYMSTORE_DYNSYM] = ", from its dynamic symbols",
		[SYMSTORE_BSYM] = ", from a BSYM file", [SYMSTORE_SYMTAB] = ", from a symbol table",
		[SYMSTORE_DWARF] = ", from DWARF",
	};

	session_detail(arg, "%.200s: %" PRIu32 " of %" PRIu32 " addresses have names%s%s%s",
		       f->path, f->named, f->locations, from[f->source], *f->reason ? ": " : "",
		       f->reason);
}

/* Reports what became of samples, of mappings and of names. */
void session_detail_end(struct session *s)
{
	struct sampler_counter c[RECORD_MAX_COUNTERS];
	struct watch_counts watch;
	unsigned int nr, i;

	if (!s->options->detail)
		return;
	nr = s->source.ops->counters(s->source.source, c);
	for (i = 0; i < nr; i++)
		if (c[i].value)
			session_detail(s, "%" PRIu64 " %s (%s)", c[i].value, c[i].name, c[i].text);
	watch_counts(s->watch, &watch);
	session_detail(s, "%" PRIu64 " changes of processes and mappings were read, %" PRIu64
		       " missed", watch.events, watch.lost);
	record_names_each(s->names, tell_file, s);
}
