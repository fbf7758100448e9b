// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes Brendan Gregg's folded stacks: one line for each stack. See export.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "profile/export_text.h"

#include "util/poison.h"

static void put_name(const char *s, FILE *out)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		fputc(c == ';' ? ':' : c < ' ' || c == 0x7f ? '?' : c, out);
	}
}

static void put_stack(const struct calltree *t, const struct export_path *path, int64_t count,
		      FILE *out)
{
	size_t i;

	for (i = 0; i < path->nr; i++) {
		if (i)
			fputc(';', out);
		put_name(t->symbols[t->nodes[path->nodes[i]].symbol].name, out);
	}
	/* a sample without a stack must have a name too */
	fprintf(out, "%s %" PRId64 "\n", path->nr ? "" : "[unknown]", count);
}

int export_folded(const struct profile *p, const struct calltree *t, const struct export_options *o,
		  FILE *out)
{
	struct export_path path = { 0 };
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < t->nr_nodes && !ferror(out); i++) {
		if (!t->nodes[i].self[0])
			continue;
		if (export_path_to(&path, t, i))
			put_stack(t, &path, t->nodes[i].self[0], out);
		else
			err = -ENOMEM;
	}
	free(path.nodes);
	return err;
}
