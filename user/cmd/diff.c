// SPDX-License-Identifier: GPL-2.0-only
/* ustack diff: shows what has changed from one profile to another. */
#include "cmd.h"

#include <errno.h>

#include "cmd/input.h"
#include "cmd/select.h"
#include "cmd/versions.h"
#include "percent.h"
#include "show/report/diff.h"
#include "show/report/select.h"
#include "util/cleanup.h"

#include "util/poison.h"

struct diff_opts {
	bool tree;
	bool callers;
	bool children;
	bool absolute;
	bool json;
	const char *value;
	const char *event;
	const char *limit;
	struct option_u64 rows;
	bool lines;
	bool no_inline;
	const char *fail_on;
	uint32_t most_more;
	const char *ignore;
	unsigned int ignored;
	struct report_select select;
	uint32_t hundredths;
};

static const struct cmd_usage usage = {
	.command = "ustack diff",
	.synopsis = "[-g | -G] [--absolute] [--json] [...] BEFORE AFTER",
	.about = "Shows which functions' shares have changed from one profile to another, the\n"
		 "largest change first, and which changes are larger than sampling error.",
};

/* Chooses the values to compare; they must have the same type and unit on both sides. */
static int choose_values(const struct diff_opts *o, struct diff_view *v, struct diag *diag)
{
	struct report_view *s = v->side;
	int err = report_value_type(s[0].p, o->value, s[0].file, &s[0].value, diag);

	return err ? err : report_same_values(s[1].p, &s[0].p->value_types[s[0].value], s[0].p,
					      s[1].file, &s[1].value, diag);
}

static int show(const struct diff_opts *o, const struct diff_view *v, struct calltree *t)
{
	bool tree = o->tree || o->callers;

	if (o->json)
		return tree ? diff_tree_json(v, t, stdout) : diff_flat_json(v, t, stdout);
	diff_head(v, t, stdout);
	return tree ? diff_tree(v, t, stdout) : diff_flat(v, t, stdout);
}

/* Return: 1 if a function has grown by more than --fail-on allows; 0 if none has; or -ENOMEM. */
static int has_grown(const struct diff_opts *o, const struct diff_view *v,
		     const struct calltree *t)
{
	_cleanup_(cleanup_free) struct diff_row *rows = NULL;
	uint32_t nr, i;
	int err = o->fail_on ? diff_rows(v, t, &rows, &nr) : 0;

	if (err || !o->fail_on)
		return err;
	for (i = 0; i < nr; i++) {
		const struct diff_change *c = &rows[i].change;

		if (c->change > 0 && c->weight >= o->most_more && (!c->tested || *diff_mark(c)))
			return 1;
	}
	return 0;
}

/* Return: see has_grown(). */
static int compare(const struct diff_opts *o, struct diff_view *v)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	struct calltree_options options = {
		.value = { v->side[0].value, v->side[1].value }, .inverted = o->callers,
		.lines = o->lines, .no_inlines = o->no_inline, .roots = o->tree ? roots : NULL,
		.keep = report_selects, .arg = (void *)&o->select,
	};
	int err;

	v->counted = report_count_type(v->side[0].p, &options.count[0]) &&
		     report_count_type(v->side[1].p, &options.count[1]);
	options.counts = v->counted;
	err = calltree_new(v->side[0].p, v->side[1].p, &options, &t);
	if (!err)
		err = show(o, v, t);
	return err ? err : has_grown(o, v, t);
}

static int run(struct diff_opts *o, char **argv)
{
	_cleanup_(profile_cleanup) struct profile *before = NULL, *after = NULL;
	struct diff_view v = {
		.absolute = o->absolute, .by_total = o->children, .limit = o->hundredths,
		.rows = o->rows.value,
	};
	struct diag diag;
	const struct cmd_input input = { .event = o->event };
	const char *file[2] = { argv[0], argv[1] };
	int err = cmd_load_profile(&file[0], &input, &before, &diag), k;

	if (!err)
		err = cmd_load_profile(&file[1], &input, &after, &diag);
	if (err)
		return cmd_diag(&diag);
	for (k = 0; k < 2; k++)
		v.side[k] = (struct report_view){
			.p = k ? after : before, .file = argv[k], .lines = o->lines,
		};
	if (choose_values(o, &v, &diag))
		return cmd_diag(&diag);
	report_select_look(&o->select, (const struct profile *const[2]){ before, after });
	err = cmd_match_versions(before, after, o->ignored);
	if (err) {
		diag_errno(&diag, -err, NULL);
		return cmd_diag(&diag);
	}
	err = compare(o, &v);
	if (err >= 0)
		return err ? CMD_DIFFERS : CMD_OK;
	diag_errno(&diag, -err, NULL);
	return cmd_diag(&diag);
}

static int check(struct diff_opts *o)
{
	if (o->tree && o->callers)
		return cmd_bad_usage(&usage, "takes one of -g and -G");
	if (o->fail_on && !cmd_parse_percent(o->fail_on, &o->most_more))
		return cmd_bad_usage(&usage, "--fail-on: 0 to 100");
	if (!cmd_parse_ignore(o->ignore, &o->ignored))
		return cmd_bad_usage(&usage, "--ignore: '%s' is not image, command or both", o->ignore);
	if (!o->limit)
		o->limit = o->json ? "0" : "0.1";
	if (!cmd_parse_percent(o->limit, &o->hundredths))
		return cmd_bad_usage(&usage, "--percent-limit: 0 to 100");
	return CMD_RUN;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_opts o = { .limit = NULL };
	const struct option_spec specs[] = {
		OPTION_FLAG('g', "tree", &o.tree, "the tree of calls, by command"),
		OPTION_FLAG('G', "callers", &o.callers,
			    "the tree from functions to their callers"),
		OPTION_FLAG(0, "children", &o.children, "compare totals, with called functions"),
		OPTION_FLAG(0, "absolute", &o.absolute, "compare values, not shares"),
		OPTION_STRING('V', "value", "TYPE", &o.value, "the values to use, such as samples"),
		CMD_EVENT_OPTION(o.event),
		OPTION_STRING(0, "percent-limit", "PERCENT", &o.limit,
			      "hide smaller changes (0.1; 0 with --json)"),
		OPTION_U64(0, "rows", "N", &o.rows, "at most N functions"),
		OPTION_FLAG('l', "lines", &o.lines, "show source lines separately"),
		OPTION_FLAG(0, "no-inline", &o.no_inline,
			    "count inlined functions as their callers"),
		OPTION_STRING(0, "fail-on", "PERCENT", &o.fail_on,
			      "exit with 3 if a function grew so much"),
		CMD_IGNORE_OPTION(o.ignore),
		CMD_SELECT_OPTIONS(o.select),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc != 2)
		return cmd_bad_usage(&usage, "takes two profiles, BEFORE and AFTER");
	status = check(&o);
	return status == CMD_RUN ? run(&o, argv) : status;
}
