/* SPDX-License-Identifier: GPL-2.0-only */
/* Perl, as a file has it, and as it is in a process that has the file mapped. */
#ifndef USTACK_USER_LANG_PERL_H
#define USTACK_USER_LANG_PERL_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"

/**
 * struct perl_file - a file that has the interpreter
 * @version: 0x05240000 for 5.36.0; 0: it does not say
 * @refused: why its frames are not read, a sentence; NULL: they are
 * @key: link-time address of PL_thr_key: the key that has a thread's interpreter
 * @first: link-time address of PL_curinterp: the first interpreter
 * @phase: in an interpreter, how far it has come
 * @layout: offsets; the key is filled by perl_describe()
 * @eval: link-time addresses of the function that runs Perl's code: Perl_runops_standard()
 * @nr_eval: number of ranges in @eval
 * @inner: link-time addresses of the function that has it run on within itself: docatch()
 * @nr_inner: number of ranges in @inner, may be 0
 * @base: link-time addresses of the function that has the program run: perl_run()
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

enum perl_ready {
	PERL_READY,
	PERL_NOT_YET,	/* no interpreter has been made */
	PERL_NEVER,	/* memory that makes no sense */
};

/**
 * perl_describe() - what programs need to read a process's frames
 * @f: the file
 * @bias: run-time less link-time addresses
 * @libc: the process's C library
 * @m: the process
 * @ret: filled on PERL_READY
 */
enum perl_ready perl_describe(const struct perl_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_perl *ret);

#endif /* USTACK_USER_LANG_PERL_H */
