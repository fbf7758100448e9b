// SPDX-License-Identifier: GPL-2.0-only
/* Writes the instructions of the hottest functions into the page of ustack flame. */
#include "cmd/annotated.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/source.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

/**
 * struct page - the page that is being written
 * @rows: number of rows for which there is still room
 */
struct page {
	struct annotated *a;
	const struct annotated_in *in;
	struct annotate_view view;
	struct json *j;
	size_t rows;
};

static void say(const char *text, void *arg)
{
	fprintf(stderr, "ustack: %s\n", text);
}

static void put_rows(const struct page *page, const struct annotate_function *f,
		     const struct annotate_rows *r)
{
	char share[ANNOTATE_SHARE];
	size_t i;

	json_array(page->j, "rows");
	for (i = 0; i < r->nr; i++) {
		json_array(page->j, NULL);
		json_u64(page->j, NULL, r->rows[i].kind);
		json_string(page->j, NULL, annotate_share(r->rows[i].value, f, share));
		json_string(page->j, NULL, r->rows[i].text);
		json_array_end(page->j);
	}
	json_array_end(page->j);
}

/*
 * A function that is too large for the rest of the page is written without its cold parts, or
 * left out.
 */
static int put_function(struct page *page, const struct annotate_function *f)
{
	_cleanup_(annotate_rows_cleanup) struct annotate_rows *r = NULL;
	int err = annotate_rows_new(&page->view, f, &r);

	if (!err && r->nr > page->rows) {
		struct annotate_view warm = page->view;

		annotate_rows_free(r);
		r = NULL;
		warm.report.limit = 1;
		err = annotate_rows_new(&warm, f, &r);
	}
	if (err)
		return err;
	if (r->nr > page->rows) {
		json_string(page->j, "why", "the instructions of hotter functions fill the room that a page has");
		return 0;
	}
	page->rows -= r->nr;
	put_rows(page, f, r);
	return 0;
}

static int put_found(struct page *page, const struct calltree_symbol *s)
{
	_cleanup_(annotate_cleanup) struct annotate *found = NULL;
	char words[sizeof(((struct diag *)NULL)->text) + 4200], title[ANNOTATED_TITLE];
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct annotate_options options;
	int err = annotated_new(page->a, page->in, s, &options, &found, &diag);

	if (!err)
		err = annotate_code(found, &found->functions[0], &diag);
	if (err == -ENOMEM)
		return err;
	if (err) {
		diag_format(&diag, words, sizeof(words));
		json_string(page->j, "why", words);
		return 0;
	}
	json_string(page->j, "title", annotated_title(page->in, found, title));
	return put_function(page, &found->functions[0]);
}

static int put_symbol(struct page *page, const struct calltree_symbol *s)
{
	int err;

	json_object(page->j, NULL);
	json_string(page->j, "name", s->name);
	json_string(page->j, "image", s->image);
	err = put_found(page, s);
	json_object_end(page->j);
	return err;
}

/*
 * A function and its inlined copies are different symbols with one name; they have one set of
 * instructions.
 */
static bool is_new(const struct calltree *t, const struct calltree_flat *flat, uint32_t at)
{
	const struct calltree_symbol *s = &t->symbols[flat[at].symbol];
	uint32_t i;

	if (s->kind == CALLTREE_LABEL || flat[at].self[0] <= 0)
		return false;
	for (i = 0; i < at; i++)
		if (t->symbols[flat[i].symbol].kind != CALLTREE_LABEL &&
		    !strcmp(t->symbols[flat[i].symbol].name, s->name) &&
		    !strcmp(t->symbols[flat[i].symbol].image, s->image))
			return false;
	return true;
}

static int put_hottest(struct page *page, const struct calltree *t, uint32_t nr)
{
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	uint32_t nr_flat, i;
	int err = calltree_flat(t, false, &flat, &nr_flat);

	json_array(page->j, "functions");
	for (i = 0; !err && i < nr_flat && nr; i++) {
		if (!is_new(t, flat, i))
			continue;
		err = put_symbol(page, &t->symbols[flat[i].symbol]);
		nr--;
	}
	json_array_end(page->j);
	return err;
}

int annotated_page(struct annotated *a, const struct annotated_in *in, uint32_t nr, bool no_inlines,
		   struct json *j, const char *name)
{
	const struct calltree_options options = {
		.value = { in->value }, .no_inlines = no_inlines, .keep = in->keep, .arg = in->arg,
	};
	struct page page = {
		.a = a, .in = in, .j = j, .rows = ANNOTATED_PAGE_ROWS,
		.view = { .report = { .p = in->p, .file = in->file, .value = in->value } },
	};
	_cleanup_(sources_cleanup) struct sources *sources = NULL;
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	int err = calltree_new(in->p, NULL, &options, &t);

	if (!err && !a->no_source) {
		page.view.sources = sources = sources_new(a->source_dir, say, NULL);
		err = sources ? 0 : -ENOMEM;
	}
	if (err)
		return err;
	json_object(j, name);
	json_u64(j, "asked", nr);
	err = put_hottest(&page, t, nr);
	json_object_end(j);
	return err;
}
