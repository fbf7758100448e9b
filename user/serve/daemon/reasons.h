/* SPDX-License-Identifier: GPL-2.0-only */
/* Why stacks end, and what fixes it: Documentation/short-stacks.md as the build read it. */
#ifndef USTACK_USER_DAEMON_REASONS_H
#define USTACK_USER_DAEMON_REASONS_H

/**
 * struct daemon_reason - a row of it
 * @name: as label "stack" has it, such as "no_table"
 * @means: what it is; `words` are commands, files and options
 * @fix: what can be done
 */
struct daemon_reason {
	const char *name;
	const char *means;
	const char *fix;
};

/* Ended by one without a name. */
extern const struct daemon_reason daemon_reasons[];

#endif /* USTACK_USER_DAEMON_REASONS_H */
