// SPDX-License-Identifier: GPL-2.0-only
/* ustack sframe: the commands for SFrame sections. */
#include "cmd.h"

#include "util/poison.h"

int cmd_sframe(int argc, char **argv)
{
	static const struct cmd table[] = {
		{ "compare", cmd_sframe_compare, "a section against call frame information" },
		{ "coverage", cmd_sframe_coverage, "what sections can say of files, and what not" },
		{ "dump", cmd_sframe_dump, "show a section's functions and rows" },
		{ "synth", cmd_sframe_synth, "make a section from call frame information" },
		{ "verify", cmd_sframe_verify, "prove sections, and size their tables" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack sframe", table, argc - 1, argv + 1);
}
