/* SPDX-License-Identifier: GPL-2.0-only */
/* Options that the sframe commands share: "--raw ARCH VADDR", "--format", "--extended". */
#ifndef USTACK_USER_CMD_SFRAME_INPUT_H
#define USTACK_USER_CMD_SFRAME_INPUT_H

#include "cmd.h"
#include "sframe/section.h"

/* @raw: a struct option_pair, as an lvalue */
#define SFRAME_RAW_OPTION(raw)                                                        \
	OPTION_PAIR(0, "raw", "ARCH VADDR", &(raw),                                   \
		    "FILE is a bare section for ARCH, at address VADDR", .word = sframe_arch_word)

/* @format: a struct option_u64, as an lvalue; @name: what the help calls its value */
#define SFRAME_FORMAT_OPTION(format, name)                                            \
	OPTION_U64(0, "format", name, &(format), "SFrame version: 3 (the default) or 2", \
		   .word = sframe_format_word)

/* @extended: a bool, as an lvalue */
#define SFRAME_EXTENDED_OPTION(extended)                                              \
	OPTION_FLAG(0, "extended", &(extended),                                       \
		    "version 3 with ustack's extension, for the module")

/* Words of --raw's ARCH, and of --format. Return: word number @i; NULL after the last. */
const char *sframe_arch_word(unsigned int i);
const char *sframe_format_word(unsigned int i);

/**
 * sframe_input_raw() - parse the two words of --raw
 * @usage: the command, for messages
 * @words: the words as typed
 * @raw: set if the option was given and is right
 *
 * Return: CMD_RUN, or CMD_USAGE after a message.
 */
int sframe_input_raw(const struct cmd_usage *usage, const struct option_pair *words,
		     struct sframe_raw *raw);

/**
 * sframe_input_version() - parse --format and --extended
 * @usage: the command, for messages
 * @format: value of --format
 * @extended: --extended was given
 * @ret: version for synth_encode(); set on success
 *
 * Return: CMD_RUN, or CMD_USAGE after a message.
 */
int sframe_input_version(const struct cmd_usage *usage, const struct option_u64 *format,
			 bool extended, unsigned int *ret);

#endif /* USTACK_USER_CMD_SFRAME_INPUT_H */
