// SPDX-License-Identifier: GPL-2.0-only
/* A comparison of two profiles as text: its head, functions and call tree. See diff.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "show/report/diff.h"
#include "util/cleanup.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

#define INDENT 2
#define IMAGE_CELLS 20

void diff_head(const struct diff_view *v, const struct calltree *t, FILE *out)
{
	const struct diff_sums sums = diff_sums(v, t);
	char text[1024], buf[TEXT_SHORT];
	unsigned int k;

	for (k = 0; k < 2; k++) {
		const struct report_view *s = &v->side[k];

		fprintf(out, "# %s %s: ", k ? " after:" : "before:",
			screen_text(s->file, text, sizeof(text)));
		fprintf(out, "%s, %s",
			screen_text(profile_text(s->p, s->p->value_types[s->value].type), text,
				    sizeof(text)),
			report_value(s, sums.all[k], buf));
		if (v->counted)
			fprintf(out, ", %" PRId64 " samples", sums.samples[k]);
		fputc('\n', out);
	}
	fputs(v->counted ? "# chance alone marks 1 of 20 rows with *, 1 of 100 with **, 1 of 1000 with ***\n#\n" :
			   "# there are no numbers of samples: changes are not tested\n#\n", out);
}

/* Writes a change with its sign and unit. Return: @buf. */
static const char *signed_value(const struct report_view *v, int64_t before, int64_t after,
				char *buf)
{
	char value[TEXT_SHORT];
	int64_t change;

	if (__builtin_sub_overflow(after, before, &change) || change == INT64_MIN)
		change = after < before ? -INT64_MAX : INT64_MAX;
	snprintf(buf, TEXT_SHORT, "%c%.30s", change < 0 ? '-' : '+',
		 report_value(v, change < 0 ? -change : change, value));
	return buf;
}

static void put_numbers(const struct diff_view *v, const struct diff_change *c,
			const int64_t value[2], FILE *out)
{
	char before[TEXT_SHORT], after[TEXT_SHORT], change[TEXT_SHORT];

	if (v->absolute)
		fprintf(out, "%12s %12s %13s", report_value(&v->side[0], value[0], before),
			report_value(&v->side[1], value[1], after),
			signed_value(&v->side[0], value[0], value[1], change));
	else
		fprintf(out, "%6.2f %% %6.2f %% %+7.2f %%", c->share[0], c->share[1], c->change);
	fprintf(out, " %-3s %-4s  ", diff_mark(c), diff_state(value));
}

static void put_titles(const struct diff_view *v, const char *rest, FILE *out)
{
	if (v->absolute)
		fprintf(out, "#     before        after        change           %s\n", rest);
	else
		fprintf(out, "#before    after    change           %s\n", rest);
}

/*
 * For an empty list: prints which --percent-limit would show a row. @most:
 * weight of the largest change.
 */
static void put_none(const struct diff_view *v, double most, FILE *out)
{
	uint32_t limit = (uint32_t)most;

	if (most > 0)
		fprintf(out, "# nothing has changed by %" PRIu32 ".%02" PRIu32 " %%: "
			"--percent-limit %" PRIu32 ".%02" PRIu32 " shows the largest change\n",
			v->limit / 100, v->limit % 100, limit / 100, limit % 100);
	else
		fputs("# nothing has changed\n", out);
}

int diff_flat(const struct diff_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) struct diff_row *rows = NULL;
	char image[4 * IMAGE_CELLS + 1];
	uint32_t nr, i;
	int err = diff_rows(v, t, &rows, &nr);

	if (err)
		return err;
	put_titles(v, "image                 function", out);
	for (i = 0; i < nr; i++) {
		const struct calltree_symbol *s = &t->symbols[rows[i].flat.symbol];
		const int64_t *value = v->by_total ? rows[i].flat.total : rows[i].flat.self;

		if ((v->rows && i >= v->rows) || rows[i].change.weight < v->limit)
			break;
		put_numbers(v, &rows[i].change, value, out);
		fprintf(out, "%s  ",
			screen_column(s->image, IMAGE_CELLS, image, sizeof(image)));
		report_name(&v->side[0], s, out);
		fputc('\n', out);
	}
	if (i < nr)
		fprintf(out, "# %" PRIu32 " more functions\n", nr - i);
	if (nr && rows[0].change.weight < v->limit)
		put_none(v, rows[0].change.weight, out);
	return 0;
}

static void put_node(const struct diff_view *v, const struct calltree *t, uint32_t node,
		     unsigned int depth, FILE *out)
{
	const struct diff_change c = diff_node(v, t, node);

	put_numbers(v, &c, t->nodes[node].total, out);
	fprintf(out, "%*s", (int)depth * INDENT, "");
	report_name(&v->side[0], &t->symbols[t->nodes[node].symbol], out);
	fputc('\n', out);
}

int diff_tree(const struct diff_view *v, struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) double *reach = NULL;
	unsigned int depth = 0;
	uint32_t node;
	int err = diff_reach(v, t, &reach);

	if (err)
		return err;
	put_titles(v, "function", out);
	/* siblings are sorted by reach: after one that is left out, all are */
	node = t->nodes[0].first_child;
	if (node && reach[node] < v->limit)
		put_none(v, reach[node], out);
	while (node) {
		bool show = reach[node] >= v->limit;

		if (show)
			put_node(v, t, node, depth, out);
		if (show && t->nodes[node].first_child) {
			node = t->nodes[node].first_child;
			depth++;
			continue;
		}
		while (node && (!show || !t->nodes[node].next)) {
			node = t->nodes[node].parent;
			depth -= !!depth;
			show = true;
		}
		node = node ? t->nodes[node].next : 0;
	}
	return 0;
}
