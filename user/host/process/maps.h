/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a process at one moment: ascending, none over another.
 * Shared by reference count between a process and those that it forks.
 */
#ifndef USTACK_USER_PROCESS_MAPS_H
#define USTACK_USER_PROCESS_MAPS_H

#include "host/process/file.h"

/**
 * struct process_map - a mapping
 * @start: address
 * @end: address behind it
 * @offset: in @file, of what is at @start
 * @file: reference
 */
struct process_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	struct process_file *file;
};

/**
 * struct process_maps - all of them
 * @refs: holders; who is not alone may not change it
 * @nr: of @map
 * @room: of @map
 * @map: ascending
 */
struct process_maps {
	uint32_t refs;
	uint32_t nr;
	uint32_t room;
	struct process_map *map;
};

/* Return: an empty one with one reference; NULL without memory. */
struct process_maps *process_maps_new(void);
struct process_maps *process_maps_ref(struct process_maps *m);
/* NULL is fine. */
void process_maps_put(struct process_files *files, struct process_maps *m);

/**
 * process_maps_own() - make it one that may be changed
 * @m: in: a reference; out: a reference to it or to a copy, held by nobody else
 *
 * Return: 0, or -ENOMEM: @m is as it was.
 */
int process_maps_own(struct process_files *files, struct process_maps **m);

/**
 * process_maps_add() - a mapping comes into being, in place of what was there
 * @files: of the references
 * @m: held by nobody else
 * @map: its file's reference is not taken over
 *
 * Return: 0 or -ENOMEM, and nothing has changed.
 */
int process_maps_add(struct process_files *files, struct process_maps *m,
		     const struct process_map *map);

/* Return: the mapping that has @addr, borrowed; NULL if none has. */
const struct process_map *process_maps_find(const struct process_maps *m, uint64_t addr);

#endif /* USTACK_USER_PROCESS_MAPS_H */
