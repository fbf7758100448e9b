// SPDX-License-Identifier: GPL-2.0
/* ustack sframe: its table of commands. */
#include "cmd.h"

#include "util/poison.h"

int cmd_sframe(int argc, char **argv)
{
	static const struct cmd table[] = {
		{ "dump", cmd_sframe_dump, "show a section's functions and rows" },
		{ "verify", cmd_sframe_verify, "prove sections, and size their tables" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack sframe", table, argc - 1, argv + 1);
}
