/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a process being looked at, or of a test. Its content is untrusted. */
#ifndef USTACK_USER_LANG_MEMORY_H
#define USTACK_USER_LANG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/process/peek.h"

/**
 * struct lang_memory - where bytes come from
 * @read: copies exactly @len bytes at @addr; returns false if any is missing
 * @arg: passed to @read and @read_ranges
 * @read_ranges: the same for several ranges, if that is cheaper than one by one; or NULL
 */
struct lang_memory {
	bool (*read)(void *arg, uint64_t addr, void *buf, size_t len);
	void *arg;
	bool (*read_ranges)(void *arg, const struct peek_range *range, size_t nr);
};

/* Whether the memory of a process has what the BPF programs need to read its frames. */
enum lang_ready {
	LANG_READY,
	LANG_NOT_YET,	/* the runtime has not set it yet */
	LANG_NEVER,	/* it has invalid values */
};

static inline bool lang_memory_read(const struct lang_memory *m, uint64_t addr, void *buf,
				    size_t len)
{
	return m->read(m->arg, addr, buf, len);
}

/* Copies several ranges at once. Return: false if any byte is missing. */
static inline bool lang_memory_read_ranges(const struct lang_memory *m, const struct peek_range *range,
					   size_t nr)
{
	size_t i;

	if (m->read_ranges)
		return m->read_ranges(m->arg, range, nr);
	for (i = 0; i < nr; i++)
		if (!m->read(m->arg, range[i].addr, range[i].buf, range[i].len))
			return false;
	return true;
}

#endif /* USTACK_USER_LANG_MEMORY_H */
