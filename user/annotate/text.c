// SPDX-License-Identifier: GPL-2.0-only
/* A function's instructions and lines as text. */
#include "annotate/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/source.h"
#include "util/cleanup.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

/* Characters of a line that are shown. */
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
		f->inlined ? ", what was inlined into it alone" : "");
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

/* Tabs become blanks: where they lead depends on what is in front. */
static void put_code(const char *text, size_t len, FILE *out)
{
	char line[SHOWN], buf[4 * SHOWN];
	size_t n = 0, i;

	for (i = 0; i < len && n < sizeof(line) - 1; i++) {
		if (text[i] != '\t') {
			line[n++] = text[i] ? text[i] : '?';
			continue;
		}
		do
			line[n++] = ' ';
		while (n % 8 && n < sizeof(line) - 1);
	}
	while (n && (line[n - 1] == ' ' || line[n - 1] == '\r'))
		n--;
	line[n] = '\0';
	fputs(screen_text(line, buf, sizeof(buf)), out);
}

static void put_source(const struct annotate_view *v, const struct annotate_function *f,
		       const struct annotate_frame *at, FILE *out)
{
	const char *text = NULL;
	char buf[SHOWN];
	size_t len = 0;

	fprintf(out, "%s:%" PRIu32, shown(text_base_name(at->file), buf), at->line);
	if (v->sources)
		text = sources_line(v->sources, at->file, at->line, f->changed_ns, &len);
	if (text) {
		fputs("  ", out);
		put_code(text, len, out);
	}
	fputc('\n', out);
}

/* "12.34", or blanks where there is no sample. */
static const char *percent(int64_t part, int64_t whole, char buf[TEXT_SHORT])
{
	if (!part)
		return "";
	snprintf(buf, TEXT_SHORT, "%.2f", report_share(part, whole));
	return buf;
}

static void print_insn(const struct annotate_function *f, const struct annotate_insn *insn, FILE *out)
{
	char share[TEXT_SHORT];

	fprintf(out, "%8s | %8" PRIx64 ":  ", percent(insn->sum.value, f->sum.value, share),
		insn->address);
	put_code(insn->text, strlen(insn->text), out);
}

static bool same_frame(const struct annotate_frame *a, const struct annotate_frame *b)
{
	return !strcmp(a->function, b->function) && !strcmp(a->file, b->file) && a->line == b->line;
}

/* Whether two instructions are in the same inlined call. */
static bool same_chain(const struct annotate_function *f, const struct annotate_insn *a,
		       const struct annotate_insn *b)
{
	uint32_t i;

	if (a->nr_frames != b->nr_frames ||
	    strcmp(f->frames[a->first_frame].function, f->frames[b->first_frame].function))
		return false;
	for (i = 1; i < a->nr_frames; i++)
		if (!same_frame(&f->frames[a->first_frame + i], &f->frames[b->first_frame + i]))
			return false;
	return true;
}

/* "helper(), inlined at work.c:44 of work():" */
static void print_chain(const struct annotate_function *f, const struct annotate_insn *insn, FILE *out)
{
	const struct annotate_frame *at = &f->frames[insn->first_frame];
	char buf[SHOWN];
	uint32_t i;

	fprintf(out, "%8s | %s()", "", shown(at->function, buf));
	for (i = 1; i < insn->nr_frames; i++) {
		fprintf(out, ", inlined at %s:%" PRIu32, shown(text_base_name(at[i].file), buf), at[i].line);
		fprintf(out, " of %s()", shown(at[i].function, buf));
	}
	fputs(":\n", out);
}

static void print_place(const struct annotate_view *v, const struct annotate_function *f,
			const struct annotate_insn *insn, const struct annotate_insn *before,
			FILE *out)
{
	const struct annotate_frame *at = &f->frames[insn->first_frame];
	bool chain = !before || !same_chain(f, before, insn);

	if (chain)
		print_chain(f, insn, out);
	if (!at->line || (!chain && same_frame(&f->frames[before->first_frame], at)))
		return;
	fprintf(out, "%8s | ", "");
	put_source(v, f, at, out);
}

static int print_all(const struct annotate_view *v, const struct annotate_function *f, FILE *out)
{
	const struct annotate_insn *before = NULL;
	bool gap = false;
	size_t i;

	fputs("# percent |  address   source and instructions\n#\n", out);
	for (i = 0; i < f->nr_insns; i++) {
		const struct annotate_insn *insn = &f->insns[i];

		if (v->report.limit && !report_shows(&v->report, insn->sum.value, f->sum.value)) {
			if (!gap)
				fprintf(out, "%8s | ...\n", "");
			gap = true;
			continue;
		}
		/* what is inlined elsewhere lies between */
		if (!gap && before && before->address + before->size != insn->address)
			fprintf(out, "%8s | ...\n", "");
		gap = false;
		print_place(v, f, insn, before, out);
		print_insn(f, insn, out);
		fputc('\n', out);
		before = insn;
	}
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

/* @at: the innermost frame of its instructions */
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

/* Sums of equal lines. Return: number of lines. */
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
	char share[TEXT_SHORT];
	size_t i, nr;

	if (!lines)
		return -ENOMEM;
	nr = add_lines(f, lines);
	fputs("# percent | line of the source\n#\n", out);
	for (i = 0; i < nr; i++) {
		if (!report_shows(&v->report, lines[i].value, f->sum.value))
			continue;
		fprintf(out, "%8s | ", percent(lines[i].value, f->sum.value, share));
		if (lines[i].at->line)
			put_source(v, f, lines[i].at, out);
		else
			fputs("a line that is not known\n", out);
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
