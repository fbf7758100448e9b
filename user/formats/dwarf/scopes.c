// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records which entries contain which others (scopes.h), by a walk over the unit.
 */
#include "formats/dwarf/scopes.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/dwarf/die.h"
#include "formats/dwarf/limits.h"
#include "util/array.h"
#include "util/poison.h"

void dwarf_scopes_start(struct dwarf_scopes *s, const struct dwarf_unit *u)
{
	s->u = u;
	s->nr = 0;
	s->at = u->die;
	s->open = DWARF_NO_SCOPE;
	s->depth = 0;
}

void dwarf_scopes_release(struct dwarf_scopes *s)
{
	free(s->p);
	*s = (struct dwarf_scopes){ 0 };
}

static int open_scope(struct dwarf_scopes *s, uint64_t off, uint16_t tag)
{
	if (++s->depth > DWARF_MAX_DEPTH)
		return -EBADMSG;
	if (!array_has_room(s->p, s->nr, s->room))
		return -ENOMEM;
	s->p[s->nr] = (struct dwarf_scope){
		.off = (uint32_t)(off - s->u->off), .end = UINT32_MAX,
		.parent = s->open, .tag = tag,
	};
	s->open = (uint32_t)s->nr++;
	return 0;
}

static void close_scope(struct dwarf_scopes *s, uint64_t off)
{
	s->p[s->open].end = (uint32_t)(off - s->u->off);
	s->open = s->p[s->open].parent;
	s->depth--;
}

/* Walks up to the first entry after @off. */
static int walk(struct dwarf_scopes *s, uint64_t off)
{
	struct cursor c = dwarf_unit_at(s->u, s->at);
	const struct dwarf_abbrev *a;
	int err = 0;

	while (!err && s->at <= off && cursor_left(&c)) {
		a = dwarf_die_code(&c, s->u->abbrevs);
		if (!a) {
			if (c.bad)
				return -EBADMSG;
			if (s->open == DWARF_NO_SCOPE)
				c.p = c.end;	/* padding after the last entry */
			else
				close_scope(s, dwarf_unit_offset(s->u, c.p));
		} else if (!dwarf_die_skip_tree(&c, s->u, a)) {
			dwarf_skip_attrs(&c, s->u->abbrevs, a);
			if (a->children)
				err = open_scope(s, s->at, a->tag);
		}
		if (c.bad)
			return -EBADMSG;
		s->at = dwarf_unit_offset(s->u, c.p);
	}
	return err;
}

int64_t dwarf_scopes_parent(struct dwarf_scopes *s, uint64_t off, uint32_t *ret)
{
	uint32_t at = (uint32_t)(off - s->u->off), i;
	uint64_t from = s->at;
	size_t lo = 0, hi, mid;
	int err;

	if (s->at <= off) {
		err = walk(s, off);
		if (err)
			return err;
	}
	for (hi = s->nr; lo < hi;) {
		mid = lo + (hi - lo) / 2;
		if (s->p[mid].off < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	i = lo ? (uint32_t)(lo - 1) : DWARF_NO_SCOPE;
	while (i != DWARF_NO_SCOPE && s->p[i].end <= at)
		i = s->p[i].parent;
	*ret = i;
	return (int64_t)(s->at - from);
}
