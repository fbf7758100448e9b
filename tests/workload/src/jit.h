/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A JIT's side of the bargain: tell ustack what code it has put where.
 *
 * jit.c calls register_region(), jit_device.c does it. Without the device both
 * do nothing.
 */
#ifndef WORKLOAD_JIT_H
#define WORKLOAD_JIT_H

#include <stddef.h>

struct jit_region {
	void *start;			/* of the executable mapping */
	size_t length;			/* of the code in it */
	const void *sframe;		/* a whole .sframe section */
	size_t sframe_length;
	size_t sframe_vaddr;		/* where the section would sit if code were at 0 */
};

/* 0 or -errno; failure is told, and the program runs on */
int register_region(const struct jit_region *region);
int unregister_region(const struct jit_region *region);

#endif
