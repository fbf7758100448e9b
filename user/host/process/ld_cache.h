/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/ld.so.cache, where the dynamic linker finds libraries by name. ldconfig(8) writes it; of
 * its form, glibc's sysdeps/generic/dl-cache.h, this reads the part that is written since 2.2.
 */
#ifndef USTACK_USER_PROCESS_LD_CACHE_H
#define USTACK_USER_PROCESS_LD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#define LD_CACHE "/etc/ld.so.cache"

/**
 * ld_cache_find() - the file of a library
 * @bytes: the cache; anything
 * @len: of @bytes
 * @name: "libc", which is the first libc.so or libc.so.N in it, or "libc.so.6"
 *
 * Of libraries for this program's architecture; those for certain CPUs are left out.
 *
 * Return: its path, in @bytes; NULL if there is none, or the cache is damaged.
 */
const char *ld_cache_find(const void *bytes, size_t len, const char *name);

/**
 * ld_cache_is() - does a file's name belong to a library's name?
 * @file: "libc.so.6"
 * @name: as above
 *
 * Return: whether @file is @name, or begins with it and goes on with ".so" or a version.
 */
bool ld_cache_is(const char *file, const char *name);

#endif /* USTACK_USER_PROCESS_LD_CACHE_H */
