/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the runtime of a process by the content of its files, never by their names. */
#ifndef USTACK_USER_LANG_PROCESS_H
#define USTACK_USER_LANG_PROCESS_H

#include "symbols/lang/beam.h"
#include "symbols/lang/cpython.h"
#include "symbols/lang/perl.h"
#include "symbols/lang/php.h"
#include "symbols/lang/ruby.h"
#include "host/process/peek.h"

/* Cache of files that processes have mapped, with the runtimes in them. */
struct lang_files;

/*
 * Return: a cache that lang_files_free() frees; NULL if out of memory. It has a jail for
 * reading memory, see peek.h.
 */
struct lang_files *lang_files_new(void);
void lang_files_free(struct lang_files *f);

/**
 * struct lang_process - what was found in a process
 * @kind: language whose frames are read; LANG_NONE: none are
 * @runtime: runtime of the process, even if its frames are not read; LANG_NONE if none is
 *           known
 * @why: with LANG_NONE in @kind: the reason, a sentence; NULL if it has no known runtime
 * @again: with LANG_NONE in @kind: the result may be another one soon
 * @version: version of @runtime, 0x08022400 for PHP 8.2.36; 0 if not known
 * @mem: memory of the process, open if @kind is set
 * @peek: reads @mem; borrowed from the struct lang_files
 * @found: what the BPF programs need
 * @eval: run-time ranges of the interpreter's function
 * @nr_eval: number of ranges in @eval
 * @inner: run-time ranges of a function that only the interpreter's function calls, and
 *         which is a part of it
 * @nr_inner: number of ranges in @inner
 * @base: run-time ranges of the function that starts the program, if known
 * @nr_base: number of ranges in @base
 * @path: path of the runtime's file as the process sees it, cut to this size
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
 * lang_process_look() - find the runtime of a process
 * @files: cache of files; outlives @ret
 * @pid: the process
 * @ret: result, set in any case; released by lang_process_release()
 */
void lang_process_look(struct lang_files *files, u32 pid, struct lang_process *ret);
void lang_process_release(struct lang_process *p);

/* Memory of @p for the readers; valid as long as @p. */
struct lang_memory lang_process_memory(const struct lang_process *p);

#endif /* USTACK_USER_LANG_PROCESS_H */
