// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes rows from the trees, and opens and closes nodes. See tui.h and model.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/tui/model.h"
#include "util/array.h"

#include "util/poison.h"

static uint64_t hash_of(const struct tui_model *m, const struct tui_row *r)
{
	return m->view == TUI_FLAT ? m->symbol[0][m->flat[r->node].symbol] :
				     tui_paths(m)[r->node];
}

void tui_remember(struct tui_model *m)
{
	if (m->selected < m->nr_rows)
		m->at = hash_of(m, &m->rows[m->selected]);
}

static int add(struct tui_model *m, uint32_t node, uint32_t depth, bool folds)
{
	if (!array_has_room(m->rows, m->nr_rows, m->rows_room))
		return -ENOMEM;
	m->rows[m->nr_rows++] = (struct tui_row){
		.node = node, .depth = depth, .folds = folds,
		.open = folds && tui_path_set_has(&m->open, tui_paths(m)[node]),
	};
	return 0;
}

static int add_flat(struct tui_model *m)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < m->nr_flat; i++) {
		if (m->t->symbols[m->flat[i].symbol].kind == CALLTREE_LABEL)
			continue;
		if (!array_has_room(m->rows, m->nr_rows, m->rows_room))
			return -ENOMEM;
		m->rows[m->nr_rows++] = (struct tui_row){ .node = i };
	}
	return err;
}

static int add_tree(struct tui_model *m)
{
	const struct calltree_node *n = tui_tree(m)->nodes;
	uint32_t root = tui_root(m), depth = 0, at = root ? root : n[0].first_child;
	int err = 0;

	while (at) {
		err = add(m, at, depth, n[at].first_child);
		if (err)
			return err;
		if (m->rows[m->nr_rows - 1].open) {
			at = n[at].first_child;
			depth++;
			continue;
		}
		while (at && at != root && !n[at].next) {
			at = n[at].parent;
			depth -= !!depth;
		}
		at = at == root ? 0 : n[at].next;
	}
	return 0;
}

static void select_again(struct tui_model *m)
{
	uint32_t i;

	for (i = 0; i < m->nr_rows; i++)
		if (hash_of(m, &m->rows[i]) == m->at) {
			m->selected = i;
			return;
		}
	if (m->selected >= m->nr_rows)
		m->selected = m->nr_rows ? m->nr_rows - 1 : 0;
}

int tui_rows(struct tui_model *m)
{
	int err;

	m->nr_rows = 0;
	err = m->view == TUI_FLAT ? add_flat(m) : add_tree(m);
	if (!err)
		select_again(m);
	return err;
}

void tui_model_select(struct tui_model *m, uint32_t row)
{
	if (row < m->nr_rows)
		m->selected = row;
}

static void close_row(struct tui_model *m, const struct tui_row *r)
{
	uint32_t i = m->selected;

	if (r->open) {
		tui_path_set_remove(&m->open, tui_paths(m)[r->node]);
		return;
	}
	while (i && m->rows[i].depth >= r->depth)
		i--;
	if (m->rows[i].depth < r->depth)
		m->at = tui_paths(m)[m->rows[i].node];
}

/* Opens a node and all nodes below it. */
static int open_all(struct tui_model *m, uint32_t root)
{
	const struct calltree_node *n = tui_tree(m)->nodes;
	uint32_t at = root;
	int err = 0;

	while (!err) {
		if (n[at].first_child) {
			err = tui_path_set_append(&m->open, tui_paths(m)[at]);
			at = n[at].first_child;
			continue;
		}
		while (at != root && !n[at].next)
			at = n[at].parent;
		if (at == root)
			break;
		at = n[at].next;
	}
	tui_path_set_sort(&m->open);
	return err;
}

int tui_fold(struct tui_model *m, enum tui_command command)
{
	const struct tui_row *r;
	int err = 0;

	if (m->view == TUI_FLAT || !m->nr_rows)
		return 0;
	r = &m->rows[m->selected];
	if (command == TUI_CLOSE_ALL)
		m->open.nr = 0;
	else if (command == TUI_OPEN_ALL)
		err = open_all(m, r->node);
	else if (command == TUI_CLOSE || (command == TUI_TOGGLE && r->open))
		close_row(m, r);
	else if (r->folds)
		err = tui_path_set_add(&m->open, tui_paths(m)[r->node]);
	return err ? err : tui_rows(m);
}

static double share(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

void tui_model_cells(const struct tui_model *m, uint32_t row, struct tui_cells *ret)
{
	const struct calltree *t = tui_tree(m);
	const struct tui_row *r = &m->rows[row];
	int64_t base = m->of_all ? m->all : t->nodes[tui_root(m)].total[0];

	if (m->view == TUI_FLAT)
		*ret = (struct tui_cells){
			.symbol = &t->symbols[m->flat[r->node].symbol],
			.self = m->flat[r->node].self[0], .total = m->flat[r->node].total[0],
		};
	else
		*ret = (struct tui_cells){
			.symbol = &t->symbols[t->nodes[r->node].symbol],
			.self = t->nodes[r->node].self[0], .total = t->nodes[r->node].total[0],
		};
	ret->self_share = share(ret->self, base);
	ret->total_share = share(ret->total, base);
}

const struct calltree_symbol *tui_model_zoomed(const struct tui_model *m)
{
	uint32_t root = m->t ? tui_root(m) : 0;

	return root ? &m->t->symbols[m->t->nodes[root].symbol] : NULL;
}
