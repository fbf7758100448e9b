/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/imagemap: from mappings of files to images. */
#ifndef USTACK_USER_IMAGEMAP_MAPPED_H
#define USTACK_USER_IMAGEMAP_MAPPED_H

#include "formats/imagemap/imagemap.h"

/**
 * struct imagemap_mapped - a mapping of a file
 * @start: address
 * @end: behind it
 * @offset: in the file
 * @exec: it is executable
 * @file: two mappings of one file have the same number
 * @path: of the file
 */
struct imagemap_mapped {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	bool exec;
	uint64_t file;
	char *path;
};

/* Mappings, ascending, and the memory that they are of; all zero is empty. */
struct imagemap_memory {
	struct imagemap_mapped *mapped;
	size_t nr;
	size_t room;
	/* Return: whether all @len bytes at @addr were read. */
	bool (*read)(void *arg, uint64_t addr, void *buf, size_t len);
	void *arg;
};

/* @m: its path is taken over, also on failure. Return: 0 or -ENOMEM. */
int imagemap_memory_add(struct imagemap_memory *memory, const struct imagemap_mapped *m);
void imagemap_memory_release(struct imagemap_memory *memory);

/**
 * imagemap_from_memory() - make images of mappings
 * @memory: sorted by this
 * @ret: empty; sorted
 *
 * Return: 0 or a negative errno.
 */
int imagemap_from_memory(struct imagemap_memory *memory, struct imagemap *ret);

#endif /* USTACK_USER_IMAGEMAP_MAPPED_H */
