/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of a command as a table, which the parser, the help and
 * completion read:
 *
 *	struct opts o = { 0 };
 *	const struct option_spec specs[] = {
 *		OPTION_FLAG(0, "json", &o.json, "print JSON"),
 *		OPTION_U64(0, "vaddr", "ADDR", &o.vaddr, "link-time address"),
 *		OPTION_END,
 *	};
 *
 * Every command has -h and --help without listing them. A long name may be
 * shortened as long as it stays unique; an option without help needs its whole
 * name.
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
 * @kind: how the value is read
 * @letter: letter of -x, 0 if there is none
 * @name: long name, without the dashes
 * @arg: name of the value in the help
 * @value: where the value is stored; its type depends on the macro below
 * @help: one line of help; NULL hides the option from the help and from
 *        completion
 * @word: returns word number @i that the value, or the first value of a pair,
 *        may be, and NULL after the last word. Used by completion; NULL if
 *        there is no such list
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
/* the last argument of OPTION_STRING, _U64 and _PAIR may be ".word = FUNCTION" */
#define OPTION_STRING(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_STRING, l, n, a, const char *, v, h, ##__VA_ARGS__)
/* a number: decimal, 0x hexadecimal or 0 octal */
#define OPTION_U64(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_U64, l, n, a, struct option_u64, v, h, ##__VA_ARGS__)
/*
 * a time above 0 and up to a day, in seconds or with a unit (us, ms, s, m, min,
 * h), fractions allowed; stored in milliseconds
 */
#define OPTION_SECONDS(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_SECONDS, l, n, a, struct option_u64, v, h)
/*
 * a time from 0 up to a day; without a unit in milliseconds, or in
 * microseconds, and stored in these
 */
#define OPTION_MS(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_MS, l, n, a, struct option_u64, v, h)
#define OPTION_US(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_US, l, n, a, struct option_u64, v, h)
/* bytes, above 0: a number, optionally followed by B, K, M or G for powers of 1024 */
#define OPTION_BYTES(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_BYTES, l, n, a, struct option_u64, v, h)
/* two words: --name A B */
#define OPTION_PAIR(l, n, a, v, h, ...) \
	OPTION_SPEC(OPTION_KIND_PAIR, l, n, a, struct option_pair, v, h, ##__VA_ARGS__)
/* one word, or two if the option is given twice; @second is NULL for one word */
#define OPTION_TWICE(l, n, a, v, h) \
	OPTION_SPEC(OPTION_KIND_TWICE, l, n, a, struct option_pair, v, h)
#define OPTION_END { .kind = OPTION_KIND_END }

/* The first operand ends the options: the rest belongs to another command. */
#define OPTIONS_STOP_AT_OPERAND 1u

/* options_parse() found -h or --help */
#define OPTIONS_HELP 1

/**
 * options_parse() - take the options out of an argument vector
 * @specs: ends with OPTION_END
 * @flags: OPTIONS_*
 * @argc: number of arguments in @argv; set to the number of operands
 * @argv: arguments after the command's name, with a NULL at the end; on return
 *        the operands in their order, and a NULL. "--" ends the options
 * @diag: filled on failure with a sentence for the user; may be NULL
 *
 * Return: 0, OPTIONS_HELP, or -EINVAL.
 */
int options_parse(const struct option_spec *specs, unsigned int flags,
		  int *argc, char **argv, struct diag *diag);

/* Prints one line for each option, including --help. */
void options_help(const struct option_spec *specs, FILE *out);

/**
 * options_find() - find the option that an argument names
 * @specs: ends with OPTION_END
 * @arg: such as "--name", "--name=VALUE", "-x" or "-xyVALUE"
 * @ret: the value in @arg, NULL if there is none
 *
 * Return: the option; the last one if there are several letters. NULL if there
 * is no such option, or if @arg is a request for help.
 */
const struct option_spec *options_find(const struct option_spec *specs, const char *arg,
				       const char **ret);

/**
 * options_complete() - print what the last word of a command line may become
 * @specs: ends with OPTION_END
 * @flags: as options_parse() gets them
 * @synopsis: synopsis of the command, see struct cmd_usage; it names the
 *            operands
 * @argc: number of words in @argv, at least 1
 * @argv: the words after the command's name; the last one, which may be empty,
 *        is completed
 * @out: stream that the scripts in scripts/completion read. Each line is a
 *       word, a tab and its meaning; or one of these:
 *
 *	:files PREFIX		files; PREFIX is the part of the word before the file's name
 *	:folders PREFIX		the same for folders
 *	:users PREFIX		names of users
 *	:processes PREFIX	numbers of processes
 *	:command N		the last N words belong to another command
 *
 * Errors in the words before the last one are ignored.
 */
void options_complete(const struct option_spec *specs, unsigned int flags, const char *synopsis,
		      int argc, char **argv, FILE *out);

/**
 * option_parse_u64() - parse a number as OPTION_U64 does
 * @s: the whole string
 * @ret: written on success only
 *
 * Return: false if @s is not such a number.
 */
bool option_parse_u64(const char *s, uint64_t *ret);

#endif /* USTACK_USER_OPTIONS_H */
