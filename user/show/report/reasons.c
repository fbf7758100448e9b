// SPDX-License-Identifier: GPL-2.0-only
/* Sums up why the stacks of a profile end. See reasons.h. */
#include "show/report/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

static int by_value(const void *a, const void *b)
{
	const struct report_reason *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return strcmp(x->name, y->name);
}

unsigned int report_reasons(const struct profile *p, uint32_t value,
			    bool (*keep)(const struct profile *p,
					 const struct profile_sample *s, void *arg),
			    void *arg, struct report_reason ret[REPORT_MAX_REASONS],
			    int64_t *all)
{
	unsigned int nr = 0, r;
	uint32_t i;

	*all = 0;
	for (i = 0; i < p->nr_samples; i++) {
		const struct profile_sample *s = &p->samples[i];
		const char *name = profile_label_text(p, s->labels, PROFILE_LABEL_STACK);

		/* samples of other events have no such value */
		if (!name || !s->value[value] || (keep && !keep(p, s, arg)))
			continue;
		if (__builtin_add_overflow(*all, s->value[value], all))
			*all = INT64_MAX;
		for (r = 0; r < nr && strcmp(ret[r].name, name); r++)
			;
		if (r == REPORT_MAX_REASONS)
			continue;
		if (r == nr)
			ret[nr++] = (struct report_reason){ name, 0 };
		if (__builtin_add_overflow(ret[r].value, s->value[value], &ret[r].value))
			ret[r].value = INT64_MAX;
	}
	qsort(ret, nr, sizeof(*ret), by_value);
	return nr;
}
