/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal view of a profile shows a model. The model knows nothing of
 * terminals: commands change it, and it makes rows. terminal.h draws it.
 *
 *	profile -> tree -> rows <- commands
 *
 * The selected row, unfolded nodes and the zoom are known by the names on their
 * path from the root, not by numbers. So they stay when the profile is
 * replaced, as top does every second.
 */
#ifndef USTACK_USER_TUI_H
#define USTACK_USER_TUI_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "util/intern.h"

#define TUI_TEXT 128u		/* size of a search text, with NUL */
#define TUI_MAX_ZOOM 64u

enum tui_view {
	TUI_FLAT,	/* functions */
	TUI_TREE,	/* the call tree, by command */
	TUI_CALLERS,	/* the callers of one function */
};

/**
 * struct tui_options - options that do not change
 * @value: index of the value type
 * @lines: functions are separate for each line of the source
 * @keep: returns whether a sample is shown; NULL for all
 * @arg: passed to @keep
 */
struct tui_options {
	uint32_t value;
	bool lines;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

/**
 * struct tui_row - one line
 * @node: node of the tree; for functions index in @flat
 * @depth: 0 for the outermost
 * @folds: true if there are nodes below it
 * @open: true if these are shown
 */
struct tui_row {
	uint32_t node;
	uint32_t depth;
	bool folds;
	bool open;
};

/* A set of paths from the root, as hashes in ascending order. */
struct tui_path_set {
	uint64_t *path;
	size_t nr;
	size_t room;
};

/**
 * struct tui_model - everybody may read it, the functions below change it
 * @options: as given
 * @view: enum tui_view
 * @rows: the rows of the view
 * @nr_rows: number of entries in @rows
 * @selected: index in @rows; 0 if there are none
 * @children: functions with the largest total first
 * @no_inlines: inlined functions count as part of their callers
 * @of_all: shares refer to all samples, not to those zoomed into or filtered
 * @filter: text that a function's name in every stack contains; "" for all
 *	stacks
 * @wanted: text that is searched for; "" for none
 * @message: message about the last command, or ""
 * @all: sum of all samples that @keep selects, filtered or not
 * @p: the profile; borrowed
 * @t: tree of all samples
 * @callers: tree of TUI_CALLERS, or NULL
 * @flat: functions of TUI_FLAT
 * @nr_flat: number of entries in @flat
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
	struct intern hash;		/* only its key is used */
	uint64_t *path[2];		/* hashes of the paths of nodes of @t and @callers */
	uint64_t *symbol[2];		/* hashes of their symbols */
	struct tui_path_set open;	/* unfolded nodes */
	uint64_t zoom[TUI_MAX_ZOOM];	/* paths of nodes of @t, outermost first */
	unsigned int nr_zoom;
	uint32_t root;			/* node of @t that is zoomed into, or 0 */
	enum tui_view before;		/* view to go back to from TUI_CALLERS */
	uint64_t called;		/* hash of the function of TUI_CALLERS */
	uint64_t at;			/* hash of the selected row */
	uint64_t at_before;		/* @at in the view before TUI_CALLERS */
	bool *passes;			/* by stack: it passes the filter */
	uint32_t rows_room;
	bool unfolded;			/* the path with the most samples was opened once */
};

/* Commands without a text. */
enum tui_command {
	TUI_UP,
	TUI_DOWN,
	TUI_FIRST,
	TUI_LAST,
	TUI_OPEN,	/* show what is below the row */
	TUI_CLOSE,	/* hide it or, if it is hidden, go to the parent */
	TUI_TOGGLE,
	TUI_OPEN_ALL,	/* show all that is below the row */
	TUI_CLOSE_ALL,
	TUI_ZOOM,	/* show only the row and what is below it */
	TUI_BACK,	/* undo the callers view, the zoom or the filter */
	TUI_SHOW_FLAT,
	TUI_SHOW_TREE,
	TUI_SHOW_CALLERS,	/* of the selected function */
	TUI_SWITCH_CHILDREN,
	TUI_SWITCH_INLINES,
	TUI_SWITCH_BASE,
	TUI_NEXT,	/* go to the next match of the search */
	TUI_PREVIOUS,
};

/* Return: released by tui_model_free(), without a profile; NULL without memory. */
struct tui_model *tui_model_new(const struct tui_options *options);
void tui_model_free(struct tui_model *m);

/* Sets the value type for the next profile. */
void tui_model_value(struct tui_model *m, uint32_t value);

/**
 * tui_model_profile() - show a profile
 * @m: the model
 * @p: must outlive the next call
 *
 * Return: 0, -ENOMEM or -E2BIG: then it shows nothing.
 */
int tui_model_profile(struct tui_model *m, const struct profile *p);

/* Return: as tui_model_profile(). */
int tui_model_do(struct tui_model *m, enum tui_command command);

/*
 * Goes to the next row whose name contains @text, whatever its case; opens the
 * nodes above it. Return: 0 or -ENOMEM.
 */
int tui_model_search(struct tui_model *m, const char *text);

/*
 * Shows only stacks with @text in a function's name; "" for all. Return: as
 * tui_model_profile().
 */
int tui_model_filter(struct tui_model *m, const char *text);

void tui_model_select(struct tui_model *m, uint32_t row);

/**
 * struct tui_cells - the contents of a row
 * @symbol: symbol of the row
 * @self: value of samples that end here
 * @total: value of all samples
 * @self_share: @self in percent; @of_all of the model decides of what
 * @total_share: @total in percent
 */
struct tui_cells {
	const struct calltree_symbol *symbol;
	int64_t self;
	int64_t total;
	double self_share;
	double total_share;
};

void tui_model_cells(const struct tui_model *m, uint32_t row, struct tui_cells *ret);

/* Return: the symbol that is zoomed into; NULL if there is none. */
const struct calltree_symbol *tui_model_zoomed(const struct tui_model *m);

#endif /* USTACK_USER_TUI_H */
