/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of a file of protocol buffers' wire format, one after the other, gzip'd or
 * plain: memory is that of the largest field that is wanted.
 */
#ifndef USTACK_USER_PROFILE_PPROF_SOURCE_H
#define USTACK_USER_PROFILE_PPROF_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "util/diag.h"

/* The largest field that is read: a sample of a million frames has 4 MB. */
#define PPROF_MAX_FIELD (16u << 20)

/* Wire types. */
enum { PPROF_VARINT, PPROF_FIXED64, PPROF_BYTES, PPROF_FIXED32 = 5 };

/**
 * struct pprof_field - one field
 * @number: as in pprof.proto
 * @type: wire type
 * @offset: of its tag in what is unpacked
 * @value: of a number
 * @bytes: of PPROF_BYTES, and a NUL behind; NULL if they are not wanted; until the next
 * @len: of them
 */
struct pprof_field {
	uint32_t number;
	uint32_t type;
	uint64_t offset;
	uint64_t value;
	const uint8_t *bytes;
	size_t len;
};

/**
 * struct pprof_source - where the fields come from; all private
 * @in: what is not unpacked yet
 * @window: what is unpacked, and of plain files all of it
 * @at: in @window
 * @have: bytes of @window
 * @offset: of @window in all that is unpacked
 * @field: bytes of a field
 */
struct pprof_source {
	const uint8_t *bytes;
	size_t len;
	const char *name;
	struct diag *diag;
	bool gzip;
	bool ended;
	z_stream z;
	uint8_t *unpacked;
	const uint8_t *window;
	size_t at;
	size_t have;
	uint64_t offset;
	uint8_t *field;
	size_t field_room;
};

/**
 * pprof_source_init() - start at the first field
 * @s: released by pprof_source_release() in either case
 * @bytes: stay where they are
 * @len: of them
 * @name: for messages
 * @diag: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int pprof_source_init(struct pprof_source *s, const void *bytes, size_t len, const char *name,
		      struct diag *diag);
void pprof_source_release(struct pprof_source *s);

/* Starts again. */
void pprof_source_rewind(struct pprof_source *s);

/**
 * pprof_source_next() - the next field
 * @s: the source
 * @wanted: bit N for field N's bytes
 * @ret: the field
 *
 * Return: 1; 0 at the end; -EBADMSG, -EFBIG or -ENOMEM.
 */
int pprof_source_next(struct pprof_source *s, uint32_t wanted, struct pprof_field *ret);

#endif /* USTACK_USER_PROFILE_PPROF_SOURCE_H */
