/* SPDX-License-Identifier: GPL-2.0-only */
/* Ruby, as a file has it, and as it is in a process that has the file mapped. */
#ifndef USTACK_USER_LANG_RUBY_H
#define USTACK_USER_LANG_RUBY_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/ruby_machine.h"

/**
 * struct ruby_file - a file that has the interpreter
 * @version: 0x03010200 for 3.1.2; 0: it does not say
 * @refused: why its frames are not read, a sentence; NULL: they are
 * @places: what its machine code says
 * @layout: offsets; what is of a process is filled by ruby_describe()
 * @eval: link-time addresses of the function that is called to run Ruby's code: vm_exec()
 * @nr_eval: number of ranges in @eval
 * @inner: link-time addresses of the function that it has the code run by: vm_exec_core()
 * @nr_inner: number of ranges in @inner, may be 0
 */
struct ruby_file {
	u32 version;
	const char *refused;
	struct ruby_places places;
	struct lang_ruby layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
	struct range inner[EVAL_MAX_RANGES];
	unsigned int nr_inner;
};

/* Return: whether the file is a Ruby, of any version. */
bool ruby_file_read(const struct lang_elf *e, struct ruby_file *ret);

enum ruby_ready {
	RUBY_READY,
	RUBY_NOT_YET,	/* the loader has not come to it */
	RUBY_NEVER,	/* memory that makes no sense */
};

/**
 * ruby_describe() - what programs need to read a process's frames
 * @f: the file
 * @bias: run-time less link-time addresses
 * @libc: the process's C library, with @has_dtv
 * @m: the process
 * @ret: filled on RUBY_READY
 */
enum ruby_ready ruby_describe(const struct ruby_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_ruby *ret);

#endif /* USTACK_USER_LANG_RUBY_H */
