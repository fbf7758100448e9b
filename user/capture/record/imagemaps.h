/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/capture/record: what the processes of a profile had mapped. */
#ifndef USTACK_USER_RECORD_IMAGEMAPS_H
#define USTACK_USER_RECORD_IMAGEMAPS_H

#include "host/process/processes.h"
#include "profile/profile.h"
#include "symbols/symstore/symstore.h"

/**
 * struct record_imagemap - of one process
 * @pid: the process; 0 is a free place
 * @epoch: of its last sample
 * @samples: since @text was made
 * @text: base64 of what it had mapped; NULL before there is one
 */
struct record_imagemap {
	uint32_t pid;
	uint64_t epoch;
	uint64_t samples;
	char *text;
};

/**
 * struct record_imagemaps - all of them; all zero is empty
 * @places: open addressing by pid; NULL before the first
 * @nr: places that are taken
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

/* A sample of a process is taken, which has its mappings of @epoch; samples come in that order. */
void record_imagemaps_see(struct record_imagemaps *all, uint32_t pid, uint64_t epoch);

/**
 * record_imagemaps_update() - look up what processes had mapped at their last samples
 * @all: is told
 * @processes: which know the mappings of these moments
 * @image_of: a file's image, or NULL
 *
 * Once for many samples, as a process can have thousands of mappings and change one for each sample.
 * Without memory or room a process is left out or keeps what it had before, as a profile is worth
 * having without.
 */
void record_imagemaps_update(struct record_imagemaps *all, struct processes *processes,
			     struct symstore_image *(*image_of)(const struct process_file *f));

/* Makes comments of them, in the order of their processes' numbers. */
void record_imagemaps_write(const struct record_imagemaps *all, struct profile *p);

#endif /* USTACK_USER_RECORD_IMAGEMAPS_H */
