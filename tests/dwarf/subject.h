/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of a header in every unit, which dwz finds to be common. */
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
