/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mappings of each process, by the events of the dump: later ones replace earlier ones,
 * fork copies them, exec drops them.
 */
#ifndef CHAINCHECK_MAPS_H
#define CHAINCHECK_MAPS_H

#include <stdbool.h>

#include "util.h"

struct map {
	u64 start, length, offset;
	const char *path;
};

void maps_add(int pid, const struct map *map);
void maps_fork(int pid, int parent);
void maps_exec(int pid);
const struct map *maps_find(int pid, u64 ip);

/* was the address mapped before the last exec? */
bool maps_before_exec(int pid, u64 ip);

/* does the process have a mapping of that file? */
bool maps_path(int pid, const char *path);

/* does the process have a mapping for which `fits` is true? */
bool maps_any(int pid, bool (*fits)(const char *path));

#endif
