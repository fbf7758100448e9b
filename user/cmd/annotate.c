// SPDX-License-Identifier: GPL-2.0-only
/* ustack annotate: shows where in a function samples were taken, by instruction and by line. */
#include "cmd.h"

#include <errno.h>
#include <string.h>

#include "show/annotate/annotate.h"
#include "show/annotate/source.h"
#include "show/annotate/text.h"
#include "cmd/annotated.h"
#include "cmd/input.h"
#include "cmd/select.h"
#include "percent.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

struct annotate_opts {
	const char *input;
	const char *image;
	const char *value;
	const char *event;
	const char *limit;
	struct option_u64 rows;
	bool lines;
	bool hottest;
	bool stdio;
	bool json;
	struct report_select select;
	struct annotated annotated;
	uint32_t hundredths;
};

static const struct cmd_usage usage = {
	.command = "ustack annotate",
	.synopsis = "[-l | --hottest | --json] [-i FILE] [...] [FUNCTION]",
	.about = "Shows where in a function samples were taken: by instruction, with the lines\n"
		 "of the source between them, or by line. Without FUNCTION it is the hottest one.\n"
		 CMD_PROFILE_FORMS,
};

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	naming_show(arg, done, all, path);
	return true;
}

static void note(const char *text, void *arg)
{
	fprintf(stderr, "ustack: %s\n", text);
}

/*
 * Chooses the functions to show: all functions of the name that was asked for, else the hottest
 * one that has code, or --rows functions. Sets *@first to the first of them. Return: their
 * number.
 */
static size_t choose(const struct annotate_opts *o, const char *function, const struct annotate *a,
		     size_t *first)
{
	uint64_t rows = o->rows.set ? o->rows.value : function ? a->nr_functions : 1;
	size_t i = 0;

	while (!function && !o->rows.set && i < a->nr_functions && a->functions[i].why)
		i++;
	*first = i < a->nr_functions ? i : 0;
	return rows < a->nr_functions ? rows : a->nr_functions;
}

/* If one of several functions cannot be shown, the others still are. */
static int show_function(const struct annotate_view *v, struct annotate *a, struct annotate_function *f,
			 bool alone, struct json *j)
{
	char words[sizeof(((struct diag *)NULL)->text) + 4200];
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err = annotate_code(a, f, &diag);

	if (err == -ENOMEM || (err && alone && !j))
		return cmd_diag(&diag);
	if (err)
		diag_format(&diag, words, sizeof(words));
	if (j)
		annotate_json(f, err ? words : NULL, j);
	else if (err)
		annotate_print_missing(v, a, f, words, stdout);
	else if (annotate_print(v, a, f, stdout))
		return CMD_FAILED;
	return err ? CMD_FAILED : CMD_OK;
}

static void json_head(const struct annotate_view *v, const struct annotate *a, struct json *j)
{
	const struct profile_value_type *type = &v->report.p->value_types[v->report.value];

	json_object(j, NULL);
	json_string(j, "file", v->report.file);
	json_string(j, "value", profile_text(v->report.p, type->type));
	json_string(j, "unit", profile_text(v->report.p, type->unit));
	json_i64(j, "all", a->all.value);
	json_array(j, "functions");
}

/* Return: %CMD_OK if at least one function was shown. */
static int show(const struct annotate_opts *o, const char *function, const struct annotate_view *v,
		struct annotate *a)
{
	size_t first, nr = choose(o, function, a, &first), i;
	int status = CMD_FAILED;
	struct json j;

	if (o->json) {
		json_init(&j, stdout);
		json_head(v, a, &j);
	}
	for (i = 0; i < nr; i++)
		if (show_function(v, a, &a->functions[first + i], nr == 1, o->json ? &j : NULL) == CMD_OK)
			status = CMD_OK;
	if (o->json) {
		json_array_end(&j);
		json_object_end(&j);
		json_end(&j);
	}
	return status;
}

static int run_with(struct annotate_opts *o, const char *function, struct profile *p, const char *path,
		    struct symstore *store)
{
	_cleanup_(annotate_cleanup) struct annotate *a = NULL;
	_cleanup_(sources_cleanup) struct sources *sources = NULL;
	struct annotate_options options = {
		.function = function, .image = o->image, .file = path, .store = store,
		.keep = report_selects, .arg = &o->select, .progress = show_progress,
		.progress_arg = &o->annotated.naming,
	};
	struct annotate_view view = {
		.report = { .p = p, .file = path, .limit = o->hundredths },
		.order = o->lines ? ANNOTATE_LINES : o->hottest ? ANNOTATE_HOTTEST : ANNOTATE_BY_ADDRESS,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err = report_value_type(p, o->value, path, &options.value, &diag);

	view.report.value = options.value;
	annotated_options(&o->annotated, &options);
	options.counts = report_count_type(p, &options.count);
	if (!err) {
		progress_init(&o->annotated.naming.progress, NULL);
		err = annotate_new(p, &options, &a, &diag);
		progress_wipe(&o->annotated.naming.progress);
	}
	if (err)
		return cmd_diag(&diag);
	if (!o->annotated.no_source && !o->json)
		view.sources = sources = sources_new(o->annotated.source_dir, note, NULL);
	return show(o, function, &view, a);
}

static int run(struct annotate_opts *o, const char *function)
{
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	_cleanup_(naming_close) struct symstore *store = NULL;
	const struct cmd_input input = { .event = o->event, .naming = &o->annotated.naming };
	const char *path = o->input;
	struct diag diag;
	int err = cmd_load_profile(&path, &input, &p, &diag);

	if (!err)
		err = naming_open(&o->annotated.naming, &store, &diag);
	return err ? cmd_diag(&diag) : run_with(o, function, p, path, store);
}

static int check(struct annotate_opts *o)
{
	if (o->lines + o->hottest + o->json > 1)
		return cmd_bad_usage(&usage, "takes one of -l, --hottest and --json");
	if (!cmd_parse_percent(o->limit, &o->hundredths))
		return cmd_bad_usage(&usage, "--percent-limit: 0 to 100");
	return annotated_check(&o->annotated, &usage);
}

int cmd_annotate(int argc, char **argv)
{
	struct annotate_opts o = { .limit = "0", .annotated = ANNOTATED_INIT };
	const struct option_spec specs[] = {
		OPTION_STRING('i', "input", "FILE", &o.input, "the profile (" CMD_PROFILE ")"),
		OPTION_STRING('d', "dso", "IMAGES", &o.image, "only functions of these files"),
		OPTION_FLAG('l', "lines", &o.lines, "lines of the source, the hottest first"),
		OPTION_FLAG(0, "hottest", &o.hottest,
			    "instructions with samples, the hottest first"),
		OPTION_STRING(0, "percent-limit", "PERCENT", &o.limit,
			      "hide lines with a smaller share of the function (0)"),
		OPTION_U64(0, "rows", "N", &o.rows, "at most N functions"),
		OPTION_STRING('V', "value", "TYPE", &o.value, "the values to use, such as samples"),
		CMD_EVENT_OPTION(o.event),
		CMD_SELECT_NAMES(o.select),
		CMD_SELECT_NUMBERS(o.select),
		ANNOTATED_OPTIONS(o.annotated),
		NAMING_OPTIONS(o.annotated.naming),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_FLAG(0, "stdio", &o.stdio, "print text (the default)"),
		OPTION_FLAG('q', "quiet", &o.annotated.naming.quiet, "report only failures"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc > 1)
		return cmd_bad_usage(&usage, "takes one function; -i FILE is the profile");
	status = check(&o);
	return status == CMD_RUN ? run(&o, argc ? argv[0] : NULL) : status;
}
