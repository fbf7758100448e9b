/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model on a terminal, by ncurses, and keys that change it. There is one terminal: open
 * it once at a time.
 *
 * It is put back as it was when it is closed, and when the program is ended by a signal
 * meanwhile, but for SIGKILL. What draws reads no names but by util/screen.h.
 */
#ifndef USTACK_USER_TUI_TERMINAL_H
#define USTACK_USER_TUI_TERMINAL_H

#include "show/tui/listing.h"
#include "show/tui/tui.h"
#include "util/diag.h"

struct tui;

/**
 * struct tui_code - instructions of a function
 * @title: of the first line
 * @lines: @nr of them; they and the texts stay until the next ones are asked for
 * @nr: of @lines
 * @note: what is to be said of them, or ""
 */
struct tui_code {
	const char *title;
	const struct tui_line *lines;
	uint32_t nr;
	const char *note;
};

/**
 * struct tui_screen - what stands around the rows
 * @title: of the first line; may change between two calls of tui_draw()
 * @value: text of a value, in @buf of TEXT_SHORT bytes
 * @key: what keys the view does not know do; returns whether it knew it. May be NULL
 * @help: of these keys: lines with a newline each; may be NULL
 * @annotate: finds the instructions of a function, or words why there are none, and may take a
 *            while; returns 0 or a negative errno. May be NULL
 * @arg: for all of them
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
 * tui_open() - take the terminal
 * @m: is shown; must outlive it
 * @screen: the same
 * @ret: released by tui_close()
 * @diag: may be NULL
 *
 * Keys are read from standard input, or from the terminal if that is none.
 *
 * Return: 0; -ENOTTY if standard output is no terminal that a cursor can be moved on;
 * another negative errno.
 */
int tui_open(struct tui_model *m, const struct tui_screen *screen, struct tui **ret,
	     struct diag *diag);
void tui_close(struct tui *t);

/* Draws everything. */
void tui_draw(struct tui *t);

/* Return: descriptor that is readable when there are keys. */
int tui_fd(const struct tui *t);

/**
 * tui_input() - take in the keys that are there, and draw
 * @t: the terminal
 *
 * Call it also when poll() was interrupted: the size may have changed.
 *
 * Return: 0; 1 if the user wants to leave; a negative errno.
 */
int tui_input(struct tui *t);

/* Shows it until the user leaves, or SIGINT, SIGTERM, SIGHUP or SIGQUIT comes, which ends the
 * program once the terminal is as it was. Return: 0 or a negative errno.
 */
int tui_run(struct tui *t);

#endif /* USTACK_USER_TUI_TERMINAL_H */
