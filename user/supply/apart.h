/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A section is made in a jail, for programs that are more than a maker of sections: the files are
 * those of the profiled users, and one that breaks its reader, or eats memory or time, costs that
 * jail and no more.
 */
#ifndef USTACK_USER_SUPPLY_APART_H
#define USTACK_USER_SUPPLY_APART_H

#include "supply/cache.h"
#include "host/file/locate.h"

/* It may take so many seconds of the CPU and, on a busy machine, by the clock; so much memory
 * beside what its maker has; and its section may have so many bytes.
 */
#define APART_MAX_SECONDS 60u
#define APART_MAX_WAIT 180u
#define APART_MAX_MEMORY (4ull << 30)
#define APART_MAX_BYTES (256u << 20)

/**
 * apart_maker - makes a section
 * @f: open, headers read
 * @ret: holds CACHE_ENTRY_INIT
 * @result: gets @cfi_bytes
 * @diag: what is wrong
 *
 * Return: 0 or a negative errno.
 */
typedef int (*apart_maker)(const struct supply_file *f, struct cache_entry *ret,
			   struct supply_result *result, struct diag *diag);

/**
 * supply_apart() - call @make in a jail
 * @make: has the descriptor of @f and nothing else; it opens no file
 * @f: for @make
 * @ret: holds CACHE_ENTRY_INIT; as @make left it. Its numbers are @make's word: nothing but
 *       the section that they describe may rest on them
 * @result: as @make left its @cfi_bytes
 * @diag: as @make left its text, or how the process ended
 *
 * Return: what @make returned; -EBADMSG if it did not return in time; another negative errno
 * if there is no jail to be had.
 */
int supply_apart(apart_maker make, const struct supply_file *f, struct cache_entry *ret,
		 struct supply_result *result, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_APART_H */
