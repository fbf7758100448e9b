/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: packs a profile's elements and writes them to a
 * file.
 */
#ifndef USTACK_USER_PROFILE_PPROF_PACK_H
#define USTACK_USER_PROFILE_PPROF_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "profile/profile.h"

#define PPROF_PACK_CHUNK (64u << 10)

struct Pprof__Line;

/**
 * struct pprof_pack - a file that is being written
 * @fd: descriptor; may be changed between two calls. -1: write nowhere, to
 *	learn the size
 * @err: first failure, negative errno; nothing is written after it
 * @z: compressor; all bytes that it has made (total_out) are in @fd
 * @out: buffer for compressed bytes
 * @packed: buffer for a packed message
 * @packed_room: size of @packed in bytes
 * @ids: buffer for the locations of a sample
 * @ids_room: entries that @ids has memory for
 * @lines: buffer for the lines of a location
 * @line: pointers to the entries of @lines
 * @lines_room: entries that @lines has memory for
 */
struct pprof_pack {
	int fd;
	int err;
	z_stream z;
	uint8_t out[PPROF_PACK_CHUNK];
	uint8_t *packed;
	size_t packed_room;
	uint64_t *ids;
	size_t ids_room;
	struct Pprof__Line *lines;
	struct Pprof__Line **line;
	size_t lines_room;
};

/* Return: 0 or -ENOMEM; must be released on 0. */
int pprof_pack_init(struct pprof_pack *wr, int fd);
void pprof_pack_release(struct pprof_pack *wr);

/* Readers need value types before the first sample; any other order is free. */
void pprof_pack_value_types(struct pprof_pack *wr, const struct profile *p);
void pprof_pack_samples(struct pprof_pack *wr, const struct profile *p);

/* Packs everything else, and the end of the file. */
void pprof_pack_rest(struct pprof_pack *wr, const struct profile *p);

#endif /* USTACK_USER_PROFILE_PPROF_PACK_H */
