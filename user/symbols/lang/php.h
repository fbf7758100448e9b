/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds PHP in a file, and in a process that has mapped the file. */
#ifndef USTACK_USER_LANG_PHP_H
#define USTACK_USER_LANG_PHP_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/memory.h"

/**
 * struct php_file - a file with the interpreter
 * @version: 0x08022400 for 8.2.36; 0 if not known
 * @refused: the reason why frames are not read, a sentence; NULL if they are read
 * @is_x86: the file has code of x86-64
 * @globals: link-time address of executor_globals
 * @layout: offsets; php_describe() sets @current
 * @eval: link-time ranges of the function that runs PHP code
 * @nr_eval: number of ranges in @eval
 */
struct php_file {
	u32 version;
	const char *refused;
	bool is_x86;
	u64 globals;
	struct lang_php layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
};

/* Return: whether the file is a PHP, of any version. */
bool php_file_read(const struct lang_elf *e, struct php_file *ret);

/**
 * php_describe() - find what the BPF programs need to read a process's frames
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @m: the process's memory
 * @ret: set if true is returned
 *
 * Return: false while PHP has not begun its first request. Until then extensions may
 * start, among them the JIT's.
 */
bool php_describe(const struct php_file *f, u64 bias, const struct lang_memory *m,
		  struct lang_php *ret);

/**
 * php_describe_jit() - the same for a process with a JIT
 * @f: the file that the process has mapped
 * @bias: run-time address minus link-time address
 * @ret: what php_describe() has found; changed
 *
 * Return: false if it is not known what code of the JIT leaves in registers.
 */
bool php_describe_jit(const struct php_file *f, u64 bias, struct lang_php *ret);

#endif /* USTACK_USER_LANG_PHP_H */
