/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the output of `perf script --show-mmap-events --show-task-events` or bpfstack: samples
 * are passed on, events go to maps.
 */
#ifndef CHAINCHECK_DUMP_H
#define CHAINCHECK_DUMP_H

#include "util.h"

struct entry {
	u64 ip;			/* as printed: an address, or a file offset */
	const char *dso;	/* as printed, "" if missing */
};

struct sample {
	const char *header;	/* its first line, for messages */
	int pid, tid;
	struct entry *entries;	/* innermost first, without frames of the kernel */
	size_t count;
	bool in_exec;		/* a frame of the kernel is in exec() */
	unsigned long line;	/* line number in the dump */
};

/* sample() is called for each sample, which is valid only during the call */
void dump_read(FILE *f, void (*sample)(const struct sample *sample));

#endif
