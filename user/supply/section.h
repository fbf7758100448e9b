/* SPDX-License-Identifier: GPL-2.0-only */
/* From a file to its section: the cache's, or a new one. */
#ifndef USTACK_USER_SUPPLY_SECTION_H
#define USTACK_USER_SUPPLY_SECTION_H

#include "supply/cache.h"
#include "host/file/locate.h"

/* Above these a file is left to a worker that nobody waits for. 4 MiB of text take
 * tens of milliseconds, and one in a hundred stock files has more; the file's size
 * bounds the CFI of one that has little text and is not stock.
 */
#define SUPPLY_LARGE_TEXT (4u << 20)
#define SUPPLY_LARGE_FILE (32u << 20)

/* struct supply_order.flags */
#define SUPPLY_MAY_BE_LARGE 1u	/* else large files are SUPPLY_LATER */
#define SUPPLY_AFRESH 2u	/* do not look into the cache */
#define SUPPLY_APART 4u		/* in a process of its own, see apart.h */

/**
 * struct supply_order - what to do with files
 * @cache: NULL if there is none
 * @flags: SUPPLY_*
 */
struct supply_order {
	const struct cache *cache;
	unsigned int flags;
};

/**
 * supply_section() - get a file's section
 * @order: how
 * @f: opened, headers read
 * @ret: holds CACHE_ENTRY_INIT; released by cache_entry_release()
 * @result: outcome, sizes, text
 */
void supply_section(const struct supply_order *order, struct supply_file *f,
		    struct cache_entry *ret, struct supply_result *result);

/* Ends a result: an outcome and what there is to say beside its sentence. */
__attribute__((__format__(__printf__, 3, 4)))
void supply_outcome_set(struct supply_result *result,
			enum supply_outcome outcome, const char *fmt, ...);

#endif /* USTACK_USER_SUPPLY_SECTION_H */
