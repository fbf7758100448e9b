/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, as the kernel writes them: "0-3,7". */
#ifndef USTACK_USER_PERF_CPUS_H
#define USTACK_USER_PERF_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

/* The kernel's own limit; the same as WIRE_CPUS. */
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

/* Behind the last one; 0 if there is none. */
unsigned int cpus_end(const struct cpus *cpus);

/**
 * cpus_parse() - a list
 * @list: ranges and numbers with commas; a newline at the end is fine
 * @ret: written on success only
 * @diag: its file is @list
 *
 * Return: 0, or -EINVAL: no list, or a CPU from CPUS_MAX on, or none at all.
 */
int cpus_parse(const char *list, struct cpus *ret, struct diag *diag);

/* What is online now. Return: 0 or a negative errno. */
int cpus_online(struct cpus *ret, struct diag *diag);
/* What can ever be online until the machine is booted again. Return: 0 or a negative errno. */
int cpus_possible(struct cpus *ret, struct diag *diag);

#endif /* USTACK_USER_PERF_CPUS_H */
