// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of ustack that use the module, for guests: a static program, because a guest has
 * hardly any library. The linker takes only the parts of the program that these commands use.
 */
#include "cmd.h"

#include "util/poison.h"

int main(int argc, char **argv)
{
	static const struct cmd commands[] = {
		{ "events", cmd_events, "list the images that have no unwind table" },
		{ "images", cmd_images, "list the images that the module knows" },
		{ "load", cmd_load, "give the module an unwind table for a file" },
		{ "prepare", cmd_prepare, "let the module learn processes now" },
		{ "stat", cmd_stat, "show what the module did, and why stacks ended" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack", commands, argc > 1 ? argc - 1 : 0, argv + 1);
}
