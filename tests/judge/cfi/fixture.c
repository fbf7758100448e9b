// SPDX-License-Identifier: GPL-2.0-only
/* Built without .eh_frame but with .debug_frame: plain, compressed, in a separate file. */
int fixture_leaf(int n);
int fixture_call(int (*f)(int), int n);
long fixture_array(int (*f)(long *), int n);

int fixture_leaf(int n)
{
	return n * 3;
}

int fixture_call(int (*f)(int), int n)
{
	return f(n) + fixture_leaf(n) + f(n + 1);
}

long fixture_array(int (*f)(long *), int n)
{
	long array[n + 1];

	array[0] = f(array);
	return array[n] + array[0];
}
