/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why stacks end early, and how to fix it: the build makes it from Documentation/short-stacks.md.
 */
#ifndef USTACK_USER_DAEMON_REASONS_H
#define USTACK_USER_DAEMON_REASONS_H

/**
 * struct daemon_reason - a reason why stacks end early
 * @name: value of the label "stack", such as "no_table"
 * @means: explanation of the reason; `words` are commands, files and options
 * @fix: what a user can do about it
 */
struct daemon_reason {
	const char *name;
	const char *means;
	const char *fix;
};

/* All reasons, ended by one whose name is NULL. */
extern const struct daemon_reason daemon_reasons[];

#endif /* USTACK_USER_DAEMON_REASONS_H */
