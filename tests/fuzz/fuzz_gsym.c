// SPDX-License-Identifier: GPL-2.0-only
/*
 * GSYM files, also in sections of other files: any bytes. What a lookup finds is what
 * decoding everything finds, at addresses in and beside functions.
 */
#include <errno.h>

#include "fuzz.h"

#include "gsym/cache.h"
#include "gsym/reader.h"
#include "naive.h"

#define FUNCTIONS 64u

static void same(const struct gsym_frame *a, const struct gsym_frame *b)
{
	must(a->function == b->function && !strcmp(a->dir, b->dir) && !strcmp(a->file, b->file));
	must(a->line == b->line && a->offset == b->offset && a->inlined == b->inlined);
}

/* A cache answers as a lookup does, before a function is in it, with it, and later. */
static void check_cached(const struct gsym *g, struct gsym_cache *c, u64 addr)
{
	static struct gsym_frame one[GSYM_MAX_FRAMES], other[GSYM_MAX_FRAMES];
	int nr = gsym_lookup(g, addr, one, GSYM_MAX_FRAMES), round, i;

	for (round = 0; round < 3; round++) {
		gsym_cache_prefetch(c, &addr, 1);
		must(gsym_cache_lookup(c, addr, other, GSYM_MAX_FRAMES) == nr);
		for (i = 0; i < nr; i++)
			same(&one[i], &other[i]);
	}
}

static void check_at(const struct gsym *g, u64 addr)
{
	static struct gsym_frame one[GSYM_MAX_FRAMES], all[GSYM_MAX_FRAMES];
	struct gsym_function f;
	int found, nr, i;
	u64 offset;

	found = gsym_find(g, addr, &f);
	nr = gsym_lookup(g, addr, one, GSYM_MAX_FRAMES);
	must(nr <= (int)GSYM_MAX_FRAMES);
	if (found <= 0) {
		must(nr == found && !gsym_lookup_name(g, addr, NULL));
		return;
	}
	must(gsym_lookup_name(g, addr, &offset) == f.name && offset == addr - f.start);
	found = naive_lookup(g, &f, addr, all);
	if (found < 0)
		return;
	must(nr == found);
	for (i = 0; i < nr; i++)
		same(&one[i], &all[i]);
	/* outer frames may have no room */
	must(gsym_lookup(g, addr, all, 1) == nr);
	same(&one[0], &all[0]);
}

static void check(const struct gsym *g)
{
	const u64 near[] = { 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144 };
	struct gsym_function f;
	struct gsym_cache *c;
	struct gsym_info info;
	struct diag diag;
	u32 i, k, step;

	gsym_identify(g, &info);
	must(info.uuid_len <= GSYM_MAX_UUID && gsym_layout_name(info.layout));
	must(!gsym_cache_new(g, 0, &c));
	step = info.nr_functions / FUNCTIONS + 1;
	for (i = 0; i < info.nr_functions; i += step) {
		if (gsym_function(g, i, &f))
			continue;
		naive_read(g, &f);
		must(!gsym_function_check(g, &f, "fuzz", &diag) || diag.text[0]);
		check_at(g, f.start);
		check_at(g, f.start + f.size / 2);
		check_at(g, f.start + f.size);
		check_at(g, f.start - 1);
		for (k = 0; k < sizeof(near) / sizeof(near[0]); k++)
			check_cached(g, c, f.start + near[k]);
		check_cached(g, c, f.start + f.size / 2);
		check_cached(g, c, f.start + f.size - 1);
	}
	gsym_cache_free(c);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g;
	int err;

	err = gsym_open_bytes(data, size, "fuzz", &g, &diag);
	if (err) {
		must(err == -EBADMSG && diag.text[0]);
		return 0;
	}
	check(g);
	gsym_close(g);
	return 0;
}
