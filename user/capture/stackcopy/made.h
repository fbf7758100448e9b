/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that processes have made, as compilers at run time do, out of their memory: read by pages, in a
 * jail where they are a user's (host/process/peek.h), as a page may never come.
 *
 * A page that was read is kept until made_forget(), for walks of stacks that are unwound together. It
 * is another one by then if the process changed it; so it may be at the first read, which is after the
 * sample was taken, too.
 *
 * Context: one thread, which lives as long as it.
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
 * @pid: the process
 * @addr: in it, of any alignment
 * @ret: on success
 *
 * Return: whether it is there.
 */
bool made_read(struct made *m, u32 pid, u64 addr, u64 *ret);

/* Forgets what was read, and closes what was opened. */
void made_forget(struct made *m);

#endif /* USTACK_USER_STACKCOPY_MADE_H */
