/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal's parts: for user/tui alone. */
#ifndef USTACK_USER_TUI_INTERNAL_H
#define USTACK_USER_TUI_INTERNAL_H

#include <termios.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "tui/terminal.h"

enum tui_prompt {
	TUI_NO_PROMPT,
	TUI_PROMPT_SEARCH,
	TUI_PROMPT_FILTER,
};

/**
 * struct tui - the terminal
 * @top: row that is shown first
 * @height: of rows
 * @help: it is shown, from line @help_top on
 * @prompt: enum tui_prompt: @text is being typed, @len bytes
 */
struct tui {
	struct tui_model *m;
	const struct tui_screen *screen;
	SCREEN *curses;
	FILE *keys;		/* NULL: standard input */
	int fd;
	bool colours;
	uint32_t top;
	uint32_t height;
	bool help;
	unsigned int help_top;
	enum tui_prompt prompt;
	char text[TUI_TEXT];
	size_t len;
};

/* Pairs of colours. */
enum { TUI_HOT = 1, TUI_WARM, TUI_KERNEL };

/* One key. Return: 0; 1 to leave; a negative errno. */
int tui_key(struct tui *t, wint_t key, bool special);

extern const char tui_help_text[];

/* A foreign text at a place, cut to @width cells. Return: cells that it has taken. */
int tui_put(int y, int x, int width, const char *text);

#endif /* USTACK_USER_TUI_INTERNAL_H */
