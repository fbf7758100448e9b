/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints what a profile consists of, for -v. */
#ifndef USTACK_USER_REPORT_DESCRIBE_H
#define USTACK_USER_REPORT_DESCRIBE_H

#include <stdio.h>

#include "profile/profile.h"

/**
 * report_describe() - print what a profile consists of
 * @p: the profile
 * @file: file of the profile
 * @out: gets lines that begin with "ustack: ": numbers of elements, the value
 *	types, the comments except image maps, and for each file its build id
 *	and how many of its addresses have names. Texts of the profile are
 *	escaped
 *
 * Without memory the files are left out.
 */
void report_describe(const struct profile *p, const char *file, FILE *out);

#endif /* USTACK_USER_REPORT_DESCRIBE_H */
