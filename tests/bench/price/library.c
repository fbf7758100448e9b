// SPDX-License-Identifier: GPL-2.0-only
/* A library of one function, which the benchmark opens and maps. */
int price_library(int n);

int price_library(int n)
{
	return n + 1;
}
