/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal view of a profile. What is shown is a model, which knows nothing of
 * terminals: commands change it, rows come out of it. terminal.h draws it.
 *
 *	profile -> tree -> rows <- commands
 *
 * What is chosen, unfolded and zoomed into is known by names on the way from the root, not
 * by numbers: it stays when the profile is another one, as it is every second in top.
 */
#ifndef USTACK_USER_TUI_H
#define USTACK_USER_TUI_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "util/intern.h"

#define TUI_TEXT 128u		/* bytes of what is searched for, its NUL included */
#define TUI_MAX_ZOOM 64u

enum tui_view {
	TUI_FLAT,	/* functions */
	TUI_TREE,	/* the tree of calls, by command */
	TUI_CALLERS,	/* who calls one function */
};

/**
 * struct tui_options - what does not change
 * @value: index of the value type
 * @lines: functions apart by line of the source
 * @keep: whether a sample is looked at; NULL for all
 * @arg: for @keep
 */
struct tui_options {
	uint32_t value;
	bool lines;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

/**
 * struct tui_row - one line
 * @node: of the tree; of functions: index in @flat
 * @depth: 0 for the outermost
 * @folds: it has something below it
 * @open: which is shown
 */
struct tui_row {
	uint32_t node;
	uint32_t depth;
	bool folds;
	bool open;
};

/* Hashes of ways from the root, in ascending order. */
struct tui_ways {
	uint64_t *way;
	size_t nr;
	size_t room;
};

/**
 * struct tui_model - to be read by anyone, changed by the functions below
 * @view: enum tui_view
 * @rows: lines, @nr_rows of them
 * @selected: index in @rows; 0 if there are none
 * @children: functions with the largest total first
 * @no_inlines: inlined functions are part of their callers
 * @of_all: shares are of all samples, not of what is zoomed into or filtered
 * @filter: a text that is in the name of a function of every stack; "" for all
 * @wanted: what is searched for; "" for nothing
 * @message: what is to be said of the last command, or ""
 * @all: sum of all samples that are looked at, filtered or not
 * @p: the profile; borrowed
 * @t: tree of all
 * @callers: tree of TUI_CALLERS, or NULL
 */
struct tui_model {
	struct tui_options options;
	enum tui_view view;
	struct tui_row *rows;
	uint32_t nr_rows;
	uint32_t selected;
	bool children;
	bool no_inlines;
	bool of_all;
	char filter[TUI_TEXT];
	char wanted[TUI_TEXT];
	char message[TUI_TEXT + 64];
	int64_t all;
	const struct profile *p;
	struct calltree *t;
	struct calltree *callers;
	struct calltree_flat *flat;
	uint32_t nr_flat;

	/* private */
	struct intern hash;		/* its key alone */
	uint64_t *way[2];		/* of nodes of @t and @callers */
	uint64_t *symbol[2];		/* hashes of their symbols */
	struct tui_ways open;
	uint64_t zoom[TUI_MAX_ZOOM];	/* ways of nodes of @t */
	unsigned int nr_zoom;
	uint32_t root;			/* node of @t that is zoomed into, or 0 */
	enum tui_view before;		/* TUI_CALLERS */
	uint64_t called;		/* hash of the function that TUI_CALLERS is of */
	uint64_t at;			/* hash of what is selected */
	uint64_t at_before;		/* TUI_CALLERS */
	bool *passes;			/* of stacks: they pass the filter */
	uint32_t rows_room;
	bool unfolded;			/* the heaviest way has been opened once */
};

/* Things to do that need no text. */
enum tui_command {
	TUI_UP,
	TUI_DOWN,
	TUI_FIRST,
	TUI_LAST,
	TUI_OPEN,	/* what is below the row */
	TUI_CLOSE,	/* or, if it is, go to its parent */
	TUI_TOGGLE,
	TUI_OPEN_ALL,	/* all that is below the row */
	TUI_CLOSE_ALL,
	TUI_ZOOM,	/* show the row and what is below it alone */
	TUI_BACK,	/* of zooming, callers, the filter: the last */
	TUI_SHOW_FLAT,
	TUI_SHOW_TREE,
	TUI_SHOW_CALLERS,	/* of the selected function */
	TUI_SWITCH_CHILDREN,
	TUI_SWITCH_INLINES,
	TUI_SWITCH_BASE,
	TUI_NEXT,	/* that is searched for */
	TUI_PREVIOUS,
};

/* Return: released by tui_model_free(), without a profile; NULL without memory. */
struct tui_model *tui_model_new(const struct tui_options *options);
void tui_model_free(struct tui_model *m);

/* Of the next profile, another value type. */
void tui_model_value(struct tui_model *m, uint32_t value);

/**
 * tui_model_profile() - show a profile
 * @m: the model
 * @p: must outlive the next call
 *
 * Return: 0, -ENOMEM or -E2BIG: then it shows nothing.
 */
int tui_model_profile(struct tui_model *m, const struct profile *p);

/* Return: 0, or as above. */
int tui_model_do(struct tui_model *m, enum tui_command command);

/* Goes to the next row with @text in its name, whatever its case; opens what hides it.
 * Return: 0 or -ENOMEM.
 */
int tui_model_search(struct tui_model *m, const char *text);

/* Only stacks with @text in a function's name; "" for all. Return: as above. */
int tui_model_filter(struct tui_model *m, const char *text);

void tui_model_select(struct tui_model *m, uint32_t row);

/**
 * struct tui_cells - what a row says
 * @symbol: what it is of
 * @self: value
 * @total: value
 * @self_share: in percent of what @of_all says
 * @total_share: the same
 */
struct tui_cells {
	const struct calltree_symbol *symbol;
	int64_t self;
	int64_t total;
	double self_share;
	double total_share;
};

void tui_model_cells(const struct tui_model *m, uint32_t row, struct tui_cells *ret);

/* The outermost node that is shown, or 0; NULL if nothing is zoomed into. */
const struct calltree_symbol *tui_model_zoomed(const struct tui_model *m);

#endif /* USTACK_USER_TUI_H */
