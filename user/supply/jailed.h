/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a section in a jail. It is for programs that do more than make sections: the files
 * belong to the profiled users, and one that breaks its reader, or takes too much memory or
 * time, ends only that jail.
 */
#ifndef USTACK_USER_SUPPLY_JAILED_H
#define USTACK_USER_SUPPLY_JAILED_H

#include "supply/cache.h"
#include "host/file/locate.h"

/* Limits of a jail: CPU time and, as the machine may be busy, wall clock time, both in seconds;
 * bytes of memory in addition to the caller's; bytes of the section.
 */
#define JAILED_MAX_SECONDS 60u
#define JAILED_MAX_WAIT 180u
#define JAILED_MAX_MEMORY (4ull << 30)
#define JAILED_MAX_BYTES (256u << 20)

/**
 * supply_maker - makes a section
 * @f: the file, open, its headers read
 * @ret: holds CACHE_ENTRY_INIT
 * @result: receives @cfi_bytes
 * @diag: receives the error
 *
 * Return: 0 or a negative errno.
 */
typedef int (*supply_maker)(const struct supply_file *f, struct cache_entry *ret,
			    struct supply_result *result, struct diag *diag);

/**
 * supply_in_jail() - call @make in a jail
 * @make: may use the descriptor of @f only, and cannot open files
 * @f: the file, for @make
 * @ret: holds CACHE_ENTRY_INIT; receives what @make wrote. Its numbers are not trusted: use
 *       them only for the section that they describe
 * @result: receives @cfi_bytes from @make
 * @diag: receives the text from @make, or how the process ended
 *
 * Return: what @make returned; -EBADMSG if it did not return in time; another negative errno
 * if no jail can be started.
 */
int supply_in_jail(supply_maker make, const struct supply_file *f, struct cache_entry *ret,
		   struct supply_result *result, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_JAILED_H */
