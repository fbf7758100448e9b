// SPDX-License-Identifier: GPL-2.0-only
/*
 * Annotated functions for other views than that of ustack annotate: as lines on the terminal of
 * report and top. annotated_page.c writes them for the page of ustack flame.
 */
#include "cmd/annotated.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/source.h"
#include "show/report/select.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/strings.h"
#include "util/text.h"

#include "util/poison.h"

/* Width of a message on the terminal, in columns. */
#define WORDS_WIDTH 72u

const char *annotated_syntax_word(unsigned int i)
{
	static const char *const words[] = { "att", "intel" };

	return i < 2 ? words[i] : NULL;
}

int annotated_check(struct annotated *a, const struct cmd_usage *usage)
{
	if (a->syntax && strcmp(a->syntax, "att") && strcmp(a->syntax, "intel"))
		return cmd_bad_usage(usage, "-M: '%s' is not att or intel", a->syntax);
	return naming_check(&a->naming, usage);
}

void annotated_options(const struct annotated *a, struct annotate_options *o)
{
	o->file_dirs = a->naming.file_dirs;
	o->objdump = a->objdump;
	o->intel = a->syntax && !strcmp(a->syntax, "intel");
}

/*
 * Return: 0, or an error if the symbol has no function to look for: a label, or a symbol
 * without a name, which has an address instead.
 */
static int check_symbol(const struct calltree_symbol *s, struct diag *diag)
{
	if (s->kind == CALLTREE_LABEL)
		return diag_set(diag, ENODATA, s->name, "this is no function");
	if (s->address)
		return diag_set(diag, ENODATA, s->name, "this has no name: ustack symbolize looks for names");
	return 0;
}

int annotated_new(struct annotated *a, const struct annotated_in *in, const struct calltree_symbol *s,
		  struct annotate_options *options, struct annotate **ret, struct diag *diag)
{
	int err = check_symbol(s, diag);

	if (!err && !a->store)
		err = naming_open(&a->naming, &a->store, diag);
	if (err)
		return err;
	*options = (struct annotate_options){
		.function = s->name, .image = *s->image ? s->image : NULL, .file = in->file,
		.value = in->value, .store = a->store, .keep = in->keep, .arg = in->arg,
	};
	annotated_options(a, options);
	options->counts = report_count_type(in->p, &options->count);
	return annotate_new(in->p, options, ret, diag);
}

/**
 * struct annotated_listing - one function as the terminal shows it
 * @strings: storage of the texts of @lines
 * @title: text of the first line
 * @lines: all lines that are shown, @nr of them; there is room for @room
 * @sources: source files of the view, owned by this struct
 * @note: a message about the sources, "" if there is none
 */
struct annotated_listing {
	struct strings strings;
	char title[ANNOTATED_TITLE];
	struct tui_line *lines;
	size_t nr;
	size_t room;
	struct sources *sources;
	char note[200];
};

/*
 * Keeps the first message about a source that is missing or newer: the terminal has one line
 * for it.
 */
static void keep_note(const char *text, void *arg)
{
	struct annotated_listing *l = arg;

	if (!l->note[0])
		snprintf(l->note, sizeof(l->note), "%s", text);
}

static void listing_free(struct annotated_listing *l)
{
	if (!l)
		return;
	sources_free(l->sources);
	strings_release(&l->strings);
	free(l->lines);
	free(l);
}

void annotated_release(struct annotated *a)
{
	listing_free(a->listing);
	symstore_free(a->store);
	a->listing = NULL;
	a->store = NULL;
}

static int add_line(struct annotated_listing *l, const char *text, size_t len, double share, bool code)
{
	struct tui_line line = { .share = share, .code = code };
	uint32_t n;

	if (l->nr == UINT32_MAX || strings_add(&l->strings, text, len, &n) ||
	    !array_has_room(l->lines, l->nr, l->room))
		return -ENOMEM;
	line.text = l->strings.entries[n].s;
	l->lines[l->nr++] = line;
	return 0;
}

/*
 * Breaks a message into lines that fit. They are marked as code, as there is no other line to
 * show.
 */
static int add_words(struct annotated_listing *l, const char *words)
{
	size_t len;
	int err = 0;

	while (!err && *words) {
		len = strlen(words);
		if (len > WORDS_WIDTH) {
			for (len = WORDS_WIDTH; len && words[len] != ' '; len--)
				;
			/* a path may be longer than a line */
			if (!len)
				len = strcspn(words, " ");
		}
		err = add_line(l, words, len, 0, true);
		words += len + strspn(words + len, " ");
	}
	return err;
}

static int add_rows(struct annotated_listing *l, const struct annotate_view *v,
		    const struct annotate_function *f)
{
	_cleanup_(annotate_rows_cleanup) struct annotate_rows *r = NULL;
	int err = annotate_rows_new(v, f, &r);
	size_t i;

	for (i = 0; !err && i < r->nr; i++)
		err = add_line(l, r->rows[i].text, strlen(r->rows[i].text),
			       report_share(r->rows[i].value, f->sum.value),
			       r->rows[i].kind == ANNOTATE_ROW_INSN || r->rows[i].kind == ANNOTATE_ROW_GAP);
	return err;
}

static int add_why(struct annotated_listing *l, const struct diag *diag)
{
	char words[sizeof(diag->text) + 4200];
	int err = add_words(l, "There are no instructions to show:");

	diag_format(diag, words, sizeof(words));
	return err ? err : add_words(l, words);
}

const char *annotated_title(const struct annotated_in *in, const struct annotate *a,
			    char buf[ANNOTATED_TITLE])
{
	const struct report_view v = { .p = in->p, .value = in->value };
	const struct annotate_function *f = &a->functions[0];
	char value[TEXT_SHORT];
	int len;

	len = snprintf(buf, ANNOTATED_TITLE, "%.200s%s in %.80s: %s, %.2f %% of all", f->name,
		       f->inlined ? ", inlined" : "", text_base_name(f->path),
		       report_value(&v, f->sum.value / (in->units ? in->units : 1), value),
		       report_share(f->sum.value, a->all.value));
	if (a->nr_functions > 1 && len > 0 && (size_t)len < ANNOTATED_TITLE)
		snprintf(buf + len, ANNOTATED_TITLE - (size_t)len, ", the hottest of %zu of that name",
			 a->nr_functions);
	return buf;
}

/*
 * If a file has several functions of that name, the hottest one is shown; ustack annotate shows
 * the others.
 */
static int fill(struct annotated *a, const struct annotated_in *in, const struct calltree_symbol *s,
		struct annotated_listing *l)
{
	struct annotate_view v = {
		.report = { .p = in->p, .file = in->file, .value = in->value }, .sources = l->sources,
	};
	_cleanup_(annotate_cleanup) struct annotate *found = NULL;
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct annotate_options options;
	int err = annotated_new(a, in, s, &options, &found, &diag);

	snprintf(l->title, sizeof(l->title), "%.200s", s->name);
	if (!err) {
		annotated_title(in, found, l->title);
		err = annotate_code(found, &found->functions[0], &diag);
	}
	if (err)
		return err == -ENOMEM ? err : add_why(l, &diag);
	return add_rows(l, &v, &found->functions[0]);
}

int annotated_listing(struct annotated *a, const struct annotated_in *in,
		      const struct calltree_symbol *s, struct tui_code *ret)
{
	struct annotated_listing *l = calloc(1, sizeof(*l));
	int err = l ? strings_init(&l->strings) : -ENOMEM;

	if (!err && !a->no_source) {
		l->sources = sources_new(a->source_dir, keep_note, l);
		err = l->sources ? 0 : -ENOMEM;
	}
	if (!err)
		err = fill(a, in, s, l);
	if (err) {
		listing_free(l);
		return err;
	}
	listing_free(a->listing);
	a->listing = l;
	*ret = (struct tui_code){ .title = l->title, .lines = l->lines, .nr = (uint32_t)l->nr,
				  .note = l->note };
	return 0;
}
