/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making BSYM files of versions 1.0, 2.0 and 2.1, laid out as Symbian's own tool does:
 * header, code segments, symbols, tokens, renames, then the strings.
 *
 *	n = bsym_new();
 *	bsym_from_symbol_file("rom.symbol", n, &stats, &diag);	or bsym_new_codeseg() ...
 *	err = bsym_write(n, &options, fd, "rom.bsym", &written, &diag);
 *	bsym_free(n);
 */
#ifndef USTACK_USER_BSYM_BUILD_H
#define USTACK_USER_BSYM_BUILD_H

#include "formats/bsym/bsym.h"

struct bsym_new;

/* Context: one thread at a time. Return: NULL without memory. */
struct bsym_new *bsym_new(void);
void bsym_free(struct bsym_new *n);

/**
 * bsym_new_codeseg() - begin a code segment
 * @n: new file
 * @name: path, which is written in lower case (of ASCII)
 * @relocatable: its symbols' addresses are offsets
 *
 * One without symbols is not written.
 *
 * Return: 0 or -ENOMEM.
 */
int bsym_new_codeseg(struct bsym_new *n, const char *name, bool relocatable);

/**
 * bsym_new_symbol() - add a symbol to the code segment
 * @n: after bsym_new_codeseg()
 * @address: in any order
 * @length: bytes; a symbol of none is left out, but for the only one of a code segment,
 *          which then reaches to the next
 * @name: full name; up to its last "::" it becomes a prefix
 *
 * Return: 0 or -ENOMEM.
 */
int bsym_new_symbol(struct bsym_new *n, uint32_t address, uint64_t length,
		    const char *name);

/* Another name of the code segment, for version 2.1. Return: 0 or -ENOMEM. */
int bsym_new_rename(struct bsym_new *n, const char *name);

/**
 * struct bsym_write_options - how a file is made
 * @version: BSYM_VERSION(1, 0), (2, 0) or (2, 1)
 * @tokens: what is frequent in names, ends with NULL; the last one that fits is taken
 *          first. NULL for those of Symbian's tool. Not in version 1.0
 */
struct bsym_write_options {
	uint32_t version;
	const char *const *tokens;
};

extern const char *const bsym_default_tokens[];

/* What became of it. */
struct bsym_written {
	uint64_t bytes;
	uint32_t codesegs;
	uint32_t symbols;
	uint32_t prefixes;
	uint64_t empty;		/* symbols without bytes, left out */
	uint64_t cut;		/* symbols cut to 65535 bytes */
	uint64_t mended;	/* names with bytes that are tokens, which became '?' */
	uint64_t renames_lost;	/* of a version without renames */
};

/**
 * bsym_write() - make the file
 * @n: is sorted by this
 * @o: how
 * @fd: open for writing
 * @path: for messages
 * @ret: may be NULL
 * @diag: may be NULL
 *
 * Code segments are ascending, relocatable ones first in the order that they came in; so
 * are a code segment's symbols, of which those at one address keep their order.
 *
 * Return: 0; -EFBIG beyond 4 GB; -EINVAL for a version that is not written or more than
 * 128 tokens; another negative errno.
 */
int bsym_write(struct bsym_new *n, const struct bsym_write_options *o, int fd,
	       const char *path, struct bsym_written *ret, struct diag *diag);

/**
 * struct bsym_source - what was read
 * @symbols: that were taken
 * @outside: left out: their addresses have more than 32 bits
 * @damaged: left out: their names cannot be read
 * @kept_renames: renames that were taken
 */
struct bsym_source {
	uint64_t symbols;
	uint64_t outside;
	uint64_t damaged;
	uint64_t kept_renames;
};

/**
 * bsym_from_symbol_file() - a text file of Symbian's maksym or rombuild
 * @path: regular file or pipe: "From    PATH", then lines of address, length, name and
 *        object file. The lowest bit of an address, which says Thumb, is cleared
 * @n: gets its code segments
 * @ret: on success
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with the line; another negative errno.
 */
int bsym_from_symbol_file(const char *path, struct bsym_new *n, struct bsym_source *ret,
			  struct diag *diag);

/* A BSYM file of any version, renames included. Return: 0 or a negative errno. */
int bsym_from_bsym(const char *path, struct bsym_new *n, struct bsym_source *ret,
		   struct diag *diag);

#endif /* USTACK_USER_BSYM_BUILD_H */
