/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the functions of Breakpad's text symbol files (github.com/google/breakpad,
 * docs/symbol_files.md) for a GSYM file. A file is read in pieces, so it may be of any
 * size.
 */
#ifndef USTACK_USER_CONVERT_FROM_BREAKPAD_H
#define USTACK_USER_CONVERT_FROM_BREAKPAD_H

#include "formats/gsym/build.h"

/**
 * struct gsym_breakpad - what was found in a Breakpad file
 * @uuid: build id of the module: all of it if a Linux file has INFO CODE_ID, else the 16
 *        bytes of the MODULE record
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @functions: number of FUNC records
 * @symbols: number of PUBLIC records
 * @nameless: number of FUNC and PUBLIC records left out because they have no name
 * @lines: number of line records
 * @calls: number of INLINE records taken
 * @misplaced: number of INLINE records left out because none of their code is in their
 *             caller's
 */
struct gsym_breakpad {
	uint8_t uuid[GSYM_MAX_UUID];
	uint8_t uuid_len;
	uint64_t functions;
	uint64_t symbols;
	uint64_t nameless;
	uint64_t lines;
	uint64_t calls;
	uint64_t misplaced;
};

/**
 * gsym_from_breakpad() - add a file's functions to a part
 * @path: path of a regular file, or of a pipe with up to FILE_MAX_PIPE bytes
 * @part: the part that gets the functions. Addresses are those of the file, which count
 *        from the module's load address, so the base address is 0. A function's order is
 *        the offset of its record
 * @ret: what was found; set on success
 * @diag: may be NULL
 *
 * Code between line records gets a row without file and line.
 *
 * Return: 0; -EBADMSG if a line is malformed, with its number, offset and the reason;
 * another negative errno. After a failure @part has some of the functions.
 */
int gsym_from_breakpad(const char *path, struct gsym_part *part,
		       struct gsym_breakpad *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_BREAKPAD_H */
