/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: reads the fields of a file in the wire format of
 * protocol buffers, gzip'd or plain. It needs memory only for the largest field
 * that is wanted.
 */
#ifndef USTACK_USER_PROFILE_PPROF_SOURCE_H
#define USTACK_USER_PROFILE_PPROF_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "util/diag.h"

/*
 * Limit for the size of a field that is read: a sample with a million frames
 * has 4 MB.
 */
#define PPROF_MAX_FIELD (16u << 20)

/* Wire types. */
enum { PPROF_VARINT, PPROF_FIXED64, PPROF_BYTES, PPROF_FIXED32 = 5 };

/**
 * struct pprof_field - one field
 * @number: number as in pprof.proto
 * @type: wire type
 * @offset: offset of its tag in the unpacked data
 * @value: value of a number
 * @bytes: contents of PPROF_BYTES, followed by a NUL; NULL if not wanted; valid
 *	until the next field
 * @len: number of bytes in @bytes
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
 * struct pprof_source - the state of the reader; all private
 * @bytes: the file
 * @len: size of the file
 * @name: name of the file, for messages
 * @diag: gets errors, may be NULL
 * @gzip: the file is packed
 * @ended: all of it was unpacked
 * @z: zlib's state; has the position in @bytes
 * @unpacked: buffer for @window if the file is packed
 * @window: the current part of the unpacked data; a plain file is one window
 * @at: position in @window
 * @have: number of bytes in @window
 * @offset: offset of @window in the unpacked data
 * @field: buffer for the bytes of a field
 * @field_room: size of @field
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
 * pprof_source_init() - start to read a file
 * @s: released by pprof_source_release() in either case
 * @bytes: the file; must stay valid
 * @len: number of bytes in @bytes
 * @name: used in messages
 * @diag: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int pprof_source_init(struct pprof_source *s, const void *bytes, size_t len, const char *name,
		      struct diag *diag);
void pprof_source_release(struct pprof_source *s);

/* Starts again at the first field. */
void pprof_source_rewind(struct pprof_source *s);

/**
 * pprof_source_next() - read the next field
 * @s: the source
 * @wanted: bit N is set if the bytes of field N are wanted
 * @ret: the field
 *
 * Return: 1; 0 at the end; -EBADMSG, -EFBIG or -ENOMEM.
 */
int pprof_source_next(struct pprof_source *s, uint32_t wanted, struct pprof_field *ret);

#endif /* USTACK_USER_PROFILE_PPROF_SOURCE_H */
