/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/record: what the processes of a profile had mapped. */
#ifndef USTACK_USER_RECORD_IMAGEMAPS_H
#define USTACK_USER_RECORD_IMAGEMAPS_H

#include "process/maps.h"
#include "profile/profile.h"
#include "symstore/symstore.h"

/* One process; @text is base64 of what it had at @epoch, NULL is a free place. */
struct record_imagemap {
	uint32_t pid;
	uint64_t epoch;
	char *text;
};

/**
 * struct record_imagemaps - all of them; all zero is empty
 * @places: open addressing by pid; NULL before the first
 * @nr: of them
 * @bytes: of their texts
 * @left_out: samples of processes for which there was no room
 */
struct record_imagemaps {
	struct record_imagemap *places;
	uint32_t nr;
	size_t bytes;
	uint64_t left_out;
};

void record_imagemaps_release(struct record_imagemaps *all);

/* Return: whether what @pid has at @epoch is not known yet. */
bool record_imagemaps_wants(const struct record_imagemaps *all, uint32_t pid,
			    uint64_t epoch);

/**
 * record_imagemaps_take() - a process has these mappings now
 * @all: is told
 * @pid: the process
 * @epoch: of them
 * @maps: they
 * @image_of: a file's image, or NULL
 *
 * Without memory or room it is left out, as a profile is worth having without.
 */
void record_imagemaps_take(struct record_imagemaps *all, uint32_t pid, uint64_t epoch,
			   const struct process_maps *maps,
			   struct symstore_image *(*image_of)(const struct process_file *f));

/* Makes comments of them, in the order of their processes' numbers. */
void record_imagemaps_write(const struct record_imagemaps *all, struct profile *p);

#endif /* USTACK_USER_RECORD_IMAGEMAPS_H */
