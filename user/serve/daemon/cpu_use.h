/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPU time and memory this process and its children take. */
#ifndef USTACK_USER_DAEMON_CPU_USE_H
#define USTACK_USER_DAEMON_CPU_USE_H

#include <stdint.h>

/**
 * struct cpu_use - so far
 * @self_ns: of this process
 * @children_ns: of children that have ended and were waited for, and of those that run, with
 *               theirs
 * @rss_bytes: of memory in use by this process now
 */
struct cpu_use {
	uint64_t self_ns;
	uint64_t children_ns;
	uint64_t rss_bytes;
};

/* What cannot be read counts as nothing. A child that ends between two looks is in both,
 * or, if somebody else has waited for it, in one.
 */
void cpu_use_read(struct cpu_use *ret);

#endif /* USTACK_USER_DAEMON_CPU_USE_H */
