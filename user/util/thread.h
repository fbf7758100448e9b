/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads of libraries. No signal is delivered to them: signals go to the
 * threads that the program has for them.
 */
#ifndef USTACK_USER_THREAD_H
#define USTACK_USER_THREAD_H

#include <pthread.h>
#include <signal.h>

/**
 * thread_start() - pthread_create() of a thread that no signal is delivered to
 * @ret: the thread, to be joined; written on success only
 * @run: function of the thread
 * @arg: passed to @run
 *
 * Return: 0 or a negative errno.
 */
int thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg);

/*
 * A library that starts threads itself is called between these two, so that its
 * threads get no signals either.
 */
void thread_mask_signals(sigset_t *before);
void thread_unmask_signals(const sigset_t *before);

/*
 * Raises the priority of the calling thread, if that is permitted. For a thread
 * that runs seldom and shortly, and loses data when it is late.
 */
void thread_raise_priority(void);

#endif /* USTACK_USER_THREAD_H */
