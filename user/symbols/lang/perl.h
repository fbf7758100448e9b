/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds Perl in a file, and in a process that has mapped the file. */
#ifndef USTACK_USER_LANG_PERL_H
#define USTACK_USER_LANG_PERL_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"

/**
 * struct perl_file - a file with the interpreter
 * @version: 0x05240000 for 5.36.0; 0 if not known
 * @refused: the reason why frames are not read, a sentence; NULL if they are read
 * @key: link-time address of PL_thr_key, the key of a thread's interpreter
 * @first: link-time address of PL_curinterp, the first interpreter
 * @phase: offset in an interpreter of its phase of life
 * @layout: offsets; perl_describe() adds the key
 * @eval: link-time ranges of the function that runs Perl code: Perl_runops_standard()
 * @nr_eval: number of ranges in @eval
 * @inner: link-time ranges of docatch(), through which the function in @eval calls itself
 * @nr_inner: number of ranges in @inner, may be 0
 * @base: link-time ranges of the function that starts the program: perl_run()
 * @nr_base: number of ranges in @base
 */
struct perl_file {
	u32 version;
	const char *refused;
	u64 key;
	u64 first;
	u32 phase;
	struct lang_perl layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
	struct range inner[EVAL_MAX_RANGES];
	unsigned int nr_inner;
	struct range base[EVAL_MAX_RANGES];
	unsigned int nr_base;
};

/* Return: whether the file is a Perl, of any version. */
bool perl_file_read(const struct lang_elf *e, struct perl_file *ret);

/**
 * perl_describe() - find what the BPF programs need to read a process's frames
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @libc: the process's C library
 * @m: the process's memory
 * @ret: set on LANG_READY
 */
enum lang_ready perl_describe(const struct perl_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_perl *ret);

#endif /* USTACK_USER_LANG_PERL_H */
