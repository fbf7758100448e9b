/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USTACK_USER_REPORT_DESCRIBE_H
#define USTACK_USER_REPORT_DESCRIBE_H

#include <stdio.h>

#include "profile/profile.h"

/**
 * report_describe() - what a profile is made of, for who asks with -v
 * @p: the profile
 * @file: that it came from
 * @out: gets lines that begin with "ustack: ": how many of what, the types of values, the
 *       comments but for image maps, and for each file its build id and how many of its addresses
 *       have names. Foreign texts are escaped
 *
 * Without memory the files are left out.
 */
void report_describe(const struct profile *p, const char *file, FILE *out);

#endif /* USTACK_USER_REPORT_DESCRIBE_H */
