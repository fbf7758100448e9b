/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function of PHP is called and where it is, out of a process's memory. */
#ifndef USTACK_USER_LANG_PHP_FUNCTION_H
#define USTACK_USER_LANG_PHP_FUNCTION_H

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/text.h"

/* Bytes of a string that are read; a longer one is cut. */
#define PHP_TEXT 1024u
#define PHP_TEXT_BYTES LANG_TEXT_ROOM(PHP_TEXT)

/* What code outside of functions is called: a file's, that of eval(). */
#define PHP_NAME_FILE "{include}"
#define PHP_NAME_EVAL "{eval}"
/* The same of the outermost frame. */
#define PHP_NAME_MAIN "{main}"

/**
 * struct php_function - a function
 * @name: "Class::method", "function", or one of the names above: UTF-8 without control characters
 * @file: of its source; "" of a function that is written in C
 * @first_line: of its definition; 0 of a function that is written in C
 */
struct php_function {
	char name[2 * PHP_TEXT_BYTES + 2];
	char file[PHP_TEXT_BYTES];
	uint32_t first_line;
};

enum php_function_state {
	PHP_FUNCTION_READ,
	PHP_FUNCTION_STALE,	/* another one is there, or none */
	PHP_FUNCTION_UNREADABLE,	/* there is no memory */
};

/**
 * php_function_read() - read the function that was sampled
 * @m: the process
 * @d: of its version
 * @addr: of the function
 * @cookie: that the sample has
 * @ret: filled on PHP_FUNCTION_READ
 *
 * Return: enum php_function_state.
 */
enum php_function_state php_function_read(const struct lang_memory *m, const struct lang_php *d,
					  uint64_t addr, uint32_t cookie, struct php_function *ret);

/**
 * php_function_told() - read the names of a function that may be gone
 * @m: the process
 * @word: addresses of its name, its class and its file's name; its lines; its type
 * @cookie: that the sample has
 * @ret: filled on PHP_FUNCTION_READ
 *
 * Return: enum php_function_state.
 */
enum php_function_state php_function_told(const struct lang_memory *m, const __u64 word[5],
					  uint32_t cookie, struct php_function *ret);

/* The fingerprint as bpf/lang_php.bpf.h makes it. Return: PHP_FUNCTION_READ if @ret has it. */
enum php_function_state php_function_print(const struct lang_memory *m, const struct lang_php *d,
					   uint64_t addr, struct lang_php_print *ret);

#endif /* USTACK_USER_LANG_PHP_FUNCTION_H */
