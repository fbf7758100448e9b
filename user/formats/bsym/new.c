// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects code segments, symbols and renames for a BSYM file that is being
 * made (build.h). write.c writes them.
 */
#include "formats/bsym/new.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

struct bsym_new *bsym_new(void)
{
	struct bsym_new *n = calloc(1, sizeof(*n));

	if (n && !strings_init(&n->strings))
		return n;
	bsym_free(n);
	return NULL;
}

void bsym_free(struct bsym_new *n)
{
	if (!n)
		return;
	strings_release(&n->strings);
	free(n->symbols);
	free(n->codesegs);
	free(n->renames);
	free(n);
}

static int add_lower(struct bsym_new *n, const char *name, uint32_t *ret)
{
	char *lower = strdup(name), *c;
	int err;

	if (!lower)
		return -ENOMEM;
	for (c = lower; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 'a' - 'A');
	err = strings_add(&n->strings, lower, strlen(lower), ret);
	free(lower);
	return err ? -ENOMEM : 0;
}

int bsym_new_codeseg(struct bsym_new *n, const char *name, bool relocatable)
{
	struct new_codeseg *c;

	if (n->nr_codesegs == UINT32_MAX ||
	    !array_has_room(n->codesegs, n->nr_codesegs, n->codesegs_room))
		return -ENOMEM;
	c = &n->codesegs[n->nr_codesegs];
	*c = (struct new_codeseg){
		.first = (uint32_t)n->nr_symbols, .first_rename = (uint32_t)n->nr_renames,
		.order = (uint32_t)n->nr_codesegs, .relocatable = relocatable,
	};
	if (add_lower(n, name, &c->name))
		return -ENOMEM;
	n->nr_codesegs++;
	return 0;
}

int bsym_new_symbol(struct bsym_new *n, uint32_t address, uint64_t length, const char *name)
{
	struct new_symbol s = {
		.address = address, .length = length, .order = (uint32_t)n->nr_symbols,
	};

	if (n->nr_symbols == UINT32_MAX ||
	    !array_has_room(n->symbols, n->nr_symbols, n->symbols_room) ||
	    strings_add(&n->strings, name, strlen(name), &s.name))
		return -ENOMEM;
	n->symbols[n->nr_symbols++] = s;
	n->codesegs[n->nr_codesegs - 1].nr++;
	return 0;
}

int bsym_new_rename(struct bsym_new *n, const char *name)
{
	if (!array_has_room(n->renames, n->nr_renames, n->renames_room) ||
	    strings_add(&n->strings, name, strlen(name), &n->renames[n->nr_renames]))
		return -ENOMEM;
	n->nr_renames++;
	n->codesegs[n->nr_codesegs - 1].nr_renames++;
	return 0;
}
