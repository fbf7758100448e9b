/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads /etc/ld.so.cache, in which the dynamic linker finds libraries by name.
 * ldconfig(8) writes it. Its format is in glibc's sysdeps/generic/dl-cache.h; only the part
 * that is written since version 2.2 is read.
 */
#ifndef USTACK_USER_PROCESS_LD_CACHE_H
#define USTACK_USER_PROCESS_LD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#define LD_CACHE "/etc/ld.so.cache"

/**
 * ld_cache_find() - find the file of a library
 * @bytes: content of the cache; untrusted
 * @len: number of bytes
 * @name: "libc" for the first libc.so or libc.so.N in it, or a full name as "libc.so.6"
 *
 * Only libraries for this program's architecture are found, without those for special
 * CPUs.
 *
 * Return: path of the library, in @bytes; NULL if there is none or the cache is damaged.
 */
const char *ld_cache_find(const void *bytes, size_t len, const char *name);

/**
 * ld_cache_is() - check whether a file's name belongs to a library's name
 * @file: name of a file, as "libc.so.6"
 * @name: name of a library, as for ld_cache_find()
 *
 * Return: whether @file is @name, or @name followed by ".so" or a version.
 */
bool ld_cache_is(const char *file, const char *name);

#endif /* USTACK_USER_PROCESS_LD_CACHE_H */
