/* SPDX-License-Identifier: GPL-2.0-only */
/* PHP, as a file has it, and as it is in a process that has the file mapped. */
#ifndef USTACK_USER_LANG_PHP_H
#define USTACK_USER_LANG_PHP_H

#include "lang.h"
#include "symbols/lang/elf.h"
#include "symbols/lang/eval_ranges.h"
#include "symbols/lang/memory.h"

/**
 * struct php_file - a file that has the interpreter
 * @version: 0x08022400 for 8.2.36; 0: it does not say
 * @refused: why its frames are not read, a sentence; NULL: they are
 * @globals: link-time address of executor_globals
 * @layout: offsets; its @current is filled by php_describe()
 * @eval: link-time addresses of the function that runs PHP's code
 * @nr_eval: number of ranges in @eval
 */
struct php_file {
	u32 version;
	const char *refused;
	u64 globals;
	struct lang_php layout;
	struct range eval[EVAL_MAX_RANGES];
	unsigned int nr_eval;
};

/* Return: whether the file is a PHP, of any version. */
bool php_file_read(const struct lang_elf *e, struct php_file *ret);

/**
 * php_describe() - what programs need to read a process's frames
 * @f: the file
 * @bias: run-time less link-time addresses
 * @m: the process
 * @ret: filled on true
 *
 * Return: false while PHP has not begun its first request. Until then extensions may start, among
 * them the one that has the JIT.
 */
bool php_describe(const struct php_file *f, u64 bias, const struct lang_memory *m,
		  struct lang_php *ret);

#endif /* USTACK_USER_LANG_PHP_H */
