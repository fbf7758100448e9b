// SPDX-License-Identifier: GPL-2.0-only
/*
 * GSYM files of any bytes, also as sections of other files. Lookups at
 * addresses inside and near functions find the same as decoding everything
 * does. libgsym gives the same answers, and says where in the file each failure
 * is.
 */
#include <errno.h>

#include "fuzz.h"

#include "formats/gsym/cache.h"
#include "formats/gsym/gsym.h"
#include "formats/gsym/reader.h"
#include "naive.h"

#define FUNCTIONS 64u

static void same(const struct gsym_frame *a, const struct gsym_frame *b)
{
	must(a->function == b->function && !strcmp(a->dir, b->dir) && !strcmp(a->file, b->file));
	must(a->line == b->line && a->offset == b->offset && a->inlined == b->inlined);
}

/*
 * A cache answers as a plain lookup does: before it has a function, when it
 * gets it, and later.
 */
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
	/* there may be no room for outer frames */
	must(gsym_lookup(g, addr, all, 1) == nr);
	same(&one[0], &all[0]);
}

/*
 * Checks an error that the library reported. @err: return value of the call.
 * @size: bytes of the file.
 */
static void check_error(const struct gsym_error *error, int err, size_t size)
{
	const char *p;

	must(error->code == -err && !strcmp(error->file, "fuzz") && error->reason[0]);
	must(error->offset <= size || (err == -EINVAL && error->offset == GSYM_NO_OFFSET));
	for (p = error->reason; *p; p++)
		must((u8)*p >= ' ' && *p != 0x7f);
}

/* Checks lookups of an address by the library. */
static void check_library_at(const struct gsym *g, const struct gsym_reader *r, size_t size, u64 addr)
{
	static struct gsym_frame one[GSYM_MAX_FRAMES], other[GSYM_MAX_FRAMES];
	int nr = gsym_lookup(g, addr, one, GSYM_MAX_FRAMES), found, i;
	struct gsym_symbol symbol;
	struct gsym_error error;
	struct gsym_function f;

	must(gsym_reader_lookup(r, addr, other, SIZE_MAX, &error) == nr);
	for (i = 0; i < nr; i++)
		same(&one[i], &other[i]);
	if (nr < 0)
		check_error(&error, nr, size);
	found = gsym_find(g, addr, &f);
	must(gsym_reader_symbol_at(r, addr, &symbol, &error) == found);
	must(found <= 0 || (symbol.start == f.start && symbol.size == f.size && symbol.name == f.name));
	if (found < 0)
		check_error(&error, found, size);
}

static void check_library(const struct gsym *g, const struct gsym_reader *r, size_t size)
{
	u32 nr = gsym_reader_nr_symbols(r), step = nr / FUNCTIONS + 1, i;
	struct gsym_function f = { 0 };
	struct gsym_symbol symbol;
	struct gsym_error error;
	size_t uuid;
	int err;

	must(gsym_reader_uuid(r, &uuid) && uuid <= GSYM_MAX_UUID);
	must(gsym_reader_symbol(r, nr, &symbol, &error) == -EINVAL);
	check_error(&error, -EINVAL, size);
	for (i = 0; i < nr; i += step) {
		err = gsym_reader_symbol(r, i, &symbol, &error);
		must(err == gsym_function(g, i, &f));
		if (err) {
			check_error(&error, err, size);
			continue;
		}
		must(symbol.start == f.start && symbol.size == f.size && symbol.name == f.name);
		check_library_at(g, r, size, f.start);
		check_library_at(g, r, size, f.start + f.size / 2);
		check_library_at(g, r, size, f.start + f.size);
		check_library_at(g, r, size, f.start - 1);
	}
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
	struct gsym_error error;
	struct gsym_reader *r;
	struct gsym *g;
	int err;

	err = gsym_open_bytes(data, size, "fuzz", &g, &diag);
	must(gsym_reader_open_memory(data, size, "fuzz", &r, &error) == err);
	if (err) {
		must(err == -EBADMSG && diag.text[0]);
		check_error(&error, err, size);
		return 0;
	}
	check(g);
	check_library(g, r, size);
	gsym_reader_close(r);
	gsym_close(g);
	return 0;
}
