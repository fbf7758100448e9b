/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMUs that the kernel lists in /sys: PMU/type, PMU/format/TERM ("config:0-7,32") and
 * PMU/events/NAME ("event=0xc0,umask=0x1").
 */
#ifndef USTACK_USER_SAMPLER_PMU_H
#define USTACK_USER_SAMPLER_PMU_H

#include <stdint.h>

#include "util/diag.h"

/* Bytes of one of these files that are read; sysfs has no more than a page. */
#define PMU_TEXT 4096

/**
 * struct pmu_event - what perf_event_open(2) is told
 * @type: the PMU's number
 * @config: config, config1, config2
 */
struct pmu_event {
	uint32_t type;
	uint64_t config[3];
};

/**
 * pmu_event() - an event of a PMU by terms
 * @pmus: folder of PMUs
 * @pmu: name of one
 * @terms: "event=0xc0,umask=1", or names of its events, or both; "" is config 0
 * @ret: written on success only
 * @diag: may be NULL; its file is set by the caller
 *
 * Return: 0; -ENOENT if there is no such PMU, term or event; -EINVAL for values that do
 * not fit, or a file in @pmus that says nothing sensible.
 */
int pmu_event(const char *pmus, const char *pmu, const char *terms, struct pmu_event *ret,
	      struct diag *diag);

/**
 * pmu_put() - lay a value into the bits that a format names
 * @format: contents of a format file, such as "config:0-7,32-35" or "config1:0"
 * @value: its low bits go to the first bits named
 * @config: changed on success only
 *
 * Return: 0, -EINVAL if @format is not understood, -ERANGE if @value has more bits.
 */
int pmu_put(const char *format, uint64_t value, uint64_t config[3]);

#endif /* USTACK_USER_SAMPLER_PMU_H */
