/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows a model on a terminal, by ncurses, and handles keys, which change it.
 * There is only one terminal, so it can be open only once at a time.
 *
 * The terminal is restored when it is closed, and when a signal ends the
 * program while it is open, except SIGKILL. Names are printed by util/screen.h
 * only.
 */
#ifndef USTACK_USER_TUI_TERMINAL_H
#define USTACK_USER_TUI_TERMINAL_H

#include "show/tui/listing.h"
#include "show/tui/tui.h"
#include "util/diag.h"

struct tui;

/**
 * struct tui_code - instructions of a function
 * @title: text of the first line
 * @lines: the lines; they and their texts stay valid until the next call of
 *	@annotate
 * @nr: number of entries in @lines
 * @note: message to show, or ""
 */
struct tui_code {
	const char *title;
	const struct tui_line *lines;
	uint32_t nr;
	const char *note;
};

/**
 * struct tui_screen - texts around the rows, and functions that the view calls
 * @title: text of the first line; may change between two calls of tui_draw()
 * @value: writes a value as text to @buf, which has TEXT_SHORT bytes
 * @key: handles keys that the view does not know; returns whether it knows
 *	them. May be NULL
 * @help: help for these keys: lines that end with a newline; may be NULL
 * @annotate: finds the instructions of a function, or a note why there are
 *	none; may take a while. Returns 0 or a negative errno. May be NULL
 * @arg: passed to all of them
 */
struct tui_screen {
	const char *title;
	const char *(*value)(int64_t value, char *buf, void *arg);
	bool (*key)(int key, void *arg);
	const char *help;
	int (*annotate)(const struct calltree_symbol *s, struct tui_code *ret, void *arg);
	void *arg;
};

/**
 * tui_open() - take over the terminal
 * @m: model to show; must outlive the terminal
 * @screen: must outlive the terminal
 * @ret: released by tui_close()
 * @diag: may be NULL
 *
 * Keys are read from standard input if it is a terminal, else from /dev/tty.
 *
 * Return: 0; -ENOTTY if standard output is not a terminal whose cursor can be
 * moved; another negative errno.
 */
int tui_open(struct tui_model *m, const struct tui_screen *screen, struct tui **ret,
	     struct diag *diag);
void tui_close(struct tui *t);

/* Draws everything. */
void tui_draw(struct tui *t);

/* Return: a descriptor that is readable when there are keys. */
int tui_fd(const struct tui *t);

/**
 * tui_input() - handle the keys that were pressed, and draw
 * @t: the terminal
 *
 * Also call it when poll() was interrupted: the size of the terminal may have
 * changed.
 *
 * Return: 0; 1 if the user wants to leave; a negative errno.
 */
int tui_input(struct tui *t);

/*
 * Handles keys until the user leaves or SIGINT, SIGTERM, SIGHUP or SIGQUIT
 * comes. The signal ends the program after the terminal was restored. Return: 0
 * or a negative errno.
 */
int tui_run(struct tui *t);

#endif /* USTACK_USER_TUI_TERMINAL_H */
