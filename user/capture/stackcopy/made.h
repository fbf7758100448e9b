/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads code that processes made, as compilers at run time do, from their
 * memory. It is read by pages, in a jail where it is a user's memory
 * (host/process/peek.h), because a page may never come.
 *
 * A page is cached until made_forget(), so for the walks of stacks that are
 * unwound together. Meanwhile the process may change the page; it may even have
 * changed it between the sample and the first read.
 *
 * Context: one thread, which must live as long as the reader.
 */
#ifndef USTACK_USER_STACKCOPY_MADE_H
#define USTACK_USER_STACKCOPY_MADE_H

#include <stdbool.h>

#include "core.h"

struct made;

/* Return: released by made_free(); NULL without memory. */
struct made *made_new(void);
void made_free(struct made *m);

/**
 * made_read() - read a word
 * @m: reader
 * @pid: process
 * @addr: address in the process, of any alignment
 * @ret: written on success
 *
 * Return: whether it could be read.
 */
bool made_read(struct made *m, u32 pid, u64 addr, u64 *ret);

/* Drops the cached pages and closes what was opened. */
void made_forget(struct made *m);

#endif /* USTACK_USER_STACKCOPY_MADE_H */
