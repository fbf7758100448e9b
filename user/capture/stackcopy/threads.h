/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of threads at the time of a sample, if records are processed in order
 * of time.
 */
#ifndef USTACK_USER_STACKCOPY_THREADS_H
#define USTACK_USER_STACKCOPY_THREADS_H

#include "capture/sampler/sampler.h"

struct thread;

/**
 * struct threads - the threads; all zero is empty
 * @places: hash table by tid with open addressing; tid 0 is free
 * @room: size of @places, a power of two or 0
 * @nr: number of threads in it
 * @past: the threads are those of a recording: /proc is not asked
 */
struct threads {
	struct thread *places;
	size_t room;
	size_t nr;
	bool past;
};

/* A thread gets a name. Return: 0 or -ENOMEM. */
int threads_name(struct threads *all, uint32_t tid, const char *comm);

/*
 * A thread begins with the name of the thread that started it, @parent of
 * process @parent_tgid. Return: 0 or -ENOMEM.
 */
int threads_begin(struct threads *all, uint32_t tid, uint32_t parent_tgid, uint32_t parent);

/**
 * threads_find() - get the name of a thread
 * @all: the threads
 * @tgid: process of the thread
 * @tid: the thread; /proc is asked if no record has named it
 * @ret: gets the name, padded with NUL; empty if not known
 *
 * Return: 0 or -ENOMEM.
 */
int threads_find(struct threads *all, uint32_t tgid, uint32_t tid, char ret[SAMPLER_COMM]);

void threads_release(struct threads *all);

#endif /* USTACK_USER_STACKCOPY_THREADS_H */
