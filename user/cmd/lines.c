// SPDX-License-Identifier: GPL-2.0-only
/* Takes the words that commands look up: operands, or lines of standard input. */
#include "cmd/lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

/* The capacity of a pipe. */
#define PIECE (64u << 10)

/**
 * struct input - input that has arrived and was not yet taken
 * @text: @len bytes, in memory of @room bytes; the first @seen bytes contain no newline
 */
struct input {
	char *text;
	size_t len;
	size_t room;
	size_t seen;
};

/* Return: number of bytes read; 0 at the end; or a negative errno. */
static ssize_t receive(struct input *in)
{
	size_t room = in->room ? 2 * in->room : 2 * PIECE;
	ssize_t n;
	char *text;

	/* one byte is reserved for a NUL */
	if (in->room - in->len <= PIECE) {
		text = room > in->room ? realloc(in->text, room) : NULL;
		if (!text)
			return -ENOMEM;
		in->text = text;
		in->room = room;
	}
	do {
		n = read(STDIN_FILENO, in->text + in->len, in->room - in->len - 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	in->len += (size_t)n;
	return n;
}

static void take_lines(struct input *in, void (*take)(void *arg, char *line), void *arg)
{
	char *line = in->text, *const end = in->text + in->len;
	char *newline = memchr(line + in->seen, '\n', in->len - in->seen);

	for (; newline; newline = memchr(line, '\n', (size_t)(end - line))) {
		*newline = '\0';
		take(arg, line);
		line = newline + 1;
	}
	in->len = in->seen = (size_t)(end - line);
	memmove(in->text, line, in->len);
}

bool cmd_stdin_lines(const char *command, void (*take)(void *arg, char *line),
		     void (*rest)(void *arg), void *arg)
{
	struct input in = { 0 };
	ssize_t n;

	while ((n = receive(&in)) > 0) {
		take_lines(&in, take, arg);
		if (rest)
			rest(arg);
	}
	if (!n && in.len) {
		in.text[in.len] = '\0';
		take(arg, in.text);
		if (rest)
			rest(arg);
	}
	free(in.text);
	if (!n)
		return true;
	fprintf(stderr, "%s: stdin: %s\n", command, strerror((int)-n));
	return false;
}

int cmd_lookup_check(const struct cmd_usage *usage, int argc, char **argv)
{
	if (!argc)
		return cmd_bad_usage(usage, "which FILE?");
	if (argc == 1 && !strcmp(argv[0], "-"))
		return cmd_bad_usage(usage, "stdin is the file: which address?");
	return CMD_RUN;
}

struct words {
	void (*take)(void *arg, const char *word);
	void *arg;
};

static void take_word(void *arg, char *line)
{
	const struct words *w = arg;

	if (*line)
		w->take(w->arg, line);
}

bool cmd_lookup_words(const char *command, int argc, char **argv,
		      void (*take)(void *arg, const char *word), void *arg)
{
	struct words words = { take, arg };
	int i;

	for (i = 1; i < argc; i++)
		take(arg, argv[i]);
	return argc > 1 || cmd_stdin_lines(command, take_word, NULL, &words);
}
