// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls functions that are not bound yet, from frames of all kinds: plain, with a variable
 * size, with rbx and r12 to r15 in use, and in the handler of signals that come at any time.
 * One function returns to a frame that only RBP finds. Everything after the SIGTRAP is stepped.
 */
#include <signal.h>
#include <string.h>

#include "many.h"

#define NOINLINE __attribute__((noinline))

static volatile int sum;

/* As LLVM and GCC write it: at the ret, the CFI still has RBP in its slot. */
int popped(int v);
__asm__("popped:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	mov %edi, %eax\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n");

static void on_signal(int sig)
{
	(void)sig;
	sum += many_12(sum);
}

NOINLINE static int plain(int v)
{
	return many_1(v) + many_2(v);
}

NOINLINE static int variable(int v)
{
	char *room = __builtin_alloca((size_t)v + 16);

	memset(room, v, (size_t)v + 16);
	return many_3(room[v]) + many_4(v) + plain(v) + popped(v);
}

/* Values that live across each of the calls. */
NOINLINE static int busy(int a, int b, int c, int d, int e)
{
	int x = many_5(a), y = many_6(b), z = many_7(c);

	return x * a + y * b + z * c + many_8(d) * d + many_9(e) * e + variable(a + b);
}

/* The stack pointer in all alignments that the ABI allows. */
NOINLINE static int deep(int v)
{
	if (!v)
		return busy(1, 2, 3, 4, 5);
	return many_10(v) + (v & 1 ? deep(v - 1) : many_11(deep(v - 1)));
}

int main(void)
{
	signal(SIGALRM, on_signal);
	raise(SIGTRAP);
	sum += deep(6);
	return 0;
}
