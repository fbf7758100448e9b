// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws the model by ncurses: title, columns, rows, the last line, and the
 * help. See internal.h; terminal.c and keys.c call it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/tui/internal.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

/*
 * Cells for the name of a file on a screen up to NARROW; at most twice as many
 * on wider screens.
 */
#define IMAGE_CELLS 16
#define NARROW 90

#define NAME_BYTES 1024

#define ROW_KEYS "?: help  f: functions  t: tree  c: callers  a: annotate  /: search  q: quit"

/* The same limits as in perf's own view, in percent. */
#define HOT_PERCENT 5.0
#define WARM_PERCENT 0.5

int tui_put(int y, int x, int width, const char *text)
{
	char safe[NAME_BYTES];
	const char *s = screen_text(text, safe, sizeof(safe));
	mbstate_t state = { 0 };
	int used = 0, cells;
	size_t n;
	wchar_t c;

	move(y, x);
	for (; *s; s += n) {
		n = mbrtowc(&c, s, strlen(s), &state);
		if (n == (size_t)-1 || n == (size_t)-2) {
			/*
			 * a byte sequence that is not in the user's character
			 * set
			 */
			memset(&state, 0, sizeof(state));
			c = L'?';
			n = 1;
			while (((unsigned char)s[n] & 0xc0) == 0x80)
				n++;
		}
		cells = wcwidth(c);
		if (cells < 0) {
			c = L'?';
			cells = 1;
		}
		if (used + cells > width)
			break;
		addnwstr(&c, 1);
		used += cells;
	}
	return used;
}

void tui_put_share(const struct tui *t, double share)
{
	int pair = share >= HOT_PERCENT ? TUI_HOT : share >= WARM_PERCENT ? TUI_WARM : 0;

	if (t->colours && pair)
		attron(COLOR_PAIR(pair));
	printw("%6.2f%% ", share);
	if (t->colours && pair)
		attroff(COLOR_PAIR(pair));
}

static void put_title(const struct tui *t, int width)
{
	const struct calltree_symbol *zoomed = tui_model_zoomed(t->m);
	int x;

	attron(A_BOLD);
	x = tui_put(0, 0, width, t->screen->title);
	attroff(A_BOLD);
	if (zoomed) {
		x += tui_put(0, x, width - x, "  below ");
		x += tui_put(0, x, width - x, zoomed->name);
	}
	if (t->m->filter[0]) {
		x += tui_put(0, x, width - x, "  with ");
		tui_put(0, x, width - x, t->m->filter);
	}
}

/*
 * Return: cells for the name of a file: a third of the width above NARROW is
 * added.
 */
static int image_cells(int width)
{
	int more = (width - NARROW) / 3;

	return IMAGE_CELLS + (more < 0 ? 0 : more > IMAGE_CELLS ? IMAGE_CELLS : more);
}

static void put_columns(const struct tui *t, int width)
{
	static const char *const columns[] = {
		[TUI_FLAT] = "   self   total         self  image",
		[TUI_TREE] = "  total    self        total  function",
		[TUI_CALLERS] = "  total               total  function, and who calls it",
	};

	/* the function's name begins after the cells of its file */
	int pad = image_cells(width) + 2 - (int)strlen("image");
	char line[128];

	snprintf(line, sizeof(line), "%s%*s%s", columns[t->m->view], t->m->view == TUI_FLAT ? pad : 0, "",
		 t->m->view == TUI_FLAT ? "function" : "");
	attron(A_UNDERLINE);
	tui_put(1, 0, width, line);
	attroff(A_UNDERLINE);
}

static void put_name(const struct tui *t, int y, int x, int width,
		     const struct calltree_symbol *s)
{
	bool kernel = t->colours && s->kind == CALLTREE_KERNEL;
	char line[32];

	if (kernel)
		attron(COLOR_PAIR(TUI_KERNEL));
	if (s->kind == CALLTREE_LABEL)
		attron(A_BOLD);
	x += tui_put(y, x, width - x, s->name);
	if (s->kind == CALLTREE_INLINED)
		x += tui_put(y, x, width - x, " (inlined)");
	if (s->line) {
		x += tui_put(y, x, width - x, "  ");
		x += tui_put(y, x, width - x, s->file);
		snprintf(line, sizeof(line), ":%" PRIu32, s->line);
		tui_put(y, x, width - x, line);
	}
	attroff(A_BOLD);
	if (kernel)
		attroff(COLOR_PAIR(TUI_KERNEL));
}

static void put_row(const struct tui *t, uint32_t row, int y, int width)
{
	const struct tui_model *m = t->m;
	const struct tui_row *r = &m->rows[row];
	bool flat = m->view == TUI_FLAT;
	char value[TEXT_SHORT];
	struct tui_cells c;
	int x, indent;

	tui_model_cells(m, row, &c);
	if (row == m->selected)
		attron(A_REVERSE);
	mvhline(y, 0, ' ', width);
	move(y, 0);
	tui_put_share(t, flat ? c.self_share : c.total_share);
	if (m->view == TUI_CALLERS)
		printw("%8s", "");
	else
		tui_put_share(t, flat ? c.total_share : c.self_share);
	printw("%12s  ", t->screen->value(flat ? c.self : c.total, value, t->screen->arg));
	x = getcurx(stdscr);
	if (flat) {
		tui_put(y, x, image_cells(width), c.symbol->image);
		x += image_cells(width) + 2;
	} else {
		/*
		 * wraps around, because a very deep row would leave no room for
		 * its name
		 */
		indent = (int)(r->depth * 2 % (unsigned int)(width > 60 ? width - 40 : 20));
		mvaddch(y, x + indent, r->folds ? (r->open ? '-' : '+') : ' ');
		x += indent + 2;
	}
	if (x < width)
		put_name(t, y, x, width, c.symbol);
	attroff(A_REVERSE);
}

void tui_put_foot(const struct tui *t, int y, int width, uint32_t row, uint32_t nr, const char *message,
		  const char *keys)
{
	static const char *const prompts[] = { "", "search: ", "only stacks with: " };
	char text[64];
	int x;

	if (t->prompt) {
		x = tui_put(y, 0, width, prompts[t->prompt]);
		x += tui_put(y, x, width - x - 1, t->text);
		move(y, x);
		return;
	}
	if (message[0]) {
		tui_put(y, 0, width, message);
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu32 "/%" PRIu32 "  ", nr ? row + 1 : 0, nr);
	x = tui_put(y, 0, width, text);
	tui_put(y, x, width - x, keys);
}

static void put_help(struct tui *t, int height, int width)
{
	const char *parts[] = { t->annotated ? tui_listing_help_text : tui_help_text,
				t->screen->help && !t->annotated ? t->screen->help : "" };
	unsigned int line = 0, k;
	const char *s, *end;
	char text[128];

	for (k = 0; k < 2; k++)
		for (s = parts[k]; *s; s = end + 1, line++) {
			end = strchr(s, '\n');
			snprintf(text, sizeof(text), "%.*s", (int)(end - s), s);
			if (line >= t->help_top && (int)(line - t->help_top) < height - 1)
				tui_put((int)(line - t->help_top), 0, width, text);
		}
	tui_put(height - 1, 0, width, "any key: back");
}

uint32_t tui_scroll(uint32_t top, uint32_t height, uint32_t selected, uint32_t nr)
{
	if (selected < top)
		top = selected;
	if (selected >= top + height)
		top = selected - height + 1;
	if (top && top + height > nr)
		top = nr > height ? nr - height : 0;
	return top;
}

static void draw_rows(struct tui *t, int height, int width)
{
	struct tui_model *m = t->m;
	uint32_t i;

	t->top = tui_scroll(t->top, t->height, m->selected, m->nr_rows);
	put_title(t, width);
	put_columns(t, width);
	for (i = 0; i < t->height && t->top + i < m->nr_rows; i++)
		put_row(t, t->top + i, (int)i + 2, width);
	tui_put_foot(t, height - 1, width, m->selected, m->nr_rows, m->message, ROW_KEYS);
}

void tui_draw(struct tui *t)
{
	int height, width;

	getmaxyx(stdscr, height, width);
	t->height = height > 3 ? (uint32_t)height - 3 : 1;
	erase();
	if (t->help)
		put_help(t, height, width);
	else if (t->annotated)
		tui_draw_listing(t, height, width);
	else
		draw_rows(t, height, width);
	curs_set(t->prompt ? 1 : 0);
	refresh();
}
