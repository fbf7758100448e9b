/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes BSYM files of versions 1.0, 2.0 and 2.1, laid out as Symbian's own tool
 * does: header, code segments, symbols, tokens, renames, then the strings.
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

/* Context: one thread at a time. Return: NULL if there is no memory. */
struct bsym_new *bsym_new(void);
void bsym_free(struct bsym_new *n);

/**
 * bsym_new_codeseg() - begin a code segment
 * @n: file that is being made
 * @name: path, which is written in lower case (ASCII letters only)
 * @relocatable: the addresses of its symbols are offsets
 *
 * A code segment without symbols is not written.
 *
 * Return: 0 or -ENOMEM.
 */
int bsym_new_codeseg(struct bsym_new *n, const char *name, bool relocatable);

/**
 * bsym_new_symbol() - add a symbol to the present code segment
 * @n: file that is being made, after bsym_new_codeseg()
 * @address: address; symbols may come in any order
 * @length: bytes; a symbol of length 0 is left out, unless it is the only one
 *          of its code segment: then it reaches to the next code segment
 * @name: full name; the part before its last "::" becomes a prefix
 *
 * Return: 0 or -ENOMEM.
 */
int bsym_new_symbol(struct bsym_new *n, uint32_t address, uint64_t length,
		    const char *name);

/* Adds another name of the present code segment, for version 2.1. Return: 0 or -ENOMEM. */
int bsym_new_rename(struct bsym_new *n, const char *name);

/**
 * struct bsym_write_options - how a file is written
 * @version: BSYM_VERSION(1, 0), (2, 0) or (2, 1)
 * @tokens: texts that are frequent in names; the list ends with NULL, and later
 *          ones are tried first. NULL means the tokens of Symbian's tool. Not
 *          used by version 1.0
 */
struct bsym_write_options {
	uint32_t version;
	const char *const *tokens;
};

extern const char *const bsym_default_tokens[];

/* Figures about a file that was written. */
struct bsym_written {
	uint64_t bytes;
	uint32_t codesegs;
	uint32_t symbols;
	uint32_t prefixes;
	uint64_t empty;		/* symbols of length 0, left out */
	uint64_t cut;		/* symbols cut to 65535 bytes */
	/* names with bytes above 0x7f, replaced by '?': such bytes are tokens */
	uint64_t mended;
	uint64_t renames_lost;	/* renames left out, as the version has none */
};

/**
 * bsym_write() - write the file
 * @n: file that is being made; this sorts it
 * @o: how it is written
 * @fd: descriptor, open for writing
 * @path: name for messages
 * @ret: filled on success; may be NULL
 * @diag: may be NULL
 *
 * Relocatable code segments come first, in the order in which they were added;
 * the others ascend by address. The symbols of a code segment ascend; those
 * with the same address keep their order.
 *
 * Return: 0; -EFBIG beyond 4 GB; -EINVAL for a version that is not written or
 * more than 128 tokens; another negative errno.
 */
int bsym_write(struct bsym_new *n, const struct bsym_write_options *o, int fd,
	       const char *path, struct bsym_written *ret, struct diag *diag);

/**
 * struct bsym_source - figures about a source that was read
 * @symbols: symbols that were taken
 * @outside: symbols left out because their addresses have more than 32 bits
 * @damaged: symbols and code segments left out because their names cannot be
 *           read
 * @kept_renames: renames that were taken
 */
struct bsym_source {
	uint64_t symbols;
	uint64_t outside;
	uint64_t damaged;
	uint64_t kept_renames;
};

/**
 * bsym_from_symbol_file() - read a text file of Symbian's maksym or rombuild
 * @path: path of a regular file or pipe with "From    PATH", followed by lines
 *        of address, length, name and object file. The lowest bit of an address
 *        marks Thumb code; it is cleared
 * @n: file that gets its code segments
 * @ret: figures
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with the line; another negative errno.
 */
int bsym_from_symbol_file(const char *path, struct bsym_new *n, struct bsym_source *ret,
			  struct diag *diag);

/* Reads a BSYM file of any version, with its renames. Return: 0 or a negative errno. */
int bsym_from_bsym(const char *path, struct bsym_new *n, struct bsym_source *ret,
		   struct diag *diag);

#endif /* USTACK_USER_BSYM_BUILD_H */
