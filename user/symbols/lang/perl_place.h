/* SPDX-License-Identifier: GPL-2.0-only */
/* The place of a frame of Perl: file and line of a statement, from a process's memory. */
#ifndef USTACK_USER_LANG_PERL_PLACE_H
#define USTACK_USER_LANG_PERL_PLACE_H

#include "symbols/lang/perl_function.h"

/**
 * struct perl_place - a place
 * @file: path of the source file: UTF-8 without control characters
 * @line: line as caller() returns it; 0: the line of the statement, which is in the
 *        sample
 * @root: root of the operations that the statement belongs to; 0 if it was not searched
 */
struct perl_place {
	char file[PERL_TEXT_BYTES];
	uint32_t line;
	uint64_t root;
};

/**
 * perl_place_read() - read the place that was sampled
 * @m: the process's memory
 * @d: structures of its version
 * @first: first word of the place
 * @second: second word of the place
 * @ret: set on PERL_FUNCTION_READ
 *
 * Perl leaves out the first statement of a block that needs no scope of its own, so what
 * runs there seems to run at the statement around it. The tree still has an operation
 * with the line of the omitted statement.
 *
 * Return: enum perl_function_state; also PERL_FUNCTION_STALE if the tree is invalid.
 */
enum perl_function_state perl_place_read(const struct lang_memory *m, const struct lang_perl *d,
					 uint64_t first, uint64_t second, struct perl_place *ret);

/*
 * Computes the fingerprint as bpf/lang_perl.bpf.h does. Return: PERL_FUNCTION_READ if
 * @ret has it.
 */
enum perl_function_state perl_place_print(const struct lang_memory *m, const struct lang_perl *d,
					  uint64_t addr, struct lang_perl_print *ret);

#endif /* USTACK_USER_LANG_PERL_PLACE_H */
