/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a libplugN.so as a range of the file, for scenarios that map and unmap it
 * themselves.
 */
#ifndef WORKLOAD_PLUGS_H
#define WORKLOAD_PLUGS_H

#include <stddef.h>
#include <sys/types.h>

#define PLUGS 4

typedef long (*plug_fn)(long x);

struct plug {
	int fd;
	off_t offset;	/* start of the executable segment, rounded down to a page */
	size_t length;	/* its length, rounded up to a page */
	size_t entry;	/* offset of plugN_entry from the start of the mapping */
};

/* opens number n (1 to PLUGS) beside the running program; returns 0 or -errno */
int plug_open(struct plug *plug, int n);

#endif
