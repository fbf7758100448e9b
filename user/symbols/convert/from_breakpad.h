/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Breakpad's text symbol files (github.com/google/breakpad, docs/symbol_files.md) as
 * functions for a GSYM file. They are read in pieces: their size does not matter.
 */
#ifndef USTACK_USER_CONVERT_FROM_BREAKPAD_H
#define USTACK_USER_CONVERT_FROM_BREAKPAD_H

#include "formats/gsym/build.h"

/**
 * struct gsym_breakpad - what a file is and what was found in it
 * @uuid: build id; of Linux all of it if the file has it (INFO CODE_ID), or its first
 *        16 bytes, as in MODULE
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @functions: FUNC records
 * @symbols: PUBLIC records
 * @nameless: FUNC and PUBLIC records left out as they have no name
 * @lines: line records
 * @calls: INLINE records that were taken
 * @misplaced: INLINE records left out: nothing of them is in their caller's code
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
 * gsym_from_breakpad() - add a file's functions
 * @path: a regular file, or a pipe of up to FILE_MAX_PIPE bytes
 * @part: that they are added to. Addresses are as the file has them: from where the
 *        module is loaded, so that the base address is 0. A function's order is where
 *        its record is in the file
 * @ret: on success
 * @diag: may be NULL
 *
 * Code between line records gets a row without file and line: nothing is said of it.
 *
 * Return: 0; -EBADMSG if a line breaks the rules, with its number, offset and the
 * reason; another negative errno. After a failure @part has some of the functions.
 */
int gsym_from_breakpad(const char *path, struct gsym_part *part,
		       struct gsym_breakpad *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_BREAKPAD_H */
