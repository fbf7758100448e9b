// SPDX-License-Identifier: GPL-2.0-only
/* ustack export: writes a profile in the format of another tool. */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "cmd/input.h"
#include "profile/export.h"
#include "profile/moments.h"
#include "show/report/select.h"
#include "util/cleanup.h"

#include "util/poison.h"

struct export_opts {
	const char *format;
	const char *out;
	const char *value;
	const char *event;
};

/* Reports samples without a time: a format with times has only those that fit into memory. */
static void say_left_out(const struct moments *m, const char *path)
{
	if (m->left_out)
		fprintf(stderr, "ustack: %s: %llu samples are left out: times of %u are kept\n", path,
			(unsigned long long)m->left_out, MOMENTS_MAX);
}

static int run(const char *path, const struct export_opts *o, enum export_format format)
{
	_cleanup_(moments_release) struct moments moments = { .nr = 0 };
	const struct cmd_input input = {
		.event = o->event, .moments = export_format_has_times(format) ? &moments : NULL,
		.keep_times = format == EXPORT_PPROF,
	};
	struct export_options to = { .format = format, .moments = &moments };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct profile *p;
	int err;

	if (cmd_load_profile(&path, &input, &p, &diag))
		return cmd_diag(&diag);
	/* pprof's format holds values of all types */
	err = format == EXPORT_PPROF ? 0 : report_value_type(p, o->value, path, &to.value, &diag);
	if (!err)
		err = export_save(p, &to, o->out, &diag);
	if (!err && export_format_has_times(format))
		say_left_out(&moments, path);
	/* an error in the profile is an error in the file that was read */
	if (err == -ERANGE)
		diag.file = path;
	if (!err && !p->nr_samples)
		fprintf(stderr, "ustack: %s: there are no samples in it\n", path);
	profile_free(p);
	return err ? cmd_diag(&diag) : CMD_OK;
}

int cmd_export(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack export",
		.synopsis = "[-f FORMAT] [-o OUT] [-V TYPE] [-e EVENTS] [FILE]",
		.about = "Writes a profile in the form of another tool: folded (flamegraph.pl, inferno),\n"
			 "speedscope, firefox (the Firefox Profiler), chrome (trace events of Chrome and\n"
			 "Perfetto), perf (the text of perf script), or pprof.\n" CMD_PROFILE_FORMS,
	};
	struct export_opts o = { .format = "folded", .out = "-" };
	const struct option_spec specs[] = {
		OPTION_STRING('f', "format", "FORMAT", &o.format,
			      "folded (the default) or another of these",
			      .word = export_format_word),
		OPTION_STRING('o', "output", "OUT", &o.out, "the file to write; - for stdout"),
		OPTION_STRING('V', "value", "TYPE", &o.value,
			      "the values to use, such as samples"),
		CMD_EVENT_OPTION(o.event),
		OPTION_END,
	};
	enum export_format format;
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc > 1)
		return cmd_bad_usage(&usage, "takes one profile");
	if (!export_format_find(o.format, &format))
		return cmd_bad_usage(&usage, "-f: '%s' is not folded, speedscope, firefox, chrome, perf or pprof",
				     o.format);
	return run(argv[0], &o, format);
}
