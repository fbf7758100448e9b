// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with frame pointers and without library, CFI and table, whose stack is hard to
 * prove: old return addresses are left in its frames, functions call themselves and others by
 * pointers, and some of the code is a copy in anonymous memory, as a JIT compiler makes it. The
 * kernel's own walk finds the whole stack.
 */
#define FRAME __attribute__((noipa))
#define JIT FRAME __attribute__((section("jit")))

#if defined(__x86_64__)
#define NR_MMAP 9
#define NR_EXIT 60
#else
#define NR_MMAP 222
#define NR_EXIT 93
#endif
/* the same in every run, so that stacks can be compared */
#define JIT_AT 0x10000000l
#define JIT_BYTES 4096ul

static long call_kernel(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;

	asm volatile("syscall" : "+a"(nr) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		     : "rcx", "r11", "memory");
	return nr;
#else
	register long x8 asm("x8") = nr, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c,
		      x3 asm("x3") = d, x4 asm("x4") = e, x5 asm("x5") = f;

	asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
		     : "memory");
	return x0;
#endif
}

static void make_visible(char *code, unsigned long len)
{
#if defined(__aarch64__)
	unsigned long i;

	for (i = 0; i < len; i += 16)
		asm volatile("dc cvau, %0; dsb ish; ic ivau, %0" : : "r"(code + i) : "memory");
	asm volatile("dsb ish; isb" : : : "memory");
#endif
}

typedef void work(unsigned long n);

FRAME static void inner(unsigned long n)
{
	/* has a frame like the other functions, although it calls nothing */
	asm volatile("" : : "r"(__builtin_frame_address(0)));
	while (n--)
		asm volatile("");
}

/* These two are copied together: one calls the other at a fixed distance. */
JIT void jit_callee(work *last, unsigned long n)
{
	last(n);
	asm volatile("" ::: "memory");
}

JIT void jit_caller(work *last, unsigned long n)
{
	jit_callee(last, n);
	asm volatile("" ::: "memory");
}

extern char __start_jit[], __stop_jit[];

FRAME static void run_copy(unsigned long n)
{
	char *copy = (char *)call_kernel(NR_MMAP, JIT_AT, JIT_BYTES, 7, 0x32, -1, 0);
	void (*caller)(work *last, unsigned long n);
	unsigned long i;

	for (i = 0; i < (unsigned long)(__stop_jit - __start_jit); i++)
		((volatile char *)copy)[i] = __start_jit[i];
	make_visible(copy, JIT_BYTES);
	caller = (void *)(copy + ((char *)jit_caller - __start_jit));
	caller(inner, n);
	asm volatile("" ::: "memory");
}

static work *volatile by_pointer = run_copy;

FRAME static void recursive(unsigned int depth, unsigned long n)
{
	if (depth)
		recursive(depth - 1, n);
	else
		by_pointer(n);
	asm volatile("" ::: "memory");
}

/* Return addresses of this call and of others, in a frame to which they do not belong. */
FRAME static void littered(unsigned long n)
{
	void *volatile left[12];
	unsigned int i;

	for (i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		left[i] = __builtin_return_address(0);
	recursive(3, n);
	asm volatile("" : : "r"(left) : "memory");
}

/* A frame that is larger than a page. */
FRAME static void large(unsigned long n)
{
	volatile char bytes[9000];

	bytes[0] = 1;
	littered(n);
	asm volatile("" : : "r"(bytes) : "memory");
}

FRAME static void outer(unsigned long n)
{
	large(n);
	asm volatile("" ::: "memory");
}

void _start(void);
void _start(void)
{
	outer(10000000);
	call_kernel(NR_EXIT, 0, 0, 0, 0, 0, 0);
	for (;;)
		;
}
