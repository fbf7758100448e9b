/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BSYM, Symbian's binary symbol files: which function an address of a ROM belongs to, or
 * an offset of a code segment (a program or library). This is the reader of versions 1.0,
 * 2.0 to 2.3 and 3.0; build.h makes such files. Documentation/formats/bsym.md has what the
 * format leaves open.
 *
 *	struct bsym_place at;
 *	struct bsym *b;
 *
 *	err = bsym_open("rom.bsym", &b, &diag);
 *	if (bsym_find(b, addr, &at) == BSYM_FOUND)
 *		bsym_name(b, &at.symbol, text, sizeof(text));
 *	bsym_close(b);
 *
 * Versions 1 and 2 are used as they are mapped: opening costs the same for any size, and
 * nothing is allocated after. A file may hold anything: what is wrong in it is an error,
 * never a wrong access.
 *
 * Context: every function may be called by any number of threads at once, but for
 * bsym_close(). Who truncates a file while it is open kills its readers (SIGBUS).
 */
#ifndef USTACK_USER_BSYM_H
#define USTACK_USER_BSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

#define BSYM_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))
/* A token is one byte of 0x80 to 0xff. */
#define BSYM_MAX_TOKENS 128u
/* Of a string as it is stored, and bytes of a name: prefix, "::" and name expand. */
#define BSYM_MAX_STRING 65535u
/* Names may expand to so many times the bytes of a file, and 16 MB, all together: in a file
 * of a few MB millions of symbols can have one name of GBs.
 */
#define BSYM_MAX_EXPAND 64u
/* Bytes that version 3.0 may unpack to: the image of a ROM has fewer. */
#define BSYM_MAX_UNPACKED (1u << 30)

struct bsym;

/* Return: whether they are the first bytes of such a file. */
bool bsym_identify(const uint8_t *bytes, size_t len);

/**
 * bsym_open() - map a file
 * @path: regular file
 * @ret: on success: released by bsym_close()
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is none, or damaged, with offset and reason; another negative
 * errno.
 */
int bsym_open(const char *path, struct bsym **ret, struct diag *diag);

/* The same of @len bytes in memory, borrowed until bsym_close(), as is @name. */
int bsym_open_bytes(const void *bytes, size_t len, const char *name, struct bsym **ret,
		    struct diag *diag);

/* NULL is fine. */
void bsym_close(struct bsym *b);

/**
 * struct bsym_info - what the header says
 * @version: BSYM_VERSION() of it
 * @nr_codesegs: of it. Of version 3.0, each section with symbols of a unit is one
 * @nr_symbols: of all
 * @nr_tokens: below 129
 * @nr_renames: of it
 * @bytes: of the file, unpacked
 * @checksum: of the ROM, from 2.2 on; 0 if there is none
 * @big_endian: its numbers are; always before 3.0
 * @packed: it was unpacked to be read
 */
struct bsym_info {
	uint32_t version;
	uint32_t nr_codesegs;
	uint32_t nr_symbols;
	uint32_t nr_tokens;
	uint32_t nr_renames;
	uint64_t bytes;
	uint32_t checksum;
	bool big_endian;
	bool packed;
};

void bsym_info(const struct bsym *b, struct bsym_info *ret);

/**
 * struct bsym_codeseg - a program, library or section of one
 * @address: of its first symbol; 0 if it is relocatable, and addresses are offsets in it
 * @nr: symbols
 * @first: number of its first one
 * @name: where its path is, for bsym_string()
 * @prefixes: where its table of prefixes is, 0 for none; private
 */
struct bsym_codeseg {
	uint32_t address;
	uint32_t nr;
	uint32_t first;
	uint32_t name;
	uint32_t prefixes;
};

/**
 * bsym_codeseg() - by number
 * @b: open
 * @index: below struct bsym_info's @nr_codesegs; relocatable ones first, then ascending
 * @ret: on success
 *
 * Return: 0; -EBADMSG if its symbols are not all in the table.
 */
int bsym_codeseg(const struct bsym *b, uint32_t index, struct bsym_codeseg *ret);

/**
 * struct bsym_symbol - a symbol
 * @address: of it, or its offset in a relocatable code segment
 * @length: bytes
 * @name: where its name is, for bsym_string()
 * @prefix: where what stands in front of its name is
 * @has_prefix: it has one
 */
struct bsym_symbol {
	uint32_t address;
	uint32_t length;
	uint32_t name;
	uint32_t prefix;
	bool has_prefix;
};

/* Symbol @index of a code segment, below its @nr. Return: 0; -EBADMSG if what stands in
 * front of its name is not in the file: the rest of @ret is right then.
 */
int bsym_symbol(const struct bsym *b, const struct bsym_codeseg *c, uint32_t index,
		struct bsym_symbol *ret);

/**
 * bsym_string() - a string with its tokens expanded
 * @b: open
 * @at: where it is
 * @ret: the string and a NUL, cut at @room; NULs in it become '?', as do tokens that
 *       the file does not have
 * @room: bytes of @ret, 0 to measure
 *
 * Return: its length without the NUL; -EBADMSG if it is not in the file.
 */
int bsym_string(const struct bsym *b, uint32_t at, char *ret, size_t room);

/* The same of a symbol's full name, "PREFIX::NAME". */
int bsym_name(const struct bsym *b, const struct bsym_symbol *s, char *ret, size_t room);

/* Rename @index: another name of code segment @codeseg. */
void bsym_rename(const struct bsym *b, uint32_t index, uint32_t *codeseg, uint32_t *name);

/* Token @index, which never has tokens in it. Return: see bsym_string(). */
int bsym_token(const struct bsym *b, uint32_t index, char *ret, size_t room);

enum bsym_found {
	BSYM_NONE,	/* no code segment has it */
	BSYM_CODESEG,	/* it is behind the end, or in front, of all symbols there */
	BSYM_BEYOND,	/* between @symbol, which is in front, and the next */
	BSYM_FOUND,
};

/**
 * struct bsym_place - where an address is
 * @codeseg: number
 * @index: of @symbol in the code segment
 * @symbol: from BSYM_BEYOND on
 * @offset: from its start, or of BSYM_CODESEG from the code segment's
 */
struct bsym_place {
	uint32_t codeseg;
	uint32_t index;
	struct bsym_symbol symbol;
	uint32_t offset;
};

/**
 * bsym_find() - by address
 * @b: open
 * @addr: in the ROM; of Thumb code without its lowest bit
 * @ret: where it is
 *
 * Of several symbols at one address the last one is found. Relocatable code segments have
 * no addresses.
 *
 * Return: enum bsym_found, or -EBADMSG if what the file has there is damaged.
 */
int bsym_find(const struct bsym *b, uint32_t addr, struct bsym_place *ret);

/* The same in code segment @index, relocatable or not, at an offset from its start. */
int bsym_find_offset(const struct bsym *b, uint32_t index, uint32_t offset,
		     struct bsym_place *ret);

/**
 * bsym_find_codeseg() - code segments by name
 * @b: open
 * @name: a path, or the last part of one; without regard to case
 * @from: number to begin with: sections of one file have the same name
 * @ret: number of the first one from there on
 *
 * Names that renames give come in front of those that code segments have. Files before
 * 2.1 have no renames: where nothing has the name, "x.exe" is "_variant_x.exe", too.
 *
 * Return: whether there is one.
 */
bool bsym_find_codeseg(const struct bsym *b, const char *name, uint32_t from,
		       uint32_t *ret);

/**
 * struct bsym_budget - what a walk over all symbols may still cost
 * @symbols: no two code segments have the same
 * @text: bytes of names
 */
struct bsym_budget {
	uint64_t symbols;
	uint64_t text;
};

void bsym_budget(const struct bsym *b, struct bsym_budget *ret);

/* Return: whether a code segment's symbols are within it, or a name's bytes; if not, the
 * file is made to cost more than it has.
 */
bool bsym_may_walk(struct bsym_budget *left, const struct bsym_codeseg *c);
bool bsym_may_name(struct bsym_budget *left, int len);

/**
 * bsym_verify() - look at all of it
 * @b: open
 * @note: is told what is wrong, in words; or what only looks odd, with @odd
 * @arg: for @note
 *
 * Return: how often something was wrong.
 */
uint64_t bsym_verify(const struct bsym *b,
		     void (*note)(bool odd, const char *text, void *arg), void *arg);

#endif /* USTACK_USER_BSYM_H */
