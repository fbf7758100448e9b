/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captured stacks of Darwin processes as text: registers of threads, memory, and addresses of
 * images. A line is a word and its arguments; '#' begins a comment.
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
 * ustack-macho-unwind(1) describes all of it. Everything is untrusted.
 *
 * Context: one thread at a time while it is read; read-only afterwards.
 */
#ifndef USTACK_USER_DARWIN_CAPTURE_H
#define USTACK_USER_DARWIN_CAPTURE_H

#include "darwin/unwind_step.h"
#include "formats/imagemap/imagemap.h"

/* Largest capture in bytes, and largest file that it names. */
#define CAPTURE_MAX_BYTES (256u << 20)

/**
 * struct capture_memory - a piece of captured memory
 * @addr: address of the first byte
 * @bytes: contents
 * @len: number of @bytes
 * @next: index + 1 of the previous piece of the same thread, or of all threads; 0 for none
 */
struct capture_memory {
	uint64_t addr;
	uint8_t *bytes;
	size_t len;
	size_t next;
};

/**
 * struct capture_thread - a thread
 * @name: name of the thread, "" if it has none; may have blanks
 * @regs: registers of its innermost frame
 * @has_pc: @regs.pc was captured
 * @has_sp: @regs.sp was captured
 * @memory: index + 1 of the last piece of its own memory, the first in a list by @next
 */
struct capture_thread {
	char *name;
	struct unwind_regs regs;
	bool has_pc;
	bool has_sp;
	size_t memory;
};

/**
 * struct capture - a whole capture
 * @arch: architecture of the process
 * @has_arch: @arch has been read
 * @map: images, sorted
 * @threads: threads, in the order of the text
 * @nr_threads: number of @threads
 * @common: index + 1 of the last piece of memory before the first thread, as for threads
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
 * @text: the capture, @len bytes; overwritten
 * @len: number of bytes, up to CAPTURE_MAX_BYTES
 * @name: for messages; borrowed
 * @load: reads a whole file that a line names: allocates @bytes, sets @len. Return: 0 or
 *        a negative errno, with the diag filled. NULL: such lines are refused
 * @arg: for @load
 * @ret: holds CAPTURE_INIT; the caller releases it in either case
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with the number of the wrong line; -E2BIG; -ENOMEM; what @load returns.
 */
int capture_read(char *text, size_t len, const char *name,
		 int (*load)(void *arg, const char *file, uint8_t **bytes, size_t *len,
			     struct diag *diag),
		 void *arg, struct capture *ret, struct diag *diag);
void capture_release(struct capture *c);

/**
 * capture_word() - read a word of a thread's memory
 * @c: the capture
 * @t: the thread; its own memory comes first, and of that the last piece
 * @addr: any address
 * @size: 4 or 8
 * @ret: written if true is returned
 *
 * Return: whether the word was captured, in one piece.
 */
bool capture_word(const struct capture *c, const struct capture_thread *t, uint64_t addr,
		  unsigned int size, uint64_t *ret);

#endif /* USTACK_USER_DARWIN_CAPTURE_H */
