// SPDX-License-Identifier: GPL-2.0
/* ustack report: show a profile as text. */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/pprof.h"
#include "report/select.h"
#include "report/text.h"
#include "util/cleanup.h"

#include "util/poison.h"

struct report_opts {
	bool tree;
	bool callers;
	bool children;
	const char *value;
	const char *limit;
	struct option_u64 rows;
	bool lines;
	bool no_inline;
	bool ends;
	const char *sort;
	struct report_select select;
	uint32_t hundredths;
};

static const struct cmd_usage usage = {
	.command = "ustack report",
	.synopsis = "[-g | -G] [--children] [-c NAME] [-S FUNCTION] ... [FILE]",
	.about = "Shows a profile as text: its functions, the largest first, or its tree of\n"
		 "calls. FILE is ustack.pb.gz, or any profile in pprof's form.",
};

static void free_profile(struct profile **p)
{
	profile_free(*p);
}

static void free_tree(struct calltree **t)
{
	calltree_free(*t);
}

static int show(const struct report_opts *o, const char *path)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	_cleanup_(free_profile) struct profile *p = NULL;
	_cleanup_(free_tree) struct calltree *t = NULL;
	struct report_view view = {
		.by_total = o->children, .lines = o->lines, .limit = o->hundredths,
		.rows = (uint32_t)o->rows.value,
	};
	struct calltree_options options = {
		.inverted = o->callers, .lines = o->lines, .no_inlines = o->no_inline,
		.ends = o->ends, .roots = o->tree ? roots : NULL,
		.keep = report_selects, .arg = (void *)&o->select,
	};
	struct diag diag;
	int err = pprof_load(path, &p, &diag);

	if (!err)
		err = report_value_type(p, o->value, path, &view.value, &diag);
	if (err)
		return cmd_diag(&diag);
	view.p = p;
	options.value[0] = view.value;
	err = calltree_new(p, NULL, &options, &t);
	if (!err) {
		report_head(&view, t, stdout);
		err = o->tree || o->callers ? report_tree(&view, t, stdout) :
					      report_flat(&view, t, stdout);
	}
	if (!err)
		return CMD_OK;
	diag_errno(&diag, -err, path);
	return cmd_diag(&diag);
}

/* A percentage with up to two digits behind the point. */
static bool parse_percent(const char *s, uint32_t *hundredths)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !(v >= 0 && v <= 100))
		return false;
	*hundredths = (uint32_t)(v * 100 + 0.5);
	return true;
}

int cmd_report(int argc, char **argv)
{
	struct report_opts o = { .limit = "0.5" };
	const struct option_spec specs[] = {
		OPTION_FLAG('g', "tree", &o.tree, "the tree of calls, by command"),
		OPTION_FLAG('G', "callers", &o.callers,
			    "from the innermost functions on: who calls them"),
		OPTION_FLAG(0, "children", &o.children,
			    "functions with what they call first"),
		OPTION_STRING(0, "value", "TYPE", &o.value, "which values, such as samples"),
		OPTION_STRING(0, "percent-limit", "PERCENT", &o.limit,
			      "leave out what has less (0.5)"),
		OPTION_U64('n', "rows", "N", &o.rows, "at most so many functions"),
		OPTION_FLAG('l', "lines", &o.lines, "apart by line of the source"),
		OPTION_FLAG(0, "no-inline", &o.no_inline,
			    "inlined functions are part of their callers"),
		OPTION_FLAG(0, "ends", &o.ends,
			    "what is not complete below a node that says why"),
		OPTION_STRING('c', "command", "NAME", &o.select.command,
			      "of processes with this name"),
		OPTION_STRING(0, "thread", "NAME", &o.select.thread,
			      "of threads with this name"),
		OPTION_STRING('d', "dso", "NAME", &o.select.image,
			      "of stacks with this file"),
		OPTION_STRING('S', "symbol", "FUNCTION", &o.select.function,
			      "of stacks with this function"),
		OPTION_STRING(0, "pid", "PID", &o.select.pid, "of this process"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc > 1)
		return cmd_bad_usage(&usage, "takes one profile");
	if (o.tree && o.callers)
		return cmd_bad_usage(&usage, "takes one of -g and -G");
	if (!parse_percent(o.limit, &o.hundredths))
		return cmd_bad_usage(&usage, "--percent-limit: 0 to 100");
	return show(&o, argc ? argv[0] : "ustack.pb.gz");
}
