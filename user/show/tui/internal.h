/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/tui: what the parts of the terminal share. */
#ifndef USTACK_USER_TUI_INTERNAL_H
#define USTACK_USER_TUI_INTERNAL_H

#include <termios.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "show/tui/terminal.h"

enum tui_prompt {
	TUI_NO_PROMPT,
	TUI_PROMPT_SEARCH,
	TUI_PROMPT_FILTER,
};

/**
 * struct tui - the terminal
 * @m: the model, borrowed
 * @screen: texts around the rows, borrowed
 * @curses: ncurses' screen
 * @keys: terminal that keys are read from; NULL: standard input
 * @fd: descriptor of that terminal
 * @colours: colours may be used
 * @top: index of the first row on the screen
 * @height: number of rows on the screen
 * @help: the help is shown, from line @help_top on
 * @help_top: first line of the help on the screen
 * @prompt: what is asked for; @text is the answer so far
 * @text: what the user has typed
 * @len: number of bytes in @text
 * @annotated: @listing is shown in place of the model's rows
 * @listing: instructions of a function
 * @listing_top: index of the first row of @listing on the screen
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
	bool annotated;
	struct tui_listing listing;
	uint32_t listing_top;
};

/* Numbers of colour pairs. */
enum { TUI_HOT = 1, TUI_WARM, TUI_KERNEL };

/*
 * Handles a key. @special: it is a KEY_* of ncurses. Return: 0; 1 to leave; a
 * negative errno.
 */
int tui_key(struct tui *t, wint_t key, bool special);

extern const char tui_help_text[];
extern const char tui_listing_help_text[];

/*
 * tui_annotate() shows the instructions of the selected function;
 * tui_listing_key() handles keys while they are shown (listing_keys.c). Return:
 * 0 or a negative errno.
 */
int tui_annotate(struct tui *t);
int tui_listing_key(struct tui *t, wint_t key, bool special);
/* Asks the user for a text, which tui_key() then reads. */
void tui_ask(struct tui *t, enum tui_prompt prompt);

/* Draws the listing (draw_listing.c) on a screen of this size. */
void tui_draw_listing(struct tui *t, int height, int width);
/* Draws the last line: a prompt or @message if there is one, else @keys. */
void tui_put_foot(const struct tui *t, int y, int width, uint32_t row, uint32_t nr, const char *message,
		  const char *keys);
/* Draws a share in percent, and a blank. */
void tui_put_share(const struct tui *t, double share);
/*
 * Return: index of the first of @nr rows on a screen of @height, so that
 * @selected is visible.
 */
uint32_t tui_scroll(uint32_t top, uint32_t height, uint32_t selected, uint32_t nr);

/*
 * Return: index of the row that is a page below or above @selected, of @nr
 * rows.
 */
uint32_t tui_page_from(const struct tui *t, uint32_t selected, uint32_t nr, bool down);

/*
 * Draws an untrusted text, cut to @width cells. Return: number of cells used.
 */
int tui_put(int y, int x, int width, const char *text);

#endif /* USTACK_USER_TUI_INTERNAL_H */
