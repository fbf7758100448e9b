/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal's parts: for user/show/tui alone. */
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
 * @top: row that is shown first
 * @height: of rows
 * @help: it is shown, from line @help_top on
 * @prompt: enum tui_prompt: @text is being typed, @len bytes
 * @annotated: @listing is shown in place of the model's rows
 * @listing: instructions of a function
 * @listing_top: row of @listing that is shown first
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

/* Pairs of colours. */
enum { TUI_HOT = 1, TUI_WARM, TUI_KERNEL };

/* One key. Return: 0; 1 to leave; a negative errno. */
int tui_key(struct tui *t, wint_t key, bool special);

extern const char tui_help_text[];
extern const char tui_listing_help_text[];

/* The keys of instructions (listing_keys.c). @tui_annotate: those of the selected function. Return: 0
 * or a negative errno.
 */
int tui_annotate(struct tui *t);
int tui_listing_key(struct tui *t, wint_t key, bool special);
/* Asks for a text, which tui_key() then takes. */
void tui_ask(struct tui *t, enum tui_prompt prompt);

/* Draws instructions (draw_listing.c) on a screen of this size. */
void tui_draw_listing(struct tui *t, int height, int width);
/* The last line: a prompt or @message if there is one, else @keys. */
void tui_put_foot(const struct tui *t, int y, int width, uint32_t row, uint32_t nr, const char *message,
		  const char *keys);
/* A share in percent, and a blank. */
void tui_put_share(const struct tui *t, double share);
/* The first of @nr rows that is shown, of @height, so that the selected one is seen. */
uint32_t tui_scroll(uint32_t top, uint32_t height, uint32_t selected, uint32_t nr);

/* The row a page further down or up than @selected, of @nr rows. */
uint32_t tui_page_from(const struct tui *t, uint32_t selected, uint32_t nr, bool down);

/* A foreign text at a place, cut to @width cells. Return: cells that it has taken. */
int tui_put(int y, int x, int width, const char *text);

#endif /* USTACK_USER_TUI_INTERNAL_H */
