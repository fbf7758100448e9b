// SPDX-License-Identifier: GPL-2.0-only
/* ustack version: prints the version of the program and of the module's interface. */
#include "cmd.h"
#include "host/module/module.h"
#include "util/json.h"

#include "util/poison.h"

int cmd_version(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack version",
		.synopsis = "[--json]",
		.about = "Prints the version of the program and of the module's interface\n"
			 "that it speaks.",
	};
	bool json = false;
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &json, "print JSON"),
		OPTION_END,
	};
	struct json j;
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "takes no arguments");
	if (json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		json_string(&j, "version", USTACK_VERSION);
		json_u64(&j, "interface", USTACK_ABI_VERSION);
		json_object_end(&j);
		json_end(&j);
		return CMD_OK;
	}
	printf("ustack %s (interface %d)\n", USTACK_VERSION, USTACK_ABI_VERSION);
	return CMD_OK;
}
