// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps keys to commands of the model; a prompt for a text takes keys first. See
 * internal.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "show/tui/internal.h"

#include "util/poison.h"

#define ESCAPE 27

const char tui_help_text[] =
	"up, down, page up, page down, home, end   move (k, j, g, G, too)\n"
	"right or +, left or -                     open what is below, close it\n"
	"enter, space                              open or close\n"
	"E, C                                      open all below the row, close all\n"
	"f, t                                      functions, tree of calls\n"
	"c                                         callers of the function\n"
	"a                                         its instructions, with their shares and the source\n"
	"z                                         show only what is below the row\n"
	"escape, backspace                         go back from z, c or a filter\n"
	"/, n, N                                   search a name, next, previous\n"
	"F                                         only stacks with a function\n"
	"i                                         inlined functions or not\n"
	"o                                         functions in order of total or self\n"
	"%                                         percent of all or of what is shown\n"
	"?, h                                      this page\n"
	"q                                         leave\n";

struct binding {
	wint_t key;
	bool special;
	enum tui_command command;
};

static const struct binding bindings[] = {
	{ KEY_UP, true, TUI_UP },	     { 'k', false, TUI_UP },
	{ KEY_DOWN, true, TUI_DOWN },	     { 'j', false, TUI_DOWN },
	{ KEY_HOME, true, TUI_FIRST },	     { 'g', false, TUI_FIRST },
	{ KEY_END, true, TUI_LAST },	     { 'G', false, TUI_LAST },
	{ KEY_RIGHT, true, TUI_OPEN },	     { '+', false, TUI_OPEN },
	{ KEY_LEFT, true, TUI_CLOSE },	     { '-', false, TUI_CLOSE },
	{ '\n', false, TUI_TOGGLE },	     { '\r', false, TUI_TOGGLE },
	{ KEY_ENTER, true, TUI_TOGGLE },     { ' ', false, TUI_TOGGLE },
	{ 'E', false, TUI_OPEN_ALL },	     { 'C', false, TUI_CLOSE_ALL },
	{ 'f', false, TUI_SHOW_FLAT },	     { 't', false, TUI_SHOW_TREE },
	{ 'c', false, TUI_SHOW_CALLERS },    { 'z', false, TUI_ZOOM },
	{ KEY_BACKSPACE, true, TUI_BACK },   { ESCAPE, false, TUI_BACK },
	{ 127, false, TUI_BACK },	     { '\b', false, TUI_BACK },
	{ 'n', false, TUI_NEXT },	     { 'N', false, TUI_PREVIOUS },
	{ 'i', false, TUI_SWITCH_INLINES },  { 'o', false, TUI_SWITCH_CHILDREN },
	{ '%', false, TUI_SWITCH_BASE },
};

static int answer(struct tui *t)
{
	enum tui_prompt prompt = t->prompt;

	t->prompt = TUI_NO_PROMPT;
	if (t->annotated) {
		tui_listing_search(&t->listing, t->text);
		return 0;
	}
	return prompt == TUI_PROMPT_SEARCH ? tui_model_search(t->m, t->text) :
					     tui_model_filter(t->m, t->text);
}

static void type(struct tui *t, wchar_t key)
{
	_Static_assert(MB_LEN_MAX >= 4, "the C library's <limits.h>, which UTF-8 has four bytes in");
	char bytes[MB_LEN_MAX + 1];
	mbstate_t state = { 0 };
	size_t n = wcrtomb(bytes, key, &state);

	if (n == (size_t)-1 || t->len + n >= sizeof(t->text))
		return;
	memcpy(t->text + t->len, bytes, n);
	t->len += n;
	t->text[t->len] = '\0';
}

static int prompt_key(struct tui *t, wint_t key, bool special)
{
	bool erase = special ? key == KEY_BACKSPACE : key == 127 || key == '\b';

	if ((special && key == KEY_ENTER) || (!special && (key == '\n' || key == '\r')))
		return answer(t);
	if (!special && key == ESCAPE)
		t->prompt = TUI_NO_PROMPT;
	else if (erase)
		while (t->len && ((unsigned char)t->text[--t->len] & 0xc0) == 0x80)
			;
	else if (!special && key >= ' ')
		type(t, (wchar_t)key);
	t->text[t->len] = '\0';
	return 0;
}

void tui_ask(struct tui *t, enum tui_prompt prompt)
{
	t->prompt = prompt;
	t->len = 0;
	t->text[0] = '\0';
}

uint32_t tui_page_from(const struct tui *t, uint32_t selected, uint32_t nr, bool down)
{
	if (down)
		return nr - selected > t->height ? selected + t->height : nr - 1;
	return selected > t->height ? selected - t->height : 0;
}

static void page(struct tui *t, bool down)
{
	struct tui_model *m = t->m;

	tui_model_select(m, tui_page_from(t, m->selected, m->nr_rows, down));
}

static int other_key(struct tui *t, wint_t key, bool special)
{
	if (special && (key == KEY_NPAGE || key == KEY_PPAGE))
		page(t, key == KEY_NPAGE);
	else if (!special && key == '/')
		tui_ask(t, TUI_PROMPT_SEARCH);
	else if (!special && key == 'F')
		tui_ask(t, TUI_PROMPT_FILTER);
	else if (!special && (key == '?' || key == 'h'))
		t->help = true;
	else if (!special && key == 'a' && t->screen->annotate)
		return tui_annotate(t);
	else if (!special && key == 'q')
		return 1;
	else if (!special && t->screen->key)
		t->screen->key((int)key, t->screen->arg);
	return 0;
}

static void help_key(struct tui *t, wint_t key, bool special)
{
	if (special && key == KEY_DOWN) {
		t->help_top++;
		return;
	}
	t->help = false;
	t->help_top = 0;
}

int tui_key(struct tui *t, wint_t key, bool special)
{
	size_t i;

	if (special && key == KEY_RESIZE)
		return 0;
	if (t->help) {
		help_key(t, key, special);
		return 0;
	}
	if (t->prompt)
		return prompt_key(t, key, special);
	if (t->annotated)
		return tui_listing_key(t, key, special);
	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++)
		if (bindings[i].key == key && bindings[i].special == special)
			return tui_model_do(t->m, bindings[i].command);
	t->m->message[0] = '\0';
	return other_key(t, key, special);
}
