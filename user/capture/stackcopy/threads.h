/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads, as they are at the moment that samples are looked at in order. */
#ifndef USTACK_USER_STACKCOPY_THREADS_H
#define USTACK_USER_STACKCOPY_THREADS_H

#include "capture/sampler/sampler.h"

struct thread;

/**
 * struct threads - all of them; all zero is empty
 * @places: open addressing by tid; tid 0 is free
 * @room: of @places, a power of two or 0
 * @nr: of them
 * @past: they are those of a file: /proc is not asked
 */
struct threads {
	struct thread *places;
	size_t room;
	size_t nr;
	bool past;
};

/* A thread takes a name. Return: 0 or -ENOMEM. */
int threads_name(struct threads *all, uint32_t tid, const char *comm);

/* A thread begins with the name of the one that started it, @parent of the process
 * @parent_tgid. Return: 0 or -ENOMEM.
 */
int threads_begin(struct threads *all, uint32_t tid, uint32_t parent_tgid, uint32_t parent);

/**
 * threads_find() - the name of a thread
 * @all: the threads
 * @tgid: its process
 * @tid: the thread; if nothing was told of it, /proc is asked
 * @ret: padded with NUL; empty if it is not known
 *
 * Return: 0 or -ENOMEM.
 */
int threads_find(struct threads *all, uint32_t tgid, uint32_t tid, char ret[SAMPLER_COMM]);

void threads_release(struct threads *all);

#endif /* USTACK_USER_STACKCOPY_THREADS_H */
