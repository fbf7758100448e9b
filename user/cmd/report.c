// SPDX-License-Identifier: GPL-2.0-only
/* ustack report: shows a profile as text, as JSON, or on the terminal. */
#include "cmd.h"

#include <errno.h>
#include <unistd.h>

#include "cmd/annotated.h"
#include "cmd/input.h"
#include "cmd/select.h"
#include "percent.h"
#include "profile/profile.h"
#include "profile/whole.h"
#include "show/report/describe.h"
#include "show/report/select.h"
#include "show/report/text.h"
#include "show/tui/terminal.h"
#include "util/cleanup.h"
#include "util/text.h"

#include "util/poison.h"

/* Without a limit, at least so many functions are shown, however small they are. */
#define LEAST_ROWS 10u

struct report_opts {
	bool tree;
	bool callers;
	bool children;
	bool json;
	bool stdio;
	bool verbose;
	bool samples;
	const char *input;
	const char *value;
	const char *event;
	const char *limit;
	struct option_u64 rows;
	bool lines;
	bool no_inline;
	bool ends;
	const char *sort;
	struct report_keys keys;
	struct report_select select;
	struct annotated annotated;
	uint32_t hundredths;
	uint32_t least;
	bool text_only;
};

static const struct cmd_usage usage = {
	.command = "ustack report",
	.synopsis = "[-g | -G | -s KEYS] [--json | --stdio] [...] [FILE]",
	.about = "Shows a profile: its functions, the largest first, or its tree of calls. On a\n"
		 "terminal it is interactive. " CMD_PROFILE_FORMS,
};

static void free_rows(struct report_rows **r)
{
	report_rows_free(*r);
}

static int show_rows(const struct report_opts *o, const struct report_view *v)
{
	_cleanup_(free_rows) struct report_rows *r = NULL;
	const struct report_sort_options options = {
		.value = v->value, .by_total = o->children, .no_inlines = o->no_inline,
		.keep = report_selects, .arg = (void *)&o->select,
	};
	int err = report_rows_new(v->p, &o->keys, &options, &r);

	if (err)
		return err;
	if (o->json) {
		report_rows_json(v, &o->keys, r, stdout);
		return 0;
	}
	report_head(v, r->all, stdout);
	report_rows_text(v, &o->keys, r, stdout);
	return 0;
}

static int show_tree(const struct report_opts *o, const struct report_view *v,
		     const struct calltree *t)
{
	if (o->json)
		return o->tree || o->callers ? report_tree_json(v, t, stdout) :
					       report_flat_json(v, t, stdout);
	report_head(v, t->nodes[0].total[0], stdout);
	return o->tree || o->callers ? report_tree(v, t, stdout) : report_flat(v, t, stdout);
}

static int show(const struct report_opts *o, const struct report_view *v, uint32_t count)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	const struct calltree_options options = {
		.value = { v->value }, .counts = o->samples, .count = { count },
		.inverted = o->callers, .lines = o->lines, .no_inlines = o->no_inline,
		.ends = o->ends, .roots = o->tree ? roots : NULL,
		.keep = report_selects, .arg = (void *)&o->select,
	};
	int err;

	if (o->sort)
		return show_rows(o, v);
	err = calltree_new(v->p, NULL, &options, &t);
	return err ? err : show_tree(o, v, t);
}

/* Argument of the terminal's callbacks. @p: the profile of @v, whose functions are annotated. */
struct browsing {
	struct report_opts *o;
	const struct report_view *v;
	struct profile *p;
};

static const char *tui_value(int64_t value, char *buf, void *arg)
{
	const struct browsing *b = arg;

	return report_value(b->v, value, buf);
}

static int tui_code(const struct calltree_symbol *s, struct tui_code *ret, void *arg)
{
	struct browsing *b = arg;
	const struct annotated_in in = {
		.p = b->p, .file = b->v->file, .value = b->v->value,
		.keep = report_selects, .arg = &b->o->select,
	};

	return annotated_listing(&b->o->annotated, &in, s, ret);
}

static int browse_with(struct browsing *b, struct tui_model *m)
{
	char title[300], all[TEXT_SHORT], whole[PROFILE_WHOLE_TEXT + 2];
	const struct report_opts *o = b->o;
	const struct report_view *v = b->v;
	struct tui_screen screen = { .title = title, .value = tui_value, .annotate = tui_code, .arg = b };
	struct tui *t;
	int err;

	m->children = o->children;
	m->no_inlines = o->no_inline;
	m->view = o->tree ? TUI_TREE : TUI_FLAT;
	err = tui_model_profile(m, v->p);
	if (err)
		return err;
	snprintf(title, sizeof(title), "%.200s: %.40s, %s%s", v->file,
		 profile_text(v->p, v->p->value_types[v->value].type),
		 report_value(v, m->all, all), report_whole(v, whole, sizeof(whole)));
	err = tui_open(m, &screen, &t, NULL);
	if (err)
		return err;
	err = tui_run(t);
	tui_close(t);
	return err;
}

/* Return: -ENOTTY if there is no terminal to browse on, or if text was asked for. */
static int browse(struct report_opts *o, const struct report_view *v, struct profile *p)
{
	struct browsing b = { o, v, p };

	const struct tui_options options = {
		.value = v->value, .lines = o->lines, .keep = report_selects,
		.arg = (void *)&o->select,
	};
	struct tui_model *m;
	int err;

	if (!isatty(STDOUT_FILENO) || o->text_only)
		return -ENOTTY;
	m = tui_model_new(&options);
	if (!m)
		return -ENOMEM;
	/* nothing else may write to the terminal */
	o->annotated.naming.quiet = true;
	err = browse_with(&b, m);
	tui_model_free(m);
	return err;
}

/* Reports that no sample was selected. */
static void say_nothing_is_there(const struct report_opts *o, const struct report_view *v)
{
	const struct report_select *s = &o->select;
	uint32_t i;

	for (i = 0; i < v->p->nr_samples; i++)
		if (report_selects(v->p, &v->p->samples[i], (void *)s))
			return;
	if (o->json)
		return;
	fprintf(stderr, "ustack: %s: %s\n", v->file,
		s->command || s->thread || s->image || s->function || s->pid || s->tid ?
		"no sample has all that is asked for (-c, -d, -S, --thread, --pid, --tid)" :
		"there are no samples in it");
}

static int run(struct report_opts *o, const char *path)
{
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	struct report_view view = {
		.select = &o->select, .by_total = o->children,
		.lines = o->lines, .samples = o->samples, .limit = o->hundredths,
		.rows = o->rows.value, .least = o->least,
	};
	const struct cmd_input input = { .event = o->event, .naming = &o->annotated.naming };
	uint32_t count = 0;
	struct diag diag;
	int err = cmd_load_profile(&path, &input, &p, &diag);

	view.file = path;
	if (!err)
		err = report_value_type(p, o->value, path, &view.value, &diag);
	if (!err && o->samples && !report_count_type(p, &count))
		err = diag_set(&diag, ENODATA, path, "the profile does not count samples");
	if (err)
		return cmd_diag(&diag);
	view.p = p;
	if (o->verbose)
		report_describe(p, path, stderr);
	report_select_look(&o->select, (const struct profile *const[2]){ p });
	say_nothing_is_there(o, &view);
	err = browse(o, &view, p);
	if (err == -ENOTTY)
		err = show(o, &view, count);
	if (!err)
		return CMD_OK;
	diag_errno(&diag, -err, path);
	return cmd_diag(&diag);
}

/* JSON is for programs: without a limit they get everything. */
static int check(struct report_opts *o)
{
	struct diag diag;

	if (o->tree && o->callers)
		return cmd_bad_usage(&usage, "takes one of -g and -G");
	if (o->sort && (o->tree || o->callers || o->lines || o->ends || o->samples))
		return cmd_bad_usage(&usage, "--sort is for functions, without -g, -G, -l, -n, --ends");
	if (o->sort && report_keys_parse(o->sort, &o->keys, &diag))
		return cmd_bad_usage(&usage, "--sort: %s", diag.text);
	o->text_only = o->stdio || o->json || o->sort || o->callers || o->ends || o->samples ||
		       o->limit || o->rows.set;
	o->least = o->limit || o->json ? 0 : LEAST_ROWS;
	if (!o->limit)
		o->limit = o->json ? "0" : "0.5";
	if (!cmd_parse_percent(o->limit, &o->hundredths))
		return cmd_bad_usage(&usage, "--percent-limit: 0 to 100");
	return annotated_check(&o->annotated, &usage);
}

static void opts_release(struct report_opts *o)
{
	annotated_release(&o->annotated);
}

int cmd_report(int argc, char **argv)
{
	_cleanup_(opts_release) struct report_opts o = { .annotated = ANNOTATED_INIT };
	const struct option_spec specs[] = {
		OPTION_STRING('i', "input", "FILE", &o.input,
			      "the profile, instead of the operand"),
		OPTION_FLAG('g', "tree", &o.tree, "the tree of calls, by command"),
		OPTION_FLAG('G', "callers", &o.callers,
			    "the tree from functions to their callers"),
		OPTION_FLAG(0, "children", &o.children,
			    "sort by total, with called functions"),
		OPTION_STRING('s', "sort", "KEYS", &o.sort,
			      "group by these, such as comm,dso,symbol", .word = report_key_word),
		OPTION_STRING('V', "value", "TYPE", &o.value, "the values to use, such as samples"),
		CMD_EVENT_OPTION(o.event),
		OPTION_STRING(0, "percent-limit", "PERCENT", &o.limit,
			      "hide rows with less (0.5; 0 with --json)"),
		OPTION_U64(0, "rows", "N", &o.rows, "at most N functions"),
		OPTION_FLAG('n', "show-nr-samples", &o.samples, "show the number of samples"),
		OPTION_FLAG('l', "lines", &o.lines, "show source lines separately"),
		OPTION_FLAG(0, "no-inline", &o.no_inline,
			    "count inlined functions as their callers"),
		OPTION_FLAG(0, "ends", &o.ends,
			    "put incomplete stacks below a node with the reason"),
		CMD_SELECT_OPTIONS(o.select),
		CMD_SELECT_NUMBERS(o.select),
		ANNOTATED_OPTIONS(o.annotated),
		NAMING_OPTIONS(o.annotated.naming),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_FLAG(0, "stdio", &o.stdio, "print text, also on a terminal"),
		OPTION_FLAG('v', "verbose", &o.verbose,
			    "describe the profile on standard error"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc > 1 || (argc && o.input))
		return cmd_bad_usage(&usage, "takes one profile");
	if (argc)
		o.input = argv[0];
	status = check(&o);
	return status == CMD_RUN ? run(&o, o.input) : status;
}
