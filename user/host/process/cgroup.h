/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the path of a cgroup by its number, which BPF programs report. */
#ifndef USTACK_USER_PROCESS_CGROUP_H
#define USTACK_USER_PROCESS_CGROUP_H

#include <stddef.h>
#include <stdint.h>

struct cgroups;

/**
 * cgroups_new() - find the mount of the cgroup2 file system
 *
 * Return: an object that cgroups_free() frees; NULL if out of memory. Without a cgroup2
 * file system no path is known.
 */
struct cgroups *cgroups_new(void);
void cgroups_free(struct cgroups *c);

/**
 * cgroups_path() - find the path of a cgroup
 * @c: the cache of paths, which may grow
 * @id: number of the cgroup
 *
 * A path that was found once is known until cgroups_forget(), even after the cgroup was
 * removed.
 *
 * Return: the path from the root of the hierarchy, "/" for the root; valid until
 * cgroups_forget() or cgroups_free(); NULL if it is not known.
 */
const char *cgroups_path(struct cgroups *c, uint64_t id);

/* Empties the cache if it is large; paths returned before become invalid. */
void cgroups_forget(struct cgroups *c);

#endif /* USTACK_USER_PROCESS_CGROUP_H */
