/* SPDX-License-Identifier: GPL-2.0-only */
/* Gets the section of a file, from the cache or a new one. */
#ifndef USTACK_USER_SUPPLY_SECTION_H
#define USTACK_USER_SUPPLY_SECTION_H

#include "supply/cache.h"
#include "host/file/locate.h"

/* Bytes above which a file is left to a worker that nobody waits for. 4 MiB of text take
 * tens of milliseconds, and one in a hundred stock files has more. The file's size bounds the
 * CFI of an unusual file that has little text.
 */
#define SUPPLY_LARGE_TEXT (4u << 20)
#define SUPPLY_LARGE_FILE (32u << 20)

/* struct supply_order.flags */
#define SUPPLY_MAY_BE_LARGE 1u	/* read large files; else they are SUPPLY_LATER */
#define SUPPLY_AFRESH 2u	/* do not use the cached section */
#define SUPPLY_IN_JAIL 4u		/* make the section in a jail, see jailed.h */

/**
 * struct supply_order - how to get sections
 * @cache: the cache, NULL if there is none
 * @flags: SUPPLY_*
 */
struct supply_order {
	const struct cache *cache;
	unsigned int flags;
};

/**
 * supply_section() - get a file's section
 * @order: how to get it
 * @f: the file, opened, its headers read
 * @ret: holds CACHE_ENTRY_INIT; released by cache_entry_release()
 * @result: receives the outcome, sizes and text
 */
void supply_section(const struct supply_order *order, struct supply_file *f,
		    struct cache_entry *ret, struct supply_result *result);

/* Sets a result's outcome, and a text that adds to the outcome's sentence. */
__attribute__((__format__(__printf__, 3, 4)))
void supply_outcome_set(struct supply_result *result,
			enum supply_outcome outcome, const char *fmt, ...);

#endif /* USTACK_USER_SUPPLY_SECTION_H */
