/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Image maps of processes (formats/imagemap/imagemap.h) in a profile. In memory
 * they are comments "imagemap PID BASE64"; labels would repeat them in every
 * sample. In files they have a field of their own (pprof.proto), because
 * pprof's tools show all comments; comments are read too.
 */
#ifndef USTACK_USER_PROFILE_IMAGEMAPS_H
#define USTACK_USER_PROFILE_IMAGEMAPS_H

#include "profile/profile.h"

#define PROFILE_IMAGEMAP "imagemap "

/* Return: whether comment @i is an image map, which users should not see. */
bool profile_is_imagemap(const struct profile *p, uint32_t i);

/* Adds an image map; @text is its base64. */
void profile_imagemap_add(struct profile *p, uint32_t pid, const char *text);

/*
 * Return: image map of @pid in base64, the first if there are several; NULL if
 * there is none.
 */
const char *profile_imagemap(const struct profile *p, uint32_t pid);

/* Return: process whose image map comment @i is; 0 if it is none. */
uint32_t profile_imagemap_pid(const struct profile *p, uint32_t i);

#endif /* USTACK_USER_PROFILE_IMAGEMAPS_H */
