// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho: the commands for compact unwinding of Apple's Mach-O files. */
#include "cmd.h"

#include "util/poison.h"

int cmd_macho(int argc, char **argv)
{
	static const struct cmd table[] = {
		{ "convert", cmd_macho_convert, "make an .sframe section of a file's unwinding" },
		{ "dump", cmd_macho_dump, "show how a file's functions are unwound" },
		{ "lookup", cmd_macho_lookup, "say how the functions at addresses are unwound" },
		{ "unwind", cmd_macho_unwind, "walk the stacks of a captured process" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack macho", table, argc - 1, argv + 1);
}
