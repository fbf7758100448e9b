// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves where a called function saves a register of its caller: its code is decoded to show
 * that it is left by returns only, then its CFI shows the slot. synth_saved.c calls it.
 */
#include "sframe/synth_callee.h"

#include <stdlib.h>

#include "sframe/elf_read.h"
#include "sframe/synth_rows.h"
#include "sframe/x86_insn.h"

/* Lowest slot: a return address, and below it the psABI's red zone, which stays intact. */
#define SLOT_LOWEST (-8 - 128)

u8 *callee_code(const struct synth *s, int fd, u64 start, u32 size)
{
	u8 *code;

	if (size > CALLEE_MAX_CODE)
		return NULL;
	code = malloc(size);
	if (code && !elf_read_code(fd, &s->elf, start, code, size)) {
		free(code);
		return NULL;
	}
	return code;
}

/* The function that @pc is in. */
static const struct sframe_func *find_func(const struct synth *s, u64 pc)
{
	const struct sframe_func *f = synth_func_before(s, s->nr_funcs, pc);

	return f && pc - f->start < f->size ? f : NULL;
}

/**
 * struct decoder - decodes the parts of a callee
 * @c: the callee, with the parts that were found so far
 * @s: the file's functions
 * @fd: the file; borrowed
 * @code: code of each part
 * @starts: for each part, a bit for each byte that an instruction starts at
 */
struct decoder {
	struct callee *c;
	const struct synth *s;
	int fd;
	u8 *code[CALLEE_MAX_PARTS];
	u8 *starts[CALLEE_MAX_PARTS];
};

static bool add_part(struct decoder *d, u64 pc)
{
	const struct sframe_func *f = find_func(d->s, pc);
	u32 i = d->c->nr_parts;

	if (!f || f->block || f->signal || i == CALLEE_MAX_PARTS)
		return false;
	d->code[i] = callee_code(d->s, d->fd, f->start, f->size);
	d->starts[i] = calloc(1, f->size / 8 + 1);
	d->c->parts[i] = (struct callee_part){ .start = f->start, .size = f->size };
	d->c->nr_parts++;
	return d->code[i] && d->starts[i];
}

static const struct callee_part *part_of(const struct callee *c, u64 pc)
{
	u32 i;

	for (i = 0; i < c->nr_parts; i++)
		if (pc - c->parts[i].start < c->parts[i].size)
			return &c->parts[i];
	return NULL;
}

static bool read_insn(const struct decoder *d, u32 i, u32 at, struct x86_insn *ret)
{
	const struct callee_part *p = &d->c->parts[i];

	return x86_insn_read(d->code[i] + at, p->size - at, p->start + at, ret);
}

static bool is_jump(const struct x86_insn *insn)
{
	return insn->kind == X86_JUMP || insn->kind == X86_BRANCH;
}

/* Decodes a part, and adds those that it jumps to. Return: false if an instruction
 * is unknown, or the last one falls through to the next function.
 */
static bool decode(struct decoder *d, u32 i)
{
	struct x86_insn insn = { .kind = X86_OTHER };
	u32 at, size = d->c->parts[i].size;

	for (at = 0; at < size; at += insn.len) {
		if (!read_insn(d, i, at, &insn))
			return false;
		d->starts[i][at / 8] |= (u8)(1u << at % 8);
		if (is_jump(&insn) && !part_of(d->c, insn.to) &&
		    !add_part(d, insn.to))
			return false;
	}
	/* a call at the end does not return */
	return insn.kind != X86_OTHER && insn.kind != X86_BRANCH;
}

/* Whether all jumps of a part are to instructions that were decoded. */
static bool jumps_are_known(const struct decoder *d, u32 i)
{
	const struct callee_part *to;
	struct x86_insn insn;
	u64 off;
	u32 at;

	for (at = 0; at < d->c->parts[i].size; at += insn.len) {
		read_insn(d, i, at, &insn);
		if (!is_jump(&insn))
			continue;
		to = part_of(d->c, insn.to);
		off = insn.to - to->start;
		if (!(d->starts[to - d->c->parts][off / 8] >> off % 8 & 1))
			return false;
	}
	return true;
}

static bool decode_all(struct decoder *d, u64 start)
{
	u32 i;

	if (!add_part(d, start) || d->c->parts[0].start != start)
		return false;
	for (i = 0; i < d->c->nr_parts; i++)
		if (!decode(d, i))
			return false;
	for (i = 0; i < d->c->nr_parts; i++)
		if (!jumps_are_known(d, i))
			return false;
	return true;
}

void callee_init(struct callee *c, const struct synth *s, int fd, u64 start,
		 unsigned int reg)
{
	struct decoder d = { .c = c, .s = s, .fd = fd };
	u32 i;

	*c = (struct callee){ .reg = reg };
	c->good = decode_all(&d, start);
	c->parts[0].start = start;
	for (i = 0; i < CALLEE_MAX_PARTS; i++) {
		free(d.code[i]);
		free(d.starts[i]);
	}
}

/* @reg is the watched register's rule, which rows have in the column of FP. */
static bool is_saved(struct callee *c, const struct cfi_rule *reg)
{
	if (reg->how != CFI_OFFSET || reg->off & 7 || reg->off > -16 ||
	    reg->off < SLOT_LOWEST || (c->slot && c->slot != reg->off))
		return false;
	c->slot = reg->off;
	return true;
}

static bool add_gap(struct callee *c, u64 start, u64 end)
{
	struct ustack_range *last = c->nr_gaps ? &c->gaps[c->nr_gaps - 1] : NULL;

	if (last && last->end == start) {
		last->end = end;
		return true;
	}
	if (c->nr_gaps == CALLEE_MAX_GAPS)
		return false;
	c->gaps[c->nr_gaps++] = (struct ustack_range){ start, end };
	return true;
}

/* In parts that are jumped to the register must be saved. At the entry it cannot be yet. */
static bool read_rows(struct callee *c, const struct cfi_fde *fde, bool is_entry)
{
	u64 end, unsaved = 0;
	u32 i;

	for (i = 0; i < fde->nr_rows; i++) {
		const struct cfi_row *row = &fde->rows[i];

		if (!(is_entry && !i) && is_saved(c, &row->fp))
			continue;
		end = i + 1 < fde->nr_rows ? row[1].pc : fde->end;
		unsaved += end - row->pc;
		if (!is_entry || row->fp.how != CFI_SAME ||
		    unsaved > CALLEE_MAX_UNSAVED || !add_gap(c, row->pc, end))
			return false;
	}
	return true;
}

void callee_meet(struct callee *c, const struct cfi_fde *fde)
{
	struct callee_part *p;

	for (p = c->parts; p < c->parts + c->nr_parts; p++) {
		if (fde->start >= p->start + p->size || fde->end <= p->start)
			continue;
		if (p->met || fde->overlap || fde->signal ||
		    fde->start != p->start || fde->end - fde->start != p->size ||
		    !read_rows(c, fde, p == c->parts))
			c->good = false;
		p->met = true;
	}
}

void callee_finish(struct callee *c)
{
	u32 i;

	for (i = 0; i < c->nr_parts; i++)
		c->good &= c->parts[i].met;
	c->good &= c->slot != 0;
}
