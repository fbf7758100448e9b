/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/snapshot: turns mappings of files into images. */
#ifndef USTACK_USER_IMAGEMAP_MAPPED_H
#define USTACK_USER_IMAGEMAP_MAPPED_H

#include "formats/imagemap/imagemap.h"

/**
 * struct imagemap_mapped - a mapping of a file
 * @start: start address
 * @end: end address
 * @offset: offset in the file
 * @exec: the mapping is executable
 * @file: number of the file, equal for all mappings of one file
 * @path: path of the file
 */
struct imagemap_mapped {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	bool exec;
	uint64_t file;
	char *path;
};

/* Mappings of a process or core file, and access to its memory; empty if zeroed. */
struct imagemap_memory {
	struct imagemap_mapped *mapped;
	size_t nr;
	size_t room;
	/* Reads memory. Return: whether all @len bytes at @addr were read. */
	bool (*read)(void *arg, uint64_t addr, void *buf, size_t len);
	void *arg;
};

/* Adds a mapping. @m: its path is taken over, also on failure. Return: 0 or -ENOMEM. */
int imagemap_memory_add(struct imagemap_memory *memory, const struct imagemap_mapped *m);
void imagemap_memory_release(struct imagemap_memory *memory);

/**
 * imagemap_from_memory() - make images from mappings
 * @memory: the mappings; this call sorts them
 * @ret: an empty map; sorted afterwards
 *
 * Return: 0 or a negative errno.
 */
int imagemap_from_memory(struct imagemap_memory *memory, struct imagemap *ret);

#endif /* USTACK_USER_IMAGEMAP_MAPPED_H */
