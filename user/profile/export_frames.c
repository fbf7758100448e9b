// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a profile's stacks into rows of one table, with names and images. See
 * export_frames.h; export_chrome.c and export_firefox.c use it.
 */
#include "profile/export_frames.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/calltree.h"
#include "util/array.h"
#include "util/text.h"

#include "util/poison.h"

static bool add_row(struct export_rows *r, uint32_t *row, uint32_t location, uint32_t line)
{
	if (!array_has_room(r->at, r->nr, r->room))
		return false;
	r->at[r->nr] = (struct export_row){ *row, location, line };
	*row = r->nr++;
	return true;
}

int export_rows(const struct profile *p, struct export_rows *ret)
{
	uint32_t stack, row, i;

	*ret = (struct export_rows){ .nr = 0 };
	ret->of_stack = malloc((size_t)p->nr_stacks * sizeof(*ret->of_stack));
	if (!ret->of_stack)
		return -ENOMEM;
	ret->of_stack[0] = EXPORT_NO_ROW;
	for (stack = 1; stack < p->nr_stacks; stack++) {
		const struct profile_frame *f = &p->stacks[stack];

		row = ret->of_stack[f->parent];
		i = p->locations[f->location].nr_lines;
		if (ret->nr >= UINT32_MAX - i - 1)
			return -EFBIG;
		do {
			if (!add_row(ret, &row, f->location, i ? i - 1 : 0))
				return -ENOMEM;
		} while (i && --i);
		ret->of_stack[stack] = row;
	}
	return 0;
}

void export_rows_release(struct export_rows *r)
{
	free(r->at);
	free(r->of_stack);
}

const char *export_row_image(const struct profile *p, const struct export_row *r)
{
	return text_base_name(profile_text(p, p->mappings[p->locations[r->location].mapping].file));
}

const char *export_row_name(const struct profile *p, const struct export_row *r,
			    char buf[EXPORT_NAME])
{
	const struct profile_location *l = &p->locations[r->location];
	const struct profile_function *f;
	const char *name = "", *image;

	if (l->nr_lines) {
		f = &p->functions[p->lines[l->first_line + r->line].function];
		name = profile_text(p, f->name ? f->name : f->system_name);
	}
	if (*name)
		return name;
	image = export_row_image(p, r);
	snprintf(buf, EXPORT_NAME, "%.400s%s0x%" PRIx64, image, *image ? "+" : "", l->address);
	return buf;
}

bool export_row_is_kernel(const struct profile *p, const struct export_row *r)
{
	const struct profile_location *l = &p->locations[r->location];

	return calltree_kind_of(profile_text(p, p->mappings[l->mapping].file), l->address) == CALLTREE_KERNEL;
}
