// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lookups: from an address of a ROM or an offset of a code segment to the
 * symbol, and from a name of a program (possibly a renamed one) to its code
 * segment.
 */
#include "formats/bsym/bsym.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/bsym/read.h"

#include "util/poison.h"

/* Number of symbols in two or three cache lines. */
#define GUESS_STEP 8u
#define ROM_FOLDER "z:\\sys\\bin\\"

static uint32_t codeseg_address(const struct bsym *b, uint32_t i)
{
	return b->units ? b->units[i].address :
			  bsym_be32(b->codesegs + (size_t)i * BSYM_CODESEG_BYTES);
}

static uint32_t symbol_address(const struct bsym *b, uint32_t i)
{
	return b->units ? bsym_u32(b->info.big_endian, b->symbols + (size_t)i * BSYM_SYMBOL3_BYTES) :
			  bsym_be32(b->symbols + (size_t)i * BSYM_SYMBOL_BYTES);
}

/* Finds the last code segment at or below an address. Return: whether there is one. */
static bool last_codeseg(const struct bsym *b, uint32_t addr, uint32_t *ret)
{
	uint32_t low = 0, high = b->info.nr_codesegs, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (codeseg_address(b, mid) <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	*ret = low - 1;
	return low && codeseg_address(b, low - 1);
}

struct bounds {
	/* symbols before this one are at or below the address */
	uint32_t low;
	uint32_t high;	/* this symbol and all after it are above the address */
};

/*
 * Guesses where the symbol would be if all symbols of @c had the same size;
 * most are near. It narrows the bounds from there in steps that double, so that
 * the worst case is no worse than a binary search.
 */
static void guess(const struct bsym *b, const struct bsym_codeseg *c, uint32_t addr,
		  struct bounds *r)
{
	uint32_t first = symbol_address(b, c->first), step = GUESS_STEP, at;
	uint32_t last = symbol_address(b, c->first + c->nr - 1);

	if (addr < first || addr >= last)
		return;
	at = (uint32_t)((uint64_t)(addr - first) * (c->nr - 1) / (last - first));
	if (symbol_address(b, c->first + at) <= addr) {
		for (r->low = ++at; at < c->nr && symbol_address(b, c->first + at) <= addr;
		     at += step, step *= 2)
			r->low = at + 1;
		r->high = at < c->nr ? at : c->nr;
		return;
	}
	for (r->high = at; at && symbol_address(b, c->first + at - 1) > addr;
	     at -= step < at ? step : at, step *= 2)
		r->high = at - 1;
	r->low = at;
}

/* Finds the last symbol of @c at or below an address. Return: whether there is one. */
static bool last_symbol(const struct bsym *b, const struct bsym_codeseg *c, uint32_t addr,
			uint32_t *ret)
{
	struct bounds r = { 0, c->nr };
	uint32_t mid;

	if (c->nr > GUESS_STEP)
		guess(b, c, addr, &r);
	while (r.low < r.high) {
		mid = r.low + (r.high - r.low) / 2;
		if (symbol_address(b, c->first + mid) <= addr)
			r.low = mid + 1;
		else
			r.high = mid;
	}
	*ret = r.low - 1;
	return r.low;
}

/* Return: the end of the last symbol, which is the end of the code segment. */
static uint64_t codeseg_end(const struct bsym *b, const struct bsym_codeseg *c)
{
	struct bsym_symbol s;

	if (!c->nr)
		return c->address;
	bsym_symbol(b, c, c->nr - 1, &s);
	return (uint64_t)s.address + s.length;
}

static int find_symbol(const struct bsym *b, const struct bsym_codeseg *c, uint32_t addr,
		       struct bsym_place *ret)
{
	ret->offset = addr - c->address;
	if (!last_symbol(b, c, addr, &ret->index))
		return BSYM_CODESEG;
	bsym_symbol(b, c, ret->index, &ret->symbol);
	if (addr - ret->symbol.address >= ret->symbol.length && ret->index + 1 == c->nr)
		return BSYM_CODESEG;
	ret->offset = addr - ret->symbol.address;
	return ret->offset < ret->symbol.length ? BSYM_FOUND : BSYM_BEYOND;
}

int bsym_find(const struct bsym *b, uint32_t addr, struct bsym_place *ret)
{
	struct bsym_codeseg c;

	*ret = (struct bsym_place){ 0 };
	if (!last_codeseg(b, addr, &ret->codeseg))
		return BSYM_NONE;
	if (bsym_codeseg(b, ret->codeseg, &c))
		return -EBADMSG;
	return addr < codeseg_end(b, &c) ? find_symbol(b, &c, addr, ret) : BSYM_NONE;
}

int bsym_find_offset(const struct bsym *b, uint32_t index, uint32_t offset,
		     struct bsym_place *ret)
{
	struct bsym_codeseg c;

	*ret = (struct bsym_place){ .codeseg = index };
	if (bsym_codeseg(b, index, &c))
		return -EBADMSG;
	if (offset > UINT32_MAX - c.address || c.address + offset >= codeseg_end(b, &c))
		return BSYM_NONE;
	return find_symbol(b, &c, c.address + offset, ret);
}

static const char *last_part(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '\\' || *path == '/')
			name = path + 1;
	return name;
}

/* Return: 2 if the whole path matches, 1 if its last part does, 0 if neither. */
static int matches(const char *path, const char *name)
{
	if (!strcasecmp(path, name))
		return 2;
	return last_part(name) == name && !strcasecmp(last_part(path), name);
}

/*
 * Whether @path may be a variant of program @name. Files before 2.1 have no
 * renames for these.
 */
static bool may_be(const char *path, const char *name)
{
	size_t len, stem = strcspn(name, ".");

	path = last_part(path);
	len = strlen(path);
	if (len > strlen(name) && path[len - strlen(name) - 1] == '_' &&
	    !strcasecmp(path + len - strlen(name), name))
		return true;
	return len > stem && stem && path[stem] == '_' && !strncasecmp(path, name, stem);
}

/* Before version 2.3 a rename has no path: it is a name in the ROM's folder of programs. */
static bool is_renamed(const struct bsym *b, uint32_t at, const char *name, char *text)
{
	const size_t folder = strlen(ROM_FOLDER);

	if (bsym_string(b, at, text, BSYM_MAX_STRING) < 0)
		return false;
	if (matches(text, name))
		return true;
	return b->info.version < BSYM_VERSION(2, 3) && !strncasecmp(name, ROM_FOLDER, folder) &&
	       !strcasecmp(text, name + folder);
}

static bool find_renamed(const struct bsym *b, const char *name, uint32_t from, char *text,
			 uint32_t *ret)
{
	uint32_t i, codeseg, at;

	for (i = 0; i < b->info.nr_renames; i++) {
		bsym_rename(b, i, &codeseg, &at);
		if (codeseg >= from && codeseg < b->info.nr_codesegs &&
		    is_renamed(b, at, name, text)) {
			*ret = codeseg;
			return true;
		}
	}
	return false;
}

static bool find_named(const struct bsym *b, const char *name, uint32_t from, bool guess,
		       char *text, uint32_t *ret)
{
	struct bsym_codeseg c;
	uint32_t i;

	for (i = from; i < b->info.nr_codesegs; i++) {
		if (bsym_codeseg(b, i, &c) || bsym_string(b, c.name, text, BSYM_MAX_STRING) < 0)
			continue;
		if (guess ? may_be(text, name) : matches(text, name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

bool bsym_find_codeseg(const struct bsym *b, const char *name, uint32_t from, uint32_t *ret)
{
	char text[BSYM_MAX_STRING];
	uint32_t any;

	if (find_renamed(b, name, 0, text, &any))
		return find_renamed(b, name, from, text, ret);
	if (find_named(b, name, 0, false, text, &any))
		return find_named(b, name, from, false, text, ret);
	return b->info.version < BSYM_VERSION(2, 1) &&
	       find_named(b, name, from, true, text, ret);
}
