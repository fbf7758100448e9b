// SPDX-License-Identifier: GPL-2.0-only
/* The library that work.c loads: a function that takes time. */
long plugin_spin(long n);

long plugin_spin(long n)
{
	volatile long sum = 0;
	long i;

	for (i = 0; i < n; i++)
		sum += i ^ n;
	return sum;
}
