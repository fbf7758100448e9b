/* SPDX-License-Identifier: GPL-2.0 */
/* Which samples of a profile are looked at: what report, flame and diff share. */
#ifndef USTACK_USER_REPORT_SELECT_H
#define USTACK_USER_REPORT_SELECT_H

#include "profile/profile.h"
#include "util/diag.h"

/**
 * struct report_select - samples that have all of these; NULL passes everything
 * @command: name of the process
 * @thread: name of the thread
 * @image: base name of a file that is in the stack
 * @function: name of a function that is in the stack
 * @pid: decimal
 */
struct report_select {
	const char *command;
	const char *thread;
	const char *image;
	const char *function;
	const char *pid;
};

/* For struct calltree_options' @keep, with the struct as @arg. */
bool report_selects(const struct profile *p, const struct profile_sample *s, void *arg);

/**
 * report_value_type() - find a type of value
 * @p: the profile
 * @name: NULL for the one that the profile's maker wants shown, or else its last
 * @file: for messages
 * @ret: its index
 * @diag: may be NULL; lists those that there are
 *
 * Return: 0; -ENOENT; -ENODATA if the profile has none.
 */
int report_value_type(const struct profile *p, const char *name, const char *file,
		      uint32_t *ret, struct diag *diag);

#endif /* USTACK_USER_REPORT_SELECT_H */
