// SPDX-License-Identifier: GPL-2.0-only
/* The source that copies stacks, by stackcopy/. See source.h. */
#include "capture/record/source.h"

#include "capture/stackcopy/stackcopy.h"

#include "util/poison.h"

static int copy_start(void *source, struct diag *diag)
{
	return stackcopy_start(source, diag);
}

static int copy_fd(void *source)
{
	return stackcopy_fd(source);
}

static int copy_drain(void *source, sampler_take take, void *context, struct diag *diag)
{
	return stackcopy_drain(source, take, context, diag);
}

static int copy_stop(void *source, struct diag *diag)
{
	return stackcopy_stop(source, diag);
}

static int copy_event(void *source, size_t event, struct sampler_event_info *ret)
{
	return stackcopy_event_info(source, event, ret);
}

static int copy_set_rate(void *source, size_t event, uint64_t hz, struct diag *diag)
{
	return stackcopy_set_rate(source, event, hz, diag);
}

static void copy_tables(void *source, uint64_t *nr, uint64_t *bytes, uint64_t *ns)
{
	stackcopy_tables(source, nr, bytes, ns);
}

static unsigned int copy_counters(void *source, struct sampler_counter *ret)
{
	size_t nr = stackcopy_nr_counters();

	if (nr > RECORD_MAX_COUNTERS)
		return 0;
	stackcopy_counters(source, ret);
	return (unsigned int)nr;
}

static void copy_free(void *source)
{
	stackcopy_free(source);
}

int record_source_copy(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag)
{
	static const struct record_source_ops ops = {
		.name = "copied", .start = copy_start, .fd = copy_fd, .drain = copy_drain,
		.stop = copy_stop, .event = copy_event, .set_rate = copy_set_rate,
		.tables = copy_tables, .counters = copy_counters, .free = copy_free,
	};
	const struct stackcopy_options o = {
		.sampler = options, .stack_bytes = stack_bytes,
		.processes = record_processes(names),
		.catch_up = catch_up->run, .arg = catch_up->arg,
	};
	struct stackcopy *s;
	int err;

	err = stackcopy_new(&o, &s, diag);
	if (!err)
		*ret = (struct record_source){ &ops, s };
	return err;
}
