// SPDX-License-Identifier: GPL-2.0-only
#include "record/source.h"

#include <stdlib.h>

#include "util/cleanup.h"
#include "util/poison.h"

static int bpf_start(void *source, struct diag *diag)
{
	return sampler_start(source, diag);
}

static int bpf_fd(void *source)
{
	return sampler_fd(source);
}

static int bpf_drain(void *source, sampler_take take, void *context, struct diag *diag)
{
	return sampler_drain(source, take, context, diag);
}

static int bpf_stop(void *source, struct diag *diag)
{
	return sampler_stop(source, diag);
}

static int bpf_event(void *source, size_t event, struct sampler_event_info *ret)
{
	return sampler_event_info(source, event, ret);
}

static int bpf_set_rate(void *source, size_t event, uint64_t hz, struct diag *diag)
{
	return sampler_set_rate(source, event, hz, diag);
}

static unsigned int bpf_losses(void *source, struct record_loss *ret)
{
	_cleanup_(cleanup_free) struct sampler_counter *c =
		calloc(sampler_nr_counters(), sizeof(*c));
	unsigned int nr = 0;
	size_t i;

	if (!c || sampler_counters(source, c))
		return 0;
	for (i = 0; i < sampler_nr_counters() && nr < RECORD_MAX_LOSSES; i++)
		if (c[i].fate == SAMPLER_LOST && c[i].value)
			ret[nr++] = (struct record_loss){ c[i].name, c[i].text, c[i].value };
	return nr;
}

static void bpf_free(void *source)
{
	sampler_free(source);
}

int record_source_bpf(const struct sampler_options *options, struct record_source *ret,
		      struct diag *diag)
{
	static const struct record_source_ops ops = {
		.name = "eBPF", .start = bpf_start, .fd = bpf_fd, .drain = bpf_drain,
		.stop = bpf_stop, .event = bpf_event, .set_rate = bpf_set_rate,
		.losses = bpf_losses, .free = bpf_free,
	};
	struct sampler *s;
	int err = sampler_new(options, &s, diag);

	if (!err)
		*ret = (struct record_source){ &ops, s };
	return err;
}
