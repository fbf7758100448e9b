/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiled relabelling rules. Private to user/serve/daemon/relabel*.c. */
#ifndef USTACK_USER_DAEMON_RELABEL_RULE_H
#define USTACK_USER_DAEMON_RELABEL_RULE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "serve/daemon/relabel.h"

#define RELABEL_SEPARATOR ";"
#define RELABEL_REGEX "(.*)"
#define RELABEL_REPLACEMENT "$1"

/**
 * struct relabel_compiled - a valid rule, compiled; texts are owned
 * @action: the action
 * @source: names of source labels
 * @nr_source: number of entries in @source
 * @separator: text between values of source labels
 * @regex: the regular expression
 * @target: target label; "" if there is none
 * @replacement: the replacement
 * @modulus: modulus of "hashmod"
 * @code: compiled @regex
 * @any: @regex is RELABEL_REGEX, for which no match needs to run
 */
struct relabel_compiled {
	enum relabel_action action;
	char **source;
	size_t nr_source;
	char *separator;
	char *regex;
	char *target;
	char *replacement;
	uint64_t modulus;
	pcre2_code *code;
	bool any;
};

/* Compiles a rule. Return: as relabel_add(). Release @ret in either case. */
int relabel_compile(struct relabel_compiled *ret, const struct relabel_rule *rule,
		    const char **field, struct diag *diag);
void relabel_compiled_release(struct relabel_compiled *c);
bool relabel_compiled_equal(const struct relabel_compiled *a,
			    const struct relabel_compiled *b);

/**
 * struct relabel_match - the result of a match
 * @code: the expression
 * @subject: the text that was matched
 * @offset: begin and end of each group in @subject; PCRE2_UNSET if a group has matched nothing
 * @nr: number of groups, including group 0, the whole match
 */
struct relabel_match {
	const pcre2_code *code;
	const char *subject;
	const size_t *offset;
	size_t nr;
};

/* Expands @template to at most @len - 1 bytes; the rest is cut. Return: number of bytes. */
size_t relabel_expand(const char *template, const struct relabel_match *m, char *ret,
		      size_t len);

#endif /* USTACK_USER_DAEMON_RELABEL_RULE_H */
