/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/serve/daemon/relabel*.c. */
#ifndef USTACK_USER_DAEMON_RELABEL_RULE_H
#define USTACK_USER_DAEMON_RELABEL_RULE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "serve/daemon/relabel.h"

#define RELABEL_SEPARATOR ";"
#define RELABEL_REGEX "(.*)"
#define RELABEL_REPLACEMENT "$1"

/**
 * struct relabel_compiled - a rule that holds
 * @source: names
 * @target: "" if there is none
 * @code: of @regex
 * @any: @regex is RELABEL_REGEX: it is known what it matches
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

/* Return: as relabel_add(). @ret is released in either case. */
int relabel_compile(struct relabel_compiled *ret, const struct relabel_rule *rule,
		    const char **field, struct diag *diag);
void relabel_compiled_release(struct relabel_compiled *c);
bool relabel_compiled_equal(const struct relabel_compiled *a,
			    const struct relabel_compiled *b);

/**
 * struct relabel_match - what groups have matched
 * @code: the expression
 * @subject: the text
 * @offset: pairs of offsets in it, PCRE2_UNSET if a group has matched nothing
 * @nr: pairs
 */
struct relabel_match {
	const pcre2_code *code;
	const char *subject;
	const size_t *offset;
	size_t nr;
};

/* Whether a target or replacement can become the name of a label. */
bool relabel_is_template(const char *template);

/* Expands @template; what is beyond @len - 1 bytes is cut. Return: bytes. */
size_t relabel_expand(const char *template, const struct relabel_match *m, char *ret,
		      size_t len);

#endif /* USTACK_USER_DAEMON_RELABEL_RULE_H */
