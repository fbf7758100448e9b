// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws a listing: title, columns, lines with shares, the last line. See
 * internal.h.
 */
#include <inttypes.h>

#include "show/tui/internal.h"

#include "util/poison.h"

#define LISTING_KEYS "?: help  tab: next hottest  s: source  /: search  escape: back"

static void put_line(const struct tui *t, uint32_t row, int y, int width)
{
	const struct tui_line *line = tui_listing_line(&t->listing, row);

	if (row == t->listing.selected)
		attron(A_REVERSE);
	mvhline(y, 0, ' ', width);
	move(y, 0);
	if (line->share > 0)
		tui_put_share(t, line->share);
	else
		printw("%8s", "");
	addstr("| ");
	if (!line->code)
		attron(A_DIM);
	if (width > 10)
		tui_put(y, 10, width - 10, line->text);
	attroff(A_DIM);
	attroff(A_REVERSE);
}

void tui_draw_listing(struct tui *t, int height, int width)
{
	const struct tui_listing *l = &t->listing;
	uint32_t i;

	t->listing_top = tui_scroll(t->listing_top, t->height, l->selected, l->nr_shown);
	attron(A_BOLD);
	tui_put(0, 0, width, l->title);
	attroff(A_BOLD);
	attron(A_UNDERLINE);
	tui_put(1, 0, width, "percent |  address   source and instructions");
	attroff(A_UNDERLINE);
	for (i = 0; i < t->height && t->listing_top + i < l->nr_shown; i++)
		put_line(t, t->listing_top + i, (int)i + 2, width);
	tui_put_foot(t, height - 1, width, l->selected, l->nr_shown, l->message, LISTING_KEYS);
}
