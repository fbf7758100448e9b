/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a segment file step by step: first the heads of its records, then definitions when a
 * window is wanted, then the samples of single records. Readers use it, and so does a writer that
 * continues a segment.
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
 * struct store_part - one of the two parts of a record: definitions or samples
 * @stored: number of bytes in the file, packed
 * @raw: number of bytes when unpacked
 * @crc: CRC-32 of the packed bytes
 */
struct store_part {
	uint32_t stored;
	uint32_t raw;
	uint32_t crc;
};

/**
 * struct store_head - head of a record, which has one window
 * @offset: offset of the head in the segment
 * @time_ns: beginning of the window, nanoseconds since 1970
 * @duration_ns: length of the window
 * @definitions: the part that follows the head
 * @samples: the part that follows the definitions
 */
struct store_head {
	uint64_t offset;
	uint64_t time_ns;
	uint64_t duration_ns;
	struct store_part definitions;
	struct store_part samples;
};

/* The end of a window, exclusive: at least 1 ns after its beginning. */
static inline uint64_t store_head_end(const struct store_head *h)
{
	uint64_t length = h->duration_ns ? h->duration_ns : 1, end;

	return __builtin_add_overflow(h->time_ns, length, &end) ? UINT64_MAX : end;
}

/**
 * struct store_segment - an open segment
 * @dir: path of the folder, for messages; borrowed
 * @name: name of the file
 * @fd: the file, open; closed with the segment
 * @number: number of the segment
 * @created_ns: when the segment was made, nanoseconds since 1970
 * @host: name of the host that made it
 * @heads: heads of the records that have been found so far
 * @nr: number of entries in @heads
 * @room: number of entries that @heads has memory for
 * @end: offset after the last record of @heads
 * @defs: definitions of the first @loaded records; NULL after a failure
 * @loaded: number of records whose definitions are in @defs
 * @raw: bytes of these definitions, unpacked
 * @tail: the last STORE_TAIL_BYTES of them, the prefix that the next record is packed with
 * @stored: buffer for packed bytes from the file
 * @unpacked: buffer for the same bytes unpacked
 * @zstd: a ZSTD_DCtx
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
 * store_segment_open() - open a segment and read its header
 * @dirfd: descriptor of the folder
 * @dir: path of the folder, for messages; borrowed
 * @number: number of the segment
 * @flags: flags for open(2): O_RDONLY or O_RDWR
 * @ret: the segment, released by store_segment_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if the file is shorter than a header; -EBADMSG if the header is bad;
 * -ENOTSUP for a newer version; -ENOENT; another negative errno.
 */
int store_segment_open(int dirfd, const char *dir, uint64_t number, int flags,
		       struct store_segment **ret, struct diag *diag);
void store_segment_free(struct store_segment *s);

/* Result of a scan: the last bytes of the file are less than a whole record. */
#define STORE_SHORT 1
/* Finds records after those in @s->heads. Return: 0, STORE_SHORT, -EBADMSG, ... */
int store_segment_scan(struct store_segment *s, struct diag *diag);

/* Forgets records whose definitions are not loaded, so that a scan reads their heads again. */
void store_segment_unscan(struct store_segment *s);

/* Whether an error means that the bytes are wrong or that the disk cannot read them. */
static inline bool store_is_bad(int err)
{
	return err == -EBADMSG || err == -EIO;
}

/* Loads the definitions of all records that a scan has found. Return: 0; an errno for which
 * store_is_bad() holds: the definitions of record @loaded are bad, and @defs has those before it;
 * another negative errno: the next call begins again.
 */
int store_segment_load(struct store_segment *s, struct diag *diag);

/* Appends unpacked definitions to @s->tail. Return: 0 or -ENOMEM. */
int store_segment_remember(struct store_segment *s, const void *definitions, size_t len);

/* Reads the samples of a loaded record. @ret keeps its memory from call to call. */
int store_segment_samples(struct store_segment *s, uint32_t record, struct store_samples *ret,
			  struct diag *diag);

/* Checks both checksums of a record. Return: 0, -EBADMSG, ... */
int store_segment_check(struct store_segment *s, uint32_t record, struct diag *diag);

/* Searches the bytes after @s->end for the head of a later record. Return: its offset; 0 if there
 * is none; a negative errno.
 */
int64_t store_segment_later(struct store_segment *s);

/* Makes the bytes of the header. */
void store_header_put(const struct store_segment *s, uint8_t to[STORE_HEADER_BYTES]);
/* Makes the bytes of the head of record number @record. */
void store_head_put(const struct store_segment *s, uint32_t record, const struct store_head *h,
		    uint8_t to[STORE_HEAD_BYTES]);

/* CRC-32 as in zlib. */
uint32_t store_crc(const void *bytes, size_t len);

#endif /* USTACK_USER_STORE_SEGMENT_H */
