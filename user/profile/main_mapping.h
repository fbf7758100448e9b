/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USTACK_USER_PROFILE_MAIN_MAPPING_H
#define USTACK_USER_PROFILE_MAIN_MAPPING_H

#include "profile/profile.h"

/**
 * profile_main_mapping() - which mapping is the program's
 * @p: the profile
 *
 * pprof's tools take the first mapping of a profile for that of the program. It is the one whose
 * file is called as the command of most samples is, by the last type of values.
 *
 * Return: index in @p->mappings; 1 if none is called so; 0 without memory or mappings.
 */
uint32_t profile_main_mapping(const struct profile *p);

#endif /* USTACK_USER_PROFILE_MAIN_MAPPING_H */
