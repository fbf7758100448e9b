/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two profiles that are compared may come from two versions of a program, whose
 * files have different names, such as app-1.2 and app-1.3. This matches such
 * files, so that functions are compared by name.
 */
#ifndef USTACK_USER_REPORT_VERSIONS_H
#define USTACK_USER_REPORT_VERSIONS_H

#include "profile/profile.h"

/* Bits: what to compare without its name. */
#define VERSIONS_IGNORE_IMAGE 1u
#define VERSIONS_IGNORE_COMMAND 2u

/**
 * versions_match() - give files, sources and commands the same names in two
 * profiles
 * @before: profile whose names become those of @after
 * @after: profile whose names stay, unless they are ignored
 * @ignore: VERSIONS_IGNORE_*: files, or commands, get no names in either
 *	profile
 * @note: called for two files that are taken for versions of one; may be NULL
 * @arg: passed to @note
 *
 * Two files, of which each profile has only one, are taken for two versions if
 * at least half of the functions of the one with fewer are in both; the pair
 * with the most such functions comes first. A command is renamed together with
 * its file.
 *
 * Return: 0 or -ENOMEM. Nothing may be added to the profiles afterwards.
 */
int versions_match(struct profile *before, struct profile *after, unsigned int ignore,
		   void (*note)(const char *before, const char *after, void *arg), void *arg);

#endif /* USTACK_USER_REPORT_VERSIONS_H */
