/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects the samples and the value of a profile that are shown. Used by report,
 * flame, diff and others.
 */
#ifndef USTACK_USER_REPORT_SELECT_H
#define USTACK_USER_REPORT_SELECT_H

#include "profile/profile.h"
#include "util/diag.h"

/**
 * struct report_select - selects samples that match all of these; NULL matches
 * everything
 * @command: names of processes
 * @thread: names of threads
 * @image: base names of files, one of which is in the stack
 * @function: names of functions, one of which is in the stack
 * @parts: @function has parts of names, case does not matter; see
 *	report_select_look()
 * @pid: decimal numbers
 * @tid: decimal numbers
 *
 * Each is a list with commas between its items, or a single item that contains
 * commas.
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

/* Return: whether a text is an item of a list, or the whole list. */
bool report_listed(const char *list, const char *text);

/**
 * report_select_look() - find out whether @function has whole names or parts
 * @s: gets @parts
 * @p: the profiles; one may be NULL
 *
 * They are whole names if any function of the profiles has one of these names.
 */
void report_select_look(struct report_select *s, const struct profile *const p[2]);

/* For @keep of struct calltree_options, with the struct as its @arg. */
bool report_selects(const struct profile *p, const struct profile_sample *s, void *arg);

/**
 * report_value_type() - find a value type
 * @p: the profile
 * @name: type; NULL for the profile's default or, if it has none, its last one
 * @file: used in messages
 * @ret: index of the value type
 * @diag: may be NULL; lists the types that exist
 *
 * Return: 0; -ENOENT; -ENODATA if the profile has none.
 */
int report_value_type(const struct profile *p, const char *name, const char *file,
		      uint32_t *ret, struct diag *diag);

/**
 * report_same_values() - find the value type that another profile shows
 * @p: the profile
 * @type: value type that the other profile shows
 * @other: the other profile
 * @file: file of @p, for messages
 * @ret: index in @p
 * @diag: may be NULL
 *
 * Return: as report_value_type(); -EINVAL if they are in other units.
 */
int report_same_values(const struct profile *p, const struct profile_value_type *type,
		       const struct profile *other, const char *file, uint32_t *ret,
		       struct diag *diag);

/**
 * report_count_type() - find the value type that is the number of samples
 * @p: the profile
 * @ret: on true: index of "samples", in "count"
 *
 * Return: whether there is one.
 */
bool report_count_type(const struct profile *p, uint32_t *ret);

#endif /* USTACK_USER_REPORT_SELECT_H */
