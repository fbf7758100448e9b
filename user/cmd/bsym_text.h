/* SPDX-License-Identifier: GPL-2.0-only */
/* What commands that print BSYM files share. */
#ifndef USTACK_USER_CMD_BSYM_TEXT_H
#define USTACK_USER_CMD_BSYM_TEXT_H

#include "bsym/bsym.h"

/* A name that does not fit is cut: 65535 bytes are what the format stores. */
#define CMD_BSYM_NAME (1u << 17)

/* A code segment's path, "?" if it cannot be read. Return: @text. */
static inline const char *cmd_bsym_codeseg(const struct bsym *b, const struct bsym_codeseg *c,
					   char text[CMD_BSYM_NAME])
{
	return bsym_string(b, c->name, text, CMD_BSYM_NAME) < 0 ? "?" : text;
}

/* A symbol's full name, likewise. */
static inline const char *cmd_bsym_symbol(const struct bsym *b, const struct bsym_symbol *s,
					  char text[CMD_BSYM_NAME])
{
	return bsym_name(b, s, text, CMD_BSYM_NAME) < 0 ? "?" : text;
}

#endif /* USTACK_USER_CMD_BSYM_TEXT_H */
