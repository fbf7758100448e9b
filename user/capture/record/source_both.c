// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two sources as one, where the module is not loaded: stacks are copied where
 * perf can do that. At tracepoints and probes, and where threads wait, BPF
 * programs take them by frame pointers. See source.h.
 */
#include "capture/record/source.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "util/cleanup.h"

#include "util/poison.h"

/*
 * BPF comes first: its counts must be older than what the drain of the other
 * makes known.
 */
enum part { BY_BPF, BY_COPY, NR_PARTS };

/**
 * struct both - both sources
 * @part: the two sources
 * @part_of: part of each event
 * @index_of: index of each event in its part
 * @event_of: event of each index of a part
 * @nr: number of events in each part
 * @fd: descriptor that polls both
 * @take: receiver of the drain that runs
 * @context: passed to @take
 * @draining: part that is being drained
 */
struct both {
	struct record_source part[NR_PARTS];
	uint8_t part_of[SAMPLER_MAX_EVENTS];
	uint8_t index_of[SAMPLER_MAX_EVENTS];
	uint8_t event_of[NR_PARTS][SAMPLER_MAX_EVENTS];
	size_t nr[NR_PARTS];
	int fd;
	sampler_take take;
	void *context;
	enum part draining;
};

static int both_start(void *source, struct diag *diag)
{
	struct both *b = source;
	int err = 0, i;

	for (i = 0; i < NR_PARTS && !err; i++)
		err = b->part[i].ops->start(b->part[i].source, diag);
	return err;
}

static int both_fd(void *source)
{
	const struct both *b = source;

	return b->fd;
}

static int take_part(void *context, const struct sampler_count *count)
{
	const struct both *b = context;
	struct sampler_count c = *count;

	c.event = b->event_of[b->draining][count->event];
	return b->take(b->context, &c);
}

static int both_drain(void *source, sampler_take take, void *context, struct diag *diag)
{
	struct both *b = source;
	int err = 0, i;

	b->take = take;
	b->context = context;
	for (i = 0; i < NR_PARTS && !err; i++) {
		b->draining = i;
		err = b->part[i].ops->drain(b->part[i].source, take_part, b, diag);
	}
	return err;
}

static int both_stop(void *source, struct diag *diag)
{
	struct both *b = source;
	int err = 0, i;

	for (i = 0; i < NR_PARTS; i++) {
		int now = b->part[i].ops->stop(b->part[i].source, err ? NULL : diag);

		err = err ? err : now;
	}
	return err;
}

static int both_event(void *source, size_t event, struct sampler_event_info *ret)
{
	const struct both *b = source;
	const struct record_source *part;

	if (event >= b->nr[0] + b->nr[1])
		return -EINVAL;
	part = &b->part[b->part_of[event]];
	return part->ops->event(part->source, b->index_of[event], ret);
}

static int both_set_rate(void *source, size_t event, uint64_t hz, struct diag *diag)
{
	const struct both *b = source;
	const struct record_source *part;

	if (event >= b->nr[0] + b->nr[1])
		return diag_set(diag, EINVAL, NULL, "there is no event %zu", event);
	part = &b->part[b->part_of[event]];
	return part->ops->set_rate(part->source, b->index_of[event], hz, diag);
}

static void both_tables(void *source, uint64_t *nr, uint64_t *bytes, uint64_t *ns)
{
	const struct record_source *part = &((struct both *)source)->part[BY_COPY];

	part->ops->tables(part->source, nr, bytes, ns);
}

static unsigned int both_counters(void *source, struct sampler_counter *ret)
{
	const struct both *b = source;
	struct sampler_counter more[RECORD_MAX_COUNTERS];
	unsigned int nr = b->part[BY_COPY].ops->counters(b->part[BY_COPY].source, ret), i;
	unsigned int nr_more = b->part[BY_BPF].ops->counters(b->part[BY_BPF].source, more);

	for (i = 0; i < nr_more && nr < RECORD_MAX_COUNTERS; i++)
		ret[nr++] = more[i];
	return nr;
}

static void both_free(void *source)
{
	struct both *b = source;
	int i;

	for (i = 0; i < NR_PARTS; i++)
		if (b->part[i].ops)
			b->part[i].ops->free(b->part[i].source);
	if (b->fd >= 0)
		close(b->fd);
	free(b);
}

/* Divides the options' events between the two parts. */
static void divide(struct both *b, const struct sampler_options *o,
		   struct sampler_event events[NR_PARTS][SAMPLER_MAX_EVENTS])
{
	enum part part;
	size_t i;

	for (i = 0; i < o->nr_events && i < SAMPLER_MAX_EVENTS; i++) {
		part = sampler_event_has_rate(o->events[i].name) ? BY_COPY : BY_BPF;
		b->part_of[i] = part;
		b->index_of[i] = (uint8_t)b->nr[part];
		b->event_of[part][b->nr[part]] = (uint8_t)i;
		events[part][b->nr[part]++] = o->events[i];
	}
}

static int poll_both(struct both *b, struct diag *diag)
{
	struct epoll_event event = { .events = EPOLLIN };
	int i;

	b->fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; i < NR_PARTS && b->fd >= 0; i++)
		if (epoll_ctl(b->fd, EPOLL_CTL_ADD, b->part[i].ops->fd(b->part[i].source), &event))
			return diag_errno(diag, errno, "epoll");
	return b->fd < 0 ? diag_errno(diag, errno, "epoll") : 0;
}

int record_source_both(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag)
{
	static const struct record_source_ops ops = {
		.name = "copied; by frame pointers at tracepoints, probes and waits",
		.start = both_start, .fd = both_fd, .drain = both_drain, .stop = both_stop,
		.event = both_event, .set_rate = both_set_rate, .tables = both_tables,
		.counters = both_counters, .free = both_free,
	};
	struct sampler_event events[NR_PARTS][SAMPLER_MAX_EVENTS];
	struct sampler_options o = *options;
	struct both *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return diag_errno(diag, ENOMEM, NULL);
	b->fd = -1;
	divide(b, options, events);
	o.events = events[BY_BPF];
	o.nr_events = b->nr[BY_BPF];
	err = record_source_bpf(&o, NULL, &b->part[BY_BPF], diag);
	o.events = events[BY_COPY];
	o.nr_events = b->nr[BY_COPY];
	if (!err)
		err = record_source_copy(&o, stack_bytes, names, catch_up, &b->part[BY_COPY], diag);
	if (!err)
		err = poll_both(b, diag);
	if (err) {
		/*
		 * @diag may point to the name of an event, which both_free()
		 * releases
		 */
		diag_copy_name(diag);
		both_free(b);
		return err;
	}
	*ret = (struct record_source){ &ops, b };
	return 0;
}
