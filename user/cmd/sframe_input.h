/* SPDX-License-Identifier: GPL-2.0-only */
/* Options that the sframe commands share: "--raw ARCH VADDR", "--format", "--extended". */
#ifndef USTACK_USER_CMD_SFRAME_INPUT_H
#define USTACK_USER_CMD_SFRAME_INPUT_H

#include "cmd.h"
#include "sframe/section.h"

#define SFRAME_RAW_HELP "FILE is a bare section for ARCH, at address VADDR"

/* Words of --raw's ARCH, and of --format. Return: word number @i; NULL after the last. */
const char *sframe_arch_word(unsigned int i);
const char *sframe_format_word(unsigned int i);

/**
 * sframe_input_raw() - parse the two words of --raw
 * @words: the words as typed
 * @raw: set if the option was given and is right
 * @diag: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int sframe_input_raw(const struct option_pair *words, struct sframe_raw *raw,
		     struct diag *diag);

#define SFRAME_EXTENDED_HELP "version 3 with ustack's extension, for the module"

/**
 * sframe_input_version() - parse --format and --extended
 * @format: value of --format
 * @extended: --extended was given
 * @ret: version for synth_encode(); set on success
 * @diag: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int sframe_input_version(const struct option_u64 *format, bool extended,
			 unsigned int *ret, struct diag *diag);

#endif /* USTACK_USER_CMD_SFRAME_INPUT_H */
