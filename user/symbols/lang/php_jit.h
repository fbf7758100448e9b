/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the buffer of PHP's JIT in a process: the end of opcache's shared memory. Its last two
 * words are two addresses within it, the end of the code that is there so far and the end of
 * the code that is made before the first request (zend_jit_startup() in PHP's sources). Nothing
 * else tells reliably whether there is a JIT: while it compiles, the buffer is not executable.
 */
#ifndef USTACK_USER_LANG_PHP_JIT_H
#define USTACK_USER_LANG_PHP_JIT_H

#include "host/process/made_code.h"
#include "symbols/lang/memory.h"
#include "util/range.h"

/* Limit for pieces of shared memory that are looked at; opcache has one. */
#define PHP_JIT_MEMORIES 8u

/* Name of shared memory that no file belongs to, in /proc/PID/maps. */
#define PHP_JIT_MAPPED "/dev/zero (deleted)"

/**
 * php_jit_find() - find the JIT's buffer
 * @shared: pieces of shared memory without a file: addresses in the process
 * @nr: number of @shared
 * @m: the process's memory
 * @ret: the piece that ends with the buffer; written on success only
 *
 * Return: whether there is one.
 */
bool php_jit_find(const struct range *shared, unsigned int nr, const struct lang_memory *m,
		  struct range *ret);

/*
 * A made_code_find: the JIT's code of x86-64 runs in the frame of the interpreter's function.
 * Context: any thread; reads files of the process.
 */
enum made_code_answer php_jit_code(struct made_code *c);

#endif /* USTACK_USER_LANG_PHP_JIT_H */
