/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps from one address, the core's and DWARF's: they must be the same. */
#ifndef USTACK_STEPJUDGE_STEPS_H
#define USTACK_STEPJUDGE_STEPS_H

#include "answer.h"
#include "fdes.h"
#include "judge.h"
#include "sframe/section.h"

/**
 * struct judge - one file's
 * @o: how
 * @path: for messages
 * @t: grows
 * @synth: what is synthesized
 * @encoded: the section
 * @section: and the table; @section.table is NULL if nothing is left
 * @fde: the entry that is judged
 * @gap: of @synth.gaps, the last one that an address was in, or NULL
 * @fdes: the CFI by libdw
 * @text: the file's text
 * @p: the process that steps are made in
 */
struct judge {
	const struct judge_opts *o;
	const char *path;
	struct totals *t;
	struct synth synth;
	struct synth_section encoded;
	struct sframe_section section;
	const struct fde *fde;
	const struct synth_gap *gap;
	struct fdes fdes;
	struct process_text text[USTACK_MAX_SEGMENTS];
	struct process p;
};

/**
 * judge_differs() - count a difference
 * @j: the file
 * @pc: where
 *
 * Where several entries of the CFI are for one address both sides may be right.
 *
 * Return: whether to print it.
 */
bool judge_differs(struct judge *j, u64 pc);

/**
 * steps_from() - judge one address
 * @j: the file
 * @r: libdw's row of it
 * @rule: the table's
 * @pc: the address
 *
 * Return: whether DWARF's answer depends on the pc itself.
 */
bool steps_from(struct judge *j, const struct row *r, const struct ustack_rule *rule,
		u64 pc);

/* Whether a rule is AMD64's CFA = SP, RA = *(CFA - 8), which no frame has: walks
 * shall end there.
 */
static inline bool steps_shall_end(const struct judge *j, const struct ustack_rule *rule)
{
	return j->p.arch->ra_fixed && rule->cfa == USTACK_OP_SP && !rule->cfa_off &&
	       rule->ra == (USTACK_OP_CFA | USTACK_OP_DEREF) && rule->ra_off == -8 &&
	       !rule->flags;
}

/**
 * steps_end() - judge one address whose rule is such
 * @j: the file
 * @rule: the rule
 * @pc: the address
 *
 * Return: whether neither a step nor a stride leaves any frame there.
 */
bool steps_end(struct judge *j, const struct ustack_rule *rule, u64 pc);

#endif /* USTACK_STEPJUDGE_STEPS_H */
