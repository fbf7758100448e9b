/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/bsym: an open file.
 */
#ifndef USTACK_USER_BSYM_READ_H
#define USTACK_USER_BSYM_READ_H

#include "formats/bsym/bsym.h"
#include "util/map.h"

#define BSYM_MAGIC 0x4253594du

/* Bytes of one entry in each table. */
#define BSYM_CODESEG_BYTES 20u
#define BSYM_SYMBOL_BYTES 12u
#define BSYM_RENAME_BYTES 8u
#define BSYM_SYMBOL3_BYTES 20u

/**
 * struct bsym - an open file
 * @map: mapping of the file, if bsym_open() made it
 * @name: name for messages; borrowed
 * @bytes: contents of the file, unpacked
 * @len: number of bytes in @bytes
 * @info: what the header says
 * @codesegs: entries of the code segments in versions 1 and 2
 * @symbols: entries of the symbols
 * @tokens: offsets of the tokens
 * @renames: entries of the renames
 * @strings: base of the positions of strings: @bytes, or a table in version 3
 * @strings_len: number of bytes in @strings
 * @units: code segments of version 3, used in place of @codesegs; owned
 * @unpacked: memory of @bytes if the file was packed; owned
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

/* Return: the major version. */
static inline uint32_t bsym_major(const struct bsym *b)
{
	return b->info.version >> 16;
}

/*
 * Return: the bytes of a string as it is stored, *@len of them; NULL if it is
 * outside of the file.
 */
const uint8_t *bsym_raw(const struct bsym *b, uint32_t at, uint32_t *len);

/* Opens version 3. @b has @name and @bytes; this sets the rest. */
int bsym_open_3(struct bsym *b, struct diag *diag);

/**
 * bsym_unpack_page() - unpack Symbian's byte pair compression
 * @bytes: packed page
 * @len: number of bytes in @bytes
 * @ret: room for @room bytes
 * @room: bytes of @ret
 *
 * Return: number of bytes unpacked; -EBADMSG if the page is damaged or unpacks
 * to more than @room.
 */
int bsym_unpack_page(const uint8_t *bytes, size_t len, uint8_t *ret, size_t room);

#endif /* USTACK_USER_BSYM_READ_H */
