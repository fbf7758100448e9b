/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules that rewrite sets of labels, as Prometheus' relabel_configs do:
 * https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config
 *
 *	relabel_new(&r);
 *	relabel_add(r, &rule, &field, diag);			each rule, in order
 *	labels_set(&set, "__unit", "nginx.service");
 *	if (relabel_apply(r, &set))				false: dropped
 *		...
 *
 * Differences from Prometheus: regular expressions are those of PCRE2. It understands everything
 * that RE2 does, except that \v is any vertical white space and \C is refused. Time and memory of a
 * match are limited; a match that exceeds them is counted and does not match. A name that
 * "labelmap" makes is left out if it is not valid by labels.h, while Prometheus takes any. Values
 * have the limits of labels.h, too: no control characters, 1 KiB.
 *
 * Context: one thread at a time for each struct relabel.
 */
#ifndef USTACK_USER_DAEMON_RELABEL_H
#define USTACK_USER_DAEMON_RELABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/daemon/labels.h"
#include "util/diag.h"

/* Number of rules in a list, and of source labels of one rule. */
#define RELABEL_MAX_RULES 1024u
#define RELABEL_MAX_SOURCES 64u
/* Bytes of a regular expression, a separator or a replacement. */
#define RELABEL_MAX_TEXT 4096u

enum relabel_action {
	RELABEL_REPLACE,
	RELABEL_KEEP,
	RELABEL_DROP,
	RELABEL_KEEPEQUAL,
	RELABEL_DROPEQUAL,
	RELABEL_HASHMOD,
	RELABEL_LABELMAP,
	RELABEL_LABELDROP,
	RELABEL_LABELKEEP,
	RELABEL_LOWERCASE,
	RELABEL_UPPERCASE,
};

/**
 * struct relabel_rule - a rule as the configuration has it
 * @source_labels: labels whose values are joined; absent ones count as ""
 * @nr_source_labels: number of entries in @source_labels
 * @separator: text between the values; NULL means ";"
 * @regex: regular expression that must match the whole text; NULL means "(.*)"
 * @modulus: modulus of "hashmod"
 * @target_label: label that is set; "replace" expands it like @replacement
 * @replacement: new value. $1, ${1}, $name and ${name} stand for what a group has matched, $$ for
 *               "$"; NULL means "$1"
 * @action: name of the action, in any case; NULL means "replace"
 *
 * Texts are borrowed during relabel_add().
 */
struct relabel_rule {
	const char *const *source_labels;
	size_t nr_source_labels;
	const char *separator;
	const char *regex;
	uint64_t modulus;
	const char *target_label;
	const char *replacement;
	const char *action;
};

struct relabel;

/* Return: 0 or -ENOMEM; @ret is released by relabel_free(). */
int relabel_new(struct relabel **ret);
void relabel_free(struct relabel *r);

/**
 * relabel_add() - append a rule
 * @r: the list
 * @rule: the rule
 * @field: gets the name of the wrong field, or NULL, on failure; may be NULL
 * @diag: gets the reason on failure; may be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int relabel_add(struct relabel *r, const struct relabel_rule *rule, const char **field,
		struct diag *diag);

/**
 * relabel_default() - make the rules for a configuration that has none
 * @ret: the rules, released by relabel_free()
 *
 * Return: 0 or -ENOMEM.
 */
int relabel_default(struct relabel **ret);

/**
 * relabel_apply() - rewrite a set of labels
 * @r: the rules, with memory for working
 * @set: the set, which is changed
 *
 * Labels that begin with "__" stay in the set.
 *
 * Return: whether the sample stays; false if "drop" or "keep" has dropped it. Rules before that one
 * have already changed @set.
 */
bool relabel_apply(struct relabel *r, struct labels *set);

/* Return: number of matches since relabel_new() that exceeded a limit or had no memory. */
uint64_t relabel_failures(const struct relabel *r);

/* Return: number of rules. */
size_t relabel_count(const struct relabel *r);

/* Whether two lists have the same rules. */
bool relabel_equal(const struct relabel *a, const struct relabel *b);

#endif /* USTACK_USER_DAEMON_RELABEL_H */
