/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/record: what the sampled processes had mapped, for
 * the profile.
 */
#ifndef USTACK_USER_RECORD_IMAGEMAPS_H
#define USTACK_USER_RECORD_IMAGEMAPS_H

#include "host/process/processes.h"
#include "profile/profile.h"
#include "symbols/symstore/symstore.h"

/**
 * struct record_imagemap - the image map of one process
 * @pid: process; 0 is a free place
 * @epoch: epoch of its last sample
 * @samples: number of samples since @text was made
 * @text: mappings in base64, owned; NULL before there are any
 */
struct record_imagemap {
	uint32_t pid;
	uint64_t epoch;
	uint64_t samples;
	char *text;
};

/**
 * struct record_imagemaps - all image maps; all zero is empty
 * @places: hash table by pid with open addressing; NULL at first
 * @nr: number of places in use
 * @bytes: length of all texts together
 * @left_out: number of samples of processes for which there was no room
 */
struct record_imagemaps {
	struct record_imagemap *places;
	uint32_t nr;
	size_t bytes;
	uint64_t left_out;
};

void record_imagemaps_release(struct record_imagemaps *all);

/*
 * Notes a sample of a process that has its mappings of @epoch. Call it in the
 * order of samples.
 */
void record_imagemaps_see(struct record_imagemaps *all, uint32_t pid, uint64_t epoch);

/**
 * record_imagemaps_update() - look up what processes had mapped at their last
 * samples
 * @all: gets the texts
 * @processes: still know the mappings of the noted epochs
 * @image_of: returns a file's image, or NULL
 *
 * Called once for many samples, because a process can have thousands of
 * mappings and change one for each sample. Without memory or room a process is
 * left out or keeps its former text: the profile is useful without it.
 */
void record_imagemaps_update(struct record_imagemaps *all, struct processes *processes,
			     struct symstore_image *(*image_of)(const struct process_file *f));

/*
 * Adds the texts as comments of the profile, in the order of process numbers.
 */
void record_imagemaps_write(const struct record_imagemaps *all, struct profile *p);

#endif /* USTACK_USER_RECORD_IMAGEMAPS_H */
