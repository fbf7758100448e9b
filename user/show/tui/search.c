// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches names in the rows, and finds the stacks that pass the filter. See
 * tui.h and model.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/tui/model.h"
#include "util/cleanup.h"

#include "util/poison.h"

static bool location_has(const struct profile *p, const struct profile_location *l,
			 const char *text)
{
	uint32_t i;

	for (i = 0; i < l->nr_lines; i++)
		if (strcasestr(profile_text(p, p->functions[p->lines[l->first_line + i].function]
						       .name), text))
			return true;
	return !l->nr_lines && strcasestr(profile_text(p, p->mappings[l->mapping].file), text);
}

int tui_filter_stacks(struct tui_model *m)
{
	_cleanup_(cleanup_free) bool *has = NULL;
	const struct profile *p = m->p;
	uint32_t i;

	free(m->passes);
	m->passes = NULL;
	if (!m->filter[0])
		return 0;
	has = calloc(p->nr_locations, sizeof(*has));
	m->passes = calloc(p->nr_stacks, sizeof(*m->passes));
	if (!has || !m->passes)
		return -ENOMEM;
	for (i = 1; i < p->nr_locations; i++)
		has[i] = location_has(p, &p->locations[i], m->filter);
	/* callers have lower numbers */
	for (i = 1; i < p->nr_stacks; i++)
		m->passes[i] = has[p->stacks[i].location] || m->passes[p->stacks[i].parent];
	return 0;
}

int tui_model_filter(struct tui_model *m, const char *text)
{
	snprintf(m->filter, sizeof(m->filter), "%s", text);
	m->message[0] = '\0';
	return m->p ? tui_build(m) : 0;
}

static bool matches(const struct tui_model *m, const struct calltree_symbol *s)
{
	return strcasestr(s->name, m->wanted);
}

static void search_flat(struct tui_model *m, bool back, bool *found)
{
	struct tui_cells c;
	uint32_t i, at = m->selected;

	for (i = 0; i < m->nr_rows; i++) {
		at = back ? (at ? at : m->nr_rows) - 1 : (at + 1) % m->nr_rows;
		tui_model_cells(m, at, &c);
		if (!matches(m, c.symbol))
			continue;
		m->selected = at;
		*found = true;
		return;
	}
}

/*
 * Lists all nodes in the order of rows when everything is open. Return: number
 * of nodes.
 */
static uint32_t list_nodes(const struct tui_model *m, uint32_t *ret)
{
	const struct calltree_node *n = tui_tree(m)->nodes;
	uint32_t root = tui_root(m), at = root ? root : n[0].first_child, nr = 0;

	while (at) {
		ret[nr++] = at;
		if (n[at].first_child) {
			at = n[at].first_child;
			continue;
		}
		while (at && at != root && !n[at].next)
			at = n[at].parent;
		at = at == root ? 0 : n[at].next;
	}
	return nr;
}

static int open_above(struct tui_model *m, uint32_t node)
{
	const struct calltree_node *n = tui_tree(m)->nodes;
	uint32_t root = tui_root(m), at = node;
	int err = 0;

	m->at = tui_paths(m)[node];
	while (!err && at != root && n[at].parent) {
		at = n[at].parent;
		err = tui_path_set_append(&m->open, tui_paths(m)[at]);
	}
	tui_path_set_sort(&m->open);
	return err ? err : tui_rows(m);
}

static int search_tree(struct tui_model *m, bool back, bool *found)
{
	const struct calltree *t = tui_tree(m);
	_cleanup_(cleanup_free) uint32_t *list = calloc(t->nr_nodes, sizeof(*list));
	uint32_t nr, i, at = 0;

	if (!list)
		return -ENOMEM;
	nr = list_nodes(m, list);
	while (at < nr && list[at] != m->rows[m->selected].node)
		at++;
	for (i = 0; i < nr; i++) {
		at = back ? (at ? at : nr) - 1 : (at + 1) % nr;
		if (!matches(m, &t->symbols[t->nodes[list[at]].symbol]))
			continue;
		*found = true;
		return open_above(m, list[at]);
	}
	return 0;
}

int tui_search(struct tui_model *m, bool back)
{
	bool found = false;
	int err = 0;

	if (!m->wanted[0] || !m->nr_rows)
		return 0;
	if (m->view == TUI_FLAT)
		search_flat(m, back, &found);
	else
		err = search_tree(m, back, &found);
	if (!err && !found)
		snprintf(m->message, sizeof(m->message), "not found: %s", m->wanted);
	return err;
}

int tui_model_search(struct tui_model *m, const char *text)
{
	snprintf(m->wanted, sizeof(m->wanted), "%s", text);
	m->message[0] = '\0';
	return m->t ? tui_search(m, false) : 0;
}
