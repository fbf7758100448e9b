// SPDX-License-Identifier: GPL-2.0-only
/*
 * ustack imagemap: the commands for image maps: which image was where in a process, in a few
 * hundred bytes.
 */
#include "cmd.h"

#include <stdbool.h>

#include "util/poison.h"

static const struct cmd commands[] = {
	{ "decode", cmd_imagemap_decode, "print an image map as text or JSON" },
	{ "encode", cmd_imagemap_encode, "make an image map of a process, a core file or JSON" },
	{ "show", cmd_imagemap_show, "show an image map to people" },
	{ NULL, NULL, NULL },
};

int cmd_imagemap(int argc, char **argv)
{
	return cmd_dispatch("ustack imagemap", commands, argc - 1, argv + 1);
}
