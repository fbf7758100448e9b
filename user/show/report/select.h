/* SPDX-License-Identifier: GPL-2.0-only */
/* Which samples of a profile are looked at: what report, flame and diff share. */
#ifndef USTACK_USER_REPORT_SELECT_H
#define USTACK_USER_REPORT_SELECT_H

#include "profile/profile.h"
#include "util/diag.h"

/**
 * struct report_select - samples that have all of these; NULL passes everything
 * @command: names of processes
 * @thread: names of threads
 * @image: base names of files: one that is in the stack
 * @function: names of functions: one that is in the stack
 * @parts: @function are parts of names, in small or capital letters; see report_select_look()
 * @pid: decimal
 * @tid: decimal
 *
 * Each may be several with commas between them, or one that has commas itself.
 */
struct report_select {
	const char *command;
	const char *thread;
	const char *image;
	const char *function;
	bool parts;
	const char *pid;
	const char *tid;
};

/* Whether a text is one of a list, or all of it. */
bool report_listed(const char *list, const char *text);

/**
 * report_select_look() - whether @function are whole names, or parts
 * @s: @parts is written
 * @p: the profiles, of which one may be NULL
 *
 * Whole names, if one of the functions has one of them.
 */
void report_select_look(struct report_select *s, const struct profile *const p[2]);

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

/**
 * report_same_values() - find in a profile the values that another one shows
 * @p: the profile
 * @type: what the other shows
 * @other: the other
 * @file: of @p, for messages
 * @ret: the index in @p
 * @diag: may be NULL
 *
 * Return: as report_value_type(); -EINVAL if they are in other units.
 */
int report_same_values(const struct profile *p, const struct profile_value_type *type,
		       const struct profile *other, const char *file, uint32_t *ret,
		       struct diag *diag);

/**
 * report_count_type() - find the values that are numbers of samples
 * @p: the profile
 * @ret: index of "samples", in "count"; on true
 *
 * Return: whether there are any.
 */
bool report_count_type(const struct profile *p, uint32_t *ret);

#endif /* USTACK_USER_REPORT_SELECT_H */
