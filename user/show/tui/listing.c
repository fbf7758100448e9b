// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines with shares: which are shown, which is selected, and search. See
 * listing.h.
 */
#include "show/tui/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

/*
 * Makes the list of shown lines, and selects line @at. If it is hidden, the next
 * shown line is selected, as in perf annotate: the instructions of a source line
 * follow it. The last line is selected if none follows.
 */
static void show(struct tui_listing *l, uint32_t at)
{
	uint32_t i;

	l->nr_shown = l->selected = 0;
	for (i = 0; i < l->nr; i++) {
		if (l->no_source && !l->lines[i].code)
			continue;
		if (l->nr_shown && l->shown[l->selected] < at)
			l->selected = l->nr_shown;
		l->shown[l->nr_shown++] = i;
	}
}

static int larger_share(const void *x, const void *y, void *arg)
{
	const struct tui_line *lines = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (lines[a].share != lines[b].share)
		return lines[a].share > lines[b].share ? -1 : 1;
	return (a > b) - (a < b);
}

int tui_listing_init(struct tui_listing *l, const char *title, const struct tui_line *lines, uint32_t nr)
{
	uint32_t i;

	*l = (struct tui_listing){ .title = title, .lines = lines, .nr = nr };
	l->shown = calloc((size_t)nr + 1, sizeof(*l->shown));
	l->hottest = calloc((size_t)nr + 1, sizeof(*l->hottest));
	if (!l->shown || !l->hottest) {
		tui_listing_release(l);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++)
		if (lines[i].share > 0)
			l->hottest[l->nr_hottest++] = i;
	qsort_r(l->hottest, l->nr_hottest, sizeof(*l->hottest), larger_share, (void *)lines);
	show(l, l->nr_hottest ? l->hottest[0] : 0);
	return 0;
}

void tui_listing_release(struct tui_listing *l)
{
	free(l->shown);
	free(l->hottest);
	*l = (struct tui_listing){ .lines = NULL };
}

void tui_listing_select(struct tui_listing *l, uint32_t row)
{
	if (row < l->nr_shown)
		l->selected = row;
}

/*
 * Selects the line @step further in the order of shares; 0 is the hottest line.
 */
static void go_to_hot(struct tui_listing *l, int step)
{
	uint32_t nr = l->nr_hottest, line, row;

	if (!nr) {
		snprintf(l->message, sizeof(l->message), "no instruction has samples");
		return;
	}
	l->at_hottest = !step ? 0 : (l->at_hottest + (step > 0 ? 1 : nr - 1)) % nr;
	line = l->hottest[l->at_hottest];
	for (row = 0; row < l->nr_shown; row++)
		if (l->shown[row] == line)
			l->selected = row;
}

static void find(struct tui_listing *l, bool back)
{
	uint32_t i, row;

	if (!l->wanted[0])
		return;
	for (i = 1; i <= l->nr_shown; i++) {
		row = (l->selected + (back ? l->nr_shown - i : i)) % l->nr_shown;
		if (!strcasestr(tui_listing_line(l, row)->text, l->wanted))
			continue;
		l->selected = row;
		return;
	}
	snprintf(l->message, sizeof(l->message), "not found: %.*s", (int)(TUI_LISTING_TEXT / 2), l->wanted);
}

void tui_listing_search(struct tui_listing *l, const char *text)
{
	l->message[0] = '\0';
	snprintf(l->wanted, sizeof(l->wanted), "%s", text);
	find(l, false);
}

static void switch_source(struct tui_listing *l)
{
	uint32_t at = l->nr_shown ? l->shown[l->selected] : 0;

	l->no_source = !l->no_source;
	snprintf(l->message, sizeof(l->message), "%s", l->no_source ? "instructions alone" :
		 "instructions with the source between them");
	show(l, at);
}

void tui_listing_do(struct tui_listing *l, enum tui_listing_command command)
{
	l->message[0] = '\0';
	switch (command) {
	case TUI_LINE_UP:
		l->selected -= !!l->selected;
		break;
	case TUI_LINE_DOWN:
		l->selected += l->selected + 1 < l->nr_shown;
		break;
	case TUI_LINE_FIRST:
		l->selected = 0;
		break;
	case TUI_LINE_LAST:
		l->selected = l->nr_shown ? l->nr_shown - 1 : 0;
		break;
	case TUI_LINE_HOTTEST:
		go_to_hot(l, 0);
		break;
	case TUI_LINE_COOLER:
		go_to_hot(l, 1);
		break;
	case TUI_LINE_HOTTER:
		go_to_hot(l, -1);
		break;
	case TUI_LINE_SOURCE:
		switch_source(l);
		break;
	case TUI_LINE_NEXT:
	case TUI_LINE_PREVIOUS:
		find(l, command == TUI_LINE_PREVIOUS);
		break;
	}
}
