/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reader of BSYM, Symbian's binary symbol files: they say which function an
 * address of a ROM, or an offset of a code segment (a program or library),
 * belongs to. It reads versions 1.0, 2.0 to 2.3 and 3.0; build.h makes such
 * files. Documentation/formats/bsym.md describes what the format leaves open.
 *
 *	struct bsym_place at;
 *	struct bsym *b;
 *
 *	err = bsym_open("rom.bsym", &b, &diag);
 *	if (bsym_find(b, addr, &at) == BSYM_FOUND)
 *		bsym_name(b, &at.symbol, text, sizeof(text));
 *	bsym_close(b);
 *
 * Versions 1 and 2 are used as they are mapped: opening costs the same for any
 * size, and nothing is allocated afterwards. A file may hold anything: damage
 * is an error, never a wrong access.
 *
 * Context: any number of threads may call all functions at once, except
 * bsym_close(). If somebody truncates a file while it is open, its readers are
 * killed by SIGBUS.
 */
#ifndef USTACK_USER_BSYM_H
#define USTACK_USER_BSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

#define BSYM_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))
/* A token is one byte, 0x80 to 0xff. */
#define BSYM_MAX_TOKENS 128u
/*
 * Most bytes of a stored string. A whole name is longer: its prefix, "::" and
 * its name all expand.
 */
#define BSYM_MAX_STRING 65535u
/*
 * All names together may expand to this many times the bytes of the file, and
 * 16 MB. Without a limit, millions of symbols in a file of a few MB could share
 * one name and expand to GBs.
 */
#define BSYM_MAX_EXPAND 64u
/* Most bytes that version 3.0 may unpack to. The image of a ROM has fewer. */
#define BSYM_MAX_UNPACKED (1u << 30)

struct bsym;

/* Return: whether @bytes is the start of a BSYM file. */
bool bsym_identify(const uint8_t *bytes, size_t len);

/**
 * bsym_open() - map a file and check its header
 * @path: path of a regular file
 * @ret: the open file; released by bsym_close()
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with offset and reason if it is not a BSYM file, or
 * damaged; another negative errno.
 */
int bsym_open(const char *path, struct bsym **ret, struct diag *diag);

/* The same for @len bytes in memory. @bytes and @name are borrowed until bsym_close(). */
int bsym_open_bytes(const void *bytes, size_t len, const char *name, struct bsym **ret,
		    struct diag *diag);

/* @b may be NULL. */
void bsym_close(struct bsym *b);

/**
 * struct bsym_info - what the header of a file says
 * @version: BSYM_VERSION() of the file
 * @nr_codesegs: number of code segments. In version 3.0 each section of a unit
 *               that has symbols is one
 * @nr_symbols: number of symbols in the whole file
 * @nr_tokens: number of tokens, at most 128
 * @nr_renames: number of renames
 * @bytes: size of the file, after unpacking
 * @checksum: checksum of the ROM, from version 2.2 on; 0 if there is none
 * @big_endian: the file's numbers are big-endian; always true before 3.0
 * @packed: the file was packed
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
 * struct bsym_codeseg - a program or library, or a section of one
 * @address: address of its first symbol; 0 if it is relocatable, and the
 *           addresses of its symbols are offsets in it
 * @nr: number of its symbols
 * @first: index of its first symbol in the file's table
 * @name: position of its path, for bsym_string()
 * @prefixes: position of its table of prefixes, 0 if there is none; private
 */
struct bsym_codeseg {
	uint32_t address;
	uint32_t nr;
	uint32_t first;
	uint32_t name;
	uint32_t prefixes;
};

/**
 * bsym_codeseg() - read a code segment by its number
 * @b: open
 * @index: below @nr_codesegs of struct bsym_info; relocatable ones come first,
 *         then ascending addresses
 * @ret: filled on success
 *
 * Return: 0; -EBADMSG if some of its symbols are outside of the table.
 */
int bsym_codeseg(const struct bsym *b, uint32_t index, struct bsym_codeseg *ret);

/**
 * struct bsym_symbol - a symbol
 * @address: address, or offset in a relocatable code segment
 * @length: bytes of the function or object
 * @name: position of the name after the prefix, for bsym_string()
 * @prefix: position of the prefix, for bsym_string()
 * @has_prefix: there is a prefix
 */
struct bsym_symbol {
	uint32_t address;
	uint32_t length;
	uint32_t name;
	uint32_t prefix;
	bool has_prefix;
};

/*
 * Reads symbol @index of a code segment, below its @nr. Return: 0; -EBADMSG if
 * its prefix is outside of the file: the rest of @ret is valid then.
 */
int bsym_symbol(const struct bsym *b, const struct bsym_codeseg *c, uint32_t index,
		struct bsym_symbol *ret);

/**
 * bsym_string() - read a string and expand its tokens
 * @b: open
 * @at: position of the string
 * @ret: the string and a NUL, cut to @room bytes; a NUL in the string and an
 *       undefined token become '?'
 * @room: bytes of @ret; 0 only measures the string
 *
 * Return: length of the whole string without the NUL; -EBADMSG if it is outside
 * of the file.
 */
int bsym_string(const struct bsym *b, uint32_t at, char *ret, size_t room);

/* The same for the full name of a symbol, "PREFIX::NAME". */
int bsym_name(const struct bsym *b, const struct bsym_symbol *s, char *ret, size_t room);

/* Reads rename @index: @name is another name of code segment @codeseg. */
void bsym_rename(const struct bsym *b, uint32_t index, uint32_t *codeseg, uint32_t *name);

/* Reads token @index. A token contains no tokens. Return: see bsym_string(). */
int bsym_token(const struct bsym *b, uint32_t index, char *ret, size_t room);

enum bsym_found {
	BSYM_NONE,	/* no code segment has the address */
	BSYM_CODESEG,	/* it is before or after all symbols of a code segment */
	/* it is after the end of @symbol and before the next one */
	BSYM_BEYOND,
	BSYM_FOUND,
};

/**
 * struct bsym_place - the place of an address
 * @codeseg: number of the code segment
 * @index: number of @symbol in the code segment
 * @symbol: the symbol, for BSYM_BEYOND and BSYM_FOUND
 * @offset: bytes from the start of @symbol, or for BSYM_CODESEG from the start
 *          of the code segment
 */
struct bsym_place {
	uint32_t codeseg;
	uint32_t index;
	struct bsym_symbol symbol;
	uint32_t offset;
};

/**
 * bsym_find() - find the symbol of an address
 * @b: open
 * @addr: address in the ROM; for Thumb code without its lowest bit
 * @ret: the place of the address
 *
 * If several symbols have the same address, the last one is returned.
 * Relocatable code segments are not searched: they have no addresses.
 *
 * Return: enum bsym_found, or -EBADMSG if the file is damaged there.
 */
int bsym_find(const struct bsym *b, uint32_t addr, struct bsym_place *ret);

/* The same for an offset from the start of code segment @index, relocatable or not. */
int bsym_find_offset(const struct bsym *b, uint32_t index, uint32_t offset,
		     struct bsym_place *ret);

/**
 * bsym_find_codeseg() - find a code segment by its name
 * @b: open
 * @name: a path, or the last part of one; case is ignored
 * @from: first number to consider: sections of one file have the same name
 * @ret: number of the first code segment from @from on that has the name
 *
 * Names in the list of renames have precedence over those of code segments.
 * Files before version 2.1 have no renames: if nothing has the name,
 * "_variant_x.exe" is taken for "x.exe".
 *
 * Return: whether one was found.
 */
bool bsym_find_codeseg(const struct bsym *b, const char *name, uint32_t from,
		       uint32_t *ret);

/**
 * struct bsym_budget - how much a walk over all symbols may still cost
 * @symbols: symbols that are left; code segments do not share symbols
 * @text: bytes of names that are left
 */
struct bsym_budget {
	uint64_t symbols;
	uint64_t text;
};

void bsym_budget(const struct bsym *b, struct bsym_budget *ret);

/*
 * Takes the symbols of a code segment, or the bytes of a name, from the budget.
 * Return: false if too little is left: the file was made to cost more than its
 * size justifies.
 */
bool bsym_may_walk(struct bsym_budget *left, const struct bsym_codeseg *c);
bool bsym_may_name(struct bsym_budget *left, int len);

/**
 * bsym_verify() - check the whole file
 * @b: open
 * @note: called with a sentence for each violation, or with @odd set for each
 *        oddity that the format permits
 * @arg: passed to @note
 *
 * Return: number of violations.
 */
uint64_t bsym_verify(const struct bsym *b,
		     void (*note)(bool odd, const char *text, void *arg), void *arg);

#endif /* USTACK_USER_BSYM_H */
