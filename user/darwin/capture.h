/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captured stacks of Darwin processes: registers of threads, memory, and which image was
 * where, as text. A line is a word and what belongs to it; '#' begins a comment.
 *
 *	arch arm64
 *	imagemap BASE64
 *	image 0x100000000 0x100004000 UUID|- PATH
 *	memory 0x16fdff000 hex 00f0df6f01000000...
 *	memory 0x16fdff000 base64 APDfbwEAAAA...
 *	memory 0x16fdff000 file stack.bin
 *	thread main
 *	register pc 0x100003f50
 *
 * ustack-macho-unwind(1) has all of it. Everything is untrusted.
 *
 * Context: one thread at a time while it is read; read-only afterwards.
 */
#ifndef USTACK_USER_DARWIN_CAPTURE_H
#define USTACK_USER_DARWIN_CAPTURE_H

#include "darwin/unwind_step.h"
#include "formats/imagemap/imagemap.h"

/* Bytes of a capture, and of a file that it names. */
#define CAPTURE_MAX_BYTES (256u << 20)

/**
 * struct capture_memory - memory that was captured
 * @addr: of the first byte
 * @bytes: what is there
 * @len: number of @bytes
 * @next: one more than the number of the same thread's, or everybody's, that came before;
 *        0 for none
 */
struct capture_memory {
	uint64_t addr;
	uint8_t *bytes;
	size_t len;
	size_t next;
};

/**
 * struct capture_thread - a thread
 * @name: "" if it has none; may have blanks
 * @regs: of its innermost frame
 * @has_pc: @regs.pc was there
 * @has_sp: @regs.sp was
 * @memory: its own memory that came last, as struct capture_memory's @next
 */
struct capture_thread {
	char *name;
	struct unwind_regs regs;
	bool has_pc;
	bool has_sp;
	size_t memory;
};

/**
 * struct capture - all of it
 * @arch: of the process
 * @has_arch: it was said
 * @map: images, in order
 * @threads: in order
 * @nr_threads: number of them
 * @common: memory in front of the first thread, as @memory of one
 *
 * The others are private.
 */
struct capture {
	enum unwind_arch arch;
	bool has_arch;
	struct imagemap map;
	struct capture_thread *threads;
	size_t nr_threads;
	size_t common;

	size_t threads_room;
	struct capture_memory *memory;
	size_t nr_memory;
	size_t memory_room;
};

#define CAPTURE_INIT { .map = IMAGEMAP_INIT }

/**
 * capture_read() - read a capture
 * @text: @len bytes; overwritten
 * @len: up to CAPTURE_MAX_BYTES
 * @name: for messages; borrowed
 * @load: gives all of a file that a line names: allocates @bytes, sets @len. Return: 0 or
 *        a negative errno, which it has said. NULL: such lines are refused
 * @arg: for @load
 * @ret: holds CAPTURE_INIT; to be released in either case
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with the line of what is wrong; -E2BIG; -ENOMEM; what @load returns.
 */
int capture_read(char *text, size_t len, const char *name,
		 int (*load)(void *arg, const char *file, uint8_t **bytes, size_t *len,
			     struct diag *diag),
		 void *arg, struct capture *ret, struct diag *diag);
void capture_release(struct capture *c);

/**
 * capture_word() - a word of a thread's memory
 * @c: read
 * @t: the thread: its own memory first, what came last first
 * @addr: any
 * @size: 4 or 8
 * @ret: on true
 *
 * Return: whether it was captured, in one piece.
 */
bool capture_word(const struct capture *c, const struct capture_thread *t, uint64_t addr,
		  unsigned int size, uint64_t *ret);

#endif /* USTACK_USER_DARWIN_CAPTURE_H */
