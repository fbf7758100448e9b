// SPDX-License-Identifier: GPL-2.0-only
/*
 * A report as text: its head, the flat list of functions, rows by keys, and the
 * call tree. See text.h.
 */
#include "show/report/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profile/imagemaps.h"
#include "profile/whole.h"
#include "util/cleanup.h"
#include "util/screen.h"
#include "util/text.h"
#include "util/poison.h"

#define INDENT 2
#define IMAGE_CELLS 20

double report_share(int64_t part, int64_t whole)
{
	/* 0 as a share of a negative sum would be -0 */
	return part && whole ? 100.0 * (double)part / (double)whole : 0;
}

bool report_shows(const struct report_view *v, int64_t part, int64_t whole)
{
	return fabs(report_share(part, whole)) * 100 >= v->limit;
}

/* Like text_share(), but also for differences, which may be negative. */
static const char *report_percent(int64_t part, int64_t whole, char *buf)
{
	if (part >= 0 && whole >= 0)
		return text_share((uint64_t)part, (uint64_t)whole, buf);
	snprintf(buf, TEXT_SHORT, "%.2f %%", report_share(part, whole));
	return buf;
}

static const char *unit_of(const struct report_view *v)
{
	return profile_text(v->p, v->p->value_types[v->value].unit);
}

/* A sum of differences may be negative. */
static const char *bytes_text(int64_t value, char *buf)
{
	char size[TEXT_SHORT];

	if (value >= 0)
		return text_bytes((uint64_t)value, buf);
	snprintf(buf, TEXT_SHORT, "-%.30s", text_bytes(-(uint64_t)value, size));
	return buf;
}

const char *report_value(const struct report_view *v, int64_t value, char *buf)
{
	const char *unit = unit_of(v);

	if (!strcmp(unit, "bytes"))
		return bytes_text(value, buf);
	if (strcmp(unit, "nanoseconds"))
		snprintf(buf, TEXT_SHORT, "%" PRId64, value);
	else if (value >= 1000000000 || value <= -1000000000)
		snprintf(buf, TEXT_SHORT, "%.3f s", (double)value / 1e9);
	else
		snprintf(buf, TEXT_SHORT, "%.3f ms", (double)value / 1e6);
	return buf;
}

unsigned int report_view_reasons(const struct report_view *v,
				 struct report_reason ret[REPORT_MAX_REASONS], int64_t *all)
{
	return report_reasons(v->p, v->value, v->select ? report_selects : NULL,
			      (void *)v->select, ret, all);
}

const char *report_whole(const struct report_view *v, char *buf, size_t len)
{
	struct report_reason reasons[REPORT_MAX_REASONS];
	struct profile_whole whole = { 0 };
	char text[PROFILE_WHOLE_TEXT];
	int64_t all;
	unsigned int nr = report_view_reasons(v, reasons, &all), i;

	for (i = 0; i < nr; i++)
		profile_whole_add(&whole, reasons[i].name, reasons[i].value);
	profile_whole_text(&whole, text);
	snprintf(buf, len, "%s%s", *text ? ", " : "", text);
	return buf;
}

/*
 * Prints why stacks end, as shares of samples with a stack, then the share of
 * those without.
 */
static void print_reasons(const struct report_view *v, FILE *out)
{
	struct report_reason reasons[REPORT_MAX_REASONS];
	struct profile_whole whole = { 0 };
	int64_t all;
	unsigned int nr = report_view_reasons(v, reasons, &all), i;
	const char *between = "#   stacks: ";
	char name[64], share[TEXT_SHORT];

	if (!all)
		return;
	for (i = 0; i < nr; i++)
		profile_whole_add(&whole, reasons[i].name, reasons[i].value);
	for (i = 0; i < nr; i++) {
		if (profile_has_no_stack(reasons[i].name))
			continue;
		fprintf(out, "%s%s %s", between,
			report_percent(reasons[i].value, whole.stacks, share),
			screen_text(reasons[i].name, name, sizeof(name)));
		between = ", ";
	}
	if (whole.none)
		fprintf(out, "%s%s of all have none: threads of the kernel",
			whole.stacks ? "; " : between, report_percent(whole.none, all, share));
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

void report_head(const struct report_view *v, int64_t all, FILE *out)
{
	char text[512], buf[TEXT_SHORT];
	uint32_t i;

	for (i = 0; i < v->p->nr_comments; i++)
		if (!profile_is_imagemap(v->p, i))
			fprintf(out, "# %s\n", screen_text(profile_text(v->p, v->p->comments[i]), text,
						   sizeof(text)));
	print_time(v->p, out);
	fprintf(out, "#    value: %s, %s in all\n",
		screen_text(profile_text(v->p, v->p->value_types[v->value].type), text,
			    sizeof(text)),
		report_value(v, all, buf));
	print_reasons(v, out);
	fputs("#\n", out);
}

void report_name(const struct report_view *v, const struct calltree_symbol *s, FILE *out)
{
	char name[1024], file[1024];

	fputs(screen_text(s->name, name, sizeof(name)), out);
	if (s->kind == CALLTREE_INLINED)
		fputs(" (inlined)", out);
	if (v->lines && s->file[0])
		fprintf(out, "  %s:%" PRIu32, screen_text(s->file, file, sizeof(file)),
			s->line);
}

static void print_samples(const struct report_view *v, int64_t nr, FILE *out)
{
	if (v->samples)
		fprintf(out, " %10" PRId64, nr);
}

/*
 * For an empty list: prints which --percent-limit would show a row. @most:
 * share of the largest row, in hundredths of a percent.
 */
static void print_none(const struct report_view *v, double most, bool by_total, FILE *out)
{
	/* rounded down, so that the row is shown */
	uint32_t limit = most < v->limit ? (uint32_t)most : 0;

	fprintf(out, "# nothing has %" PRIu32 ".%02" PRIu32 " %%%s: --percent-limit %" PRIu32
		".%02" PRIu32 " shows the largest\n", v->limit / 100, v->limit % 100,
		by_total ? "" : " of its own", limit / 100, limit % 100);
}

/*
 * Return: the larger of @most and the share of @part, in hundredths of a
 * percent.
 */
static double more_of(double most, int64_t part, int64_t whole)
{
	double share = fabs(report_share(part, whole)) * 100;

	return share > most ? share : most;
}

int report_flat(const struct report_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	int64_t all = t->nodes[0].total[0], rest = 0, part;
	double most = 0;
	char value[TEXT_SHORT], image[4 * IMAGE_CELLS + 1];
	uint32_t nr, i, left = 0, shown_rows = 0;

	if (calltree_flat(t, v->by_total, &flat, &nr))
		return -ENOMEM;
	fprintf(out, "#  self    total   %12s %s image                 function\n", "self",
		v->samples ? "   samples " : "");
	for (i = 0; i < nr; i++) {
		const struct calltree_symbol *s = &t->symbols[flat[i].symbol];

		if (s->kind == CALLTREE_LABEL)
			continue;
		part = v->by_total ? flat[i].total[0] : flat[i].self[0];
		if ((v->rows && shown_rows >= v->rows) ||
		    (!report_shows(v, part, all) &&
		     (shown_rows >= v->least || !flat[i].self[0]))) {
			most = more_of(most, part, all);
			rest += flat[i].self[0];
			left++;
			continue;
		}
		shown_rows++;
		fprintf(out, "%6.2f %% %6.2f %% %12s", report_share(flat[i].self[0], all),
			report_share(flat[i].total[0], all),
			report_value(v, flat[i].self[0], value));
		print_samples(v, flat[i].count.self[0], out);
		fprintf(out, "  %s  ",
			screen_column(s->image, IMAGE_CELLS, image, sizeof(image)));
		report_name(v, s, out);
		fputc('\n', out);
	}
	if (left)
		fprintf(out, "%6.2f %%%*s%" PRIu32 " more functions\n",
			report_share(rest, all), v->samples ? 36 : 25, "", left);
	if (left && !shown_rows)
		print_none(v, most, v->by_total, out);
	return 0;
}

static void print_node(const struct report_view *v, const struct calltree *t, uint32_t node,
		       unsigned int depth, FILE *out)
{
	const struct calltree_node *n = &t->nodes[node];
	int64_t all = t->nodes[0].total[0];
	char value[TEXT_SHORT];

	fprintf(out, "%6.2f %% %6.2f %% %12s", report_share(n->total[0], all),
		report_share(n->self[0], all), report_value(v, n->total[0], value));
	print_samples(v, v->samples ? t->counts[node].total[0] : 0, out);
	fprintf(out, "  %*s", depth * INDENT, "");
	report_name(v, &t->symbols[n->symbol], out);
	fputc('\n', out);
}

/* Prints one line for all children that are too small to be shown. */
static void print_rest(const struct report_view *v, const struct calltree *t, uint32_t node,
		       unsigned int depth, FILE *out)
{
	int64_t all = t->nodes[0].total[0], rest = 0;
	uint32_t c, nr = 0;

	for (c = t->nodes[node].first_child; c; c = t->nodes[c].next)
		if (!report_shows(v, t->nodes[c].total[0], all)) {
			rest += t->nodes[c].total[0];
			nr++;
		}
	if (nr && report_shows(v, rest, all))
		fprintf(out, "%6.2f %%%*s(%" PRIu32 " more)\n",
			report_share(rest, all), (v->samples ? 35 : 24) + (int)depth * INDENT, "",
			nr);
}

static unsigned int cells_of(uint8_t key)
{
	switch (key) {
	case REPORT_PID:
	case REPORT_TID:
		return 8;
	case REPORT_SYMBOL:
		return 40;
	default:
		return IMAGE_CELLS;
	}
}

void report_rows_text(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out)
{
	char value[TEXT_SHORT], text[1024];
	int64_t rest = 0, part;
	uint32_t i, left = 0;
	double most = 0;
	unsigned int k;

	fprintf(out, "#  self    total   %12s", "self");
	for (k = 0; k < keys->nr; k++)
		fprintf(out, "  %-*s", k + 1 < keys->nr ? (int)cells_of(keys->key[k]) : 0,
			report_key_name(keys->key[k]));
	fputc('\n', out);
	for (i = 0; i < r->nr; i++) {
		const struct report_row *row = &r->row[i];

		part = v->by_total ? row->total : row->self;
		if ((v->rows && i >= v->rows) ||
		    (!report_shows(v, part, r->all) && (i >= v->least || !row->self))) {
			most = more_of(most, part, r->all);
			rest += row->self;
			left++;
			continue;
		}
		fprintf(out, "%6.2f %% %6.2f %% %12s", report_share(row->self, r->all),
			report_share(row->total, r->all), report_value(v, row->self, value));
		for (k = 0; k + 1 < keys->nr; k++)
			fprintf(out, "  %s",
				screen_column(row->text[k], cells_of(keys->key[k]), text,
					      sizeof(text)));
		fprintf(out, "  %s\n", screen_text(row->text[k], text, sizeof(text)));
	}
	if (left)
		fprintf(out, "%6.2f %%%*s%" PRIu32 " more\n", report_share(rest, r->all), 25, "",
			left);
	if (left && left == r->nr)
		print_none(v, most, v->by_total, out);
}

/* If no first node is shown, prints which --percent-limit would show one. */
static void print_no_node(const struct report_view *v, const struct calltree *t, FILE *out)
{
	double most = 0;
	uint32_t c;

	for (c = t->nodes[0].first_child; c; c = t->nodes[c].next) {
		if (report_shows(v, t->nodes[c].total[0], t->nodes[0].total[0]))
			return;
		most = more_of(most, t->nodes[c].total[0], t->nodes[0].total[0]);
	}
	if (t->nodes[0].first_child)
		print_none(v, most, true, out);
}

int report_tree(const struct report_view *v, const struct calltree *t, FILE *out)
{
	int64_t all = t->nodes[0].total[0];
	uint32_t node = t->nodes[0].first_child, up;
	unsigned int depth = 0;

	fprintf(out, "# total    self   %12s %s function\n", "total",
		v->samples ? "   samples " : "");
	/*
	 * follows links and does not recurse, because a path may be deeper than
	 * the C stack
	 */
	while (node) {
		bool show = report_shows(v, t->nodes[node].total[0], all);

		if (show)
			print_node(v, t, node, depth, out);
		if (show && t->nodes[node].first_child) {
			node = t->nodes[node].first_child;
			depth++;
			continue;
		}
		while (node && !t->nodes[node].next) {
			up = t->nodes[node].parent;
			print_rest(v, t, up, depth, out);
			node = up;
			if (depth)
				depth--;
		}
		node = node ? t->nodes[node].next : 0;
	}
	print_no_node(v, t, out);
	return 0;
}
