// SPDX-License-Identifier: GPL-2.0-only
/* ustack flame: writes a profile as a page with its flame graph. */
#include <errno.h>

#include "cmd.h"
#include "cmd/annotated.h"
#include "cmd/input.h"
#include "cmd/select.h"
#include "cmd/versions.h"
#include "show/flame/flame.h"
#include "show/report/select.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

struct flame_opts {
	const char *input;
	const char *out;
	const char *before;
	const char *value;
	const char *event;
	const char *title;
	bool callers;
	bool lines;
	bool no_inline;
	const char *ignore;
	unsigned int ignored;
	struct option_u64 annotate;
	struct report_select select;
	struct annotated annotated;
};

static const struct cmd_usage usage = {
	.command = "ustack flame",
	.synopsis = "[-o OUT] [-G] [--diff BEFORE] [-c NAMES] ... [FILE]",
	.about = "Writes a profile as a flame graph: one HTML file that needs no others and no\n"
		 "network. " CMD_PROFILE_FORMS,
};

/* The argument of put_code(): the options, and the profile whose functions are annotated. */
struct code {
	struct flame_opts *o;
	struct annotated_in in;
};

static int put_code(struct json *j, const char *name, void *arg)
{
	const struct code *c = arg;

	return annotated_page(&c->o->annotated, &c->in, (uint32_t)c->o->annotate.value, c->o->no_inline, j,
			      name);
}

static int load(struct flame_opts *o, struct profile **p, struct profile **before,
		struct flame_options *options, struct diag *diag)
{
	const struct cmd_input input = { .event = o->event, .naming = &o->annotated.naming };
	uint32_t *value = options->value;
	const char **path = &options->file[0];
	int err = cmd_load_profile(path, &input, p, diag);

	options->title = o->title ? o->title : text_base_name(*path);
	if (!err)
		err = report_value_type(*p, o->value, *path, &value[0], diag);
	if (err || !o->before)
		return err;
	err = cmd_load_profile(&options->file[1], &input, before, diag);
	return err ? err : report_same_values(*before, &(*p)->value_types[value[0]], *p, o->before,
					      &value[1], diag);
}

static int run(struct flame_opts *o)
{
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	_cleanup_(profile_cleanup) struct profile *before = NULL;
	struct flame_options options = {
		.file = { o->input, o->before },
		.callers = o->callers, .lines = o->lines, .no_inlines = o->no_inline,
		.keep = report_selects, .arg = (void *)&o->select,
	};
	struct code code = { .o = o };
	struct diag diag;
	int err = load(o, &p, &before, &options, &diag);

	if (!err)
		report_select_look(&o->select, (const struct profile *const[2]){ p, before });
	if (!err && !p->nr_samples)
		fprintf(stderr, "ustack: %s: there are no samples in it\n", options.file[0]);
	if (!err && before && cmd_match_versions(before, p, o->ignored))
		err = diag_errno(&diag, ENOMEM, NULL);
	code.in = (struct annotated_in){
		.p = p, .file = options.file[0], .value = options.value[0],
		.keep = report_selects, .arg = &o->select,
	};
	options.code = o->annotate.value ? put_code : NULL;
	options.code_arg = &code;
	if (!err)
		err = flame_save(p, before, &options, o->out, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}

static void opts_release(struct flame_opts *o)
{
	annotated_release(&o->annotated);
}

int cmd_flame(int argc, char **argv)
{
	_cleanup_(opts_release) struct flame_opts o = { .out = "ustack.html", .annotated = ANNOTATED_INIT };
	const struct option_spec specs[] = {
		OPTION_STRING('i', "input", "FILE", &o.input,
			      "the profile, instead of the operand"),
		OPTION_STRING('o', "output", "OUT", &o.out,
			      "the file to write (ustack.html); - for stdout"),
		OPTION_FLAG('G', "callers", &o.callers,
			    "open with the callers of the innermost functions"),
		OPTION_STRING(0, "diff", "BEFORE", &o.before,
			      "show what changed since this profile"),
		OPTION_STRING('V', "value", "TYPE", &o.value, "the values to use, such as samples"),
		CMD_EVENT_OPTION(o.event),
		OPTION_STRING(0, "title", "TITLE", &o.title,
			      "title of the page (the name of FILE)"),
		OPTION_FLAG('l', "lines", &o.lines, "show source lines separately"),
		OPTION_FLAG(0, "no-inline", &o.no_inline,
			    "count inlined functions as their callers"),
		OPTION_U64(0, "annotate", "N", &o.annotate,
			   "add the instructions of the N hottest functions"),
		ANNOTATED_OPTIONS(o.annotated),
		NAMING_OPTIONS(o.annotated.naming),
		CMD_IGNORE_OPTION(o.ignore),
		CMD_SELECT_OPTIONS(o.select),
		CMD_SELECT_NUMBERS(o.select),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc > 1 || (argc && o.input))
		return cmd_bad_usage(&usage, "takes one profile");
	if (argc)
		o.input = argv[0];
	if (!cmd_parse_ignore(o.ignore, &o.ignored))
		return cmd_bad_usage(&usage, "--ignore: '%s' is not image, command or both", o.ignore);
	if (o.annotate.value > ANNOTATED_PAGE_FUNCTIONS)
		return cmd_bad_usage(&usage, "--annotate: at most %u functions", ANNOTATED_PAGE_FUNCTIONS);
	status = annotated_check(&o.annotated, &usage);
	return status == CMD_RUN ? run(&o) : status;
}
