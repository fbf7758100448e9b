// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds calls in frames whose CFA counts from a register, and gives them a rule that reads
 * the register where the callee has saved it; synth_saved.h explains it. synth.c calls it.
 */
#include "sframe/synth_saved.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/elf_read.h"
#include "sframe/synth_callee.h"
#include "sframe/x86_insn.h"
#include "util/cleanup.h"

/* Most calls of a file; ld.so has five, of three functions. */
#define MAX_CALLS 64u

#define INSN_CALL 0xe8

/* rbx and r12 to r15, which functions save for their callers; rbp is FP. */
#define CALLEE_SAVED (1u << 3 | 15u << 12)

/**
 * struct call - a call in a frame whose CFA is a register + offset
 * @last: address of the call's last byte
 * @rule: rule there, based on the register
 * @callee: index in search.callees
 */
struct call {
	u64 last;
	struct ustack_rule rule;
	u32 callee;
};

struct search {
	const struct synth *s;
	int fd;
	struct call calls[MAX_CALLS];
	u32 nr_calls;
	struct callee callees[MAX_CALLS];
	u32 nr_callees;
};

/* Whether the register's saved value can be used instead of the register. */
static bool is_by_register(const struct ustack_rule *r)
{
	const u8 word = USTACK_OP_CFA | USTACK_OP_DEREF;
	const s32 most = 8 * (0xff >> USTACK_RULE_CFA_ADD_SHIFT);

	return USTACK_OP_BASE(r->cfa) == USTACK_OP_BASE_REG &&
	       !(r->cfa & USTACK_OP_DEREF) &&
	       CALLEE_SAVED >> USTACK_OP_REGNO(r->cfa) & 1 &&
	       r->cfa_off >= 0 && r->cfa_off <= most && !(r->cfa_off & 7) &&
	       r->ra == word && r->ra_off == -8 && !r->flags &&
	       (r->fp == USTACK_OP_NONE || r->fp == word);
}

/* The callee at @start that saves @reg; a callee can do so for one register only. */
static u32 find_callee(struct search *w, u64 start, unsigned int reg)
{
	u32 i;

	for (i = 0; i < w->nr_callees; i++)
		if (w->callees[i].parts[0].start == start) {
			w->callees[i].good &= w->callees[i].reg == reg;
			return i;
		}
	callee_init(&w->callees[i], w->s, w->fd, start, reg);
	w->nr_callees++;
	return i;
}

static void add_call(struct search *w, const struct ustack_rule *rule, u64 last,
		     u64 to)
{
	if (w->nr_calls == MAX_CALLS)
		return;
	w->calls[w->nr_calls++] = (struct call){
		.last = last,
		.rule = *rule,
		.callee = find_callee(w, to, USTACK_OP_REGNO(rule->cfa)),
	};
}

/* The row that @at is in. The search starts at @row, found before. */
static u32 row_at(const struct sframe_func *f, u32 row, u64 at)
{
	while (row + 1 < f->nr_rows && f->rows[row + 1].start <= at)
		row++;
	return row;
}

/* Decodes the function from its start, so that each call found is a real one. */
static void read_calls(struct search *w, const struct sframe_func *f)
{
	_cleanup_(cleanup_free) u8 *code =
		callee_code(w->s, w->fd, f->start, f->size);
	const struct ustack_rule *rule;
	struct x86_insn insn;
	u64 at, last;
	u32 row = 0;

	for (at = 0; code && at < f->size; at += insn.len) {
		if (!x86_insn_read(code + at, f->size - at, f->start + at, &insn))
			return;
		if (insn.kind != X86_CALL || !insn.to)
			continue;
		last = at + insn.len - 1u;
		row = row_at(f, row, at);
		rule = &f->rows[row].rule;
		if (is_by_register(rule) && row == row_at(f, row, last))
			add_call(w, rule, f->start + last, insn.to);
	}
}

static void find_calls(struct search *w)
{
	const struct sframe_func *f;
	size_t i;
	u32 k;

	for (i = 0; i < w->s->nr_funcs; i++) {
		f = &w->s->funcs[i];
		for (k = 0; k < f->nr_rows && !is_by_register(&f->rows[k].rule); k++)
			;
		if (k < f->nr_rows && !f->block && !f->signal)
			read_calls(w, f);
	}
}

static bool is_asked_for(const struct search *w, unsigned int reg)
{
	u32 i;

	for (i = 0; i < w->nr_callees; i++)
		if (w->callees[i].good && w->callees[i].reg == reg)
			return true;
	return false;
}

static int meet_by(struct search *w, struct cfi *cfi, unsigned int reg)
{
	struct cfi_fde fde;
	int more;
	u32 i;

	cfi_watch(cfi, reg);
	while ((more = cfi_next(cfi, &fde)) > 0)
		for (i = 0; i < w->nr_callees; i++)
			if (fde.status == CFI_GOOD && w->callees[i].reg == reg)
				callee_meet(&w->callees[i], &fde);
	return more;
}

static int meet_callees(struct search *w, struct cfi *cfi)
{
	unsigned int reg;
	int err = 0;
	u32 i;

	for (reg = 0; CALLEE_SAVED >> reg && !err; reg++)
		if (is_asked_for(w, reg))
			err = meet_by(w, cfi, reg);
	for (i = 0; i < w->nr_callees; i++)
		callee_finish(&w->callees[i]);
	return err;
}

static bool is_known_call(const struct search *w, u64 last)
{
	u32 i;

	for (i = 0; i < w->nr_calls; i++)
		if (w->calls[i].last == last)
			return true;
	return false;
}

/* Any bytes that look like a call count as one. */
static void refuse_called_elsewhere(struct search *w, const u8 *code, u64 len,
				    u64 vaddr)
{
	struct callee *c;
	u64 at, to;

	for (at = 0; at + 5 <= len; at++) {
		if (code[at] != INSN_CALL)
			continue;
		to = vaddr + at + 5 + (u64)(s64)(s32)ustack_le32(code + at + 1);
		for (c = w->callees; c < w->callees + w->nr_callees; c++)
			if (c->parts[0].start == to && c->good &&
			    !is_known_call(w, vaddr + at + 4))
				c->good = false;
	}
}

static int look_at_other_calls(struct search *w)
{
	const struct ustack_elf *elf = &w->s->elf;
	const struct ustack_segment *s;
	unsigned int i;
	u8 *code;
	u32 k;

	for (k = 0; k < w->nr_callees && !w->callees[k].good; k++)
		;
	for (i = 0; i < elf->nr_segments && k < w->nr_callees; i++) {
		s = &elf->segments[i];
		if (!s->exec)
			continue;
		code = malloc(s->filesz + 1);
		if (!code)
			return -ENOMEM;
		if (elf_read_code(w->fd, elf, s->vaddr, code, s->filesz))
			refuse_called_elsewhere(w, code, s->filesz, s->vaddr);
		free(code);
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct saved_edit *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* The rule is CFA = *(SP + slot) + the offset that was added to the register. */
static struct saved_edit call_edit(const struct call *call, const struct callee *c)
{
	struct saved_edit e = {
		.start = call->last, .end = call->last + 1, .rule = call->rule,
	};

	e.rule.cfa = USTACK_OP_SP | USTACK_OP_DEREF;
	e.rule.cfa_off = (s32)c->slot;
	e.rule.flags = (u8)(call->rule.cfa_off / 8 << USTACK_RULE_CFA_ADD_SHIFT);
	return e;
}

static int write_edits(const struct search *w, struct synth_saved *ret)
{
	/* no step believes this rule, as a CFA must lie above SP */
	static const struct ustack_rule nowhere = {
		.cfa = USTACK_OP_SP,
		.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
		.ra_off = -8,
	};
	const struct callee *c;
	u32 i, k;

	ret->edits = calloc(w->nr_calls + w->nr_callees * CALLEE_MAX_GAPS + 1,
			    sizeof(*ret->edits));
	if (!ret->edits)
		return -ENOMEM;
	for (i = 0; i < w->nr_calls; i++) {
		c = &w->callees[w->calls[i].callee];
		if (c->good)
			ret->edits[ret->nr++] = call_edit(&w->calls[i], c);
	}
	for (i = 0; i < w->nr_callees; i++) {
		c = &w->callees[i];
		for (k = 0; c->good && k < c->nr_gaps; k++)
			ret->edits[ret->nr++] = (struct saved_edit){
				.start = c->gaps[k].start,
				.end = c->gaps[k].end,
				.unsaved = true,
				.rule = nowhere,
			};
	}
	qsort(ret->edits, ret->nr, sizeof(*ret->edits), by_start);
	return 0;
}

int saved_find(const struct synth *s, int fd, struct cfi *cfi,
	       struct synth_saved *ret)
{
	_cleanup_(cleanup_free) struct search *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->s = s;
	w->fd = fd;
	find_calls(w);
	err = meet_callees(w, cfi);
	if (!err)
		err = look_at_other_calls(w);
	return err ? err : write_edits(w, ret);
}
