/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two profiles that are compared may be of two versions of a program, whose files have other
 * names: app-1.2 and app-1.3. Functions are then to be matched by their own names.
 */
#ifndef USTACK_USER_REPORT_VERSIONS_H
#define USTACK_USER_REPORT_VERSIONS_H

#include "profile/profile.h"

/* What differs by name alone is the same: bits. */
#define VERSIONS_IGNORE_IMAGE 1u
#define VERSIONS_IGNORE_COMMAND 2u

/**
 * versions_match() - give what is the same in two profiles the same name
 * @before: names of files, of their sources and of commands become those of @after
 * @after: its names stay, unless they are to be ignored
 * @ignore: VERSIONS_IGNORE_*: files, or commands, have no names in either
 * @note: told of two files that are taken for versions of one; may be NULL
 * @arg: for @note
 *
 * A file that only one of the profiles has is taken for a version of one that only the other has,
 * if at least half of the functions of the one that has fewer are in both: the pair with most
 * of them first. A command goes with its file.
 *
 * Return: 0 or -ENOMEM. Nothing is to be added to the profiles afterwards.
 */
int versions_match(struct profile *before, struct profile *after, unsigned int ignore,
		   void (*note)(const char *before, const char *after, void *arg), void *arg);

#endif /* USTACK_USER_REPORT_VERSIONS_H */
