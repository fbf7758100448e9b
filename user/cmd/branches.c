// SPDX-License-Identifier: GPL-2.0-only
/* ustack branches: writes the branches that perf record -b recorded, for AutoFDO and BOLT. */
#include <stdlib.h>

#include "capture/branches/branches.h"
#include "cmd.h"
#include "util/cleanup.h"

#include "util/poison.h"

static void say(const char *text, void *arg)
{
	(void)arg;
	fprintf(stderr, "ustack: %s\n", text);
}

static int run(const char *program, const char *path, enum branches_format format, const char *out)
{
	const struct branches_options o = { .program = program, .note = say };
	struct file_stream s = { .fd = -1 };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct branches *b = NULL;
	int err = file_stream(path, &s, &diag);

	if (!err)
		err = branches_load(&s, &o, &b, &diag);
	if (!err)
		err = branches_save(b, format, out, &diag);
	branches_free(b);
	if (err)
		err = cmd_diag(&diag);
	file_stream_release(&s);
	return err;
}

int cmd_branches(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack branches",
		.synopsis = "[-f FORMAT] [-o OUT] PROGRAM [FILE]",
		.about = "Writes the branches of PROGRAM that the CPU recorded, for compilers and linkers\n"
			 "that arrange code by them: autofdo (create_llvm_prof --profiler=text of AutoFDO)\n"
			 "or fdata (llvm-bolt -data). FILE is what perf record -b wrote: perf.data if it\n"
			 "is not given.\n",
	};
	const char *format_name = "autofdo", *out = "-";
	const struct option_spec specs[] = {
		OPTION_STRING('f', "format", "FORMAT", &format_name, "autofdo (the default) or fdata",
			      .word = branches_format_word),
		OPTION_STRING('o', "output", "OUT", &out, "the file to write; - for stdout"),
		OPTION_END,
	};
	enum branches_format format;
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc < 1 || argc > 2)
		return cmd_bad_usage(&usage, "takes a program, and at most one file of perf record");
	if (!branches_format_find(format_name, &format))
		return cmd_bad_usage(&usage, "-f: '%s' is not autofdo or fdata", format_name);
	return run(argv[0], argc > 1 ? argv[1] : "perf.data", format, out);
}
