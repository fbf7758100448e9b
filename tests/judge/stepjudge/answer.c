// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates libdw's row for a frame: the CFA, the return address, and the caller's SP and FP
 * (answer.h). steps.c compares the result with the core's step.
 */
#include "answer.h"

#include <dwarf.h>
#include <stdlib.h>

#include "expr.h"

static void find_register(struct row_register *ret, Dwarf_Frame *frame, int reg)
{
	ret->failed = dwarf_frame_register(frame, reg, ret->mem, &ret->ops, &ret->nr);
}

bool row_find(struct row *r, Dwarf_CFI *cfi, const struct ustack_arch *arch, u64 pc)
{
	Dwarf_Addr start, end;

	if (dwarf_cfi_addrframe(cfi, pc, &r->frame))
		return false;
	r->ra_reg = dwarf_frame_info(r->frame, &start, &end, &r->signal);
	r->start = start;
	r->end = end;
	/* libdw reports an undefined CFA as an error */
	if (dwarf_frame_cfa(r->frame, &r->cfa, &r->nr_cfa))
		r->nr_cfa = 0;
	find_register(&r->ra, r->frame, r->ra_reg);
	find_register(&r->sp, r->frame, arch->sp_reg);
	find_register(&r->fp, r->frame, arch->fp_reg);
	return true;
}

void row_release(struct row *r)
{
	free(r->frame);
	r->frame = NULL;
}

bool row_ra_above_cfa(const struct row *r)
{
	return !r->ra.failed && r->ra.nr == 2 &&
	       r->ra.ops[0].atom == DW_OP_call_frame_cfa &&
	       r->ra.ops[1].atom == DW_OP_plus_uconst && r->ra.ops[1].number == 8;
}

/* Offset of a register's place from the CFA; 0 if the row gives no such place. */
static s64 slot_of(const struct row_register *r)
{
	return !r->failed && r->nr == 2 && r->ops[0].atom == DW_OP_call_frame_cfa &&
	       r->ops[1].atom == DW_OP_plus_uconst ? (s64)r->ops[1].number : 0;
}

/* Whether @slot is below SP, if the CFA is SP plus a number. */
static bool is_below(const struct row *r, s64 slot, const struct ustack_arch *arch)
{
	const Dwarf_Op *op = r->cfa;

	if (r->nr_cfa != 1 || !slot)
		return false;
	if (op->atom == DW_OP_bregx && op->number == arch->sp_reg)
		return (s64)op->number2 + slot < 0;
	return op->atom == DW_OP_breg0 + arch->sp_reg && (s64)op->number + slot < 0;
}

static bool follow(s64 *had, const struct row *r, const struct row_register *reg,
		   const struct ustack_arch *arch)
{
	s64 slot = slot_of(reg);

	if (is_below(r, slot, arch))
		return slot == *had;
	*had = slot;
	return false;
}

void row_slots_follow(struct row_slots *s, struct row *r, const struct ustack_arch *arch)
{
	if (r->signal)
		return;
	r->fp_popped = follow(&s->fp, r, &r->fp, arch);
	r->ra_popped = !arch->ra_fixed && follow(&s->ra, r, &r->ra, arch);
}

/*
 * The two answers without operations: "undefined" has memory for operations, "same value" has
 * none.
 */
static bool is_same(const struct row_register *r)
{
	return !r->nr && !r->ops;
}

/* The register that libdw's answer names in its only operation. */
static bool is_register(const struct row_register *r)
{
	return r->nr == 1 && (r->ops->atom == DW_OP_regx ||
			      (r->ops->atom >= DW_OP_reg0 && r->ops->atom <= DW_OP_reg31));
}

static bool is_undefined(const struct row_register *r)
{
	return !r->nr && r->ops;
}

static bool read_word(void *arg, uint64_t addr, uint64_t *ret)
{
	return process_read(arg, addr, ret);
}

static const char *value(struct expr_frame *f, const struct row_register *r,
			 unsigned int reg, bool popped, u64 *ret)
{
	if (r->failed)
		return "libdw: a register's rule";
	if (is_undefined(r))
		return "an undefined register";
	if (!is_same(r) && !popped)
		return expr_object(f, r->ops, r->nr, ret);
	f->used |= 1ull << reg;
	*ret = f->regs[reg];
	return NULL;
}

static void find_caller(struct answer *a, struct expr_frame *f,
			const struct row *r, const struct process *p)
{
	const struct ustack_arch *arch = p->arch;

	a->unable = expr_value(f, r->cfa, r->nr_cfa, &a->cfa);
	if (a->unable)
		return;
	f->cfa = a->cfa;
	f->has_cfa = true;
	a->in_register = is_same(&r->ra) || is_register(&r->ra) || r->ra_popped;
	if (is_same(&r->ra) && (arch->ra_fixed || (unsigned int)r->ra_reg >= f->nr_regs))
		a->unable = "a return address that is nowhere";
	if (!a->unable)
		a->unable = value(f, &r->ra, (unsigned int)r->ra_reg, r->ra_popped, &a->pc);
	if (!a->unable)
		a->unable = value(f, &r->sp, arch->sp_reg, false, &a->sp);
	a->any_fp = is_undefined(&r->fp);
	if (!a->unable && !a->any_fp)
		a->unable = value(f, &r->fp, arch->fp_reg, r->fp_popped, &a->fp);
	/* the signature is not part of the address */
	a->pc &= p->mem.ra_mask;
}

void answer_find(struct answer *a, const struct row *r, struct process *p)
{
	struct expr_frame f = {
		.regs = p->regs,
		.nr_regs = p->arch->ra_fixed ? 17 : 32,
		.read = read_word,
		.arg = &p->mem,
	};

	*a = (struct answer){ .outermost = is_undefined(&r->ra) && !r->ra.failed };
	a->no_cfa = !r->nr_cfa;
	if (!a->outermost && !a->no_cfa)
		find_caller(a, &f, r, p);
	a->used = f.used;
}
