// SPDX-License-Identifier: GPL-2.0-only
/* Reads the tree of a function's inlined calls with libdw. */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "symbols/convert/verify_dwarf.h"
#include "util/array.h"
#include "util/poison.h"

#define MAX_BLOCKS 512u
#define MAX_WORK (1u << 24)

static int add_ranges(struct verify_calls *c, Dwarf_Die *die, struct verify_call *call)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	call->first_range = c->nr_ranges;
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (c->work++ > MAX_WORK)
			return -EBADMSG;
		if (start >= end)
			continue;
		if (!array_has_room(c->ranges, c->nr_ranges, c->room_ranges))
			return -ENOMEM;
		c->ranges[c->nr_ranges++] = (struct range){ start, end };
	}
	call->nr_ranges = c->nr_ranges - call->first_range;
	return at < 0 ? -EBADMSG : 0;
}

/* Depth of the walk. @seen: offset of the last entry. */
struct level {
	unsigned int blocks;
	unsigned int calls;
	Dwarf_Off *seen;
};

static int walk(struct verify_calls *c, Dwarf_Die *parent, struct level in);

static int add_call(struct verify_calls *c, Dwarf_Die *die, struct level in)
{
	size_t at = c->nr_calls;
	struct verify_call call = {
		.name = verify_name(die),
		.call_file = verify_number(die, DW_AT_call_file),
		.call_line = verify_number(die, DW_AT_call_line),
	};
	int err;

	if (++in.calls >= GSYM_MAX_DEPTH)
		return 0;
	err = add_ranges(c, die, &call);
	if (err || !call.nr_ranges)
		return err;
	if (!array_has_room(c->calls, c->nr_calls, c->room_calls))
		return -ENOMEM;
	c->calls[c->nr_calls++] = call;
	err = walk(c, die, in);
	c->calls[at].next = c->nr_calls;
	return err;
}

/* See walk() in verify_walk.c for @in.seen. */
static int walk(struct verify_calls *c, Dwarf_Die *parent, struct level in)
{
	Dwarf_Die die;
	int more, err = 0;

	if (++in.blocks > MAX_BLOCKS)
		return -EBADMSG;
	for (more = dwarf_child(parent, &die); !more; more = dwarf_siblingof(&die, &die)) {
		if (dwarf_dieoffset(&die) <= *in.seen || c->work++ > MAX_WORK)
			return -EBADMSG;
		*in.seen = dwarf_dieoffset(&die);
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			err = add_call(c, &die, in);
			break;
		case DW_TAG_catch_block:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_with_stmt:
			err = walk(c, &die, in);
			break;
		}
		if (err)
			return err;
	}
	return more < 0 ? -EBADMSG : 0;
}

int verify_calls_read(struct verify_calls *c, Dwarf_Die *function)
{
	Dwarf_Off seen = dwarf_dieoffset(function);

	c->nr_calls = c->nr_ranges = c->work = 0;
	return walk(c, function, (struct level){ .seen = &seen });
}

void verify_calls_release(struct verify_calls *c)
{
	free(c->calls);
	free(c->ranges);
	*c = (struct verify_calls){ 0 };
}

static bool has(const struct verify_calls *c, const struct verify_call *call, uint64_t addr)
{
	const struct range *r = c->ranges + call->first_range;
	size_t i;

	for (i = 0; i < call->nr_ranges; i++)
		if (r[i].start <= addr && addr < r[i].end)
			return true;
	return false;
}

unsigned int verify_calls_at(const struct verify_calls *c, uint64_t addr,
			     const struct verify_call *ret[GSYM_MAX_DEPTH])
{
	size_t i = 0, end = c->nr_calls;
	unsigned int n = 0;

	while (i < end) {
		if (!has(c, &c->calls[i], addr)) {
			i = c->calls[i].next;
			continue;
		}
		ret[n++] = &c->calls[i];
		end = c->calls[i].next;
		i++;
	}
	return n;
}
