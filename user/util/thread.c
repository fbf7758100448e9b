// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts threads without signals (util/thread.h).
 */
#include "util/thread.h"

#include <sys/resource.h>
#include <unistd.h>

#include "util/poison.h"

#define HURRY_NICE (-10)

void thread_mask_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

void thread_unmask_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

int thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg)
{
	sigset_t before;
	int err;

	thread_mask_signals(&before);
	err = pthread_create(ret, NULL, run, arg);
	thread_unmask_signals(&before);
	return -err;
}

void thread_raise_priority(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), HURRY_NICE);
}
