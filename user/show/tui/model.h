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
bool tui_path_set_has(const struct tui_path_set *s, uint64_t path);
/* Adds a path. Return: 0 or -ENOMEM. */
int tui_path_set_add(struct tui_path_set *s, uint64_t path);
void tui_path_set_remove(struct tui_path_set *s, uint64_t path);
/* To add many paths: append all, then sort once. Return: 0 or -ENOMEM. */
int tui_path_set_append(struct tui_path_set *s, uint64_t path);
void tui_path_set_sort(struct tui_path_set *s);

static inline const struct calltree *tui_tree(const struct tui_model *m)
{
	return m->view == TUI_CALLERS ? m->callers : m->t;
}

static inline const uint64_t *tui_paths(const struct tui_model *m)
{
	return m->path[m->view == TUI_CALLERS];
}

/* Return: node that is outermost in the view, or 0 if its children are. */
static inline uint32_t tui_root(const struct tui_model *m)
{
	return m->view == TUI_TREE ? m->root : 0;
}

#endif /* USTACK_USER_TUI_MODEL_H */
