// SPDX-License-Identifier: GPL-2.0-only
/* One call inlined into another. */
volatile int v;
static inline __attribute__((always_inline)) void inner(void)
{
	v = 1;
}
static inline __attribute__((always_inline)) void outer(void)
{
	inner();
	v = 2;
}
__attribute__((noinline)) void foo(void)
{
	outer();
	v = 3;
}
int main(int c, char **v)
{
	foo();
	return c;
}
