/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers code with ustack, as a JIT compiler has to do.
 *
 * jit.c calls register_region(), which is in jit_device.c. Without the device the functions do
 * nothing.
 */
#ifndef WORKLOAD_JIT_H
#define WORKLOAD_JIT_H

#include <stddef.h>

struct jit_region {
	void *start;			/* address of the executable mapping */
	size_t length;			/* address of the code in it */
	const void *sframe;		/* a whole .sframe section */
	size_t sframe_length;
	size_t sframe_vaddr;		/* address of the section if the code were at 0 */
};

/* Return: 0 or -errno; a failure is reported, and the program continues. */
int register_region(const struct jit_region *region);
int unregister_region(const struct jit_region *region);

#endif
