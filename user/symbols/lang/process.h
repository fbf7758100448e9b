/* SPDX-License-Identifier: GPL-2.0-only */
/* Which runtime a process has: found by what its files have in them, never by their names. */
#ifndef USTACK_USER_LANG_PROCESS_H
#define USTACK_USER_LANG_PROCESS_H

#include "symbols/lang/cpython.h"
#include "symbols/lang/perl.h"
#include "symbols/lang/php.h"
#include "symbols/lang/ruby.h"
#include "host/process/peek.h"

/* What is known of files that processes have mapped. */
struct lang_files;

/* Return: freed by lang_files_free(); NULL without memory. It has a jail, see peek.h. */
struct lang_files *lang_files_new(void);
void lang_files_free(struct lang_files *f);

/**
 * struct lang_process - a process that was looked at
 * @kind: LANG_NONE: no frames are read of it
 * @why: with LANG_NONE: why not, a sentence; NULL if it has no runtime that is known here
 * @again: with LANG_NONE: it may be otherwise soon
 * @runtime: which one it has, also where its frames are not read; LANG_NONE: none is known here
 * @version: of @runtime, 0x08022400 for PHP 8.2.36; 0 if that is not known
 * @mem: its memory
 * @peek: reads @mem; of the files that it was looked at with
 * @found: for the programs
 * @eval: addresses of the interpreter's function, in the process
 * @nr_eval: of them
 * @inner: addresses of a function that the interpreter's calls and that is a part of it
 * @nr_inner: of them
 * @base: addresses of the function that has the interpreter's run the program, where that is known
 * @nr_base: of them
 * @path: of the runtime's file, as the process sees it; cut if it is longer
 */
struct lang_process {
	enum lang_kind kind;
	enum lang_kind runtime;
	const char *why;
	bool again;
	u32 version;
	struct peek_memory mem;
	struct peek *peek;
	union lang_found found;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
	struct range inner[EVAL_MAX_RANGES];
	unsigned int nr_inner;
	struct range base[EVAL_MAX_RANGES];
	unsigned int nr_base;
	char path[256];
};

/**
 * lang_process_look() - look at a process
 * @files: learns; outlives @ret
 * @pid: the process
 * @ret: released by lang_process_release() in any case
 */
void lang_process_look(struct lang_files *files, u32 pid, struct lang_process *ret);
void lang_process_release(struct lang_process *p);

/* Its memory, which @p->mem is of. */
struct lang_memory lang_process_memory(const struct lang_process *p);

#endif /* USTACK_USER_LANG_PROCESS_H */
