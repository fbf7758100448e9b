/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines with shares. The terminal shows the instructions of a function in this
 * form, with the source between them. Like the model, this knows neither the
 * terminal nor where the lines come from.
 */
#ifndef USTACK_USER_TUI_LISTING_H
#define USTACK_USER_TUI_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#define TUI_LISTING_TEXT 128u	/* size of the search text and of a message, with NUL */

/**
 * struct tui_line - a line
 * @text: any bytes; owned by the caller
 * @share: share of the samples, in percent; 0 for none
 * @code: true for an instruction; without the source only instructions are shown
 */
struct tui_line {
	const char *text;
	double share;
	bool code;
};

/**
 * struct tui_listing - everybody may read it, the functions below change it
 * @title: text of the first line; owned by the caller
 * @lines: the lines; owned by the caller
 * @nr: number of entries in @lines
 * @shown: indices in @lines of the lines that are shown
 * @nr_shown: number of entries in @shown
 * @selected: index in @shown
 * @no_source: only instructions are shown
 * @wanted: text that is searched for; "" for none
 * @message: message about the last command, or ""
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
	uint32_t *hottest;	/* indices in @lines of those with a share, largest first */
	uint32_t nr_hottest;
	uint32_t at_hottest;	/* index in @hottest of the line that was last visited */
};

enum tui_listing_command {
	TUI_LINE_UP,
	TUI_LINE_DOWN,
	TUI_LINE_FIRST,
	TUI_LINE_LAST,
	TUI_LINE_HOTTEST,	/* go to the largest share */
	TUI_LINE_COOLER,	/* go to the next smaller share, at the end to the largest */
	TUI_LINE_HOTTER,	/* go to the next larger share */
	TUI_LINE_SOURCE,	/* show or hide lines that are no instructions */
	TUI_LINE_NEXT,		/* go to the next match of the search */
	TUI_LINE_PREVIOUS,
};

/**
 * tui_listing_init() - make a listing, with the line of the largest share
 * selected
 * @l: filled in
 * @title: see struct tui_listing
 * @lines: see struct tui_listing
 * @nr: number of entries in @lines
 *
 * Return: 0, released by tui_listing_release(); -ENOMEM.
 */
int tui_listing_init(struct tui_listing *l, const char *title, const struct tui_line *lines, uint32_t nr);
/* @l may be all zero. */
void tui_listing_release(struct tui_listing *l);

void tui_listing_do(struct tui_listing *l, enum tui_listing_command command);
/* Goes to the next line that contains @text; case does not matter. */
void tui_listing_search(struct tui_listing *l, const char *text);
void tui_listing_select(struct tui_listing *l, uint32_t row);

/* Return: the line of a row. */
static inline const struct tui_line *tui_listing_line(const struct tui_listing *l, uint32_t row)
{
	return &l->lines[l->shown[row]];
}

#endif /* USTACK_USER_TUI_LISTING_H */
