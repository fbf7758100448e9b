/* SPDX-License-Identifier: GPL-2.0-only */
/* Where tracepoints have their numbers, and probes their files. */
#ifndef USTACK_USER_SAMPLER_TRACEFS_H
#define USTACK_USER_SAMPLER_TRACEFS_H

#include <stdbool.h>

/**
 * tracefs_find() - before something is attached to a tracepoint
 *
 * Where it is not mounted, as on machines without systemd, it is mounted where it belongs, as
 * perf does; that takes CAP_SYS_ADMIN.
 *
 * Return: whether it is there now.
 */
bool tracefs_find(void);

/* Return: false if tracefs can be read, and has no such tracepoint, "sched" and "sched_switch". */
bool tracefs_has(const char *system, const char *name);

/* Return: false if the kernel can have no kprobe: it is built without CONFIG_KPROBE_EVENTS. */
bool tracefs_has_kprobes(void);

#endif /* USTACK_USER_SAMPLER_TRACEFS_H */
