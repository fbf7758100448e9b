/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares a file's .sframe with its call frame information at each pc: the rule
 * that the module's own lookup finds in the compiled table, and the CFI's rule.
 */
#ifndef USTACK_USER_SFRAME_COMPARE_H
#define USTACK_USER_SFRAME_COMPARE_H

#include "sframe/section.h"
#include "sframe/synth.h"

/* COMPARE_KIND(NAME, sentence). The known faults of assemblers and linkers come
 * first (GNU binutils 2.40 to 2.47).
 */
#define COMPARE_KINDS(COMPARE_KIND)					\
	COMPARE_KIND(STALE_OFFSET, "the CFA has the offset that was in force "	\
		     "before its register changed")			\
	COMPARE_KIND(FP_RESTORE, "FP is restored to the function's first "	\
		     "rule instead of the initial one")			\
	COMPARE_KIND(REGISTER_AS_SP, "a CFA by another register is taken "	\
		     "for one by SP")					\
	COMPARE_KIND(UNDEFINED_RA, "the section does not mark that there is no caller")	\
	COMPARE_KIND(NO_RULE, "there is no rule where the CFI has one")	\
	COMPARE_KIND(NO_CFI, "there is a rule where the CFI has none")	\
	COMPARE_KIND(OTHER, "the rules differ")

enum compare_kind {
#define COMPARE_KIND_ENUM(name, sentence) COMPARE_##name,
	COMPARE_KINDS(COMPARE_KIND_ENUM)
#undef COMPARE_KIND_ENUM
	COMPARE_NR_KINDS,
};

const char *compare_kind_name(enum compare_kind kind);
const char *compare_kind_text(enum compare_kind kind);

/**
 * struct compare_run - neighbouring pcs that differ in the same way
 * @kind: how they differ
 * @start: first link-time address of the run
 * @end: the first address after the run
 * @have: the section's rule, NULL if there is none
 * @want: the CFI's rule, NULL if there is none
 */
struct compare_run {
	enum compare_kind kind;
	u64 start;
	u64 end;
	const struct ustack_rule *have;
	const struct ustack_rule *want;
};

/**
 * struct compare_result - sums over a whole file
 * @equal: bytes of text where both have the same rule
 * @skipped: bytes that cannot be compared: those in the CFI's gaps, and those that
 *           have neither CFI nor a rule in the section, only rules by their code
 * @bytes: bytes of text that differ, by kind
 * @runs: number of runs of such bytes, by kind
 */
struct compare_result {
	u64 equal;
	u64 skipped;
	u64 bytes[COMPARE_NR_KINDS];
	u64 runs[COMPARE_NR_KINDS];
};

/**
 * compare() - compare a section with the CFI at each pc
 * @s: the section, compiled
 * @cfi: read from the same file
 * @each: called for every run, in ascending order; may be NULL
 * @arg: for @each
 * @ret: the sums
 *
 * One lookup for each byte of text: some nanoseconds.
 */
void compare(const struct sframe_section *s, const struct synth *cfi,
	     void (*each)(const struct compare_run *run, void *arg), void *arg,
	     struct compare_result *ret);

#endif /* USTACK_USER_SFRAME_COMPARE_H */
