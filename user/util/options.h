/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of a command, as a table that both the parser and the help read:
 *
 *	struct opts o = { 0 };
 *	const struct option_spec specs[] = {
 *		OPTION_FLAG(0, "json", &o.json, "print JSON"),
 *		OPTION_U64(0, "vaddr", "ADDR", &o.vaddr, "link-time address"),
 *		OPTION_END,
 *	};
 *
 * -h and --help are in every command without being listed. Long names may be shortened as long as
 * no other one begins so; an option without help is found by its whole name alone.
 */
#ifndef USTACK_USER_OPTIONS_H
#define USTACK_USER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/diag.h"

enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_FLAG,
	OPTION_KIND_STRING,
	OPTION_KIND_U64,
	OPTION_KIND_SECONDS,
	OPTION_KIND_MS,
	OPTION_KIND_US,
	OPTION_KIND_BYTES,
	OPTION_KIND_PAIR,
	OPTION_KIND_TWICE,
};

/* A number that may be absent. */
struct option_u64 {
	bool set;
	uint64_t value;
};

/* Two words that may be absent. */
struct option_pair {
	bool set;
	const char *first;
	const char *second;
};

/**
 * struct option_spec - one option
 * @kind: how its value is read
 * @letter: -x, 0 if there is none
 * @name: --name, without the dashes
 * @arg: what the help calls its value
 * @value: where the value goes; its type is that of the macro below
 * @help: one line; NULL for what is not for people
 * @word: the words that the value, or the first of a pair, may be: number @i of them, NULL
 *        after the last. For completion; NULL if there is no such list
 */
struct option_spec {
	enum option_kind kind;
	char letter;
	const char *name;
	const char *arg;
	void *value;
	const char *help;
	const char *(*word)(unsigned int i);
};

#define OPTION_SPEC(k, l, n, a, type, v, h, ...)                       \
	{                                                              \
		.kind = (k), .letter = (l), .name = (n), .arg = (a),   \
		.value = (1 ? (v) : (type *)NULL), .help = (h),        \
		__VA_ARGS__                                            \
	}
#define OPTION_FLAG(l, n, v, h) \
	OPTION_SPEC(OPTION_KIND_FLAG, l, n, NULL, bool, v, h)
/* of a string, a number and a pair the last argument may be ".word = FUNCTION" */
#define OPTION_STRING(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_STRING, l, n, a, const char *, v, h, ##__VA_ARGS__)
/* decimal, 0x hexadecimal or 0 octal */
#define OPTION_U64(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_U64, l, n, a, struct option_u64, v, h, ##__VA_ARGS__)
/* a time above 0 and up to a day, in seconds or with a unit (us, ms, s, m, min, h), fractions
 * allowed; the value is in milliseconds
 */
#define OPTION_SECONDS(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_SECONDS, l, n, a, struct option_u64, v, h)
/* the same from 0 on; without a unit in milliseconds, or in microseconds. So is the value */
#define OPTION_MS(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_MS, l, n, a, struct option_u64, v, h)
#define OPTION_US(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_US, l, n, a, struct option_u64, v, h)
/* bytes, above 0: a number, with B, K, M or G behind it for powers of 1024 */
#define OPTION_BYTES(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_BYTES, l, n, a, struct option_u64, v, h)
/* two words: --name A B */
#define OPTION_PAIR(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_PAIR, l, n, a, struct option_pair, v, h, ##__VA_ARGS__)
/* one word, or two by giving it twice; @second is NULL for one */
#define OPTION_TWICE(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_TWICE, l, n, a, struct option_pair, v, h)
#define OPTION_END { .kind = OPTION_KIND_END }

/* The first operand ends the options: what follows is another command's. */
#define OPTIONS_STOP_AT_OPERAND 1u

/* options_parse() met -h or --help */
#define OPTIONS_HELP 1

/**
 * options_parse() - take the options out of an argument vector
 * @specs: ends with OPTION_END
 * @flags: OPTIONS_*
 * @argc: number of @argv; on return that of the operands
 * @argv: without the command's name, and NULL behind; on return the operands in
 *        their order, and NULL. "--" ends the options
 * @diag: the sentence for a person, on failure; may be NULL
 *
 * Return: 0, OPTIONS_HELP, or -EINVAL.
 */
int options_parse(const struct option_spec *specs, unsigned int flags,
		  int *argc, char **argv, struct diag *diag);

/* Prints one line for each option, help included. */
void options_help(const struct option_spec *specs, FILE *out);

/**
 * options_find() - the option that an argument names
 * @specs: ends with OPTION_END
 * @arg: such as "--name", "--name=VALUE", "-x" or "-xyVALUE"
 * @ret: the value that stands in @arg, NULL if there is none
 *
 * Return: the option; of several letters the last. NULL: there is none, or @arg is help.
 */
const struct option_spec *options_find(const struct option_spec *specs, const char *arg,
				       const char **ret);

/**
 * options_complete() - print what the last word of a command line may become
 * @specs: ends with OPTION_END
 * @flags: as options_parse() gets them
 * @synopsis: the command's, see struct cmd_usage: it says what operands are
 * @argc: number of @argv, at least 1
 * @argv: the words after the command's name; the last, which may be empty, is completed
 * @out: for the scripts in scripts/completion. Each line is a word, a tab and what it means;
 *       or one of
 *
 *	:files PREFIX		files; PREFIX is the part of the word before the file's name
 *	:folders PREFIX		the same for folders
 *	:users PREFIX		names of users
 *	:processes PREFIX	numbers of processes
 *	:command N		the last N words are another command's
 *
 * What is wrong with the words before the last does not matter.
 */
void options_complete(const struct option_spec *specs, unsigned int flags, const char *synopsis,
		      int argc, char **argv, FILE *out);

/**
 * option_parse_u64() - a number as OPTION_U64 reads it
 * @s: the whole string
 * @ret: written on success only
 *
 * Return: whether it is one.
 */
bool option_parse_u64(const char *s, uint64_t *ret);

#endif /* USTACK_USER_OPTIONS_H */
