/* SPDX-License-Identifier: GPL-2.0-only */
/* A rule as equations: "CFA=SP+16 RA=*(CFA-8) FP=*(CFA-16)". */
#ifndef USTACK_USER_SFRAME_RULE_TEXT_H
#define USTACK_USER_SFRAME_RULE_TEXT_H

#include "arch.h"
#include "rule.h"

/* Room for three operands of 39 characters and the names between them. */
#define SFRAME_RULE_TEXT 160

/**
 * sframe_rule_text() - write a rule as text
 * @rule: a rule without USTACK_RULE_MASK
 * @arch: names its registers
 * @buf: receives the text: "outermost" if there is no caller; no FP if it is
 *       unchanged; RA=LR if the link register still has it; "signal" at the end if
 *       the caller was interrupted
 *
 * Return: @buf.
 */
const char *sframe_rule_text(const struct ustack_rule *rule,
			     const struct ustack_arch *arch,
			     char buf[SFRAME_RULE_TEXT]);

#endif /* USTACK_USER_SFRAME_RULE_TEXT_H */
