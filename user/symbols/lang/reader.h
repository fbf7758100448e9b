/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the sampler's BPF programs about language runtimes, and names the frames that
 * they read. A thread looks at each process that the programs ask about, publishes how
 * its frames are read, and reads the names of new functions while the process is still
 * there.
 *
 *	BPF program -> wish -> thread: process -> lang_procs
 *	                       thread: frame -> name, file, line table -> cache
 *	drained words -> lang_reader_stack() -> names, lines
 *
 * Names are found by process (number, start time, count of execs) and by both words of a
 * frame. An address that is used again has another cookie; a function that was not read
 * in time has no name.
 */
#ifndef USTACK_USER_LANG_READER_H
#define USTACK_USER_LANG_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang.h"
#include "util/diag.h"
#include "util/range.h"

struct lang_reader;

/*
 * Names of frames whose function could not be read: another object is at its address by
 * now, or the process ended before.
 */
#define LANG_NAME_STALE "[stale]"
#define LANG_NAME_GONE "[gone]"

/**
 * struct lang_frame - a function that was running
 * @name: qualified name
 * @file: path of its source file, or ""
 * @line: current line, 0 if not known
 * @start_line: line of its definition, or 0
 * @entry: the interpreter's function was called for this frame
 * @in_c: this is a C function, which the interpreter's function does not run
 * @hidden: not a function and without a name: C code has called the interpreter's
 *          function for the frames before this one, or for the code of the next one
 * @base: the main program, which the function in @base of the stack starts. In threads,
 *        and in what other programs call, it is the outermost frame though nothing runs
 *        it
 */
struct lang_frame {
	const char *name;
	const char *file;
	uint32_t line;
	uint32_t start_line;
	bool entry;
	bool in_c;
	bool hidden;
	bool base;
};

/**
 * struct lang_stack - the frames of a thread
 * @kind: language of all frames; LANG_NONE if there are none
 * @fate: how the chain of frames ended
 * @native: for a language whose frames are native ones: address of the frame of the thread's own
 *          stack from which on @frame takes its place; else 0
 * @keeps_native: keep the frame at @native, because the innermost function is not known
 * @frame: frames, innermost first
 * @nr: number of @frame
 * @eval: ranges of the interpreter's function. A native frame in them stands for frames
 *        of @frame, from the innermost one not yet used up to the next one with @entry
 * @nr_eval: number of ranges in @eval
 * @inner: ranges of a function that only the interpreter's function calls, and which is a
 *         part of it
 * @nr_inner: number of ranges in @inner
 * @reruns: the function in @inner calls the interpreter's function again, for the same
 *          frames
 * @base: ranges of the function that starts the program
 * @nr_base: number of ranges in @base
 */
struct lang_stack {
	enum lang_kind kind;
	enum lang_fate fate;
	uint64_t native;
	bool keeps_native;
	const struct lang_frame *frame;
	size_t nr;
	const struct range *eval;
	size_t nr_eval;
	const struct range *inner;
	size_t nr_inner;
	bool reruns;
	const struct range *base;
	size_t nr_base;
};

/**
 * lang_reader_new() - start answering
 * @procs: descriptor of the BPF map lang_procs; borrowed
 * @wishes: descriptor of the BPF ring buffer lang_wishes; borrowed
 * @ret: the reader; released by lang_reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int lang_reader_new(int procs, int wishes, struct lang_reader **ret, struct diag *diag);
void lang_reader_free(struct lang_reader *r);

/**
 * lang_reader_stack() - name the frames of a stack
 * @r: the reader
 * @tgid: number of the process
 * @word: words as the BPF programs wrote them, the head last
 * @nr: number of words
 * @ret: set if 1 is returned; valid until the next call
 *
 * Context: one thread at a time.
 *
 * Return: 1; 0 if there are no frames; -ENOMEM; -EPROTO if the BPF programs cannot have
 * written the words.
 */
int lang_reader_stack(struct lang_reader *r, uint32_t tgid, const uint64_t *word, size_t nr,
		      struct lang_stack *ret);

/*
 * Called after a window: drops processes that have ended, and all functions if there are
 * too many.
 */
void lang_reader_trim(struct lang_reader *r);

#endif /* USTACK_USER_LANG_READER_H */
