/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a process at one moment: ascending, without overlaps. A
 * process and its forked children share them by reference count.
 */
#ifndef USTACK_USER_PROCESS_MAPS_H
#define USTACK_USER_PROCESS_MAPS_H

#include "host/process/mapped_file.h"

/**
 * struct process_map - a mapping
 * @start: start address
 * @end: end address
 * @offset: offset in @file of what is at @start
 * @file: the mapped file, a reference
 */
struct process_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	struct process_file *file;
};

/**
 * struct process_maps - mappings of a process
 * @refs: number of holders; only a single holder may change it
 * @nr: number of mappings in @map
 * @room: allocated entries of @map
 * @map: mappings, ascending
 */
struct process_maps {
	uint32_t refs;
	uint32_t nr;
	uint32_t room;
	struct process_map *map;
};

/* Return: an empty one with one reference; NULL if out of memory. */
struct process_maps *process_maps_new(void);
struct process_maps *process_maps_ref(struct process_maps *m);
/* NULL is fine. */
void process_maps_put(struct process_files *files, struct process_maps *m);

/**
 * process_maps_unshare() - make mappings that may be changed
 * @files: set of the mapped files
 * @m: in: a reference; out: a reference to it or to a copy, with no other holder
 *
 * Return: 0, or -ENOMEM and @m is unchanged.
 */
int process_maps_unshare(struct process_files *files, struct process_maps **m);

/**
 * process_maps_add() - add a mapping, which replaces older ones at its addresses
 * @files: set of the mapped files
 * @m: mappings with no other holder
 * @map: the mapping; a new reference to its file is taken
 *
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int process_maps_add(struct process_files *files, struct process_maps *m,
		     const struct process_map *map);

/* Return: the mapping that contains @addr, borrowed; NULL if there is none. */
const struct process_map *process_maps_find(const struct process_maps *m, uint64_t addr);

#endif /* USTACK_USER_PROCESS_MAPS_H */
