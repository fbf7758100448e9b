/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of gt-compare; options.c has the usage text. */
#ifndef GT_OPTIONS_H
#define GT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
	const char *record;
	uint64_t min_frames;
	double min_whole;
	double min_ended;
	bool allow_past_end;
	unsigned int show;
	unsigned int show_short;
	unsigned int places;
	const char *comm;
	bool modes;
	double min_complete;
	size_t dwarf_bytes;
	bool check_fp;
	bool guess;
};

/* prints the usage and calls exit(2) if the arguments are wrong */
void options_parse(struct options *ret, int argc, char **argv);

#endif /* GT_OPTIONS_H */
