/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that contain code, each with its unwind table. A file is found by its
 * build id, or by its inode if it has none. All processes share them. A table
 * is made when a walk first needs it. When there are too many files or the
 * tables take too much memory, the least recently used go.
 */
#ifndef USTACK_USER_STACKCOPY_IMAGES_H
#define USTACK_USER_STACKCOPY_IMAGES_H

#include "host/process/processes.h"
#include "supply/code.h"

struct images;
struct image;

/*
 * @memory: limit for tables in bytes. @past: the processes are those of a
 * recording, so processes that run now are not asked for their files. Return:
 * released by images_free(); NULL without memory.
 */
struct images *images_new(u64 memory, bool past);
void images_free(struct images *all);

/**
 * images_get() - get the file at a place
 * @all: the images
 * @pid: process that has it mapped
 * @at: the mapping, of kind PROCESS_FILE or PROCESS_VDSO
 *
 * Return: the image, valid until the next images_trim(); NULL without memory.
 */
struct image *images_get(struct images *all, u32 pid, const struct process_place *at);

/* Return: the unwind table; NULL if there is none. */
const struct code *image_code(const struct image *i);

/*
 * Reads 8 bytes of the file at an offset. Return: false if they cannot be read.
 */
bool image_read(struct image *i, u64 off, u64 *ret);

/* Drops images until the limits are kept. Call it between two walks. */
void images_trim(struct images *all);

/* Numbers of tables that were made and that were dropped. */
void images_counts(const struct images *all, u64 *made, u64 *dropped);
/* Return: bytes of the tables in memory. */
u64 images_bytes(const struct images *all);
/*
 * Return: nanoseconds of CPU time spent on opening files and making their
 * tables.
 */
u64 images_opening_ns(const struct images *all);

#endif /* USTACK_USER_STACKCOPY_IMAGES_H */
