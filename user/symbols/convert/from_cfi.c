// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds a function without a name for each entry of .eh_frame that no named function
 * overlaps, see from_cfi.h.
 */
#include "symbols/convert/from_cfi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gsym/part.h"
#include "sframe/cfi.h"
#include "sframe/cfi_ranges.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Added to the order of these functions, so that they come after all symbols. */
#define CFI_ORDER (1ull << 33)

static void free_ranges(struct cfi_ranges *r)
{
	cfi_ranges_release(r);
}

/* A symbol without a size takes its first byte: whatever contains that byte has a name. */
int gsym_named_ranges(const struct gsym_part *part, struct cfi_ranges *ret)
{
	const struct gsym_added *f = part->funcs;
	uint64_t end;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < part->nr_funcs; i++, f++) {
		end = f->end > f->start ? f->end : f->start + 1;
		if (end)
			err = cfi_ranges_add(ret, f->start, end);
	}
	return err;
}

static int add_function(struct gsym_part *part, const struct cfi_fde *fde)
{
	struct gsym_new_function f = {
		.range = { fde->start, fde->end }, .order = CFI_ORDER + fde->offset,
	};
	char name[32];
	int len = snprintf(name, sizeof(name), "%c%#" PRIx64, GSYM_UNNAMED, fde->start);
	int err = gsym_part_string(part, name, (size_t)len, &f.name);

	return err ? err : gsym_part_add(part, &f);
}

int gsym_from_cfi(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag)
{
	_cleanup_(free_ranges) struct cfi_ranges named = { 0 };
	struct cfi_fde fde;
	struct cfi *cfi;
	int err;

	*ret = 0;
	err = gsym_named_ranges(part, &named);
	if (err)
		return diag_errno(diag, -err, path);
	err = cfi_new(path, &cfi, NULL);
	if (err)
		return err == -ENOMEM ? diag_errno(diag, ENOMEM, path) : 0;
	while ((err = cfi_next(cfi, &fde)) > 0) {
		if (fde.status != CFI_GOOD || fde.overlap ||
		    cfi_ranges_touch(&named, fde.start, fde.end))
			continue;
		err = add_function(part, &fde);
		if (err)
			break;
		++*ret;
	}
	cfi_free(cfi);
	/* entries before the damage have been taken */
	return err == -ENOMEM ? diag_errno(diag, ENOMEM, path) : 0;
}
