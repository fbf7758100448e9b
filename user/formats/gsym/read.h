/* SPDX-License-Identifier: MIT */
/*
 * Private to the reader: an open file, and reads of its bytes within bounds.
 */
#ifndef USTACK_USER_GSYM_READ_H
#define USTACK_USER_GSYM_READ_H

#include <errno.h>
#include <string.h>

#include "formats/gsym/format.h"
#include "formats/gsym/reader.h"
#include "util/map.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/**
 * struct gsym - an open file, immutable
 * @swap: numbers do not have the byte order of this machine
 * @wide: string numbers and offsets of functions have 8 bytes, not 4
 * @length_is_wrong: lengths of inlined-call trees cannot be trusted: some
 *                   writers of the prototype's layout add 4
 * @addr_size: bytes of an element of @addrs
 * @nr_functions: number of functions
 * @base: address that @addrs count from
 * @addrs: offsets of the functions' addresses from @base, ascending
 * @infos: offsets of the functions' information from @functions
 * @functions: base of @infos
 * @functions_end: end of the information of functions
 * @strings: string table, whose last byte is 0
 * @strings_len: bytes of @strings
 * @files: file table, two string numbers for each file
 * @nr_files: number of entries in @files
 * @first_file: number of the first entry: 1 in the prototype's layout, which
 *              has no entry for "no file"
 * @bytes: the whole GSYM file; offsets in messages count from here
 * @info: result of gsym_identify()
 * @map: mapping to be released; all zeros if the caller owns the bytes
 */
struct gsym {
	bool swap;
	bool wide;
	bool length_is_wrong;
	uint8_t addr_size;
	uint32_t nr_functions;
	uint64_t base;
	const uint8_t *addrs;
	const uint8_t *infos;
	const uint8_t *functions;
	const uint8_t *functions_end;
	const uint8_t *strings;
	uint64_t strings_len;
	const uint8_t *files;
	uint32_t nr_files;
	uint32_t first_file;

	const uint8_t *bytes;
	struct gsym_info info;
	struct map map;
};

static inline uint16_t gsym_get16(bool swap, const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return unlikely(swap) ? __builtin_bswap16(v) : v;
}

static inline uint32_t gsym_get32(bool swap, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return unlikely(swap) ? __builtin_bswap32(v) : v;
}

static inline uint64_t gsym_get64(bool swap, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return unlikely(swap) ? __builtin_bswap64(v) : v;
}

/* Return: whether @size bytes at @off are within @len bytes. */
static inline bool gsym_holds(uint64_t len, uint64_t off, uint64_t size)
{
	return off <= len && size <= len - off;
}

/*
 * Return: bytes of a string number or of an offset of a function: 4, or 8 in
 * LLVM's version 2.
 */
static inline unsigned int gsym_word_size(const struct gsym *g)
{
	return g->wide ? 8 : 4;
}

static inline uint64_t gsym_get_word(const struct gsym *g, const uint8_t *p)
{
	return g->wide ? gsym_get64(g->swap, p) : gsym_get32(g->swap, p);
}

/* Return: offset of the address of function @i from the base. */
static inline uint64_t gsym_addr_offset(const struct gsym *g, uint64_t i)
{
	const uint8_t *p = g->addrs + i * g->addr_size;

	switch (g->addr_size) {
	case 1:
		return *p;
	case 2:
		return gsym_get16(g->swap, p);
	case 4:
		return gsym_get32(g->swap, p);
	default:
		return gsym_get64(g->swap, p);
	}
}

/* Return: a string; NULL if the file has no such string. */
static inline const char *gsym_string(const struct gsym *g, uint64_t number)
{
	return likely(number < g->strings_len) ? (const char *)g->strings + number : NULL;
}

/**
 * gsym_uleb_long() - read an unsigned LEB128 number
 * @p: first byte; moved after the number on success
 * @end: first byte that may not be read
 * @ret: written on success
 *
 * Return: false if the number is cut off or has more than 64 bits.
 */
bool gsym_uleb_long(const uint8_t **p, const uint8_t *end, uint64_t *ret);

/* The same. Nearly all numbers have one byte or two, which are read inline. */
static inline __attribute__((always_inline)) bool
gsym_uleb(const uint8_t **p, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *at = *p;

	if (likely(at < end && at[0] < 0x80)) {
		*ret = at[0];
		*p = at + 1;
		return true;
	}
	if (likely(end - at >= 2 && at[1] < 0x80)) {
		*ret = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
		*p = at + 2;
		return true;
	}
	return gsym_uleb_long(p, end, ret);
}

/* The same for a signed number. */
bool gsym_sleb_long(const uint8_t **p, const uint8_t *end, int64_t *ret);

static inline __attribute__((always_inline)) bool
gsym_sleb(const uint8_t **p, const uint8_t *end, int64_t *ret)
{
	const uint8_t *at = *p;

	if (likely(at < end && at[0] < 0x80)) {
		/* bit 6 is the sign */
		*ret = (int64_t)(at[0] ^ 0x40) - 0x40;
		*p = at + 1;
		return true;
	}
	if (likely(end - at >= 2 && at[1] < 0x80)) {
		*ret = (((at[0] & 0x7f) | (int64_t)at[1] << 7) ^ 0x2000) - 0x2000;
		*p = at + 2;
		return true;
	}
	return gsym_sleb_long(p, end, ret);
}

/* Return: information of the last function that starts at or below @addr; NULL if there is none. */
const uint8_t *gsym_info_before(const struct gsym *g, uint64_t addr);

/* The data of one entry of a function. */
struct gsym_entry {
	const uint8_t *data;
	const uint8_t *end;
};

/*
 * Reads the entry at *@p and moves *@p after it, except at the last entry.
 * Return: the type of the entry; GSYM_INFO_END at the last one, without @ret;
 * -EBADMSG.
 */
int64_t gsym_entry_next(const struct gsym *g, const uint8_t **p, const uint8_t *end,
			struct gsym_entry *ret);

/* Finds the first entry of @type; @ret is empty if there is none. Return: 0 or -EBADMSG. */
int gsym_entry_find(const struct gsym *g, const struct gsym_function *f, uint32_t type,
		    struct gsym_entry *ret);

/* Reads size and name of a function at @p. Return: 0 or -EBADMSG. */
int gsym_function_decode(const struct gsym *g, const uint8_t *p, const uint8_t *end,
			 uint64_t start, struct gsym_function *ret);

/* The last row at or before an address. */
struct gsym_file_line {
	uint64_t file;
	uint64_t line;
};

/* @lines: line table of @f. Return: 1; 0 if there is no row; -EBADMSG. */
int gsym_row_at(const struct gsym_entry *lines, const struct gsym_function *f, uint64_t addr,
		struct gsym_file_line *ret);

/* An inlined call at an address. */
struct gsym_inlined {
	const char *name;
	uint64_t call_file;
	uint64_t call_line;
	uint64_t start;
};

/* Return: number of calls, outermost first, without the function itself; -EBADMSG. */
int gsym_inlined_at(const struct gsym *g, const struct gsym_entry *calls, uint64_t start,
		    uint64_t addr, struct gsym_inlined ret[GSYM_MAX_DEPTH]);

/* Fills the frames for a row and the inlined calls at @addr, see gsym_lookup(). */
int gsym_frames_set(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		    const struct gsym_file_line *row, const struct gsym_inlined *calls,
		    unsigned int nr_calls, struct gsym_frame *ret, unsigned int room);
/* Fills the only frame of an address without a row. */
int gsym_frame_without_line(const struct gsym_function *f, uint64_t addr, struct gsym_frame *ret,
		     unsigned int room);

/* gsym_lookup() after gsym_find() has found the function. */
int gsym_lookup_in(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		   struct gsym_frame *ret, unsigned int room);

/* Return: the end of a tree of inlined calls at @p; NULL if it does not end before @end. */
const uint8_t *gsym_inlined_end(const struct gsym *g, const uint8_t *p, const uint8_t *end);

/* Position of a GSYM file in another file. */
struct gsym_place {
	uint64_t off;
	uint64_t len;
};

/**
 * gsym_section_find() - find the section of an ELF or Mach-O file
 * @bytes: contents of the file
 * @len: number of bytes in @bytes
 * @name: name for messages
 * @ret: position of the section
 * @diag: may be NULL
 *
 * Return: 1; 0 if the file has neither format; -EBADMSG if it is damaged or has
 * no such section.
 */
int gsym_section_find(const uint8_t *bytes, size_t len, const char *name,
		      struct gsym_place *ret, struct diag *diag);

#endif /* USTACK_USER_GSYM_READ_H */
