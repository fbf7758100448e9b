// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the rows of a function from its instructions, their lines, and source
 * files. See rows.h.
 */
#include "show/annotate/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/private.h"
#include "show/annotate/source.h"
#include "util/array.h"
#include "util/text.h"

#include "util/poison.h"

/*
 * Limit for the bytes of a name, and for columns of an instruction or a source
 * line.
 */
#define SHOWN 400

const char *annotate_share(int64_t value, const struct annotate_function *f, char buf[ANNOTATE_SHARE])
{
	buf[0] = '\0';
	if (value)
		snprintf(buf, ANNOTATE_SHARE, "%.2f", report_share(value, f->sum.value));
	return buf;
}

/*
 * Copies code without blanks at its end. Tabs become blanks, because their
 * width depends on the text before them. @to: SHOWN bytes.
 */
static void code_text(const char *text, size_t len, char *to)
{
	size_t n = 0, i;

	for (i = 0; i < len && n < SHOWN - 1; i++) {
		if (text[i] != '\t') {
			to[n++] = text[i] ? text[i] : '?';
			continue;
		}
		do
			to[n++] = ' ';
		while (n % 8 && n < SHOWN - 1);
	}
	while (n && (to[n - 1] == ' ' || to[n - 1] == '\r'))
		n--;
	to[n] = '\0';
}

const char *annotate_insn_text(const struct annotate_insn *insn, char buf[ANNOTATE_LINE])
{
	char code[SHOWN];

	code_text(insn->text, strlen(insn->text), code);
	snprintf(buf, ANNOTATE_LINE, "%8" PRIx64 ":  %s", insn->address, code);
	return buf;
}

const char *annotate_source_text(const struct annotate_view *v, const struct annotate_function *f,
				 const struct annotate_frame *at, char buf[ANNOTATE_LINE])
{
	const char *text = NULL;
	char code[SHOWN] = "";
	size_t len = 0;

	if (v->sources)
		text = sources_line(v->sources, at->file, at->line, f->changed_ns, &len);
	if (text)
		code_text(text, len, code);
	snprintf(buf, ANNOTATE_LINE, "%.*s:%" PRIu32 "%s%s", SHOWN, text_base_name(at->file), at->line,
		 text ? "  " : "", code);
	return buf;
}

static bool same_frame(const struct annotate_frame *a, const struct annotate_frame *b)
{
	return !strcmp(a->function, b->function) && !strcmp(a->file, b->file) && a->line == b->line;
}

/* Return: whether two instructions belong to the same inlined call. */
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

/**
 * struct making - makes rows
 * @v: the view
 * @f: the function
 * @r: the rows; their texts are set when all are written
 * @text: all texts, with a NUL after each
 * @error: first failure, 0 or -ENOMEM
 */
struct making {
	const struct annotate_view *v;
	const struct annotate_function *f;
	struct annotate_rows *r;
	FILE *text;
	int error;
};

/* Makes a row with the text that was written last. */
static void end_row(struct making *m, enum annotate_row_kind kind, int64_t value)
{
	if (!m->error && !array_has_room(m->r->rows, m->r->nr, m->r->room))
		m->error = -ENOMEM;
	if (m->error)
		return;
	fputc('\0', m->text);
	m->r->rows[m->r->nr++] = (struct annotate_row){ .kind = kind, .value = value };
}

static void add_gap(struct making *m)
{
	fputs("...", m->text);
	end_row(m, ANNOTATE_ROW_GAP, 0);
}

/* Writes "helper(), inlined at work.c:44 of work():". */
static void add_chain(struct making *m, const struct annotate_insn *insn)
{
	const struct annotate_frame *at = &m->f->frames[insn->first_frame];
	uint32_t i;

	fprintf(m->text, "%.*s()", SHOWN, at->function);
	for (i = 1; i < insn->nr_frames; i++)
		fprintf(m->text, ", inlined at %.*s:%" PRIu32 " of %.*s()", SHOWN,
			text_base_name(at[i].file), at[i].line, SHOWN, at[i].function);
	fputc(':', m->text);
	end_row(m, ANNOTATE_ROW_CALL, 0);
}

static void add_place(struct making *m, const struct annotate_insn *insn,
		      const struct annotate_insn *before)
{
	const struct annotate_frame *at = &m->f->frames[insn->first_frame];
	bool chain = !before || !same_chain(m->f, before, insn);
	char line[ANNOTATE_LINE];

	if (chain)
		add_chain(m, insn);
	if (!at->line || (!chain && same_frame(&m->f->frames[before->first_frame], at)))
		return;
	fputs(annotate_source_text(m->v, m->f, at, line), m->text);
	end_row(m, ANNOTATE_ROW_SOURCE, 0);
}

static void add_all(struct making *m)
{
	const struct annotate_function *f = m->f;
	const struct annotate_insn *before = NULL;
	char line[ANNOTATE_LINE];
	bool gap = false;
	size_t i;

	for (i = 0; i < f->nr_insns && !m->error; i++) {
		const struct annotate_insn *insn = &f->insns[i];

		if (m->v->report.limit && !report_shows(&m->v->report, insn->sum.value, f->sum.value)) {
			if (!gap)
				add_gap(m);
			gap = true;
			continue;
		}
		/* between these two instructions is code that is not shown */
		if (!gap && before && before->address + before->size != insn->address)
			add_gap(m);
		gap = false;
		add_place(m, insn, before);
		fputs(annotate_insn_text(insn, line), m->text);
		end_row(m, ANNOTATE_ROW_INSN, insn->sum.value);
		before = insn;
	}
}

/* Sets the texts of all rows; they follow one another in memory. */
static void set_texts(struct annotate_rows *r)
{
	const char *at = r->text;
	size_t i, len;

	for (i = 0; i < r->nr; i++) {
		r->rows[i].text = at;
		len = strlen(at);
		if (len > r->longest)
			r->longest = len;
		at += len + 1;
	}
}

static int make(struct making *m)
{
	size_t size;
	bool failed;

	m->text = open_memstream(&m->r->text, &size);
	if (!m->text)
		return -ENOMEM;
	add_all(m);
	failed = ferror(m->text);
	if (fclose(m->text) || failed)
		m->error = -ENOMEM;
	if (!m->error)
		set_texts(m->r);
	return m->error;
}

int annotate_rows_new(const struct annotate_view *v, const struct annotate_function *f,
		      struct annotate_rows **ret)
{
	struct making m = { .v = v, .f = f, .r = calloc(1, sizeof(*m.r)) };
	int err = m.r ? make(&m) : -ENOMEM;

	if (!err)
		*ret = m.r;
	else
		annotate_rows_free(m.r);
	return err;
}

void annotate_rows_free(struct annotate_rows *r)
{
	if (!r)
		return;
	free(r->text);
	free(r->rows);
	free(r);
}
