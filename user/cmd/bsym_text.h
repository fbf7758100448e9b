/* SPDX-License-Identifier: GPL-2.0-only */
/* What commands that print BSYM files share. */
#ifndef USTACK_USER_CMD_BSYM_TEXT_H
#define USTACK_USER_CMD_BSYM_TEXT_H

#include <stdio.h>

#include "formats/bsym/bsym.h"

/* A name that does not fit is cut: 65535 bytes are what the format stores. */
#define CMD_BSYM_NAME (1u << 17)

/* @got: what reading a text returned. Return: @text; "?" if it cannot be read, and @failed is
 * true then.
 */
static inline const char *cmd_bsym_text(int got, const char *text, bool *failed)
{
	*failed |= got < 0;
	return got < 0 ? "?" : text;
}

/* A code segment's path. Return: as cmd_bsym_text(). */
static inline const char *cmd_bsym_codeseg(const struct bsym *b, const struct bsym_codeseg *c,
					   char text[CMD_BSYM_NAME], bool *failed)
{
	return cmd_bsym_text(bsym_string(b, c->name, text, CMD_BSYM_NAME), text, failed);
}

/* A symbol's full name, likewise. */
static inline const char *cmd_bsym_symbol(const struct bsym *b, const struct bsym_symbol *s,
					  char text[CMD_BSYM_NAME], bool *failed)
{
	return cmd_bsym_text(bsym_name(b, s, text, CMD_BSYM_NAME), text, failed);
}

/* Says that something could not be read. */
static inline void cmd_bsym_damaged(const char *path)
{
	fprintf(stderr, "ustack: %s: damaged, or cut: ustack bsym verify says where\n", path);
}

#endif /* USTACK_USER_CMD_BSYM_TEXT_H */
