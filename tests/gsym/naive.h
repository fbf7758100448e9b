/* SPDX-License-Identifier: GPL-2.0-only */
/* Lookups by decoding everything, to judge those that decode what they need. */
#ifndef NAIVE_H
#define NAIVE_H

#include "formats/gsym/reader.h"

/* As gsym_lookup(), of a function that has @addr; -EBADMSG also for damage that the
 * other has no need to see.
 */
int naive_lookup(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		 struct gsym_frame *ret);

/* Decodes all that a function has. Return: 0 or -EBADMSG. */
int naive_read(const struct gsym *g, const struct gsym_function *f);

#endif
