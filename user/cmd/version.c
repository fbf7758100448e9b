// SPDX-License-Identifier: GPL-2.0-only
/* ustack version */
#include "cmd.h"
#include "module.h"

#include "util/poison.h"

int cmd_version(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack version",
		.synopsis = "",
		.about = "Prints the version of the program and of the module's interface\n"
			 "that it speaks.",
	};
	const struct option_spec specs[] = { OPTION_END };
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "takes no arguments");
	printf("ustack %s (interface %d)\n", USTACK_VERSION, USTACK_ABI_VERSION);
	return CMD_OK;
}
