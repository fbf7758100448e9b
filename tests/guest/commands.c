// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of ustack that talk to the module, for guests: a static program, as a guest has
 * hardly any library. The linker takes no more of the program than these use.
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
