// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies an open BSYM file of any version into one that is being made: code
 * segments, symbols and renames, with all tokens expanded.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/bsym/build.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Bytes for an expanded name. Most names have 100 bytes. */
#define NAME_ROOM (1u << 20)

static int add_symbols(const struct bsym *b, const struct bsym_codeseg *c, char *text,
		       struct bsym_budget *left, struct bsym_new *n, struct bsym_source *ret)
{
	struct bsym_symbol s;
	int err = 0, len;
	uint32_t i;

	if (!bsym_may_walk(left, c))
		return -E2BIG;
	for (i = 0; !err && i < c->nr; i++) {
		len = bsym_symbol(b, c, i, &s);
		if (!len)
			len = bsym_name(b, &s, text, NAME_ROOM);
		if (!bsym_may_name(left, len))
			return -E2BIG;
		if (len < 0) {
			ret->damaged++;
			continue;
		}
		ret->symbols++;
		err = bsym_new_symbol(n, s.address, s.length, text);
	}
	return err;
}

/* Renames ascend by code segment: *@next is the first one that was not looked at yet. */
static int add_renames(const struct bsym *b, uint32_t index, char *text,
		       struct bsym_budget *left, uint32_t *next, struct bsym_new *n,
		       struct bsym_source *ret)
{
	uint32_t codeseg, name;
	struct bsym_info info;
	int len;

	bsym_info(b, &info);
	for (; *next < info.nr_renames; ++*next) {
		bsym_rename(b, *next, &codeseg, &name);
		if (codeseg > index)
			break;
		if (codeseg < index)
			continue;
		len = bsym_string(b, name, text, NAME_ROOM);
		if (!bsym_may_name(left, len))
			return -E2BIG;
		ret->kept_renames += len >= 0;
		if (len >= 0 && bsym_new_rename(n, text))
			return -ENOMEM;
	}
	return 0;
}

static int add_codesegs(const struct bsym *b, char *text, struct bsym_new *n,
			struct bsym_source *ret)
{
	struct bsym_budget left;
	struct bsym_codeseg c;
	struct bsym_info info;
	uint32_t i, next = 0;
	int err = 0, len;

	bsym_info(b, &info);
	bsym_budget(b, &left);
	for (i = 0; !err && i < info.nr_codesegs; i++) {
		len = bsym_codeseg(b, i, &c);
		if (!len)
			len = bsym_string(b, c.name, text, NAME_ROOM);
		if (!bsym_may_name(&left, len))
			return -E2BIG;
		if (len < 0) {
			ret->damaged++;
			continue;
		}
		err = bsym_new_codeseg(n, text, !c.address);
		err = err ? err : add_symbols(b, &c, text, &left, n, ret);
		err = err ? err : add_renames(b, i, text, &left, &next, n, ret);
	}
	return err;
}

int bsym_from_bsym(const char *path, struct bsym_new *n, struct bsym_source *ret,
		   struct diag *diag)
{
	_cleanup_(cleanup_free) char *text = malloc(NAME_ROOM);
	struct bsym *b;
	int err;

	*ret = (struct bsym_source){ 0 };
	if (!text)
		return diag_errno(diag, ENOMEM, path);
	err = bsym_open(path, &b, diag);
	if (err)
		return err;
	err = add_codesegs(b, text, n, ret);
	bsym_close(b);
	if (err == -E2BIG)
		return diag_set(diag, E2BIG, path, "it has more symbols or names than a file of its size can have");
	return err ? diag_errno(diag, -err, path) : 0;
}
