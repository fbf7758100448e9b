// SPDX-License-Identifier: GPL-2.0-only
/* A library of one function, to be opened and mapped. */
int price_library(int n);

int price_library(int n)
{
	return n + 1;
}
