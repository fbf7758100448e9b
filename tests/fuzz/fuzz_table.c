// SPDX-License-Identifier: GPL-2.0-only
/*
 * A section that verify accepts compiles to a valid table. A lookup in the table finds
 * what the definition says: the last function that starts at or before the pc, and of
 * that function the last row at or before the pc.
 */
#include "fuzz.h"
#include "../unit/naive_rows.h"

static bool naive(const struct ustack_section *sec, u64 pc, struct ustack_rule *ret)
{
	const struct ustack_func *fn = NULL;
	u64 off;
	u32 i;

	for (i = 0; i < sec->nr_funcs && sec->funcs[i].start <= pc; i++)
		fn = &sec->funcs[i];
	if (!fn || pc - fn->start >= fn->size)
		return false;
	off = pc - fn->start;
	return naive_rule_at(sec, fn, fn->is_mask ? off % fn->block : off, ret);
}

static void compare(const struct fuzz_section *f, u64 pc)
{
	const struct ustack_rule *rule = ustack_lookup(f->table, pc - f->table->base);
	struct ustack_rule want;

	must(naive(&f->sec, pc, &want) == !!rule);
	must(!rule || ustack_rule_equal(rule, &want));
}

static void compare_around(const struct fuzz_section *f, u64 pc)
{
	compare(f, pc - 1);
	compare(f, pc);
	compare(f, pc + 1);
}

static void compare_rows(const struct fuzz_section *f, const struct ustack_func *fn)
{
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i;

	ustack_rows_init(&c, f->sec.bytes, fn);
	for (i = 0; i < fn->nr_rows && i < 64; i++) {
		must(!ustack_decode_row(&c, fn, f->sec.arch, &row));
		compare_around(f, fn->start + row.start);
		if (fn->is_mask)
			compare_around(f, fn->start + fn->block + row.start);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct fuzz_section f;
	u64 pc;
	u32 i;

	if (!fuzz_verify(&f, &in, NULL) && !fuzz_compile(&f)) {
		for (i = 0; i < f.sec.nr_funcs && i < 64; i++) {
			compare_around(&f, f.sec.funcs[i].start);
			compare_around(&f, f.sec.funcs[i].start + f.sec.funcs[i].size);
			compare_rows(&f, &f.sec.funcs[i]);
		}
		/* addresses in each bucket and stretch of the map, too */
		for (i = 0; i < 200; i++)
			compare_around(&f, f.sec.base + (u64)i * 16 *
				       (1 + (f.table->range >> 12)));
		for (pc = f.sec.end - 3; pc != f.sec.end + 3; pc++)
			compare(&f, pc);
		compare(&f, 0);
		compare(&f, ~0ull);
	}
	fuzz_release(&f);
	return 0;
}
