/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: the mapping that pprof's tools should take for the
 * program's.
 */
#ifndef USTACK_USER_PROFILE_MAIN_MAPPING_H
#define USTACK_USER_PROFILE_MAIN_MAPPING_H

#include "profile/profile.h"

/**
 * profile_main_mapping() - find the mapping of the main program
 * @p: the profile
 *
 * pprof's tools take the first mapping of a profile for that of the program.
 * This finds the one whose file has the name of the command with the largest
 * sum of the last value.
 *
 * Return: index in @p->mappings; 1 if no file has such a name; 0 without memory
 * or mappings.
 */
uint32_t profile_main_mapping(const struct profile *p);

#endif /* USTACK_USER_PROFILE_MAIN_MAPPING_H */
