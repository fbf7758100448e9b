/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files with an .sframe section that the test makes. */
#ifndef USERS_CRAFT_H
#define USERS_CRAFT_H

#include <stddef.h>
#include <stdint.h>

/* A frame row: CFA = SP + cfa, FP saved at CFA + fp. */
struct craft_row {
	uint32_t start;		/* offset from the start of the function */
	int32_t cfa;
	int32_t fp;
};

/*
 * Writes PATH: the text of a plug, @text_len bytes long, the rest of which is a hole, and a
 * section of version 2 with one function for all of the text, and @nr rows. The section claims
 * @room more bytes of rows than it has; they are a hole. Everybody may read the file.
 */
void craft(const char *path, uint64_t text_len, const struct craft_row *rows,
	   uint32_t nr, uint32_t room);
/* Maps the text of such a file executable, and unmaps it. */
void craft_look_at(int fd);

#endif
