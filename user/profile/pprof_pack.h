/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/profile: a profile's elements, packed and on their way to a file. */
#ifndef USTACK_USER_PROFILE_PPROF_PACK_H
#define USTACK_USER_PROFILE_PPROF_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "profile/profile.h"

#define PPROF_PACK_CHUNK (64u << 10)

struct Pprof__Line;

/**
 * struct pprof_pack - a file in the making
 * @fd: that it goes to; may be changed between two calls. -1: nowhere, to learn its size
 * @err: what failed first, negative errno: nothing is written after it
 * @z: all bytes that it has made (total_out) are in @fd
 * @out: what zlib made and is not written
 * @packed: a message
 * @ids: of a sample's locations
 * @lines: of a location
 * @line: pointers to them
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

/* Return: 0 or -ENOMEM; to be released on 0. */
int pprof_pack_init(struct pprof_pack *wr, int fd);
void pprof_pack_release(struct pprof_pack *wr);

/* Readers need no order but this one: before the first sample. */
void pprof_pack_value_types(struct pprof_pack *wr, const struct profile *p);
void pprof_pack_samples(struct pprof_pack *wr, const struct profile *p);

/* All but these, and the end of the file. */
void pprof_pack_rest(struct pprof_pack *wr, const struct profile *p);

#endif /* USTACK_USER_PROFILE_PPROF_PACK_H */
