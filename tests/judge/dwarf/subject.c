// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with much debug information: calls inlined into one another, in
 * loops and branches; cold parts; functions that are cloned, left out, called
 * through pointers or last.
 */
#include "subject.h"

volatile int sink;

static inline int clamp(int x)
{
	if (x > 100)
		return 100;
	return x < 0 ? 0 : x;
}

static inline int twice(int x)
{
	sink = x;
	return clamp(x * 2) + clamp(x - 7);
}

__attribute__((cold, noinline)) static int rare(int x, int unused)
{
	sink = x;
	return other(x) + 1;
}

int unused_function(int x)
{
	return twice(x) + 1;
}

__attribute__((noinline)) static int last(int x)
{
	sink = twice(x);
	return other(x);
}

__attribute__((noinline)) int work(const int *p, int n, int (*f)(int))
{
	int i, sum = 0;

	for (i = 0; i < n; i++) {
		int v = twice(p[i]);

		if (__builtin_expect(v == 77, 0)) {
			sum += rare(v, 1);
			sum += clamp(sum);
		} else {
			sum += f(v);
		}
		{
			int inner = clamp(sum);

			sum += last(inner);
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	int list[4] = { argc, argc + 1, 77, -1 };

	sink = work(list, 4, other);
	sink += shared_inline(argc);
	return sink == 12345;
}
