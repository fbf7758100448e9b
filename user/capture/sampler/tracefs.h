/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds tracefs, where tracepoints have their numbers, and probes their files.
 */
#ifndef USTACK_USER_SAMPLER_TRACEFS_H
#define USTACK_USER_SAMPLER_TRACEFS_H

#include <stdbool.h>

/**
 * tracefs_find() - make sure that tracefs is mounted
 *
 * Call it before something is attached to a tracepoint. If tracefs is not
 * mounted, as on machines without systemd, this mounts it at its usual place,
 * as perf does; that takes CAP_SYS_ADMIN.
 *
 * Return: whether it is mounted now.
 */
bool tracefs_find(void);

/*
 * Return: false if tracefs can be read and has no such tracepoint, such as
 * "sched", "sched_switch".
 */
bool tracefs_has(const char *system, const char *name);

/*
 * Return: false if the kernel was built without CONFIG_KPROBE_EVENTS and can
 * have no kprobe.
 */
bool tracefs_has_kprobes(void);

#endif /* USTACK_USER_SAMPLER_TRACEFS_H */
