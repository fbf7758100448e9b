// SPDX-License-Identifier: GPL-2.0-only
/* Eight threads at once, each with functions of its own. */
#include <pthread.h>

#include "run.h"

#define THREADS 8

static unsigned long long end;

/* sizes differ so that a table of the wrong function shows */
#define THREAD(n)						\
FRAME void thr##n##_leaf(void)					\
{								\
	spin(SPIN);						\
}								\
FRAME void thr##n##_mid(void)					\
{								\
	volatile char bulk[24 + 40 * n];			\
								\
	bulk[n] = n;						\
	thr##n##_leaf();					\
	STAY();							\
	bulk[n + 1] = bulk[n];					\
}								\
FRAME void *thr##n##_main(void *arg)				\
{								\
	while (now_ns() < end) {				\
		thr##n##_mid();					\
		STAY();						\
	}							\
	return arg;						\
}

THREAD(0)
THREAD(1)
THREAD(2)
THREAD(3)
THREAD(4)
THREAD(5)
THREAD(6)
THREAD(7)

FRAME int run_threads(double seconds)
{
	static void *(*const mains[THREADS])(void *) = {
		thr0_main, thr1_main, thr2_main, thr3_main,
		thr4_main, thr5_main, thr6_main, thr7_main,
	};
	pthread_t threads[THREADS];
	int i;

	end = after(seconds);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, mains[i], NULL))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
