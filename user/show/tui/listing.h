/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines with shares: how the terminal shows the instructions of a function, with the source between
 * them. As the model, it knows nothing of terminals, and not where the lines come from.
 */
#ifndef USTACK_USER_TUI_LISTING_H
#define USTACK_USER_TUI_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#define TUI_LISTING_TEXT 128u	/* bytes of what is searched for, and of a message, its NUL included */

/**
 * struct tui_line - a line
 * @text: any bytes; owned by whom made the listing
 * @share: of the samples, in percent; 0 for none
 * @code: it is an instruction, and no text beside it; those alone are shown without the source
 */
struct tui_line {
	const char *text;
	double share;
	bool code;
};

/**
 * struct tui_listing - to be read by anyone, changed by the functions below
 * @title: of the first line; owned by whom made it
 * @lines: @nr of them; the same
 * @shown: indices in @lines of what is shown, @nr_shown of them
 * @selected: index in @shown
 * @no_source: instructions alone are shown
 * @wanted: what is searched for; "" for nothing
 * @message: what is to be said of the last command, or ""
 */
struct tui_listing {
	const char *title;
	const struct tui_line *lines;
	uint32_t nr;
	uint32_t *shown;
	uint32_t nr_shown;
	uint32_t selected;
	bool no_source;
	char wanted[TUI_LISTING_TEXT];
	char message[TUI_LISTING_TEXT];

	/* private */
	uint32_t *hottest;	/* indices in @lines of those with a share, the largest first */
	uint32_t nr_hottest;
	uint32_t at_hottest;	/* index in @hottest of the one that was gone to last */
};

enum tui_listing_command {
	TUI_LINE_UP,
	TUI_LINE_DOWN,
	TUI_LINE_FIRST,
	TUI_LINE_LAST,
	TUI_LINE_HOTTEST,	/* to the one with the largest share */
	TUI_LINE_COOLER,	/* to the one with the next smaller share, at the end to the largest */
	TUI_LINE_HOTTER,	/* the other way */
	TUI_LINE_SOURCE,	/* lines that are no instructions are shown or not */
	TUI_LINE_NEXT,		/* that is searched for */
	TUI_LINE_PREVIOUS,
};

/**
 * tui_listing_init() - begin, at the line with the largest share
 * @l: filled in
 * @title: see struct tui_listing
 * @lines: the same
 * @nr: of @lines
 *
 * Return: 0, released by tui_listing_release(); -ENOMEM.
 */
int tui_listing_init(struct tui_listing *l, const char *title, const struct tui_line *lines, uint32_t nr);
/* One of zeros is fine. */
void tui_listing_release(struct tui_listing *l);

void tui_listing_do(struct tui_listing *l, enum tui_listing_command command);
/* Goes to the next line with @text in it, whatever its case. */
void tui_listing_search(struct tui_listing *l, const char *text);
void tui_listing_select(struct tui_listing *l, uint32_t row);

/* The line of a row. */
static inline const struct tui_line *tui_listing_line(const struct tui_listing *l, uint32_t row)
{
	return &l->lines[l->shown[row]];
}

#endif /* USTACK_USER_TUI_LISTING_H */
