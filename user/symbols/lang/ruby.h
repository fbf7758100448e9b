/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds Ruby in a file, and in a process that has mapped the file. */
#ifndef USTACK_USER_LANG_RUBY_H
#define USTACK_USER_LANG_RUBY_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/ruby_machine.h"

/**
 * struct ruby_file - a file with the interpreter
 * @version: 0x03010200 for 3.1.2; 0 if not known
 * @refused: the reason why frames are not read, a sentence; NULL if they are read
 * @places: addresses found in its machine code
 * @object: link-time address of the variable with the class Object; 0 if it is not
 *          exported
 * @layout: offsets; ruby_describe() adds what depends on the process
 * @eval: link-time ranges of the function that is called to run Ruby code: vm_exec()
 * @nr_eval: number of ranges in @eval
 * @inner: link-time ranges of vm_exec_core(), which vm_exec() calls to run the code
 * @nr_inner: number of ranges in @inner, may be 0
 */
struct ruby_file {
	u32 version;
	const char *refused;
	struct ruby_places places;
	u64 object;
	struct lang_ruby layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
	struct range inner[EVAL_MAX_RANGES];
	unsigned int nr_inner;
};

/* Return: whether the file is a Ruby, of any version. */
bool ruby_file_read(const struct lang_elf *e, struct ruby_file *ret);

/**
 * ruby_describe() - find what the BPF programs need to read a process's frames
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @libc: the process's C library, with @has_dtv
 * @m: the process's memory
 * @ret: set on LANG_READY
 */
enum lang_ready ruby_describe(const struct ruby_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_ruby *ret);

#endif /* USTACK_USER_LANG_RUBY_H */
