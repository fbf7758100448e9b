// SPDX-License-Identifier: GPL-2.0-only
/* ustack export: a profile in the form of another tool. */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "cmd/input.h"
#include "profile/export.h"
#include "report/select.h"

#include "util/poison.h"

struct export_opts {
	const char *format;
	const char *out;
	const char *value;
	const char *event;
};

static int run(const char *path, const struct export_opts *o, enum export_format format)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	uint32_t value = 0;
	struct profile *p;
	int err;

	if (cmd_load_profile(&path, &(struct cmd_input){ .event = o->event }, &p, &diag))
		return cmd_diag(&diag);
	/* pprof's form has all values */
	err = format == EXPORT_PPROF ? 0 : report_value_type(p, o->value, path, &value, &diag);
	if (!err)
		err = export_save(p, format, value, o->out, &diag);
	/* what is wrong with the profile is wrong with the file that it was in */
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
			 "speedscope, perf (the text of perf script), or pprof.\n" CMD_PROFILE_FORMS,
	};
	struct export_opts o = { .format = "folded", .out = "-" };
	const struct option_spec specs[] = {
		OPTION_STRING('f', "format", "FORMAT", &o.format,
			      "folded (the default), speedscope, perf or pprof",
			      .word = export_format_word),
		OPTION_STRING('o', "output", "OUT", &o.out, "the file to make; - for stdout"),
		OPTION_STRING('V', "value", "TYPE", &o.value,
			      "which values, such as samples"),
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
		return cmd_bad_usage(&usage, "-f: '%s' is not folded, speedscope, perf or pprof", o.format);
	return run(argv[0], &o, format);
}
