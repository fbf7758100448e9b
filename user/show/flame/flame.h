/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph as one file of HTML: the page in user/show/flame/page, as the
 * build makes it, with the call tree in it. It needs no host and no other file.
 */
#ifndef USTACK_USER_FLAME_FLAME_H
#define USTACK_USER_FLAME_FLAME_H

#include "profile/profile.h"
#include "util/diag.h"

struct json;

/**
 * struct flame_options - what to draw
 * @title: any bytes
 * @file: files of the profile and of the one before, for messages
 * @value: index of the value type, in the profile and in the one before
 * @callers: the page opens with the callers of the innermost functions
 * @lines: frames are separate for each line of the source
 * @no_inlines: inlined functions count as part of the function they were
 *	inlined into
 * @roots: labels whose texts become the outermost frames, ends with NULL; NULL
 *	for the command
 * @keep: returns whether a sample is counted; NULL for all
 * @code: writes the member "code" (data.h), named @name: instructions of
 *	functions; returns 0 or a negative errno. NULL for none
 * @arg: passed to @keep
 * @code_arg: passed to @code
 */
struct flame_options {
	const char *title;
	const char *file[2];
	uint32_t value[2];
	bool callers;
	bool lines;
	bool no_inlines;
	const char *const *roots;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	int (*code)(struct json *j, const char *name, void *arg);
	void *arg;
	void *code_arg;
};

/**
 * flame_save() - write the page
 * @p: without an error
 * @before: profile to compare with, or NULL
 * @o: what to draw
 * @path: see file_replace()
 * @diag: may be NULL
 *
 * The same input gives the same bytes.
 *
 * Return: 0; -ERANGE for a sample with a negative value, which has no width; another
 * negative errno.
 */
int flame_save(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const char *path, struct diag *diag);

/**
 * flame_write() - write the page to a descriptor
 * @p: see flame_save()
 * @before: see flame_save()
 * @o: what to draw
 * @fd: open for writing
 * @diag: may be NULL
 *
 * Return: as flame_save().
 */
int flame_write(const struct profile *p, const struct profile *before,
		const struct flame_options *o, int fd, struct diag *diag);

/*
 * Writes only the data of the page: JSON as in show/flame/data.h. Return: as
 * flame_save().
 */
int flame_write_data(const struct profile *p, const struct profile *before,
		     const struct flame_options *o, int fd, struct diag *diag);

/*
 * The page's policy, for a Content-Security-Policy header; the page contains
 * the same.
 */
extern const char flame_policy[];

#endif /* USTACK_USER_FLAME_FLAME_H */
