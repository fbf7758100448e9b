/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the names and lines of the BEAM's functions from a process's memory. */
#ifndef USTACK_USER_LANG_BEAM_FUNCTION_H
#define USTACK_USER_LANG_BEAM_FUNCTION_H

#include "symbols/lang/beam_module.h"
#include "symbols/lang/text.h"

/* Largest atom has 255 characters; longer ones are cut. */
#define BEAM_ATOM_BYTES 1020u
/* Characters of a file's name that are read. */
#define BEAM_FILE_CHARACTERS 1024u

/**
 * struct beam_function - where a thread is in a function
 * @name: Module:function/arity, UTF-8 without control characters; "" for code of no function
 * @file: name of the source file, as the compiler noted it; "" if not known
 * @line: line of the call; 0 if not known, as for the innermost frame
 * @start_line: line of the function's definition; 0 if not known
 * @size: see beam_size()
 * @calls_fragment: the call at this place is that of code of no function
 */
struct beam_function {
	char name[2 * LANG_TEXT_ROOM(BEAM_ATOM_BYTES) + 16];
	char file[LANG_TEXT_ROOM(BEAM_FILE_CHARACTERS)];
	u32 line;
	u32 start_line;
	u32 size;
	bool calls_fragment;
};

/**
 * beam_function_read() - read the function that was sampled
 * @m: the process's memory
 * @d: where its modules are
 * @first: first word of the frame
 * @second: second word of the frame
 * @ret: set on BEAM_FOUND
 *
 * The module is compared with the cookie before and after reading, as the process runs
 * meanwhile.
 */
enum beam_state beam_function_read(const struct lang_memory *m, const struct lang_beam *d, u64 first,
				   u64 second, struct beam_function *ret);

#endif /* USTACK_USER_LANG_BEAM_FUNCTION_H */
