/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event's name means. The words are perf's where perf has the event; sampler.h
 * lists them.
 */
#ifndef USTACK_USER_SAMPLER_EVENT_H
#define USTACK_USER_SAMPLER_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

/* Where the kernel lists its PMUs. */
#define EVENT_PMUS "/sys/bus/event_source/devices"

/* Bytes of a name, and of each part of one, with the NUL; longer ones are refused. */
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
 * @kind: which of the rest counts
 * @type: perf's
 * @config: perf's, of 3 words
 * @exclude_user: ":k"
 * @exclude_kernel: ":u"
 * @clock: counts nanoseconds
 * @rate: is sampled with a frequency if nothing is said: clocks and hardware
 * @cycles: cpu-clock may take its place
 * @at_return: of a probe: where the function returns, not where it is called
 * @file: path or name of a uprobe's or static probe's file, subsystem of a tracepoint
 * @provider: of a static probe
 * @symbol: function of a probe, "" for a uprobe at @offset; name of a tracepoint or static probe
 * @offset: in @file
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
 * event_parse() - what a name means
 * @name: as in struct sampler_event
 * @pmus: EVENT_PMUS, or a folder like it
 * @ret: written on success only
 * @diag: its file is @name
 *
 * Nothing but @pmus is looked at: whether the machine has the event is another question.
 *
 * Return: 0, -EINVAL, or -ENOENT if nothing is called so.
 */
int event_parse(const char *name, const char *pmus, struct event *ret, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_EVENT_H */
