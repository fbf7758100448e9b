/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the name of an event. Events that perf has too go by perf's names;
 * sampler.h lists them.
 */
#ifndef USTACK_USER_SAMPLER_EVENT_H
#define USTACK_USER_SAMPLER_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

/* Where the kernel lists its PMUs. */
#define EVENT_PMUS "/sys/bus/event_source/devices"

/*
 * Size of a name in bytes, and of each part of it, with the NUL; longer names
 * are refused.
 */
#define EVENT_NAME 4352

enum event_kind {
	EVENT_PERF,		/* perf_event_open(2) with type and config */
	EVENT_TRACEPOINT,	/* @file is the subsystem, @symbol the name */
	EVENT_KPROBE,		/* @symbol, and @at_return */
	EVENT_UPROBE,		/* @file, @symbol or @offset, and @at_return */
	EVENT_USDT,		/* @file, @provider and @symbol */
	EVENT_OFF_CPU,
};

/**
 * struct event - a name, parsed
 * @kind: decides which of the other fields are set
 * @type: type of struct perf_event_attr
 * @config: config, config1 and config2 of struct perf_event_attr
 * @exclude_user: ":k" was given
 * @exclude_kernel: ":u" was given
 * @clock: the event counts nanoseconds
 * @rate: true for clocks and hardware events, which have a default frequency
 * @cycles: cpu-clock may replace it
 * @at_return: the probe fires when the function returns, not when it is called
 * @file: path or name of a probe's file, or subsystem of a tracepoint
 * @provider: provider of a static probe
 * @symbol: function of a probe, "" for a uprobe at @offset; or name of a
 *	tracepoint or static probe
 * @offset: offset of a uprobe in @file, in bytes
 */
struct event {
	enum event_kind kind;
	uint32_t type;
	uint64_t config[3];
	bool exclude_user;
	bool exclude_kernel;
	bool clock;
	bool rate;
	bool cycles;
	bool at_return;
	char file[EVENT_NAME];
	char provider[EVENT_NAME];
	char symbol[EVENT_NAME];
	uint64_t offset;
};

/**
 * event_parse() - parse a name
 * @name: as in struct sampler_event
 * @pmus: EVENT_PMUS, or a folder of the same layout
 * @ret: written on success only
 * @diag: gets @name as its file; may be NULL
 *
 * Reads nothing but @pmus, so it does not tell whether the machine has the
 * event.
 *
 * Return: 0, -EINVAL, or -ENOENT if no event has this name.
 */
int event_parse(const char *name, const char *pmus, struct event *ret, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_EVENT_H */
