/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who answers the sampler's programs about languages, and names the frames that they read. A
 * thread looks at each process that they ask for, publishes how its frames are read, and reads
 * what new frames are called while the process is there.
 *
 *	program -> wish -> thread: process -> lang_procs
 *	                   thread: frame -> name, file, table of lines -> cache
 *	drained words -> lang_reader_stack() -> names, lines
 *
 * Names are found by process (number, start, execs) and by both words of a frame: an address that
 * is used again has another cookie, and what was not read in time has no name.
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

/* What a frame has in place of a name: another object is at its address by now; its process was
 * gone before it was read.
 */
#define LANG_NAME_STALE "[stale]"
#define LANG_NAME_GONE "[gone]"

/**
 * struct lang_frame - a function that was running
 * @name: qualified
 * @file: of its source, or ""
 * @line: 0 if there is none
 * @start_line: of its definition, or 0
 * @entry: the interpreter's function was called for it
 * @in_c: it is known to be a function in C, which the interpreter's function does not run
 * @hidden: it is no function: the interpreter's was called for the frames before, or for code of the
 *	one after, and it has no name
 * @base: it is the program, which @base of the stack has the interpreter's function run; may be run
 *	by nothing, where threads, and what other programs call, have it as their outermost frame
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
 * @kind: of all of them; LANG_NONE where there are none
 * @fate: how the chain ended
 * @frame: innermost first
 * @nr: of them
 * @eval: addresses of the interpreter's function: who runs in there runs frames of @frame, from
 *	the innermost one to the next one that is an entry
 * @nr_eval: of them
 * @inner: addresses of a function that is called by the interpreter's alone and is a part of it
 * @nr_inner: of them
 * @reruns: this function calls the interpreter's again, for the same frames
 * @base: addresses of the function that has the interpreter's run the program
 * @nr_base: of them
 */
struct lang_stack {
	enum lang_kind kind;
	enum lang_fate fate;
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
 * lang_reader_new() - begin to answer
 * @procs: descriptor of the programs' map lang_procs; borrowed
 * @wishes: of their ring lang_wishes; borrowed
 * @ret: released by lang_reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int lang_reader_new(int procs, int wishes, struct lang_reader **ret, struct diag *diag);
void lang_reader_free(struct lang_reader *r);

/**
 * lang_reader_stack() - name the frames of a stack
 * @r: the reader
 * @tgid: process
 * @word: slots as the programs filled them, the head last
 * @nr: of them
 * @ret: valid until the next call; written on 1
 *
 * Context: one thread at a time.
 *
 * Return: 1; 0 if there are no frames; -ENOMEM; -EPROTO if the words are none of the programs'.
 */
int lang_reader_stack(struct lang_reader *r, uint32_t tgid, const uint64_t *word, size_t nr,
		      struct lang_stack *ret);

/* After a window: forgets processes that have gone, and more if it has too much. */
void lang_reader_trim(struct lang_reader *r);

#endif /* USTACK_USER_LANG_READER_H */
