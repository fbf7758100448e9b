// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model of a view: its trees, what is filtered, zoomed into and switched
 * on, and its commands. See tui.h; rows.c, search.c and path_set.c have the rest.
 */
#include "show/tui/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

struct tui_model *tui_model_new(const struct tui_options *options)
{
	struct tui_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->options = *options;
	intern_init(&m->hash);
	return m;
}

static void drop_tree(struct tui_model *m, unsigned int k)
{
	struct calltree **t = k ? &m->callers : &m->t;

	calltree_free(*t);
	free(m->path[k]);
	free(m->symbol[k]);
	*t = NULL;
	m->path[k] = m->symbol[k] = NULL;
}

static void drop(struct tui_model *m)
{
	drop_tree(m, 0);
	drop_tree(m, 1);
	free(m->flat);
	m->flat = NULL;
	m->nr_flat = m->nr_rows = m->root = 0;
}

void tui_model_free(struct tui_model *m)
{
	if (!m)
		return;
	drop(m);
	intern_release(&m->hash);
	free(m->rows);
	free(m->open.path);
	free(m->passes);
	free(m);
}

static bool keep(const struct profile *p, const struct profile_sample *s, void *arg)
{
	const struct tui_model *m = arg;

	if (m->options.keep && !m->options.keep(p, s, m->options.arg))
		return false;
	return !m->passes || m->passes[s->stack];
}

static uint64_t symbol_hash(const struct tui_model *m, const struct calltree_symbol *s)
{
	const uint64_t word[] = {
		intern_bytes(&m->hash, s->name, strlen(s->name)),
		intern_bytes(&m->hash, s->image, strlen(s->image)), s->kind, s->line,
	};

	return intern_words(&m->hash, word, 4);
}

/*
 * Hashes symbols and paths of nodes, which stay the same from one tree to the
 * next.
 */
static int find_ways(struct tui_model *m, unsigned int k)
{
	const struct calltree *t = k ? m->callers : m->t;
	uint64_t word[2];
	uint32_t i;

	m->path[k] = calloc(t->nr_nodes, sizeof(*m->path[k]));
	m->symbol[k] = calloc(t->nr_symbols, sizeof(*m->symbol[k]));
	if (!m->path[k] || !m->symbol[k])
		return -ENOMEM;
	for (i = 0; i < t->nr_symbols; i++)
		m->symbol[k][i] = symbol_hash(m, &t->symbols[i]);
	m->path[k][0] = k;
	for (i = 1; i < t->nr_nodes; i++) {
		word[0] = m->path[k][t->nodes[i].parent];
		word[1] = m->symbol[k][t->nodes[i].symbol];
		m->path[k][i] = intern_words(&m->hash, word, 2);
	}
	return 0;
}

static int64_t sum_of(const struct tui_model *m)
{
	int64_t sum = 0;
	uint32_t i;

	for (i = 0; i < m->p->nr_samples; i++) {
		const struct profile_sample *s = &m->p->samples[i];

		if (m->options.keep && !m->options.keep(m->p, s, m->options.arg))
			continue;
		if (__builtin_add_overflow(sum, s->value[m->options.value], &sum))
			return INT64_MAX;
	}
	return sum;
}

/* Finds the innermost zoomed node that still exists. */
static void find_root(struct tui_model *m)
{
	uint32_t i;

	m->root = 0;
	for (; m->nr_zoom && !m->root; m->nr_zoom -= !m->root)
		for (i = 1; i < m->t->nr_nodes && !m->root; i++)
			if (m->path[0][i] == m->zoom[m->nr_zoom - 1])
				m->root = i;
}

static int build_callers(struct tui_model *m)
{
	uint32_t i;
	int err;

	drop_tree(m, 1);
	for (i = 0; i < m->t->nr_symbols && m->symbol[0][i] != m->called; i++)
		;
	if (i == m->t->nr_symbols) {
		/* the function has no samples any more */
		m->view = m->before;
		return 0;
	}
	err = calltree_callers(m->t, i, &m->callers);
	return err ? err : find_ways(m, 1);
}

/* Opens the path with the most samples, once. */
static int unfold(struct tui_model *m)
{
	uint32_t node = m->t->nodes[0].first_child;
	int err = 0;

	if (m->unfolded || !node)
		return 0;
	m->unfolded = true;
	for (; !err && node; node = m->t->nodes[node].first_child) {
		if (m->t->nodes[node].total[0] < m->t->nodes[0].total[0] / 2)
			break;
		err = tui_path_set_append(&m->open, m->path[0][node]);
	}
	tui_path_set_sort(&m->open);
	return err;
}

static int build(struct tui_model *m)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	const struct calltree_options options = {
		.value = { m->options.value }, .lines = m->options.lines,
		.no_inlines = m->no_inlines, .roots = roots, .keep = keep, .arg = m,
	};
	int err = calltree_new(m->p, NULL, &options, &m->t);

	if (!err)
		err = find_ways(m, 0);
	if (!err)
		err = calltree_flat(m->t, m->children, &m->flat, &m->nr_flat);
	if (err)
		return err;
	find_root(m);
	err = unfold(m);
	if (!err && m->view == TUI_CALLERS)
		err = build_callers(m);
	return err;
}

int tui_build(struct tui_model *m)
{
	int err;

	tui_remember(m);
	drop(m);
	/* the profile may have new stacks */
	err = tui_filter_stacks(m);
	if (!err)
		err = build(m);
	if (!err)
		err = tui_rows(m);
	if (err)
		drop(m);
	return err;
}

void tui_model_value(struct tui_model *m, uint32_t value)
{
	m->options.value = value;
}

int tui_model_profile(struct tui_model *m, const struct profile *p)
{
	tui_remember(m);
	drop(m);
	m->p = p;
	m->all = sum_of(m);
	return tui_build(m);
}

static int switch_it(struct tui_model *m, bool *what, const char *on, const char *off)
{
	*what = !*what;
	snprintf(m->message, sizeof(m->message), "%s", *what ? on : off);
	return tui_build(m);
}

static int show_callers(struct tui_model *m)
{
	struct tui_cells c;
	int err;

	if (!m->nr_rows)
		return 0;
	tui_model_cells(m, m->selected, &c);
	if (c.symbol->kind == CALLTREE_LABEL) {
		snprintf(m->message, sizeof(m->message), "this is no function");
		return 0;
	}
	m->called = symbol_hash(m, c.symbol);
	if (m->view != TUI_CALLERS) {
		m->before = m->view;
		m->at_before = m->at;
	}
	m->view = TUI_CALLERS;
	err = build_callers(m);
	/* opens the function, so that its callers are visible */
	if (!err && m->callers && m->callers->nodes[0].first_child)
		err = tui_path_set_add(&m->open, m->path[1][m->callers->nodes[0].first_child]);
	m->at = 0;
	m->selected = 0;
	return err ? err : tui_rows(m);
}

static int zoom(struct tui_model *m)
{
	int err;

	if (m->view != TUI_TREE) {
		snprintf(m->message, sizeof(m->message), "only the tree can be zoomed (t)");
		return 0;
	}
	if (!m->nr_rows || m->rows[m->selected].node == m->root || m->nr_zoom == TUI_MAX_ZOOM)
		return 0;
	m->zoom[m->nr_zoom++] = tui_paths(m)[m->rows[m->selected].node];
	m->root = m->rows[m->selected].node;
	err = tui_path_set_add(&m->open, m->path[0][m->root]);
	return err ? err : tui_rows(m);
}

static int back(struct tui_model *m)
{
	if (m->view == TUI_CALLERS) {
		m->view = m->before;
		m->at = m->at_before;
	} else if (m->view == TUI_TREE && m->nr_zoom) {
		/* selects the node that was zoomed into */
		m->at = m->zoom[--m->nr_zoom];
		find_root(m);
		return tui_rows(m);
	} else if (m->filter[0]) {
		return tui_model_filter(m, "");
	}
	return tui_rows(m);
}

static int show(struct tui_model *m, enum tui_view view)
{
	m->view = view;
	m->at = 0;
	m->selected = 0;
	return tui_rows(m);
}

static void move(struct tui_model *m, enum tui_command command)
{
	uint32_t last = m->nr_rows ? m->nr_rows - 1 : 0;

	if (command == TUI_UP)
		m->selected -= !!m->selected;
	else if (command == TUI_DOWN)
		m->selected += m->selected < last;
	else
		m->selected = command == TUI_FIRST ? 0 : last;
}

int tui_model_do(struct tui_model *m, enum tui_command command)
{
	m->message[0] = '\0';
	if (!m->t)
		return 0;
	tui_remember(m);
	switch (command) {
	case TUI_UP:
	case TUI_DOWN:
	case TUI_FIRST:
	case TUI_LAST:
		move(m, command);
		return 0;
	case TUI_OPEN:
	case TUI_CLOSE:
	case TUI_TOGGLE:
	case TUI_OPEN_ALL:
	case TUI_CLOSE_ALL:
		return tui_fold(m, command);
	case TUI_ZOOM:
		return zoom(m);
	case TUI_BACK:
		return back(m);
	case TUI_SHOW_FLAT:
		return show(m, TUI_FLAT);
	case TUI_SHOW_TREE:
		return show(m, TUI_TREE);
	case TUI_SHOW_CALLERS:
		return show_callers(m);
	case TUI_SWITCH_CHILDREN:
		return switch_it(m, &m->children, "functions with the largest total first",
				 "functions with the largest self first");
	case TUI_SWITCH_INLINES:
		return switch_it(m, &m->no_inlines, "inlined functions are part of their callers",
				 "inlined functions are functions");
	case TUI_SWITCH_BASE:
		return switch_it(m, &m->of_all, "percent of all samples",
				 "percent of what is shown");
	case TUI_NEXT:
	case TUI_PREVIOUS:
		return tui_search(m, command == TUI_PREVIOUS);
	}
	return 0;
}
