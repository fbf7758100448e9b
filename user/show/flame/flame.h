/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flame graph as one file of HTML: the page of user/show/flame/page, as the build put it
 * together, with the tree of calls in it. It needs no host and no other file.
 */
#ifndef USTACK_USER_FLAME_FLAME_H
#define USTACK_USER_FLAME_FLAME_H

#include "profile/profile.h"
#include "util/diag.h"

struct json;

/**
 * struct flame_options - what is drawn
 * @title: any bytes
 * @file: of the profile and of the one before, for messages
 * @value: index of the value type, of the profile and of the one before
 * @callers: the page opens with the callers of the innermost functions
 * @lines: frames stay apart by line of the source
 * @no_inlines: inlined functions are part of what they were inlined into
 * @roots: labels whose texts are the outermost frames, ends with NULL; NULL for the command
 * @keep: whether a sample is counted; NULL for all
 * @code: writes the member "code" (data.h), which has this name: instructions of functions; returns
 *        0 or a negative errno. NULL for none
 * @arg: for @keep
 * @code_arg: for @code
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
 * @p: without a sticking error
 * @before: what it is compared with, or NULL
 * @o: how
 * @path: as file_replace() has it
 * @diag: may be NULL
 *
 * The bytes are the same for the same input.
 *
 * Return: 0; -ERANGE for a sample with a negative value, which has no width; another
 * negative errno.
 */
int flame_save(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const char *path, struct diag *diag);

/**
 * flame_write() - the same to a descriptor
 * @p: as above
 * @before: as above
 * @o: how
 * @fd: open for writing
 * @diag: may be NULL
 *
 * Return: as flame_save().
 */
int flame_write(const struct profile *p, const struct profile *before,
		const struct flame_options *o, int fd, struct diag *diag);

/* What the page carries alone: JSON as show/flame/data.h explains it. Return: as flame_save(). */
int flame_write_data(const struct profile *p, const struct profile *before,
		     const struct flame_options *o, int fd, struct diag *diag);

/* What the page may do, for a Content-Security-Policy field: the same that it says itself. */
extern const char flame_policy[];

#endif /* USTACK_USER_FLAME_FLAME_H */
