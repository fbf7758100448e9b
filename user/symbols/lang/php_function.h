/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the names and places of PHP's functions from a process's memory. */
#ifndef USTACK_USER_LANG_PHP_FUNCTION_H
#define USTACK_USER_LANG_PHP_FUNCTION_H

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/text.h"

/* Bytes that are read of a string; a longer one is cut. */
#define PHP_TEXT 1024u
#define PHP_TEXT_BYTES LANG_TEXT_ROOM(PHP_TEXT)

/* Names of code outside functions: that of a file, and that of eval(). */
#define PHP_NAME_FILE "{include}"
#define PHP_NAME_EVAL "{eval}"
/* Name of a file's code in the outermost frame. */
#define PHP_NAME_MAIN "{main}"

/**
 * struct php_function - a function
 * @name: "Class::method", "function", or one of the names above: UTF-8 without control
 *        characters
 * @file: path of its source file; "" for a C function
 * @first_line: line of its definition; 0 for a C function
 */
struct php_function {
	char name[2 * PHP_TEXT_BYTES + 2];
	char file[PHP_TEXT_BYTES];
	uint32_t first_line;
};

enum php_function_state {
	PHP_FUNCTION_READ,
	PHP_FUNCTION_STALE,	/* another function is at the address, or none */
	PHP_FUNCTION_UNREADABLE,	/* the memory is missing */
};

/**
 * php_function_read() - read the function that was sampled
 * @m: the process's memory
 * @d: structures of its version
 * @addr: address of the function
 * @cookie: fingerprint of the function in the sample
 * @ret: set on PHP_FUNCTION_READ
 *
 * Return: enum php_function_state.
 */
enum php_function_state php_function_read(const struct lang_memory *m, const struct lang_php *d,
					  uint64_t addr, uint32_t cookie, struct php_function *ret);

/**
 * php_function_from_words() - read the names of a function that may be freed already
 * @m: the process's memory
 * @word: words from a BPF program: addresses of its name, its class and its file's name;
 *        its lines; its type
 * @cookie: fingerprint of the function in the sample
 * @ret: set on PHP_FUNCTION_READ
 *
 * Return: enum php_function_state.
 */
enum php_function_state php_function_from_words(const struct lang_memory *m, const __u64 word[5],
					  uint32_t cookie, struct php_function *ret);

/*
 * Computes the fingerprint as bpf/lang_php.bpf.h does. Return: PHP_FUNCTION_READ if @ret
 * has it.
 */
enum php_function_state php_function_print(const struct lang_memory *m, const struct lang_php *d,
					   uint64_t addr, struct lang_php_print *ret);

#endif /* USTACK_USER_LANG_PHP_FUNCTION_H */
