/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries that are the same in every unit, so that dwz moves them to its common file.
 */
int other(int x);

struct pair {
	int first;
	long second;
	struct pair *next;
};

static inline int shared_inline(int x)
{
	struct pair p = { x, x * 3, &p };

	while (p.first-- > 0)
		p.second += p.next->first;
	return (int)p.second;
}
