/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file of a key and opens it for reading. */
#ifndef USTACK_USER_SYMSTORE_FIND_H
#define USTACK_USER_SYMSTORE_FIND_H

#include "host/file/locate.h"
#include "symbols/symstore/symstore.h"

/**
 * symstore_find() - open the file of a key
 * @key: what is known of the file
 * @file_dirs: see struct symstore_options
 * @ret: holds SUPPLY_FILE_INIT; its headers are read on success; released by
 *       supply_file_release()
 *
 * The file may be for another architecture than this program. A file found by its path
 * must have the key's build id, or if that is not known, its device and inode. A file
 * found through the mapping itself only must not contradict the key. A file found by its
 * path in the root of another process, after the key's own process has ended, must have
 * the key's device and inode.
 *
 * Return: NULL if the file was found, else the reason, as text.
 */
const char *symstore_find(const struct symstore_key *key, const char *const *file_dirs,
			  struct supply_file *ret);

/**
 * symstore_is_generated() - whether a mapping is code that the process generated itself
 * @key: what is known of the mapping, with its process
 *
 * Runtimes put generated code into shared memory (memfd) to map it twice, for writing and
 * for running. Some map files of their own format (SBCL's core, PE). The first bytes of
 * the mapped file are read; a memfd that this program may not read counts as generated
 * code, too.
 */
bool symstore_is_generated(const struct symstore_key *key);

#endif /* USTACK_USER_SYMSTORE_FIND_H */
