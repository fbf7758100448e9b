// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program whose branches are judged: loops, a switch, recursion, calls through pointers, calls of
 * libraries, and two local functions of one name (other.c has the second).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int other(int n);

__attribute__((noinline))
static int twin(int n)
{
	int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += i % 3 ? i : -i;
	return sum;
}

__attribute__((noinline))
static int choose(int n)
{
	switch (n % 9) {
	case 0: return twin(n);
	case 1: return other(n);
	case 2: n += 7;
		/* fall through */
	case 3: n *= 3; break;
	case 4: return n ? n - 1 : 5;
	case 5: n ^= 0x55; break;
	case 6: puts(""); break;
	case 7: return n + (int)strlen("some text") + n / 7;
	case 8: n = -n; break;
	}
	return n & 1023;
}

__attribute__((noinline))
static int recurse(int n)
{
	return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

static int add(int n) { return n + 1; }
static int sub(int n) { return n - 1; }

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	int (*volatile way[])(int) = { add, sub, twin, other };
	int values[24], i, sum = 0;

	for (i = 0; i < 60; i++)
		sum += choose(i * 7 + argc) + way[i % 4](i % 11);
	sum += recurse(6);
	for (i = 0; i < 24; i++)
		values[i] = (i * 7919 + sum) % 101;
	qsort(values, 24, sizeof(values[0]), compare);
	return values[0] == 1000 && argv[0] == NULL;
}
