/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/bsym: an open file. */
#ifndef USTACK_USER_BSYM_READ_H
#define USTACK_USER_BSYM_READ_H

#include "formats/bsym/bsym.h"
#include "util/map.h"

#define BSYM_MAGIC 0x4253594du

/* Bytes of entries, by version */
#define BSYM_CODESEG_BYTES 20u
#define BSYM_SYMBOL_BYTES 12u
#define BSYM_RENAME_BYTES 8u
#define BSYM_SYMBOL3_BYTES 20u

/**
 * struct bsym - a file
 * @map: of the file, if it is this one's
 * @name: for messages
 * @bytes: of the file, or what it unpacks to
 * @len: of @bytes
 * @info: what the header says
 * @codesegs: entries of versions 1 and 2
 * @symbols: entries
 * @tokens: offsets
 * @renames: entries
 * @strings: where strings count from: @bytes, or a table of version 3
 * @strings_len: of @strings
 * @units: code segments of version 3, in @codesegs' place
 * @unpacked: @bytes, if they were unpacked
 */
struct bsym {
	struct map map;
	const char *name;
	const uint8_t *bytes;
	size_t len;
	struct bsym_info info;
	const uint8_t *codesegs;
	const uint8_t *symbols;
	const uint8_t *tokens;
	const uint8_t *renames;
	const uint8_t *strings;
	size_t strings_len;
	struct bsym_codeseg *units;
	uint8_t *unpacked;
};

static inline uint32_t bsym_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t bsym_le32(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint32_t bsym_u32(bool big_endian, const uint8_t *p)
{
	return big_endian ? bsym_be32(p) : bsym_le32(p);
}

/* Major version */
static inline uint32_t bsym_major(const struct bsym *b)
{
	return b->info.version >> 16;
}

/* A string as it is stored. Return: its bytes, *@len of them; NULL if it is not there. */
const uint8_t *bsym_raw(const struct bsym *b, uint32_t at, uint32_t *len);

/* Version 3: fills @b, whose @name and @bytes are those of the file. */
int bsym_open_3(struct bsym *b, struct diag *diag);

/**
 * bsym_unpack_page() - Symbian's byte pair compression
 * @bytes: @len of them
 * @len: any
 * @ret: @room bytes
 * @room: that are wanted
 *
 * Return: bytes of @ret, -EBADMSG if it is damaged or has more.
 */
int bsym_unpack_page(const uint8_t *bytes, size_t len, uint8_t *ret, size_t room);

#endif /* USTACK_USER_BSYM_READ_H */
