/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a process that is looked at: a live one's, or a test's. All of it is untrusted. */
#ifndef USTACK_USER_LANG_MEMORY_H
#define USTACK_USER_LANG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct lang_memory - where bytes come from
 * @read: copies exactly @len bytes at @addr; false if they are not all there
 * @arg: for @read
 */
struct lang_memory {
	bool (*read)(void *arg, uint64_t addr, void *buf, size_t len);
	void *arg;
};

static inline bool lang_memory_read(const struct lang_memory *m, uint64_t addr, void *buf,
				    size_t len)
{
	return m->read(m->arg, addr, buf, len);
}

#endif /* USTACK_USER_LANG_MEMORY_H */
