/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For readers of text formats: the lines of a file of any size, and their fields.
 */
#ifndef USTACK_USER_UTIL_TEXT_LINES_H
#define USTACK_USER_UTIL_TEXT_LINES_H

#include <stdbool.h>

#include "util/file.h"

/* A longer line is refused. No name is as long. */
#define TEXT_LINE_MAX (1u << 20)

/**
 * struct text_lines - a walk over the lines of a file
 * @file: open; borrowed
 * @line: the current line without its end, which may be CR LF; ends with a NUL
 * @len: bytes of @line
 * @number: number of the line, from 1
 * @offset: offset of the line in the file
 * @buf: bytes of the file, and a NUL
 * @buf_len: number of bytes in @buf
 * @next: offset in @buf of the next line
 * @buf_at: offset in the file of the first byte of @buf
 */
struct text_lines {
	const struct file *file;
	char *line;
	size_t len;
	uint64_t number;
	uint64_t offset;
	char *buf;
	size_t buf_len;
	size_t next;
	uint64_t buf_at;
};

int text_lines_init(struct text_lines *t, const struct file *file, struct diag *diag);
void text_lines_release(struct text_lines *t);
/*
 * Return: 1 with the next line; 0 at the end; -EBADMSG for a line that is too
 * long or has a NUL in it; another negative errno.
 */
int text_lines_next(struct text_lines *t, struct diag *diag);

/* Fills @diag with an error about the current line. Return: -EBADMSG. */
__attribute__((__format__(__printf__, 3, 4)))
int text_lines_fail(const struct text_lines *t, struct diag *diag, const char *fmt, ...);

/* If the field at @*s is @word, moves @*s after it and its spaces. Return: whether it was. */
bool text_word(char **s, const char *word);
/* The same for a number of base 10 or 16 that fits 64 bits. */
bool text_number(char **s, unsigned int base, uint64_t *ret);

#endif /* USTACK_USER_UTIL_TEXT_LINES_H */
