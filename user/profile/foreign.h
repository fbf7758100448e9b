/* SPDX-License-Identifier: GPL-2.0-only */
/* Recognizes files of other formats that users pass as profiles. */
#ifndef USTACK_USER_PROFILE_FOREIGN_H
#define USTACK_USER_PROFILE_FOREIGN_H

#include <stddef.h>

/**
 * foreign_format() - find out what a file is, if it is no pprof profile
 * @bytes: beginning of the file
 * @len: number of bytes in @bytes
 *
 * Return: words for a message, after the file's name: "is ..." or "holds ...";
 * NULL if not known.
 */
const char *foreign_format(const void *bytes, size_t len);

#endif /* USTACK_USER_PROFILE_FOREIGN_H */
