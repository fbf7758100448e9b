/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps from one address, by the core and by DWARF: they must be the same. */
#ifndef USTACK_STEPJUDGE_STEPS_H
#define USTACK_STEPJUDGE_STEPS_H

#include "answer.h"
#include "fdes.h"
#include "judge.h"
#include "sframe/section.h"

/**
 * struct judge - the judgement of one file
 * @o: options
 * @path: path of the file, for messages
 * @t: totals, to which results are added
 * @synth: synthesis of the file
 * @encoded: the section made from it
 * @section: the verified section and its table; @section.table is NULL if no function is left
 * @fde: the entry that is being judged
 * @gap: the gap of @synth.gaps that contained the last address, or NULL
 * @fdes: the CFI, read by libdw
 * @text: the file's text
 * @p: the process in which steps are made
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
 * @pc: address of the difference
 *
 * If several entries of the CFI describe one address, both sides may be right.
 *
 *  Return: whether to print it.
 */
bool judge_differs(struct judge *j, u64 pc);

/**
 * steps_from() - judge one address
 * @j: the file
 * @r: libdw's row of the address
 * @rule: the table's rule
 * @pc: the address
 *
 *  Return: whether DWARF's answer depends on the pc itself.
 */
bool steps_from(struct judge *j, const struct row *r, const struct ustack_rule *rule,
		u64 pc);

/*
 * Whether a rule is AMD64's CFA = SP, RA = *(CFA - 8), which no real frame has: walks must end
 * there.
 */
static inline bool steps_shall_end(const struct judge *j, const struct ustack_rule *rule)
{
	return j->p.arch->ra_fixed && rule->cfa == USTACK_OP_SP && !rule->cfa_off &&
	       rule->ra == (USTACK_OP_CFA | USTACK_OP_DEREF) && rule->ra_off == -8 &&
	       !rule->flags;
}

/**
 * steps_end() - judge one address whose rule ends walks
 * @j: the file
 * @rule: the rule
 * @pc: the address
 *
 *  Return: whether no step and no stride leaves any frame there.
 */
bool steps_end(struct judge *j, const struct ustack_rule *rule, u64 pc);

#endif /* USTACK_STEPJUDGE_STEPS_H */
