// SPDX-License-Identifier: GPL-2.0-only
/* Compiled for Darwin, without its headers, by tests/judge/gsym/darwin. */
extern int given(int x);
extern int tally_of(const int *p, int n);

int total;

static inline int square(int x)
{
	return x > 9 ? x * x : x;
}

static inline int twice(int x)
{
	return given(square(x)) + square(x + 1);
}

__attribute__((noinline, cold)) static int rare(int x)
{
	return given(x) + 1;
}

/* In its own section. */
__attribute__((section("__TEXT,__late,regular,pure_instructions"), noinline))
int late(int x)
{
	return twice(x) ^ 5;
}

int sum(int x)
{
	int i, s = 0;

	for (i = 0; i < x; i++)
		s += square(i) + twice(s);
	return s < 0 ? rare(s) : given(s);
}

int all(const int *p, int n)
{
	total += tally_of(p, n);
	return sum(n) + late(n) + (n > 5 ? rare(n) : twice(n));
}

/* Nothing calls it: a linker that strips dead code leaves it out. */
__attribute__((visibility("hidden"))) int unused(int x)
{
	return twice(x) - x;
}
