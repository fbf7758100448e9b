// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym: the commands for GSYM files. */
#include "cmd.h"

#include "util/poison.h"

int cmd_gsym(int argc, char **argv)
{
	static const struct cmd table[] = {
		{ "convert", cmd_gsym_convert, "make a file of debug information or symbols" },
		{ "dump", cmd_gsym_dump, "show a file's functions, lines and inlined calls" },
		{ "info", cmd_gsym_info, "show what files are, by their headers" },
		{ "lookup", cmd_gsym_lookup, "name the functions and lines at addresses" },
		{ "verify", cmd_gsym_verify, "compare a file with the DWARF of its program" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack gsym", table, argc - 1, argv + 1);
}
