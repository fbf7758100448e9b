/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the model share: for user/show/tui alone. */
#ifndef USTACK_USER_TUI_MODEL_H
#define USTACK_USER_TUI_MODEL_H

#include "show/tui/tui.h"

/* Makes trees anew, as the model's switches say. Return: 0, -ENOMEM or -E2BIG. */
int tui_build(struct tui_model *m);
/* Makes rows anew, and selects what was selected. Return: 0 or -ENOMEM. */
int tui_rows(struct tui_model *m);
/* The selected row is to be found again by tui_rows(). */
void tui_remember(struct tui_model *m);
/* What passes the filter. Return: 0 or -ENOMEM. */
int tui_filter_stacks(struct tui_model *m);
/* The next (previous) one that is searched for. Return: 0 or -ENOMEM. */
int tui_search(struct tui_model *m, bool back);
/* What to do with folds, by command. Return: 0 or -ENOMEM. */
int tui_fold(struct tui_model *m, enum tui_command command);

bool tui_ways_have(const struct tui_ways *w, uint64_t way);
/* Return: 0 or -ENOMEM. */
int tui_ways_add(struct tui_ways *w, uint64_t way);
void tui_ways_remove(struct tui_ways *w, uint64_t way);
/* Adds many: without order, then once in order. */
int tui_ways_append(struct tui_ways *w, uint64_t way);
void tui_ways_sort(struct tui_ways *w);

static inline const struct calltree *tui_tree(const struct tui_model *m)
{
	return m->view == TUI_CALLERS ? m->callers : m->t;
}

static inline const uint64_t *tui_way(const struct tui_model *m)
{
	return m->way[m->view == TUI_CALLERS];
}

/* Node whose children are outermost, or that is itself. */
static inline uint32_t tui_root(const struct tui_model *m)
{
	return m->view == TUI_TREE ? m->root : 0;
}

#endif /* USTACK_USER_TUI_MODEL_H */
