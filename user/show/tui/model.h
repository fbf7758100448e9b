/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/tui: what the parts of the model share. */
#ifndef USTACK_USER_TUI_MODEL_H
#define USTACK_USER_TUI_MODEL_H

#include "show/tui/tui.h"

/*
 * Builds the trees again from the profile and the switches. Return: 0, -ENOMEM
 * or -E2BIG.
 */
int tui_build(struct tui_model *m);
/*
 * Makes the rows again, and selects the same one as before. Return: 0 or
 * -ENOMEM.
 */
int tui_rows(struct tui_model *m);
/* Remembers the selected row for tui_rows(). */
void tui_remember(struct tui_model *m);
/* Finds the stacks that pass the filter. Return: 0 or -ENOMEM. */
int tui_filter_stacks(struct tui_model *m);
/* Goes to the next (previous) match of the search. Return: 0 or -ENOMEM. */
int tui_search(struct tui_model *m, bool back);
/* Handles the commands that open and close nodes. Return: 0 or -ENOMEM. */
int tui_fold(struct tui_model *m, enum tui_command command);

/* Return: whether the set has a path. */
bool tui_ways_have(const struct tui_ways *w, uint64_t way);
/* Adds a path. Return: 0 or -ENOMEM. */
int tui_ways_add(struct tui_ways *w, uint64_t way);
void tui_ways_remove(struct tui_ways *w, uint64_t way);
/* To add many paths: append all, then sort once. Return: 0 or -ENOMEM. */
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

/* Return: node that is outermost in the view, or 0 if its children are. */
static inline uint32_t tui_root(const struct tui_model *m)
{
	return m->view == TUI_TREE ? m->root : 0;
}

#endif /* USTACK_USER_TUI_MODEL_H */
