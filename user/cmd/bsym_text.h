/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for the commands that print BSYM files. */
#ifndef USTACK_USER_CMD_BSYM_TEXT_H
#define USTACK_USER_CMD_BSYM_TEXT_H

#include <stdio.h>

#include "formats/bsym/bsym.h"

/* Buffer size for a name. A longer name is cut: the format stores 65535 bytes. */
#define CMD_BSYM_NAME (1u << 17)

/*
 * @got: the result of reading a text. Return: @text; if it could not be read, "?", and *@failed
 *       becomes true.
 */
static inline const char *cmd_bsym_text(int got, const char *text, bool *failed)
{
	*failed |= got < 0;
	return got < 0 ? "?" : text;
}

/* Reads a code segment's path. Return: see cmd_bsym_text(). */
static inline const char *cmd_bsym_codeseg(const struct bsym *b, const struct bsym_codeseg *c,
					   char text[CMD_BSYM_NAME], bool *failed)
{
	return cmd_bsym_text(bsym_string(b, c->name, text, CMD_BSYM_NAME), text, failed);
}

/* Reads a symbol's full name. Return: see cmd_bsym_text(). */
static inline const char *cmd_bsym_symbol(const struct bsym *b, const struct bsym_symbol *s,
					  char text[CMD_BSYM_NAME], bool *failed)
{
	return cmd_bsym_text(bsym_name(b, s, text, CMD_BSYM_NAME), text, failed);
}

/* Reports that a part of the file could not be read. */
static inline void cmd_bsym_damaged(const char *path)
{
	fprintf(stderr, "ustack: %s: damaged, or cut: ustack bsym verify says where\n", path);
}

#endif /* USTACK_USER_CMD_BSYM_TEXT_H */
