// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_print() of text.h: a function's instructions or lines as text.
 * ustack-annotate(1) shows the forms.
 */
#include "show/annotate/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/private.h"
#include "show/annotate/rows.h"
#include "util/cleanup.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

/* Limit for the characters of a line. */
#define SHOWN 400u

static const char *shown(const char *text, char buf[SHOWN])
{
	return screen_text(text, buf, SHOWN);
}

static void print_head(const struct annotate_view *v, const struct annotate *a,
		       const struct annotate_function *f, FILE *out)
{
	const struct profile *p = v->report.p;
	char buf[SHOWN], value[TEXT_SHORT];

	fprintf(out, "# function: %s%s\n", shown(f->name, buf),
		f->inlined ? ", only code inlined into it" : "");
	fprintf(out, "#    image: %s", shown(f->path, buf));
	if (*f->build_id)
		fprintf(out, ", build id %s", shown(f->build_id, buf));
	else if (!f->why)
		fputs(", which has no build id", out);
	fprintf(out, "\n#    value: %s, %s", shown(profile_text(p, p->value_types[v->report.value].type), buf),
		report_value(&v->report, f->sum.value, value));
	fprintf(out, ", %.2f %% of all", report_share(f->sum.value, a->all.value));
	if (f->sum.samples)
		fprintf(out, "; %" PRId64 " samples", f->sum.samples);
	fputs("\n#\n", out);
}

void annotate_print_missing(const struct annotate_view *v, const struct annotate *a,
			    const struct annotate_function *f, const char *words, FILE *out)
{
	print_head(v, a, f, out);
	fprintf(out, "# no instructions: %s\n\n", words);
}

static void put_screened(const char *text, FILE *out)
{
	char buf[4 * ANNOTATE_LINE + 1];

	fputs(screen_text(text, buf, sizeof(buf)), out);
}

static void print_insn(const struct annotate_function *f, const struct annotate_insn *insn, FILE *out)
{
	char share[ANNOTATE_SHARE], line[ANNOTATE_LINE];

	fprintf(out, "%8s | ", annotate_share(insn->sum.value, f, share));
	put_screened(annotate_insn_text(insn, line), out);
}

static int print_all(const struct annotate_view *v, const struct annotate_function *f, FILE *out)
{
	_cleanup_(annotate_rows_cleanup) struct annotate_rows *r = NULL;
	_cleanup_(cleanup_free) char *buf = NULL;
	char share[ANNOTATE_SHARE];
	size_t i;
	int err = annotate_rows_new(v, f, &r);

	if (err)
		return err;
	buf = malloc(4 * r->longest + 1);
	if (!buf)
		return -ENOMEM;
	fputs("# percent |  address   source and instructions\n#\n", out);
	for (i = 0; i < r->nr; i++)
		fprintf(out, "%8s | %s\n", annotate_share(r->rows[i].value, f, share),
			screen_text(r->rows[i].text, buf, 4 * r->longest + 1));
	return 0;
}

static int hottest_insn(const void *x, const void *y)
{
	const struct annotate_insn *a = *(const struct annotate_insn *const *)x;
	const struct annotate_insn *b = *(const struct annotate_insn *const *)y;

	if (a->sum.value != b->sum.value)
		return a->sum.value > b->sum.value ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static int print_hottest(const struct annotate_view *v, const struct annotate_function *f, FILE *out)
{
	_cleanup_(cleanup_free) const struct annotate_insn **order = calloc(f->nr_insns + 1, sizeof(*order));
	size_t i, nr = 0;
	char buf[SHOWN];

	if (!order)
		return -ENOMEM;
	for (i = 0; i < f->nr_insns; i++)
		if (f->insns[i].sum.value && report_shows(&v->report, f->insns[i].sum.value, f->sum.value))
			order[nr++] = &f->insns[i];
	qsort(order, nr, sizeof(*order), hottest_insn);
	fputs("# percent |  address   instruction, and its line\n#\n", out);
	for (i = 0; i < nr; i++) {
		const struct annotate_frame *at = &f->frames[order[i]->first_frame];

		print_insn(f, order[i], out);
		if (at->line)
			fprintf(out, "   # %s:%" PRIu32, shown(text_base_name(at->file), buf), at->line);
		fputc('\n', out);
	}
	return 0;
}

/* @at: innermost frame of the instructions of the line */
struct line {
	const struct annotate_frame *at;
	int64_t value;
};

static int by_line(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	int order = strcmp(a->at->file, b->at->file);

	if (order)
		return order;
	return a->at->line < b->at->line ? -1 : a->at->line > b->at->line;
}

static int hottest_line(const void *x, const void *y)
{
	const struct line *a = x, *b = y;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return by_line(x, y);
}

/* Sums up instructions with the same line. Return: number of lines. */
static size_t add_lines(const struct annotate_function *f, struct line *lines)
{
	size_t i, nr = 0, kept = 0;

	for (i = 0; i < f->nr_insns; i++)
		if (f->insns[i].sum.value)
			lines[nr++] = (struct line){ &f->frames[f->insns[i].first_frame],
						     f->insns[i].sum.value };
	qsort(lines, nr, sizeof(*lines), by_line);
	for (i = 0; i < nr; i++)
		if (kept && !by_line(&lines[kept - 1], &lines[i]))
			lines[kept - 1].value += lines[i].value;
		else
			lines[kept++] = lines[i];
	qsort(lines, kept, sizeof(*lines), hottest_line);
	return kept;
}

static int print_lines(const struct annotate_view *v, const struct annotate_function *f, FILE *out)
{
	_cleanup_(cleanup_free) struct line *lines = calloc(f->nr_insns + 1, sizeof(*lines));
	char share[ANNOTATE_SHARE], text[ANNOTATE_LINE];
	size_t i, nr;

	if (!lines)
		return -ENOMEM;
	nr = add_lines(f, lines);
	fputs("# percent | line of the source\n#\n", out);
	for (i = 0; i < nr; i++) {
		if (!report_shows(&v->report, lines[i].value, f->sum.value))
			continue;
		fprintf(out, "%8s | ", annotate_share(lines[i].value, f, share));
		if (lines[i].at->line)
			put_screened(annotate_source_text(v, f, lines[i].at, text), out);
		else
			fputs("an unknown line", out);
		fputc('\n', out);
	}
	return 0;
}

int annotate_print(const struct annotate_view *v, const struct annotate *a,
		   const struct annotate_function *f, FILE *out)
{
	int err;

	print_head(v, a, f, out);
	if (v->order == ANNOTATE_LINES)
		err = print_lines(v, f, out);
	else
		err = (v->order == ANNOTATE_HOTTEST ? print_hottest : print_all)(v, f, out);
	fputc('\n', out);
	return err;
}
