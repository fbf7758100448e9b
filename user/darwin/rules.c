// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds functions, rows and gaps to a struct macho_rules. The rows in a function's prologue and
 * epilogue come from its code (unwind_edge.h). convert.c calls it.
 */
#include "darwin/rules.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/x86_insn.h"
#include "util/array.h"

/* Begins a function, which has no rows yet. Return: 0 or -ENOMEM. */
static int begin(struct macho_rules *r, u64 start, bool signal)
{
	if (!array_has_room(r->funcs, r->nr_funcs, r->funcs_room) ||
	    !array_has_room(r->first, r->nr_funcs, r->first_room))
		return -ENOMEM;
	r->first[r->nr_funcs] = r->nr_rows;
	r->funcs[r->nr_funcs] = (struct sframe_func){ .start = start, .signal = signal };
	return 0;
}

/* Adds a row from offset @off on, unless the last one is equal. Return: 0 or -ENOMEM. */
static int add_row(struct macho_rules *r, u32 off, const struct ustack_rule *rule)
{
	struct sframe_func *f = &r->funcs[r->nr_funcs];

	if (f->nr_rows && ustack_rule_equal(&r->rows[r->nr_rows - 1].rule, rule))
		return 0;
	if (!array_has_room(r->rows, r->nr_rows, r->rows_room))
		return -ENOMEM;
	r->rows[r->nr_rows++] = (struct sframe_row){ .start = off, .rule = *rule };
	f->nr_rows++;
	return 0;
}

/* Ends the function, which has @size bytes. */
static void end_function(struct macho_rules *r, u32 size)
{
	r->funcs[r->nr_funcs++].size = size;
}

int rules_gap(struct macho_rules *r, u64 start, u64 end, const char *name, const char *text)
{
	if (start >= end)
		return 0;
	if (!array_has_room(r->gaps, r->nr_gaps, r->gaps_room))
		return -ENOMEM;
	r->gaps[r->nr_gaps++] = (struct macho_gap){ start, end - start, name, text };
	return 0;
}

#define SAVED (USTACK_OP_CFA | USTACK_OP_DEREF)

struct ustack_rule rules_of(enum unwind_arch arch, const struct unwind_rule *u, u32 size)
{
	struct ustack_rule rule = { .cfa = USTACK_OP_SP, .cfa_off = (s32)u->size,
				    .ra = SAVED, .ra_off = -8 };
	unsigned int i;

	if (u->kind == UNWIND_INDIRECT)
		rule.cfa_off = (s32)size;
	if (u->kind == UNWIND_FRAME)
		return (struct ustack_rule){ .cfa = USTACK_OP_FP, .cfa_off = 16, .ra = SAVED,
					     .ra_off = -8, .fp = SAVED, .fp_off = -16 };
	if (u->kind == UNWIND_FRAMELESS)
		rule.ra = 0, rule.ra_off = 0;
	for (i = 0; i < u->nr_saved; i++) {
		if (u->saved[i].reg == unwind_frame_reg(arch)) {
			rule.fp = SAVED;
			rule.fp_off = u->saved[i].off;
		}
		if (arch == UNWIND_ARM64 && u->saved[i].reg == UNWIND_LR) {
			rule.ra = SAVED;
			rule.ra_off = u->saved[i].off;
		}
	}
	return rule;
}

/* Length of the instruction at @at; 0 if it is unknown. */
static u32 insn_len(const struct macho_image *image, const struct unwind_code *c, size_t at)
{
	struct x86_insn insn;

	if (image->arch == UNWIND_ARM64)
		return c->len - at >= 4 ? 4 : 0;
	return x86_insn_read(c->bytes + at, c->len - at, at, &insn) ? insn.len : 0;
}

/* Index of the row for @off, an image offset. */
static u32 row_at(const struct rules_body *b, u32 off)
{
	u32 lo = 0, hi = b->nr, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (b->row[mid].start <= off - b->origin)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Adds the rows of @b for [@from, @end) to a function at @start. */
static int add_body(struct macho_rules *r, u32 start, u32 from, u32 end,
		    const struct rules_body *b)
{
	u32 i = row_at(b, from), at = from;
	int err = 0;

	for (; !err && i < b->nr && at < end; i++) {
		err = add_row(r, at - start, &b->row[i].rule);
		if (i + 1 < b->nr)
			at = b->origin + b->row[i + 1].start;
	}
	return err;
}

/* Adds rows instruction by instruction, and plain ones from the first unknown one on. */
static int add_rows(struct macho_rules *r, const struct macho_image *image,
		    struct unwind_code *c, u32 start, u32 end, const struct rules_body *b)
{
	struct unwind_rule edge;
	struct ustack_rule rule;
	u32 len = 0, i = row_at(b, start);
	int err = 0;

	for (c->at = 0; !err && c->at < c->len; c->at += len) {
		len = insn_len(image, c, c->at);
		if (!len)
			return add_body(r, start, start + (u32)c->at, end, b);
		while (i + 1 < b->nr && b->row[i + 1].start <= start + (u32)c->at - b->origin)
			i++;
		rule = b->row[i].rule;
		if (!unwind_edge_calls(image->arch, c) && unwind_edge(image->arch, c, &edge))
			rule = rules_of(image->arch, &edge, 0);
		err = add_row(r, (u32)c->at, &rule);
	}
	return err;
}

/* Adds rows for a function without code: only the state at its first instruction is known. */
static int add_bare_rows(struct macho_rules *r, const struct macho_image *image, u32 start,
			 u32 end, const struct rules_body *b)
{
	struct unwind_rule u = { .kind = UNWIND_IMMEDIATE, .size = 8 };
	struct ustack_rule rule;
	u32 insn = r->arch->insn_align;
	int err = 0;

	if (image->arch == UNWIND_ARM64)
		u = (struct unwind_rule){ .kind = UNWIND_FRAMELESS };
	rule = rules_of(image->arch, &u, 0);
	if (end - start > insn)
		err = add_row(r, 0, &rule);
	else
		insn = 0;
	return err ? err : add_body(r, start, start + insn, end, b);
}

int rules_trampoline(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		     const struct rules_body *body)
{
	int err = begin(r, image->m.base + start, true);

	if (!err)
		err = add_body(r, start, start, end, body);
	if (!err)
		end_function(r, end - start);
	return err;
}

int rules_function(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		   const struct rules_body *body)
{
	struct unwind_code c = { .at = 0 };
	int err = begin(r, image->m.base + start, false);
	size_t len = macho_image_bytes(image, start, &c.bytes);

	if (err)
		return err;
	c.len = len < end - start ? len : end - start;
	err = c.len ? add_rows(r, image, &c, start, end, body) :
		      add_bare_rows(r, image, start, end, body);
	if (!err)
		end_function(r, end - start);
	return err;
}

int rules_stubs(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end)
{
	struct unwind_rule u;
	struct ustack_rule rule;
	const uint8_t *bytes;
	size_t len = macho_image_bytes(image, start, &bytes);
	u32 at;
	int err = begin(r, image->m.base + start, false);

	/* the size is the file's claim, so only bytes that exist are read */
	if (len < end - start)
		end = start + (u32)len;
	for (at = start; !err && at < end; at += r->arch->insn_align) {
		macho_image_stub(image, at, &u);
		rule = rules_of(image->arch, &u, 0);
		err = add_row(r, at - start, &rule);
	}
	if (!err && end > start)
		end_function(r, end - start);
	return err;
}
