/* SPDX-License-Identifier: GPL-2.0-only */
/* From the number of a cgroup, as BPF programs have it, to its path. */
#ifndef USTACK_USER_PROCESS_CGROUP_H
#define USTACK_USER_PROCESS_CGROUP_H

#include <stddef.h>
#include <stdint.h>

struct cgroups;

/**
 * cgroups_new() - find the cgroup file system, version 2
 *
 * Return: released by cgroups_free(); NULL without memory. Where there is no such file
 * system every path is unknown.
 */
struct cgroups *cgroups_new(void);
void cgroups_free(struct cgroups *c);

/**
 * cgroups_path() - the path of a cgroup
 * @c: may learn
 * @id: number
 *
 * What was found once is found again after the cgroup is gone, until cgroups_forget().
 *
 * Return: from the root of the hierarchy on, "/" for the root; borrowed until
 * cgroups_free(); NULL if it is not known.
 */
const char *cgroups_path(struct cgroups *c, uint64_t id);

/* Forgets all if they are many. They are borrowed no longer. */
void cgroups_forget(struct cgroups *c);

#endif /* USTACK_USER_PROCESS_CGROUP_H */
