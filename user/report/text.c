// SPDX-License-Identifier: GPL-2.0
#include "report/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/cleanup.h"
#include "util/text.h"
#include "util/poison.h"

#define INDENT 2
#define MAX_REASONS 40

static double share(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static bool shown(const struct report_view *v, int64_t part, int64_t whole)
{
	return share(part, whole) * 100 >= v->limit;
}

static const char *unit_of(const struct report_view *v)
{
	return profile_text(v->p, v->p->value_types[v->value].unit);
}

const char *report_value(const struct report_view *v, int64_t value, char *buf)
{
	const char *unit = unit_of(v);

	if (!strcmp(unit, "bytes"))
		return text_bytes((uint64_t)value, buf);
	if (strcmp(unit, "nanoseconds"))
		snprintf(buf, TEXT_SHORT, "%" PRId64, value);
	else if (value >= 1000000000)
		snprintf(buf, TEXT_SHORT, "%.3f s", (double)value / 1e9);
	else
		snprintf(buf, TEXT_SHORT, "%.3f ms", (double)value / 1e6);
	return buf;
}

/* How much ended for which reason. */
struct reason {
	const char *name;
	int64_t value;
};

static int by_value(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return strcmp(x->name, y->name);
}

static unsigned int count_reasons(const struct report_view *v, struct reason *ret,
				  int64_t *all)
{
	unsigned int nr = 0, r;
	uint32_t i;

	*all = 0;
	for (i = 0; i < v->p->nr_samples; i++) {
		const struct profile_sample *s = &v->p->samples[i];
		const char *name = profile_label_text(v->p, s->labels, PROFILE_LABEL_STACK);

		if (!name)
			continue;
		*all += s->value[v->value];
		for (r = 0; r < nr && strcmp(ret[r].name, name); r++)
			;
		if (r == MAX_REASONS)
			continue;
		if (r == nr)
			ret[nr++] = (struct reason){ name, 0 };
		ret[r].value += s->value[v->value];
	}
	qsort(ret, nr, sizeof(*ret), by_value);
	return nr;
}

static void print_reasons(const struct report_view *v, FILE *out)
{
	struct reason reasons[MAX_REASONS];
	int64_t all;
	unsigned int nr = count_reasons(v, reasons, &all), i;
	const char *between = "#   stacks: ";
	char name[64];

	if (!all)
		return;
	for (i = 0; i < nr; i++) {
		fprintf(out, "%s%.2f %% %s", between, share(reasons[i].value, all),
			text_escape(reasons[i].name, name, sizeof(name)));
		between = ", ";
	}
	fputc('\n', out);
}

static void print_time(const struct profile *p, FILE *out)
{
	time_t seconds = (time_t)(p->time_ns / 1000000000);
	char date[64];
	struct tm tm;

	if (p->time_ns && gmtime_r(&seconds, &tm) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		fprintf(out, "#  started: %s\n", date);
	if (p->duration_ns)
		fprintf(out, "# duration: %.3f s\n", (double)p->duration_ns / 1e9);
}

void report_head(const struct report_view *v, const struct calltree *t, FILE *out)
{
	char text[512], buf[TEXT_SHORT];
	uint32_t i;

	for (i = 0; i < v->p->nr_comments; i++)
		fprintf(out, "# %s\n", text_escape(profile_text(v->p, v->p->comments[i]), text,
						   sizeof(text)));
	print_time(v->p, out);
	fprintf(out, "#    value: %s, %s in all\n",
		text_escape(profile_text(v->p, v->p->value_types[v->value].type), text,
			    sizeof(text)),
		report_value(v, t->nodes[0].total[0], buf));
	print_reasons(v, out);
	fputs("#\n", out);
}

static void print_name(const struct report_view *v, const struct calltree_symbol *s,
		       FILE *out)
{
	char name[1024], file[1024];

	fputs(text_escape(s->name, name, sizeof(name)), out);
	if (s->kind == CALLTREE_INLINED)
		fputs(" (inlined)", out);
	if (v->lines && s->file[0])
		fprintf(out, "  %s:%" PRIu32, text_escape(s->file, file, sizeof(file)),
			s->line);
}

int report_flat(const struct report_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	int64_t all = t->nodes[0].total[0], rest = 0;
	char value[TEXT_SHORT], image[64];
	uint32_t nr, i, left = 0;

	if (calltree_flat(t, v->by_total, &flat, &nr))
		return -ENOMEM;
	fprintf(out, "#  self    total   %12s  image                 function\n", "self");
	for (i = 0; i < nr; i++) {
		const struct calltree_symbol *s = &t->symbols[flat[i].symbol];

		if (s->kind == CALLTREE_LABEL)
			continue;
		if ((v->rows && i >= v->rows) ||
		    !shown(v, v->by_total ? flat[i].total[0] : flat[i].self[0], all)) {
			rest += flat[i].self[0];
			left++;
			continue;
		}
		fprintf(out, "%6.2f %% %6.2f %% %12s  %-20.20s  ", share(flat[i].self[0], all),
			share(flat[i].total[0], all), report_value(v, flat[i].self[0], value),
			text_escape(s->image, image, sizeof(image)));
		print_name(v, s, out);
		fputc('\n', out);
	}
	if (left)
		fprintf(out, "%6.2f %%                         %" PRIu32 " more functions\n",
			share(rest, all), left);
	return 0;
}

static void print_node(const struct report_view *v, const struct calltree *t, uint32_t node,
		       unsigned int depth, FILE *out)
{
	const struct calltree_node *n = &t->nodes[node];
	int64_t all = t->nodes[0].total[0];
	char value[TEXT_SHORT];

	fprintf(out, "%6.2f %% %6.2f %% %12s  %*s", share(n->total[0], all),
		share(n->self[0], all), report_value(v, n->total[0], value), depth * INDENT, "");
	print_name(v, &t->symbols[n->symbol], out);
	fputc('\n', out);
}

/* What of a node's children is too little to be shown: one line. */
static void print_rest(const struct report_view *v, const struct calltree *t, uint32_t node,
		       unsigned int depth, FILE *out)
{
	int64_t all = t->nodes[0].total[0], rest = 0;
	uint32_t c, nr = 0;

	for (c = t->nodes[node].first_child; c; c = t->nodes[c].next)
		if (!shown(v, t->nodes[c].total[0], all)) {
			rest += t->nodes[c].total[0];
			nr++;
		}
	if (nr && shown(v, rest, all))
		fprintf(out, "%6.2f %%                        %*s(%" PRIu32 " more)\n",
			share(rest, all), depth * INDENT, "", nr);
}

int report_tree(const struct report_view *v, const struct calltree *t, FILE *out)
{
	int64_t all = t->nodes[0].total[0];
	uint32_t node = t->nodes[0].first_child, up;
	unsigned int depth = 0;

	fprintf(out, "# total    self   %12s  function\n", "total");
	/* a path may be deeper than the C stack: along the links, not by calls */
	while (node) {
		bool show = shown(v, t->nodes[node].total[0], all);

		if (show)
			print_node(v, t, node, depth, out);
		if (show && t->nodes[node].first_child) {
			node = t->nodes[node].first_child;
			depth++;
			continue;
		}
		/* the others have no more than this one */
		while (node && (!show || !t->nodes[node].next)) {
			up = t->nodes[node].parent;
			print_rest(v, t, up, depth, out);
			node = up;
			show = true;
			if (depth)
				depth--;
		}
		node = node ? t->nodes[node].next : 0;
	}
	return 0;
}
