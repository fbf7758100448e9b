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
 * Differences from Prometheus: regular expressions are PCRE2's, which understand what RE2
 * does but for \v (here any vertical white space) and \C (refused), and more; they have
 * limits of time and memory, and a match that goes beyond them is counted and is no match. A
 * name that "labelmap" makes is left out if it is none of labels.h, where Prometheus takes
 * anything. Values are those of labels.h, too: no control characters, 1 KiB.
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

/* Rules in a list, source labels of one rule. */
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
 * struct relabel_rule - as a file has it
 * @source_labels: whose values are joined; absent ones are ""
 * @nr_source_labels: of them
 * @separator: between them; NULL is ";"
 * @regex: has to match all of the text; NULL is "(.*)"
 * @modulus: of "hashmod"
 * @target_label: that is set; "replace" expands it as @replacement
 * @replacement: $1, ${1}, $name, ${name} are what a group has matched, $$ is "$"; NULL is
 *               "$1"
 * @action: its name in letters of any case; NULL is "replace"
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
 * relabel_add() - one more rule, behind the others
 * @r: the list
 * @rule: it
 * @field: on failure the name of the field that is wrong, or NULL; may be NULL
 * @diag: why, on failure; may be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int relabel_add(struct relabel *r, const struct relabel_rule *rule, const char **field,
		struct diag *diag);

/**
 * relabel_default() - the rules that are if a configuration has none
 * @ret: released by relabel_free()
 *
 * Return: 0 or -ENOMEM.
 */
int relabel_default(struct relabel **ret);

/**
 * relabel_apply() - rewrite a set
 * @r: the rules; what it needs while it works is in it
 * @set: is changed
 *
 * Labels that begin with "__" are still there afterwards.
 *
 * Return: whether the set stays; false is "drop" or "keep", and @set is as it was then, or
 * in between.
 */
bool relabel_apply(struct relabel *r, struct labels *set);

/* Matches that went beyond the limits, or had no memory, since relabel_new(). */
uint64_t relabel_failures(const struct relabel *r);

/* Rules of a list. */
size_t relabel_count(const struct relabel *r);

/* Whether two lists have the same rules. */
bool relabel_equal(const struct relabel *a, const struct relabel *b);

#endif /* USTACK_USER_DAEMON_RELABEL_H */
