/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reasons why something ended or was refused. Every function of the core that
 * can fail returns one of these; 0 is success.
 */
#ifndef USTACK_CORE_REASON_H
#define USTACK_CORE_REASON_H

enum ustack_reason {
#define USTACK_REASON(number, name, sentence) USTACK_##name = (number),
#include "reason.def"
#undef USTACK_REASON
};

/* One past the largest number; arrays indexed by reason have this many slots. */
#define USTACK_NR_REASONS 96

/**
 * ustack_reason_name() - the short name of a reason
 * @reason: any number
 *
 * Context: any.
 * Return: a static string such as "NO_ROW"; NULL for a number that is not in
 * the list.
 */
const char *ustack_reason_name(unsigned int reason);

/**
 * ustack_reason_text() - what a reason means, as a sentence without a full stop
 * @reason: any number
 *
 * Context: any.
 * Return: a static string; "unknown reason" for a number that is not in the
 * list.
 */
const char *ustack_reason_text(unsigned int reason);

#endif /* USTACK_CORE_REASON_H */
