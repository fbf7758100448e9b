// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proof that the judge notices faults. This file is linked in front of the translation of rows,
 * of PLTs and of the verification of sections (ld --wrap). It makes the one thing wrong that
 * STEPJUDGE_FAULT names; with NAME/N only in the Nth place of the file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sframe/section.h"
#include "sframe/synth_rule.h"
#include "sframe/synth_saved.h"

enum synth_cause __real_synth_rule(const struct ustack_arch *arch,
				   const struct cfi_row *row, bool signal,
				   struct ustack_rule *ret);
enum synth_cause __wrap_synth_rule(const struct ustack_arch *arch,
				   const struct cfi_row *row, bool signal,
				   struct ustack_rule *ret);
u8 __real_synth_plt_row(const struct cfi_row *row);
u8 __wrap_synth_plt_row(const struct cfi_row *row);
int __real_saved_apply(struct synth *s, struct synth_saved *saved);
int __wrap_saved_apply(struct synth *s, struct synth_saved *saved);
int __real_sframe_section_prove(struct sframe_section *s, struct diag *diag);
int __wrap_sframe_section_prove(struct sframe_section *s, struct diag *diag);

static bool is_fault(const char *name)
{
	const char *want = getenv("STEPJUDGE_FAULT");
	size_t len = strlen(name);

	return want && !strncmp(want, name, len) &&
	       (!want[len] || want[len] == '/');
}

/* Whether to make it wrong in this place, where this is possible. */
static bool is_here(void)
{
	const char *want = getenv("STEPJUDGE_FAULT"), *place = strchr(want, '/');
	static unsigned long places;

	return !place || ++places == strtoul(place + 1, NULL, 10);
}

static bool has_cfa(const struct ustack_rule *r)
{
	return !(r->flags & USTACK_RULE_OUTERMOST);
}

static void spoil_cfa(struct ustack_rule *r)
{
	bool by_reg = USTACK_OP_BASE(r->cfa) == USTACK_OP_BASE_REG;

	if (is_fault("cfa-offset") && has_cfa(r) && is_here())
		r->cfa_off += 8;
	if (is_fault("cfa-base") && r->cfa == USTACK_OP_FP && is_here())
		r->cfa = USTACK_OP_SP;
	if (is_fault("cfa-register") && by_reg && is_here())
		r->cfa ^= (u8)(USTACK_OP_REG(1) ^ USTACK_OP_REG(0));
	if (is_fault("cfa-deref") && r->cfa & USTACK_OP_DEREF && is_here())
		r->cfa &= (u8)~USTACK_OP_DEREF;
	if (is_fault("cfa-add") && USTACK_RULE_CFA_ADD(r->flags) && is_here())
		r->flags &= (1u << USTACK_RULE_CFA_ADD_SHIFT) - 1;
}

static void spoil_ra(const struct ustack_arch *arch, struct ustack_rule *r)
{
	bool can = has_cfa(r) && r->ra && !arch->ra_fixed;

	if (is_fault("ra-offset") && can && is_here())
		r->ra_off += 8;
	if (is_fault("ra-in-lr") && can && is_here()) {
		r->ra = USTACK_OP_NONE;
		r->ra_off = 0;
	}
	if (is_fault("outermost-lost") && !has_cfa(r) && is_here())
		*r = (struct ustack_rule){
			.cfa = USTACK_OP_SP,
			.cfa_off = 8,
			.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
			.ra_off = -8,
		};
}

/* If it is below SP it may belong to a popped register, which is not read. */
static bool is_read(const struct ustack_rule *r)
{
	return r->fp && (r->cfa != USTACK_OP_SP || r->cfa_off + r->fp_off >= 0);
}

static void spoil_fp(struct ustack_rule *r)
{
	if (is_fault("fp-offset") && is_read(r) && is_here())
		r->fp_off -= 8;
	if (is_fault("fp-lost") && is_read(r) && is_here()) {
		r->fp = USTACK_OP_NONE;
		r->fp_off = 0;
	}
	if (is_fault("fp-made-up") && has_cfa(r) && r->ra && !r->fp && is_here()) {
		r->fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		r->fp_off = -16;
	}
}

enum synth_cause __wrap_synth_rule(const struct ustack_arch *arch,
				   const struct cfi_row *row, bool signal,
				   struct ustack_rule *ret)
{
	enum synth_cause cause = __real_synth_rule(arch, row, signal, ret);

	if (cause)
		return cause;
	spoil_cfa(ret);
	spoil_ra(arch, ret);
	spoil_fp(ret);
	return SYNTH_NONE;
}

u8 __wrap_synth_plt_row(const struct cfi_row *row)
{
	u8 pushed = __real_synth_plt_row(row);

	return pushed && is_fault("plt") ? (u8)(pushed - 1) : pushed;
}

int __wrap_saved_apply(struct synth *s, struct synth_saved *saved)
{
	struct saved_edit *e = saved->edits;
	size_t i, kept = 0;

	for (i = 0; i < saved->nr; i++) {
		if (e[i].unsaved && is_fault("callee-early") && is_here())
			continue;
		if (e[i].unsaved && is_fault("callee-end") && is_here())
			e[i].rule.cfa_off = 8;
		if (!e[i].unsaved && is_fault("callee-slot") && is_here())
			e[i].rule.cfa_off -= 8;
		if (!e[i].unsaved && is_fault("callee-byte") && is_here())
			e[i].start--;
		e[kept++] = e[i];
	}
	saved->nr = kept;
	return __real_saved_apply(s, saved);
}

/*
 * A row that has a rule, starts inside a range of the map and is followed by another row of its
 * block, which starts more than a byte later.
 */
static u32 find_row(const struct ustack_table *t)
{
	const u8 *rules = (const u8 *)t + t->rules_off;
	const u8 *keys = ustack_table_keys(t);
	u32 i;

	for (i = t->nr_keys / 2; i + 1 < t->nr_keys; i++)
		if (rules[i] && rules[i] != USTACK_RARE_RULE && rules[i - 1] &&
		    keys[i] & 15 && keys[i + 1] > keys[i] + 1)
			return i;
	abort();
}

/* Changes the table after it was verified. */
static void spoil_table(struct ustack_table *t)
{
	struct ustack_rule *palette = (void *)ustack_table_palette(t);
	struct ustack_plain *plain = (void *)ustack_table_plain(t);
	u8 *rules = (u8 *)t + t->rules_off, *keys = (void *)ustack_table_keys(t);
	u32 i;

	for (i = 0; i < t->nr_rules; i++) {
		if (is_fault("stride") && plain[i].fp_off)
			plain[i].fp_off += 8;
		if (is_fault("signal-lost"))
			palette[i].flags &= (u8)~USTACK_RULE_SIGNAL;
	}
	if (t->layout & (USTACK_TABLE_WIDE_KEYS | USTACK_TABLE_WIDE_RULES))
		return;
	i = find_row(t);
	if (is_fault("row-rule"))
		rules[i] = rules[i] == 1 ? 2 : 1;
	if (is_fault("row-lost"))
		rules[i] = 0;
	if (is_fault("row-start"))
		keys[i]++;
}

int __wrap_sframe_section_prove(struct sframe_section *s, struct diag *diag)
{
	int err = __real_sframe_section_prove(s, diag);

	if (!err)
		spoil_table(s->table);
	return err;
}
