// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the symbols of a BSYM file into a part of a GSYM file. Work and names are limited
 * by the size of the file (struct bsym_budget).
 */
#include "symbols/convert/from_bsym.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/bsym.h"
#include "symbols/convert/from_cfi.h"
#include "sframe/cfi_ranges.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Bytes of an expanded name; a longer name is cut. */
#define NAME_ROOM (1u << 20)

struct reader {
	const struct bsym *b;
	struct gsym_part *part;
	struct gsym_bsym *ret;
	char *text;
	struct bsym_budget left;
	struct cfi_ranges named;	/* ranges that have a name already */
};

/* A symbol of length 0 counts as one byte; else it would reach to the next symbol. */
static bool is_named(struct reader *r, const struct bsym_symbol *s)
{
	return cfi_ranges_touch(&r->named, s->address,
				(uint64_t)s->address + (s->length ? s->length : 1));
}

static int add_symbol(struct reader *r, const struct bsym_codeseg *c, uint32_t i)
{
	struct gsym_new_function f = { .order = c->first + i };
	struct bsym_symbol s;
	int err = bsym_symbol(r->b, c, i, &s), len;

	if (!err && is_named(r, &s)) {
		r->ret->named++;
		return 0;
	}
	len = err ? err : bsym_name(r->b, &s, r->text, NAME_ROOM);
	if (!bsym_may_name(&r->left, len))
		return -E2BIG;
	if (len <= 0) {
		r->ret->damaged++;
		return 0;
	}
	f.range = (struct range){ s.address, (uint64_t)s.address + s.length };
	err = gsym_part_string(r->part, r->text, strlen(r->text), &f.name);
	r->ret->symbols++;
	return err ? err : gsym_part_add(r->part, &f);
}

static int add_codeseg(struct reader *r, uint32_t index, bool only)
{
	struct bsym_codeseg c;
	uint32_t i;
	int err = 0;

	if (bsym_codeseg(r->b, index, &c)) {
		r->ret->damaged++;
		return 0;
	}
	if (!c.address && !only) {
		r->ret->relocatable += c.nr;
		return 0;
	}
	if (!bsym_may_walk(&r->left, &c))
		return -E2BIG;
	for (i = 0; !err && i < c.nr; i++)
		err = add_symbol(r, &c, i);
	return err;
}

static int add_all(struct reader *r)
{
	struct bsym_info info;
	uint32_t i;
	int err = 0;

	bsym_info(r->b, &info);
	bsym_budget(r->b, &r->left);
	for (i = 0; !err && i < info.nr_codesegs; i++)
		err = add_codeseg(r, i, info.nr_codesegs == 1);
	return err;
}

int gsym_from_bsym(const char *path, bool others, struct gsym_part *part,
		   struct gsym_bsym *ret, struct diag *diag)
{
	_cleanup_(cleanup_free) char *text = malloc(NAME_ROOM);
	struct reader r = { .part = part, .ret = ret, .text = text };
	struct bsym *b;
	int err;

	*ret = (struct gsym_bsym){ 0 };
	if (!text)
		return diag_errno(diag, ENOMEM, path);
	err = bsym_open(path, &b, diag);
	if (err)
		return err;
	r.b = b;
	if (others)
		err = gsym_named_ranges(part, &r.named);
	if (!err)
		err = add_all(&r);
	cfi_ranges_release(&r.named);
	bsym_close(b);
	if (err == -E2BIG)
		return diag_set(diag, E2BIG, path, "it has more symbols or names than a file of its size can have");
	return err ? diag_errno(diag, -err, path) : 0;
}
