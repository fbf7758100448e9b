// SPDX-License-Identifier: GPL-2.0-only
/* ustack bsym: the commands for Symbian's binary symbol files. */
#include "cmd.h"

#include "util/poison.h"

int cmd_bsym(int argc, char **argv)
{
	static const struct cmd table[] = {
		{ "convert", cmd_bsym_convert, "make a BSYM file of symbols" },
		{ "dump", cmd_bsym_dump, "show a file's code segments and symbols" },
		{ "lookup", cmd_bsym_lookup, "name the functions at addresses" },
		{ "verify", cmd_bsym_verify, "look for what is wrong in files" },
		{ NULL, NULL, NULL },
	};

	return cmd_dispatch("ustack bsym", table, argc - 1, argv + 1);
}
