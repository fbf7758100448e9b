// SPDX-License-Identifier: GPL-2.0-only
/* Parses the command line of gt-compare (options.h). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "excuse.h"
#include "files.h"
#include "floors.h"
#include "options.h"

static const char usage[] =
"usage: gt-compare [options] RECORD\n"
"      --sysroot DIR      for files that the record does not hold\n"
"      --min-frames N     fail if fewer callers' frames were compared\n"
"      --min-whole PCT    fail if fewer samples are whole\n"
"      --min-ended PCT    the same, of those that libdw follows to their end: a\n"
"                         busy machine takes more of them in execve() and in\n"
"                         ld.so's first code, where libdw stops\n"
"      --excuse FILE      known faults of libdw or of CFI (see excuse.h)\n"
"      --allow-past-end   frames behind the outermost do not fail\n"
"      --show N           print so many failing samples in full (default 20)\n"
"      --show-short N     print so many short samples in full (default 0)\n"
"      --comm NAME        only processes of this name\n"
"      --places N         addresses in a table (default 20)\n"
"      --modes            complete stacks by command: the callchain's, a frame-\n"
"                         pointer walk's, and those of DWARF from short copies\n"
"      --dwarf-bytes N    of stack for these (default 8192, perf's)\n"
"      --min-complete PCT fail if fewer callchains are complete, of all or of a\n"
"                         command with 200 samples or more\n"
"      --floors FILE      commands that must have run, and their own limits (see\n"
"                         floors.h); they apply beside --min-complete\n"
"      --check-fp         fail if a callchain is not the frame-pointer walk: for\n"
"                         records that were made without the module\n"
"      --guess            how often guesses find the caller where CFI is not asked\n"
"Exit status: 0, 1 if the callchains are wrong or too few, 2 for trouble.\n";

static const struct option longs[] = {
	{ "sysroot", 1, NULL, 'S' }, { "min-frames", 1, NULL, 'm' },
	{ "min-whole", 1, NULL, 'w' }, { "min-ended", 1, NULL, 'E' },
	{ "excuse", 1, NULL, 'e' },
	{ "allow-past-end", 0, NULL, 'p' }, { "show", 1, NULL, 'n' },
	{ "show-short", 1, NULL, 's' }, { "places", 1, NULL, 'P' },
	{ "comm", 1, NULL, 'c' }, { "modes", 0, NULL, 'M' },
	{ "dwarf-bytes", 1, NULL, 'd' }, { "min-complete", 1, NULL, 'C' },
	{ "floors", 1, NULL, 'F' }, { "check-fp", 0, NULL, 'f' },
	{ "guess", 0, NULL, 'g' },
	{ "help", 0, NULL, 'h' }, {},
};

static void __attribute__((noreturn)) misused(void)
{
	fputs(usage, stderr);
	exit(2);
}

static void parse_one(struct options *o, int c)
{
	switch (c) {
	case 'S':
		files_sysroot(optarg);
		break;
	case 'm':
		o->min_frames = strtoull(optarg, NULL, 0);
		break;
	case 'w':
		o->min_whole = strtod(optarg, NULL);
		break;
	case 'E':
		o->min_ended = strtod(optarg, NULL);
		break;
	case 'e':
		excuse_load(optarg);
		break;
	case 'p':
		o->allow_past_end = true;
		break;
	case 'n':
		o->show = strtoul(optarg, NULL, 0);
		break;
	case 's':
		o->show_short = strtoul(optarg, NULL, 0);
		break;
	case 'P':
		o->places = strtoul(optarg, NULL, 0);
		break;
	case 'c':
		o->comm = optarg;
		break;
	case 'M':
		o->modes = true;
		break;
	case 'd':
		o->dwarf_bytes = strtoull(optarg, NULL, 0);
		break;
	case 'C':
		o->modes = true;
		o->min_complete = strtod(optarg, NULL);
		break;
	case 'F':
		o->modes = true;
		floors_load(optarg);
		break;
	case 'f':
		o->check_fp = true;
		break;
	case 'g':
		o->guess = true;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		misused();
	}
}

void options_parse(struct options *ret, int argc, char **argv)
{
	int c;

	*ret = (struct options){ .show = 20, .places = 20, .dwarf_bytes = 8192 };
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		parse_one(ret, c);
	if (optind + 1 != argc)
		misused();
	ret->record = argv[optind];
}
