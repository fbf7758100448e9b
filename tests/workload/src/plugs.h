/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a libplugN.so as a file range, for scenarios that map and unmap
 * it themselves.
 */
#ifndef WORKLOAD_PLUGS_H
#define WORKLOAD_PLUGS_H

#include <stddef.h>
#include <sys/types.h>

#define PLUGS 4

typedef long (*plug_fn)(long x);

struct plug {
	int fd;
	off_t offset;	/* of the executable segment, down to a page */
	size_t length;	/* of it, up to a page */
	size_t entry;	/* from the mapping's start to plugN_entry */
};

/* open number n (1 to PLUGS) beside the running program; 0 or -errno */
int plug_open(struct plug *plug, int n);

#endif
