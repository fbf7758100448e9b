/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, in the kernel's text format: "0-3,7". */
#ifndef USTACK_USER_PERF_CPUS_H
#define USTACK_USER_PERF_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

/* The kernel's own limit for CPU numbers; equal to WIRE_CPUS. */
#define CPUS_MAX 8192u

#define CPUS_ONLINE "/sys/devices/system/cpu/online"
#define CPUS_POSSIBLE "/sys/devices/system/cpu/possible"

struct cpus {
	uint64_t words[CPUS_MAX / 64];
};

static inline bool cpus_has(const struct cpus *cpus, unsigned int cpu)
{
	return cpu < CPUS_MAX && (cpus->words[cpu / 64] >> (cpu % 64) & 1);
}

static inline void cpus_add(struct cpus *cpus, unsigned int cpu)
{
	cpus->words[cpu / 64] |= 1ull << (cpu % 64);
}

/* The highest CPU number plus one; 0 if the set is empty. */
unsigned int cpus_end(const struct cpus *cpus);

/**
 * cpus_parse() - parse a list of CPUs
 * @list: numbers and ranges, separated by commas; a final newline is allowed
 * @ret: the set; only written on success
 * @diag: names @list as the file
 *
 * Return: 0, or -EINVAL if it is not a list, is empty, or has a number from CPUS_MAX on.
 */
int cpus_parse(const char *list, struct cpus *ret, struct diag *diag);

/* Reads the CPUs that are online now. Return: 0 or a negative errno. */
int cpus_online(struct cpus *ret, struct diag *diag);
/* Reads the CPUs that can be online before the next reboot. Return: 0 or a negative errno. */
int cpus_possible(struct cpus *ret, struct diag *diag);

#endif /* USTACK_USER_PERF_CPUS_H */
