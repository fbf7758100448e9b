/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that people take for profiles of pprof's form: what they are. */
#ifndef USTACK_USER_PROFILE_FOREIGN_H
#define USTACK_USER_PROFILE_FOREIGN_H

#include <stddef.h>

/**
 * foreign_format() - what a file is that is no profile of pprof's form
 * @bytes: of it, from its beginning
 * @len: of @bytes
 *
 * Return: words that follow its name, "is ..." or "holds ..."; NULL if it is not known.
 */
const char *foreign_format(const void *bytes, size_t len);

#endif /* USTACK_USER_PROFILE_FOREIGN_H */
