/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sub of Perl is called, and where a frame is, out of a process's memory. */
#ifndef USTACK_USER_LANG_PERL_FUNCTION_H
#define USTACK_USER_LANG_PERL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/text.h"

/* Bytes of a string that are read; a longer one is cut. */
#define PERL_TEXT 1024u
#define PERL_TEXT_BYTES LANG_TEXT_ROOM(PERL_TEXT)

/* What frames without a sub are called: code of eval, or of a file that is loaded; the program. */
#define PERL_NAME_EVAL "(eval)"
#define PERL_NAME_MAIN "(main)"

/**
 * struct perl_function - a sub or a format
 * @name: as caller() calls it: UTF-8 without control characters
 * @root: of its operations
 */
struct perl_function {
	char name[2 * PERL_TEXT_BYTES + 2];
	uint64_t root;
};

enum perl_function_state {
	PERL_FUNCTION_READ,
	PERL_FUNCTION_STALE,	/* another one is there, or none */
	PERL_FUNCTION_UNREADABLE,	/* there is no memory */
};

/**
 * perl_function_read() - read the sub that was sampled
 * @m: the process
 * @addr: of its code
 * @cookie: that the sample has
 * @ret: filled on PERL_FUNCTION_READ
 *
 * The code is compared with @cookie before and after, as the process runs meanwhile.
 *
 * Return: enum perl_function_state.
 */
enum perl_function_state perl_function_read(const struct lang_memory *m, uint64_t addr,
					    uint32_t cookie, struct perl_function *ret);

/**
 * perl_function_told() - read the name of code that may be gone
 * @m: the process
 * @word: what is told of it
 * @cookie: that the sample has
 * @ret: filled on PERL_FUNCTION_READ
 *
 * Return: enum perl_function_state.
 */
enum perl_function_state perl_function_told(const struct lang_memory *m, const __u64 word[PERL_TOLD_WORDS],
					    uint32_t cookie, struct perl_function *ret);

/* The fingerprint as bpf/lang_perl.bpf.h makes it. Return: PERL_FUNCTION_READ if @ret has it. */
enum perl_function_state perl_function_print(const struct lang_memory *m, uint64_t addr,
					     struct lang_perl_print *ret);

#endif /* USTACK_USER_LANG_PERL_FUNCTION_H */
