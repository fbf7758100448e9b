// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lookups in GSYM files that decode everything, see naive.h. Used by tests/fuzz/fuzz_gsym.c.
 */
#include "naive.h"

#include <errno.h>
#include <string.h>

/* Finds the last row that is not above @addr. Return: 1; 0 if there is none; -EBADMSG. */
static int find_row(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		    struct gsym_line *ret)
{
	struct gsym_lines it;
	struct gsym_line row;
	int more, found = 0;

	if (gsym_lines_init(&it, g, f))
		return -EBADMSG;
	while ((more = gsym_lines_next(&it, &row)) > 0 && row.addr <= addr) {
		*ret = row;
		found = 1;
	}
	return more < 0 ? more : found;
}

static bool has(const struct gsym_call *c, uint64_t addr)
{
	struct gsym_ranges it;
	uint64_t start, end;

	gsym_ranges_init(&it, c);
	while (gsym_ranges_next(&it, &start, &end))
		if (addr - start < end - start)
			return true;
	return false;
}

/* Return: number of frames in @path, with the function itself; -EBADMSG. */
static int find_path(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		     struct gsym_call *path)
{
	struct gsym_calls it;
	struct gsym_call c;
	uint32_t nr = 0;
	int more;

	if (gsym_calls_init(&it, g, f))
		return -EBADMSG;
	/* the search ends at a sibling of a call that has it, or at one further out */
	while ((more = gsym_calls_next(&it, &c)) > 0 && c.depth >= nr)
		if (c.depth == nr && has(&c, addr))
			path[nr++] = c;
	return more < 0 ? more : (int)nr;
}

int naive_lookup(const struct gsym *g, const struct gsym_function *f, uint64_t addr,
		 struct gsym_frame *ret)
{
	struct gsym_call path[GSYM_MAX_FRAMES];
	struct gsym_line row;
	int nr, i, found = find_row(g, f, addr, &row);

	*ret = (struct gsym_frame){ f->name, "", "", 0, false, addr - f->start };
	if (found <= 0)
		return found < 0 ? found : 1;
	nr = find_path(g, f, addr, path);
	if (nr < 0)
		return nr;
	nr = nr ? nr : 1;
	for (i = 0; i < nr; i++) {
		const struct gsym_call *c = &path[nr - 1 - i], *inner = c + 1;
		bool last = i == nr - 1;

		ret[i] = (struct gsym_frame){
			.function = last ? f->name : c->name,
			.dir = i ? inner->call_dir : row.dir,
			.file = i ? inner->call_file : row.file,
			.line = i ? inner->call_line : row.line,
			.inlined = !last,
			.offset = addr - (last ? f->start : c->start),
		};
	}
	return nr;
}

int naive_read(const struct gsym *g, const struct gsym_function *f)
{
	struct gsym_function other;
	struct gsym_merged merged;
	struct gsym_sites sites;
	struct gsym_lines lines;
	struct gsym_calls calls;
	struct gsym_line row;
	struct gsym_call call;
	struct gsym_site site;
	int more;
	uint32_t i;

	if (gsym_lines_init(&lines, g, f) || gsym_calls_init(&calls, g, f) ||
	    gsym_merged_init(&merged, g, f) || gsym_sites_init(&sites, g, f))
		return -EBADMSG;
	while ((more = gsym_lines_next(&lines, &row)) > 0)
		more = strlen(row.dir) + strlen(row.file) > SIZE_MAX / 2;
	if (!more)
		while ((more = gsym_calls_next(&calls, &call)) > 0)
			more = has(&call, f->start);
	if (!more)
		while ((more = gsym_merged_next(&merged, &other)) > 0)
			more = strlen(other.name) > SIZE_MAX / 2;
	if (!more)
		while ((more = gsym_sites_next(&sites, &site)) > 0)
			for (i = 0; i < site.nr_match; i++)
				if (!gsym_site_match(g, &site, i))
					return -EBADMSG;
	return more;
}
