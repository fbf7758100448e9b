// SPDX-License-Identifier: GPL-2.0-only
/* Reads a section entry by entry with the core's decoder, for `ustack sframe dump` and `verify`. */
#include "sframe/section_walk.h"

#include "sframe_format.h"

void sframe_walk_init(struct sframe_walk *w, const struct sframe_section *s)
{
	*w = (struct sframe_walk){
		.s = s,
		/* the shortest row has two bytes */
		.rows_left = s->core.len / 2,
	};
}

bool sframe_walk_part(struct sframe_walk *w)
{
	const struct ustack_section *sec = &w->s->core;
	/* parts are aligned to 8 bytes; no overflow, as a section is far below 4 GiB */
	u32 off = (w->next_part + 7) & ~7u;

	if (off > sec->len || sec->len - off < SFRAME_HEADER_LEN ||
	    ustack_le16(sec->bytes + off) != SFRAME_MAGIC ||
	    ustack_decode_part(sec->bytes, off, sec->len, sec->arch, &w->part))
		return false;
	w->next_part = w->part.end;
	w->index = 0;
	return true;
}

static enum ustack_anchor anchor(const struct sframe_walk *w)
{
	if (w->part.flags & SFRAME_F_FDE_FUNC_START_PCREL ||
	    w->s->core.report.reanchored)
		return USTACK_ANCHOR_FIELD;
	return USTACK_ANCHOR_SECTION;
}

bool sframe_walk_func(struct sframe_walk *w, struct ustack_func *ret,
		      enum ustack_reason *reason)
{
	const struct ustack_section *sec = &w->s->core;

	if (w->index >= w->part.nr_fdes)
		return false;
	*ret = (struct ustack_func){
		.field = w->part.fdes + w->index * w->part.fde_len,
	};
	*reason = ustack_decode_func(sec->bytes, &w->part, w->index++,
				     sec->vaddr, anchor(w), ret);
	return true;
}

enum ustack_reason sframe_walk_row(struct sframe_walk *w,
				   struct ustack_cursor *c,
				   const struct ustack_func *func,
				   struct ustack_row *ret)
{
	if (!w->rows_left)
		return USTACK_SHARED_ROWS;
	w->rows_left--;
	return ustack_decode_row(c, func, w->s->core.arch, ret);
}
