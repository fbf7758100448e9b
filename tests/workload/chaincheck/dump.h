/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read what `perf script --show-mmap-events --show-task-events` or bpfstack
 * prints: samples are handed on, events go to maps.
 */
#ifndef CHAINCHECK_DUMP_H
#define CHAINCHECK_DUMP_H

#include "util.h"

struct entry {
	u64 ip;			/* as printed: an address, or a file offset */
	const char *dso;	/* as printed, "" if not */
};

struct sample {
	const char *header;	/* the line it began with, for messages */
	int pid, tid;
	struct entry *entries;	/* innermost first, kernel's frames left out */
	size_t count;
	unsigned long line;	/* where in the dump */
};

/* sample() is called for each, which stays valid only for the call */
void dump_read(FILE *f, void (*sample)(const struct sample *sample));

#endif
