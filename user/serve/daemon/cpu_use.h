/* SPDX-License-Identifier: GPL-2.0-only */
/* How much CPU time and memory this process and its children have used. */
#ifndef USTACK_USER_DAEMON_CPU_USE_H
#define USTACK_USER_DAEMON_CPU_USE_H

#include <stdint.h>

/**
 * struct cpu_use - what has been used so far
 * @self_ns: CPU time of this process
 * @children_ns: CPU time of children that have ended and were waited for, and of running ones,
 *               together with that of their own children
 * @rss_bytes: memory of this process that is resident now
 */
struct cpu_use {
	uint64_t self_ns;
	uint64_t children_ns;
	uint64_t rss_bytes;
};

/* Reads the use so far. A file that cannot be read counts as 0. A child that ends between two calls
 * is counted by both, but only by the first if somebody else has waited for it.
 */
void cpu_use_read(struct cpu_use *ret);

#endif /* USTACK_USER_DAEMON_CPU_USE_H */
