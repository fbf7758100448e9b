// SPDX-License-Identifier: GPL-2.0-only
/*
 * "Did you mean": the distance of Damerau and Levenshtein, without edits within
 * swapped letters.
 */
#include "util/suggest.h"

#include <string.h>

#define LONGEST 32u

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Return: the number of edits from @a to @b. Both have at most LONGEST letters. */
static unsigned int distance(const char *a, size_t la, const char *b, size_t lb)
{
	unsigned int d[LONGEST + 1][LONGEST + 1], cost;
	size_t i, k;

	for (i = 0; i <= la; i++)
		d[i][0] = (unsigned int)i;
	for (k = 0; k <= lb; k++)
		d[0][k] = (unsigned int)k;
	for (i = 1; i <= la; i++)
		for (k = 1; k <= lb; k++) {
			cost = a[i - 1] != b[k - 1];
			d[i][k] = least(least(d[i - 1][k], d[i][k - 1]) + 1,
					d[i - 1][k - 1] + cost);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
		}
	return d[la][lb];
}

void suggestion_init(struct suggestion *s, const char *word, size_t len)
{
	*s = (struct suggestion){
		.word = word, .len = len, .distance = (unsigned int)(len + 3) / 4 + 1,
	};
}

void suggestion_try(struct suggestion *s, const char *known)
{
	size_t len = strlen(known);
	unsigned int d;

	if (s->len > LONGEST || len > LONGEST)
		return;
	d = distance(s->word, s->len, known, len);
	if (d >= s->distance)
		return;
	s->distance = d;
	s->best = known;
}
