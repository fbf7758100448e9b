// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals: a timer interrupts a spinning leaf and a function that is mostly
 * prologue, on the normal stack, on an alternate one, and a second signal
 * inside the first one's handler. Each round arms the timer once and lasts
 * until the handler has run, so slow machines make progress too.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "run.h"

static volatile sig_atomic_t fired;
static int raise_inner;

#ifdef __x86_64__
#define SAVED "rbx", "r12", "r13", "r14", "r15"
#else
#define SAVED "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28"
#endif

FRAME void usr_leaf(void)
{
	spin(4 * SPIN);
}

FRAME void on_usr(int sig)
{
	usr_leaf();
	STAY();
}

FRAME void alarm_leaf(void)
{
	spin(4 * SPIN);
	if (!raise_inner)
		return;
	raw_syscall3(RAW_tgkill, raw_syscall2(RAW_getpid, 0, 0),
		     raw_syscall2(RAW_gettid, 0, 0), SIGUSR1);
	spin(SPIN);
}

FRAME void alarm_mid(void)
{
	volatile char bulk[200];

	bulk[7] = 1;
	alarm_leaf();
	STAY();
	bulk[8] = bulk[7];
}

FRAME void on_alarm(int sig)
{
	alarm_mid();
	STAY();
	fired = 1;
}

FRAME void sig_leaf(void)
{
	while (!fired)
		spin(100);
}

FRAME void sig_inner(void)
{
	asm volatile("" ::: SAVED);
}

FRAME void sig_outer(void)
{
	while (!fired) {
		sig_inner();
		STAY();
	}
}

FRAME void sig_round(int which)
{
	struct itimerval once = { .it_value.tv_usec = 1000 };

	fired = 0;
	raw_syscall3(RAW_setitimer, ITIMER_REAL, (long)&once, 0);
	if (which)
		sig_leaf();
	else
		sig_outer();
	STAY();
}

static inline __attribute__((always_inline)) void rounds(double seconds)
{
	unsigned long long end = after(seconds);
	int which = 0;

	while (now_ns() < end) {
		which = !which;
		sig_round(which);
		STAY();
	}
}

FRAME void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &act, NULL);
}

FRAME int run_signal(double seconds)
{
	handle(SIGALRM, on_alarm, 0);
	rounds(seconds);
	return 0;
}

FRAME int run_nested(double seconds)
{
	raise_inner = 1;
	handle(SIGALRM, on_alarm, 0);
	handle(SIGUSR1, on_usr, 0);
	rounds(seconds);
	return 0;
}

FRAME int run_altstack(double seconds)
{
	stack_t alt = { .ss_size = 64 << 10 };

	alt.ss_sp = malloc(alt.ss_size);
	if (!alt.ss_sp || sigaltstack(&alt, NULL))
		return 1;
	handle(SIGALRM, on_alarm, SA_ONSTACK);
	rounds(seconds);
	return 0;
}
