// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads lines of text files, and words and numbers in them (util/text_lines.h).
 */
#include "util/text_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

/* Twice the longest line, so that bytes are seldom moved. */
#define ROOM (2u * TEXT_LINE_MAX)

int text_lines_init(struct text_lines *t, const struct file *file, struct diag *diag)
{
	*t = (struct text_lines){ .file = file, .buf = malloc(ROOM + 1) };
	return t->buf ? 0 : diag_errno(diag, ENOMEM, file->path);
}

void text_lines_release(struct text_lines *t)
{
	free(t->buf);
	t->buf = NULL;
}

int text_lines_fail(const struct text_lines *t, struct diag *diag, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(diag, EBADMSG, t->file->path, "line %" PRIu64 ": %s", t->number, text);
	if (diag)
		diag->offset = t->offset;
	return -EBADMSG;
}

/* Moves the unread bytes to the start of the buffer, and fills the rest of it. */
static int fill(struct text_lines *t, struct diag *diag)
{
	uint64_t left;
	size_t n;
	int err;

	memmove(t->buf, t->buf + t->next, t->buf_len - t->next);
	t->buf_at += t->next;
	t->buf_len -= t->next;
	t->next = 0;
	left = t->file->size - t->buf_at - t->buf_len;
	n = left < ROOM - t->buf_len ? (size_t)left : ROOM - t->buf_len;
	err = file_read(t->file, t->buf_at + t->buf_len, t->buf + t->buf_len, n, diag);
	t->buf_len += err ? 0 : n;
	return err;
}

/* Return: the end of the line at t->next, if it is in the buffer. */
static char *find_end(const struct text_lines *t)
{
	return memchr(t->buf + t->next, '\n', t->buf_len - t->next);
}

int text_lines_next(struct text_lines *t, struct diag *diag)
{
	char *end = find_end(t);
	int err;

	if (!end) {
		err = fill(t, diag);
		if (err)
			return err;
		end = find_end(t);
	}
	t->number++;
	t->offset = t->buf_at + t->next;
	if (!end) {
		if (!t->buf_len)
			return 0;
		end = t->buf + t->buf_len;
	}
	t->line = t->buf + t->next;
	t->len = (size_t)(end - t->line);
	if (t->len > TEXT_LINE_MAX)
		return text_lines_fail(t, diag, "more than %u bytes", TEXT_LINE_MAX);
	t->next += t->len + (end < t->buf + t->buf_len);
	if (t->len && t->line[t->len - 1] == '\r')
		t->len--;
	t->line[t->len] = '\0';
	if (memchr(t->line, '\0', t->len))
		return text_lines_fail(t, diag, "a NUL");
	return 1;
}

static void skip_spaces(char **s)
{
	while (**s == ' ')
		(*s)++;
}

bool text_word(char **s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*s, word, len) || ((*s)[len] && (*s)[len] != ' '))
		return false;
	*s += len;
	skip_spaces(s);
	return true;
}

static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A') + 10;
	return UINT32_MAX;
}

bool text_number(char **s, unsigned int base, uint64_t *ret)
{
	char *p = *s;
	uint64_t v = 0;

	for (; digit(*p) < base; p++)
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, digit(*p), &v))
			return false;
	if (p == *s || (*p && *p != ' '))
		return false;
	*s = p;
	skip_spaces(s);
	*ret = v;
	return true;
}
