// SPDX-License-Identifier: GPL-2.0-only
/* Runs a thread whose code has no CFI (bare.c). */
#include <pthread.h>

#include "bare.h"
#include "run.h"

FRAME int run_bare(double seconds)
{
	pthread_t thread;

	bare_end = after(seconds);
	if (pthread_create(&thread, NULL, bare_main, NULL))
		return 1;
	return pthread_join(thread, NULL);
}
