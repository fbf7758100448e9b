/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that code is in, each with its table, by build id or else by inode: shared by all
 * processes, made when a walk first needs it, and let go, those used longest ago first,
 * when all together are larger or more than they may be.
 */
#ifndef USTACK_USER_STACKCOPY_IMAGES_H
#define USTACK_USER_STACKCOPY_IMAGES_H

#include "host/process/processes.h"
#include "supply/code.h"

struct images;
struct image;

/* @memory: bytes that tables may take. @past: processes are those of a file, and none that runs
 * now is asked for its files. Return: released by images_free(); NULL.
 */
struct images *images_new(u64 memory, bool past);
void images_free(struct images *all);

/**
 * images_get() - the file at a place
 * @all: the images
 * @pid: process that has it mapped
 * @at: where, of kind PROCESS_FILE or PROCESS_VDSO
 *
 * Return: the image, until the next images_trim(); NULL without memory.
 */
struct image *images_get(struct images *all, u32 pid, const struct process_place *at);

/* Its table; NULL if it has none. */
const struct code *image_code(const struct image *i);

/* 8 bytes of it at an offset. Return: false if they cannot be had. */
bool image_read(struct image *i, u64 off, u64 *ret);

/* Between two walks: keeps within the budget. */
void images_trim(struct images *all);

/* Tables that were made, and those that were let go. */
void images_counts(const struct images *all, u64 *made, u64 *dropped);
/* Memory of those that are there. */
u64 images_bytes(const struct images *all);
/* CPU time that it took to open files and to make their tables. */
u64 images_opening_ns(const struct images *all);

#endif /* USTACK_USER_STACKCOPY_IMAGES_H */
