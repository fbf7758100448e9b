// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three frames with frame pointers and without library, built for 64 and 32 bits: the kernel's
 * own walk finds all of them.
 */
#define FRAME __attribute__((noipa))

static void leave(void)
{
#if defined(__i386__)
	asm volatile("int $0x80" : : "a"(1), "b"(0));
#elif defined(__x86_64__)
	asm volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11");
#else
	register long number asm("x8") = 93, status asm("x0") = 0;

	asm volatile("svc 0" : : "r"(number), "r"(status));
#endif
}

FRAME void inner(unsigned long n)
{
	/* has a frame like the other functions, although it calls nothing */
	asm volatile("" : : "r"(__builtin_frame_address(0)));
	while (n--)
		asm volatile("");
}

FRAME void middle(unsigned long n)
{
	inner(n);
	asm volatile("" ::: "memory");
}

FRAME void outer(unsigned long n)
{
	middle(n);
	asm volatile("" ::: "memory");
}

void _start(void);
void _start(void)
{
	outer(10000000);
	leave();
	for (;;)
		;
}
