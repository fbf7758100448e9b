/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a frame of Perl is: the file and the line of a statement, out of a process's memory. */
#ifndef USTACK_USER_LANG_PERL_PLACE_H
#define USTACK_USER_LANG_PERL_PLACE_H

#include "symbols/lang/perl_function.h"

/**
 * struct perl_place - a place
 * @file: of its source: UTF-8 without control characters
 * @line: as caller() says it; 0: that of the statement, which the sample has
 * @root: of the operations that the statement is one of; 0 if it was not looked for
 */
struct perl_place {
	char file[PERL_TEXT_BYTES];
	uint32_t line;
	uint64_t root;
};

/**
 * perl_place_read() - read the place that was sampled
 * @m: the process
 * @d: of its version
 * @first: first word of the place
 * @second: second word of the place
 * @ret: filled on PERL_FUNCTION_READ
 *
 * Perl leaves out the first statement of a block that needs no scope of its own: what runs there is
 * at the statement around it. What is left of it in the tree of operations has its line.
 *
 * Return: enum perl_function_state; PERL_FUNCTION_STALE also where the tree makes no sense.
 */
enum perl_function_state perl_place_read(const struct lang_memory *m, const struct lang_perl *d,
					 uint64_t first, uint64_t second, struct perl_place *ret);

/* The fingerprint as bpf/lang_perl.bpf.h makes it. Return: PERL_FUNCTION_READ if @ret has it. */
enum perl_function_state perl_place_print(const struct lang_memory *m, const struct lang_perl *d,
					  uint64_t addr, struct lang_perl_print *ret);

#endif /* USTACK_USER_LANG_PERL_PLACE_H */
