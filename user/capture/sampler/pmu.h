/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMUs as the kernel lists them in /sys: PMU/type, PMU/format/TERM
 * ("config:0-7,32") and PMU/events/NAME ("event=0xc0,umask=0x1"). event.c uses
 * this.
 */
#ifndef USTACK_USER_SAMPLER_PMU_H
#define USTACK_USER_SAMPLER_PMU_H

#include <stdint.h>

#include "util/diag.h"

/* Bytes read of one of these files; a file in sysfs has no more than a page. */
#define PMU_TEXT 4096

/**
 * struct pmu_event - what perf_event_open(2) needs
 * @type: number of the PMU
 * @config: config, config1, config2
 */
struct pmu_event {
	uint32_t type;
	uint64_t config[3];
};

/**
 * pmu_event() - find an event of a PMU
 * @pmus: folder of PMUs
 * @pmu: name of the PMU
 * @terms: "event=0xc0,umask=1", or names of its events, or both; "" gives
 *	config 0
 * @ret: written on success only
 * @diag: may be NULL; the caller sets its file
 *
 * Return: 0; -ENOENT if there is no such PMU, term or event; -EINVAL if a value
 * does not fit or a file in @pmus makes no sense.
 */
int pmu_event(const char *pmus, const char *pmu, const char *terms, struct pmu_event *ret,
	      struct diag *diag);

/**
 * pmu_put() - write a value into the bits that a format names
 * @format: contents of a format file, such as "config:0-7,32-35" or "config1:0"
 * @value: value to write; its low bits go to the bits that are named first
 * @config: changed on success only
 *
 * Return: 0, -EINVAL if @format is not understood, -ERANGE if @value has more bits.
 */
int pmu_put(const char *format, uint64_t value, uint64_t config[3]);

#endif /* USTACK_USER_SAMPLER_PMU_H */
