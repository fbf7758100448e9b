// SPDX-License-Identifier: GPL-2.0-only
// What the stock C++ compiler is profiled with: it evaluates this while it compiles.
template <int N> struct number { };

constexpr unsigned int collatz(unsigned int n)
{
	unsigned int steps = 0;

	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

constexpr unsigned int longest(unsigned int limit)
{
	unsigned int best = 0;

	for (unsigned int n = 1; n < limit; n++)
		if (collatz(n) > best)
			best = collatz(n);
	return best;
}

number<longest(2000)> answer;
