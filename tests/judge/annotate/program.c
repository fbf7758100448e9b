// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program that the tests annotate. It has loops, a function that is inlined twice, a call and a
 * jump back. The judge records it on this machine, and compiles it for the other architecture, too.
 *
 * usage: program [TURNS]
 */
#include <stdio.h>
#include <stdlib.h>

#define apart __attribute__((__noipa__))

static inline __attribute__((__always_inline__)) unsigned long mix(unsigned long a, unsigned long b)
{
	a ^= b << 7;
	a *= 0x9e3779b97f4a7c15;
	return a ^ a >> 29;
}

static apart unsigned long divide(unsigned long n)
{
	unsigned long sum = 0, i;

	for (i = 1; i < n; i++)
		sum += n / i;
	return sum;
}

static apart unsigned long hash(const unsigned char *bytes, unsigned long n)
{
	unsigned long sum = 1, i;

	for (i = 0; i < n; i++)
		sum = mix(sum, bytes[i & 1023]);
	for (i = 0; i < n / 4; i++)
		sum = mix(i, sum) ^ bytes[sum & 1023];
	return sum;
}

static apart double add(const double *v, unsigned long n)
{
	double sum = 0;
	unsigned long i;

	for (i = 0; i < n; i++)
		sum += v[i & 255] * 1.5;
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], NULL, 10) : 30, i, sum = 0;
	static unsigned char bytes[1024];
	static double values[256];

	for (i = 0; i < turns; i++) {
		sum += hash(bytes, 4000000);
		sum += divide(20000000);
		values[i & 255] = add(values, 6000000);
	}
	printf("%lu\n", sum);
	return 0;
}
