/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads code that processes made, as compilers at run time do, from their
 * memory. It is read by pages, in a jail where it is a user's memory
 * (host/process/peek.h), because a page may never come.
 *
 * A page is cached until jit_memory_forget(), so for the walks of stacks that are
 * unwound together. Meanwhile the process may change the page; it may even have
 * changed it between the sample and the first read.
 *
 * Context: one thread, which must live as long as the reader.
 */
#ifndef USTACK_USER_STACKCOPY_JIT_MEMORY_H
#define USTACK_USER_STACKCOPY_JIT_MEMORY_H

#include <stdbool.h>

#include "core.h"

struct jit_memory;

/* Return: released by jit_memory_free(); NULL without memory. */
struct jit_memory *jit_memory_new(void);
void jit_memory_free(struct jit_memory *m);

/**
 * jit_memory_read() - read a word
 * @m: reader
 * @pid: process
 * @addr: address in the process, of any alignment
 * @ret: written on success
 *
 * Return: whether it could be read.
 */
bool jit_memory_read(struct jit_memory *m, u32 pid, u64 addr, u64 *ret);

/* Drops the cached pages and closes what was opened. */
void jit_memory_forget(struct jit_memory *m);

#endif /* USTACK_USER_STACKCOPY_JIT_MEMORY_H */
