// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho: compact unwinding of Apple's Mach-O files. */
#include "cmd.h"

#include "util/poison.h"

int cmd_macho(int argc, char **argv)
{
	static const struct cmd table[] = {
#ifdef USTACK_ELFUTILS
		{ "convert", cmd_macho_convert, "make an .sframe section of a file's unwinding" },
#endif
		{ "dump", cmd_macho_dump, "show how a file's functions are unwound" },
		{ "lookup", cmd_macho_lookup, "say how the functions at addresses are unwound" },
#ifdef USTACK_ELFUTILS
		{ "unwind", cmd_macho_unwind, "walk the stacks of a captured process" },
#endif
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack macho", table, argc - 1, argv + 1);
}
