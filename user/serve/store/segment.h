/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A segment, from its bytes: heads first, definitions when something of it is wanted,
 * samples one by one. Both who reads and who goes on writing begin here.
 */
#ifndef USTACK_USER_STORE_SEGMENT_H
#define USTACK_USER_STORE_SEGMENT_H

#include <errno.h>
#include <stdbool.h>

#include "serve/store/record.h"
#include "util/diag.h"

#define STORE_HEADER_BYTES 128u
#define STORE_HEAD_BYTES 64u
#define STORE_HOST_BYTES 64u

/**
 * struct store_part - one of the two of a record
 * @stored: bytes of it
 * @raw: bytes unpacked
 * @crc: of what is stored
 */
struct store_part {
	uint32_t stored;
	uint32_t raw;
	uint32_t crc;
};

/**
 * struct store_head - a record
 * @offset: of its head in the segment
 * @time_ns: beginning of the window
 * @duration_ns: of it
 * @definitions: behind the head
 * @samples: behind these
 */
struct store_head {
	uint64_t offset;
	uint64_t time_ns;
	uint64_t duration_ns;
	struct store_part definitions;
	struct store_part samples;
};

/* The end of a window: behind its last moment, and at least one moment. */
static inline uint64_t store_head_end(const struct store_head *h)
{
	uint64_t length = h->duration_ns ? h->duration_ns : 1, end;

	return __builtin_add_overflow(h->time_ns, length, &end) ? UINT64_MAX : end;
}

/**
 * struct store_segment - an open one
 * @dir: folder, for messages; borrowed
 * @name: of the file
 * @fd: the file
 * @number: of the segment
 * @created_ns: when
 * @host: made it
 * @heads: of its records, as far as they have been found
 * @nr: of them
 * @room: of @heads
 * @end: offset behind the last of them
 * @defs: what the first @loaded records define; NULL after a failure
 * @loaded: of them
 * @raw: bytes of these definitions, unpacked
 * @tail: the last STORE_TAIL_BYTES of them, which the next record's are packed with
 * @stored: memory for what is read
 * @unpacked: memory for what that is
 * @zstd: of ZSTD_DCtx
 */
struct store_segment {
	const char *dir;
	char name[32];
	int fd;
	uint64_t number;
	uint64_t created_ns;
	char host[STORE_HOST_BYTES + 1];
	struct store_head *heads;
	uint32_t nr;
	size_t room;
	uint64_t end;
	struct profile *defs;
	uint32_t loaded;
	uint64_t raw;
	struct buffer tail;
	struct buffer stored;
	struct buffer unpacked;
	void *zstd;
};

/**
 * store_segment_open() - open and read the header
 * @dirfd: of the folder
 * @dir: its name, for messages; borrowed
 * @number: of the segment
 * @flags: of open(2): O_RDONLY or O_RDWR
 * @ret: released by store_segment_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if there is no whole header; -EBADMSG if it is bad; -ENOTSUP if it is
 * of a newer version; -ENOENT; another negative errno.
 */
int store_segment_open(int dirfd, const char *dir, uint64_t number, int flags,
		       struct store_segment **ret, struct diag *diag);
void store_segment_free(struct store_segment *s);

/* STORE_SHORT: bytes follow that are less than a record. */
#define STORE_SHORT 1
/* Finds records behind those that are known. Return: 0, STORE_SHORT, -EBADMSG, ... */
int store_segment_scan(struct store_segment *s, struct diag *diag);

/* Forgets records whose definitions have not been loaded: what is there is read anew. */
void store_segment_unscan(struct store_segment *s);

/* What cannot be had, be its bytes wrong or the medium unable to give them. */
static inline bool store_is_bad(int err)
{
	return err == -EBADMSG || err == -EIO;
}

/* Loads definitions of all that scan has found. Return: 0; as store_is_bad(): those of record
 * @loaded are bad, and @defs has what is in front; another negative errno: another call begins
 * anew.
 */
int store_segment_load(struct store_segment *s, struct diag *diag);

/* Puts unpacked definitions behind @s->tail. Return: 0 or -ENOMEM. */
int store_segment_remember(struct store_segment *s, const void *definitions, size_t len);

/* Samples of a loaded record. @ret keeps its memory from call to call. */
int store_segment_samples(struct store_segment *s, uint32_t record, struct store_samples *ret,
			  struct diag *diag);

/* Whether all bytes of a record are those that were written. Return: 0, -EBADMSG, ... */
int store_segment_check(struct store_segment *s, uint32_t record, struct diag *diag);

/* Whether a later record's head is behind @s->end. Return: offset; 0 if there is none;
 * negative errno.
 */
int64_t store_segment_later(struct store_segment *s);

/* A header as bytes. */
void store_header_put(const struct store_segment *s, uint8_t to[STORE_HEADER_BYTES]);
/* A head as bytes; it will be record @record of the segment. */
void store_head_put(const struct store_segment *s, uint32_t record, const struct store_head *h,
		    uint8_t to[STORE_HEAD_BYTES]);

/* CRC-32 */
uint32_t store_crc(const void *bytes, size_t len);

#endif /* USTACK_USER_STORE_SEGMENT_H */
