/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of libraries: signals are for those that the program has for them. */
#ifndef USTACK_USER_THREAD_H
#define USTACK_USER_THREAD_H

#include <pthread.h>
#include <signal.h>

/**
 * thread_start() - pthread_create() of a thread that no signal is delivered to
 * @ret: the thread, to be joined; written on success only
 * @run: what it does
 * @arg: for @run
 *
 * Return: 0 or a negative errno.
 */
int thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg);

/* Threads that others start between the two have no signals delivered to them either. */
void thread_mask_signals(sigset_t *before);
void thread_unmask_signals(const sigset_t *before);

/* For a thread that runs seldom and shortly, and loses something when it is late: it goes before
 * others, where that is permitted.
 */
void thread_hurry(void);

#endif /* USTACK_USER_THREAD_H */
