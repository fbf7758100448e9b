/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/show/annotate: disassembles machine code by GNU objdump,
 * which runs in a jail (Documentation/decisions/0026-disassembler.md). It gets
 * the bytes of one function and nothing else of the file. Its text is not
 * trusted.
 */
#ifndef USTACK_USER_ANNOTATE_OBJDUMP_H
#define USTACK_USER_ANNOTATE_OBJDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct ustack_arch;

/*
 * Its limits: seconds of CPU time, seconds by the clock, and bytes of memory.
 */
#define OBJDUMP_SECONDS 60u
#define OBJDUMP_WAIT 180u
#define OBJDUMP_MEMORY (1ull << 30)
/* Size of a line of its text; instructions have fewer than 100 bytes. */
#define OBJDUMP_LINE 512u

/**
 * struct objdump_request - what to disassemble
 * @program: path or name of objdump; NULL is the one for @arch in PATH
 * @arch: architecture of the code
 * @intel: use Intel's syntax on x86
 * @code: the code
 * @len: number of bytes in @code
 * @address: link-time address of the first byte
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
 * @text: text as objdump prints it, without NUL; "(bad)" for bytes that are no
 *	instruction
 * @len: number of bytes in @text
 */
struct objdump_line {
	uint64_t address;
	const char *text;
	size_t len;
};

/* Parses a line without its newline. Return: whether it is an instruction. */
bool objdump_line(const char *line, size_t len, struct objdump_line *ret);

/**
 * objdump_reference() - find the address that an instruction refers to
 * @text: text of an instruction
 * @len: number of bytes in @text
 * @at: on true: offset in @text where the address begins. A name can be added
 *	there; objdump does not know it, because it sees bytes without symbols
 * @end: on true: offset after the address
 * @address: on true: the address
 *
 * Finds targets of jumps and calls, and the addresses of x86's "(%rip)" and of
 * arm64's adrp, adr and ldr; constants are not addresses.
 *
 * Return: whether there is one.
 */
bool objdump_reference(const char *text, size_t len, size_t *at, size_t *end, uint64_t *address);

/**
 * objdump_run() - disassemble
 * @q: what to disassemble
 * @take: called for each instruction, in ascending order of addresses within
 *	the code; any result but 0 ends it
 * @arg: passed to @take
 * @diag: may be NULL
 *
 * Return: 0; what @take returned; -ENOENT: no objdump for the architecture;
 * -EBADMSG: it failed, took too long, or printed something else than was asked
 * for; another negative errno.
 */
int objdump_run(const struct objdump_request *q,
		int (*take)(const struct objdump_line *line, void *arg), void *arg,
		struct diag *diag);

#endif /* USTACK_USER_ANNOTATE_OBJDUMP_H */
