// SPDX-License-Identifier: GPL-2.0
#include "util/thread.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/poison.h"

#define HURRY_NICE (-10)

int thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(ret, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

void thread_hurry(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), HURRY_NICE);
}
