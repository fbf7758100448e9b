/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the names of Perl's subs from a process's memory. */
#ifndef USTACK_USER_LANG_PERL_FUNCTION_H
#define USTACK_USER_LANG_PERL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/text.h"

/* Bytes that are read of a string; a longer one is cut. */
#define PERL_TEXT 1024u
#define PERL_TEXT_BYTES LANG_TEXT_ROOM(PERL_TEXT)

/* Names of frames without a sub: code of eval or of a loaded file; the main program. */
#define PERL_NAME_EVAL "(eval)"
#define PERL_NAME_MAIN "(main)"

/**
 * struct perl_function - a sub or a format
 * @name: name as caller() returns it: UTF-8 without control characters
 * @root: address of the root of its operations
 */
struct perl_function {
	char name[2 * PERL_TEXT_BYTES + 2];
	uint64_t root;
};

enum perl_function_state {
	PERL_FUNCTION_READ,
	PERL_FUNCTION_STALE,	/* another sub is at the address, or none */
	PERL_FUNCTION_UNREADABLE,	/* the memory is missing */
};

/**
 * perl_function_read() - read the sub that was sampled
 * @m: the process's memory
 * @addr: address of its code
 * @cookie: fingerprint of the sub in the sample
 * @ret: set on PERL_FUNCTION_READ
 *
 * The code is compared with @cookie before and after reading, as the process runs
 * meanwhile.
 *
 * Return: enum perl_function_state.
 */
enum perl_function_state perl_function_read(const struct lang_memory *m, uint64_t addr,
					    uint32_t cookie, struct perl_function *ret);

/**
 * perl_function_from_words() - read the name of a sub that may be freed already
 * @m: the process's memory
 * @word: the sub's words, as a BPF program has sent them
 * @cookie: fingerprint of the sub in the sample
 * @ret: set on PERL_FUNCTION_READ
 *
 * Return: enum perl_function_state.
 */
enum perl_function_state perl_function_from_words(const struct lang_memory *m, const __u64 word[PERL_TOLD_WORDS],
					    uint32_t cookie, struct perl_function *ret);

/*
 * Computes the fingerprint as bpf/lang_perl.bpf.h does. Return: PERL_FUNCTION_READ if
 * @ret has it.
 */
enum perl_function_state perl_function_print(const struct lang_memory *m, uint64_t addr,
					     struct lang_perl_print *ret);

#endif /* USTACK_USER_LANG_PERL_FUNCTION_H */
