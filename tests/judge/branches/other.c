// SPDX-License-Identifier: GPL-2.0-only
/* A local function with the name of another file's local function. */
int other(int n);

__attribute__((noinline))
static int twin(int n)
{
	int sum = 1;

	while (n > 0) {
		sum = sum * 3 + n;
		n -= 1 + (sum & 1);
	}
	return sum;
}

int other(int n)
{
	return twin(n % 13) + twin(n % 5);
}
