// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload-start [SECONDS]: a program without libc. Its stack is whole from the leaf down to
 * the outermost frame, the entry point of start_entry.S, so that a chain can be recognised as
 * complete without a table for any file of the system.
 */
#include "workload.h"

FRAME void start_leaf(void)
{
	spin(SPIN);
}

FRAME void start_mid(long x)
{
	volatile char bulk[88];

	bulk[x & 63] = x;
	start_leaf();
	STAY();
	bulk[1] = bulk[x & 63];
}

/* called by start_entry with the stack as the kernel made it: argc, argv... */
__attribute__((visibility("hidden"))) FRAME void start_main(long *stack)
{
	char **argv = (char **)(stack + 1);
	unsigned long long end;
	long seconds = 2;

	if (stack[0] > 1)
		seconds = argv[1][0] - '0';
	end = after(seconds);
	while (now_ns() < end) {
		start_mid(seconds);
		STAY();
	}
	raw_syscall2(RAW_exit, 0, 0);
	__builtin_unreachable();
}
