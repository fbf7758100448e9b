// SPDX-License-Identifier: GPL-2.0-only
/* The list of times of samples. See moments.h. */
#include "profile/moments.h"

#include <stdlib.h>

#include "profile/index.h"

#include "util/poison.h"

void moments_release(struct moments *m)
{
	free(m->at);
	*m = (struct moments){ .nr = 0 };
}

int moments_add(struct moments *m, const struct profile *p, uint64_t ns, uint32_t value,
		int64_t weight)
{
	if (!m || !p->index->last_sample)
		return 0;
	if (m->nr == MOMENTS_MAX) {
		m->left_out++;
		return 0;
	}
	if (!array_has_room(m->at, m->nr, m->room))
		return -ENOMEM;
	m->at[m->nr++] = (struct moment){
		.ns = ns, .weight = weight, .sample = p->index->last_sample - 1, .value = value,
	};
	return 0;
}

static int earlier_first(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

void moments_sort(struct moments *m)
{
	if (m->nr)
		qsort(m->at, m->nr, sizeof(*m->at), earlier_first);
}
