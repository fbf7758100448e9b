/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope guards: a variable that is released when it goes out of scope.
 *
 *	_cleanup_(file_release) struct file f = FILE_INIT;
 *
 * The release function gets a pointer to the variable and must accept its
 * initial value.
 */
#ifndef USTACK_USER_CLEANUP_H
#define USTACK_USER_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define _cleanup_(fn) __attribute__((__cleanup__(fn)))

/* For memory: _cleanup_(cleanup_free) char *p = NULL; */
static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#endif /* USTACK_USER_CLEANUP_H */
