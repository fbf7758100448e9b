/* SPDX-License-Identifier: GPL-2.0-only */
/* Lookups that decode everything, to check the ones that decode only what they need. */
#ifndef NAIVE_H
#define NAIVE_H

#include "formats/gsym/reader.h"

/*
 * Like gsym_lookup(), for a function that contains @addr; -EBADMSG also for damage that
 * gsym_lookup() need not notice.
 */
int naive_lookup(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		 struct gsym_frame *ret);

/* Decodes all data of a function. Return: 0 or -EBADMSG. */
int naive_read(const struct gsym *g, const struct gsym_function *f);

#endif
