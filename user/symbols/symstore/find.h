/* SPDX-License-Identifier: GPL-2.0-only */
/* From a key to the file, opened for reading. */
#ifndef USTACK_USER_SYMSTORE_FIND_H
#define USTACK_USER_SYMSTORE_FIND_H

#include "host/file/locate.h"
#include "symbols/symstore/symstore.h"

/**
 * symstore_find() - open the file of a key
 * @key: what is known of it
 * @file_dirs: see struct symstore_options
 * @ret: holds SUPPLY_FILE_INIT; released by supply_file_release(); headers read on true
 *
 * It may be of another architecture than this program. What is found by path must have the build
 * id of the key, or, if that is not known, its device and inode. What the mapping itself leads to
 * needs no more than that it does not contradict. What is found by the path in the root of another
 * process, where the key's own has gone, must have the device and inode of the key.
 *
 * Return: NULL if it was found, else why it was not, in words.
 */
const char *symstore_find(const struct symstore_key *key, const char *const *file_dirs,
			  struct supply_file *ret);

/**
 * symstore_is_made() - whether what a process has mapped is code that it made itself
 * @key: what is known of the mapping, with its process
 *
 * Runtimes put code into shared memory (memfd) to map it twice, for writing and for running,
 * and some map files of a format of their own (SBCL's core, PE). Read are the first bytes of
 * what is mapped; a memfd that this program may not read has code that was made, too.
 */
bool symstore_is_made(const struct symstore_key *key);

#endif /* USTACK_USER_SYMSTORE_FIND_H */
