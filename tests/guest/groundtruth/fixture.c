// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program without libraries whose stack is known: leaf <- three <- two <-
 * one <- enter <- _start. It stays in leaf's loop from start to end, so every
 * sample is in a function's body, where a frame-pointer chain is right if the
 * program has frame pointers (KEEP), too short if not (OMIT), and wrong if the
 * frame pointer points at a frame that does not exist (LIE).
 */
#define FAKE_PC 0x12345678ul

void _start(void);
int enter(const unsigned long *stack);

#ifdef __x86_64__
asm(".globl _start\n.type _start, @function\n"
    "_start:\n.cfi_startproc\n.cfi_undefined rip\n"
    "	mov %rsp, %rdi\n	and $-16, %rsp\n	call enter\n"
    "	mov %eax, %edi\n	mov $231, %eax\n	syscall\n	hlt\n"
    ".cfi_endproc\n.size _start, . - _start\n");

static void spin(unsigned long n, const unsigned long *fake)
{
#ifdef LIE
	asm volatile("mov %%rbp, %%r11\n	mov %1, %%rbp\n"
		     "1:	dec %0\n	jnz 1b\n"
		     "	mov %%r11, %%rbp"
		     : "+r" (n) : "r" (fake) : "cc", "r11");
#else
	asm volatile("1:	dec %0\n	jnz 1b" : "+r" (n) : : "cc");
#endif
}
#else
asm(".globl _start\n.type _start, %function\n"
    "_start:\n.cfi_startproc\n.cfi_undefined x30\n"
    "	mov x0, sp\n	bl enter\n"
    "	mov x8, #94\n	svc #0\n	brk #0\n"
    ".cfi_endproc\n.size _start, . - _start\n");

static void spin(unsigned long n, const unsigned long *fake)
{
#ifdef LIE
	asm volatile("mov x9, x29\n	mov x29, %1\n"
		     "1:	subs %0, %0, #1\n	b.ne 1b\n"
		     "	mov x29, x9"
		     : "+r" (n) : "r" (fake) : "cc", "x9");
#else
	asm volatile("1:	subs %0, %0, #1\n	b.ne 1b" : "+r" (n) : : "cc");
#endif
}
#endif

#define NOINLINE __attribute__((noinline, noclone))
#define STAY() asm volatile("" : : : "memory")

static NOINLINE void leaf(unsigned long n)
{
	/* the last two words are above SP, not in the red zone */
	unsigned long fake[34] = { [33] = FAKE_PC };

	asm volatile("" : : "r" (fake) : "memory");
	spin(n, fake + 32);
	STAY();
}

static NOINLINE void three(unsigned long n)
{
	leaf(n);
	STAY();
}

static NOINLINE void two(unsigned long n)
{
	three(n);
	STAY();
}

static NOINLINE void one(unsigned long n)
{
	two(n);
	STAY();
}

/* the argument: hundreds of millions of rounds, one digit, 5 if there is none */
int enter(const unsigned long *stack)
{
	const char *arg = stack[0] > 1 ? (const char *)stack[2] : "5";

	one((arg[0] - '0') * 100000000ul);
	STAY();
	return 0;
}
