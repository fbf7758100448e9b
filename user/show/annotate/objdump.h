/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/show/annotate: machine code as text, by GNU objdump, which is run in a jail
 * (Documentation/decisions/0026-disassembler.md). It gets the bytes of one function and
 * nothing else of the file, and its text is looked at as that of a stranger.
 */
#ifndef USTACK_USER_ANNOTATE_OBJDUMP_H
#define USTACK_USER_ANNOTATE_OBJDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct ustack_arch;

/* Seconds of CPU time and by the clock, and bytes of memory that it may take. */
#define OBJDUMP_SECONDS 60u
#define OBJDUMP_WAIT 180u
#define OBJDUMP_MEMORY (1ull << 30)
/* Bytes of a line of its text; those of instructions have fewer than 100. */
#define OBJDUMP_LINE 512u

/**
 * struct objdump_request - what is disassembled
 * @program: path or name of objdump; NULL is the one for @arch that PATH has
 * @arch: of the code
 * @intel: x86 in Intel's syntax
 * @code: @len bytes
 * @len: of @code
 * @address: link-time address of the first
 */
struct objdump_request {
	const char *program;
	const struct ustack_arch *arch;
	bool intel;
	const uint8_t *code;
	size_t len;
	uint64_t address;
};

/**
 * struct objdump_line - an instruction
 * @address: link-time address
 * @text: @len bytes without NUL, as objdump has them; "(bad)" of bytes that are none
 * @len: of @text
 */
struct objdump_line {
	uint64_t address;
	const char *text;
	size_t len;
};

/* Reads a line without its newline. Return: whether it is that of an instruction. */
bool objdump_line(const char *line, size_t len, struct objdump_line *ret);

/**
 * objdump_reference() - an address that an instruction refers to
 * @text: of an instruction; @len bytes
 * @len: of @text
 * @at: on true: where the address begins: a name can stand beside it, which objdump does not know,
 *      as it sees bytes without symbols
 * @end: on true: what follows it
 * @address: on true: the address
 *
 * Where a jump or a call goes, and what x86's "(%rip)" and arm64's adrp, adr and ldr mean; no
 * constants.
 *
 * Return: whether there is one.
 */
bool objdump_reference(const char *text, size_t len, size_t *at, size_t *end, uint64_t *address);

/**
 * objdump_run() - disassemble
 * @q: what
 * @take: is called for each instruction, in ascending order of addresses within the code; not 0
 *        ends it
 * @arg: for @take
 * @diag: may be NULL
 *
 * Return: 0; what @take returned; -ENOENT: there is no objdump that knows the architecture; -EBADMSG:
 * it did not end well or in time, or says something else than it was asked for; another negative errno.
 */
int objdump_run(const struct objdump_request *q,
		int (*take)(const struct objdump_line *line, void *arg), void *arg,
		struct diag *diag);

#endif /* USTACK_USER_ANNOTATE_OBJDUMP_H */
