// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows the instructions of a function, and handles keys in them, as perf
 * annotate has them.
 */
#include <errno.h>

#include "show/tui/internal.h"

#include "util/poison.h"

#define ESCAPE 27

const char tui_listing_help_text[] =
	"up, down, page up, page down, home, end   move (k, j, g, G, too)\n"
	"tab, shift and tab                        to the next, the previous instruction in order of shares\n"
	"H                                         to the hottest one\n"
	"s                                         the source between instructions, or not\n"
	"/, n, N                                   search, next, previous\n"
	"escape, backspace, left, q                go back to the functions\n"
	"?, h                                      this page\n";

static const struct {
	wint_t key;
	bool special;
	enum tui_listing_command command;
} bindings[] = {
	{ KEY_UP, true, TUI_LINE_UP },	       { 'k', false, TUI_LINE_UP },
	{ KEY_DOWN, true, TUI_LINE_DOWN },     { 'j', false, TUI_LINE_DOWN },
	{ KEY_HOME, true, TUI_LINE_FIRST },    { 'g', false, TUI_LINE_FIRST },
	{ KEY_END, true, TUI_LINE_LAST },      { 'G', false, TUI_LINE_LAST },
	{ '\t', false, TUI_LINE_COOLER },      { KEY_BTAB, true, TUI_LINE_HOTTER },
	{ 'H', false, TUI_LINE_HOTTEST },      { 's', false, TUI_LINE_SOURCE },
	{ 'n', false, TUI_LINE_NEXT },	       { 'N', false, TUI_LINE_PREVIOUS },
};

static void leave(struct tui *t)
{
	tui_listing_release(&t->listing);
	t->annotated = false;
}

int tui_annotate(struct tui *t)
{
	struct tui_model *m = t->m;
	struct tui_code code = { .note = "" };
	struct tui_cells c;
	int err;

	if (!m->nr_rows)
		return 0;
	tui_model_cells(m, m->selected, &c);
	/* searching names and running objdump may take a moment */
	snprintf(m->message, sizeof(m->message), "searching the instructions of %.100s",
		 c.symbol->name);
	tui_draw(t);
	m->message[0] = '\0';
	err = t->screen->annotate(c.symbol, &code, t->screen->arg);
	if (!err)
		err = tui_listing_init(&t->listing, code.title, code.lines, code.nr);
	if (err)
		return err;
	snprintf(t->listing.message, sizeof(t->listing.message), "%s", code.note);
	t->annotated = true;
	t->listing_top = t->listing.selected > t->height / 2 ? t->listing.selected - t->height / 2 : 0;
	return 0;
}

static void page(struct tui *t, bool down)
{
	struct tui_listing *l = &t->listing;

	tui_listing_select(l, tui_page_from(t, l->selected, l->nr_shown, down));
}

static bool leaves(wint_t key, bool special)
{
	return special ? key == KEY_LEFT || key == KEY_BACKSPACE :
			 key == ESCAPE || key == 127 || key == '\b' || key == 'q';
}

int tui_listing_key(struct tui *t, wint_t key, bool special)
{
	size_t i;

	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++)
		if (bindings[i].key == key && bindings[i].special == special) {
			tui_listing_do(&t->listing, bindings[i].command);
			return 0;
		}
	t->listing.message[0] = '\0';
	if (leaves(key, special))
		leave(t);
	else if (special && (key == KEY_NPAGE || key == KEY_PPAGE))
		page(t, key == KEY_NPAGE);
	else if (!special && key == '/')
		tui_ask(t, TUI_PROMPT_SEARCH);
	else if (!special && (key == '?' || key == 'h'))
		t->help = true;
	return 0;
}
