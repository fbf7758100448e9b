/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Image maps of processes (formats/imagemap/imagemap.h) in a profile: comments "imagemap PID
 * BASE64"; a label would be on every sample. In files they have a field of their own
 * (pprof.proto), as pprof's tools show all comments; as comments they are read, too.
 */
#ifndef USTACK_USER_PROFILE_IMAGEMAPS_H
#define USTACK_USER_PROFILE_IMAGEMAPS_H

#include "profile/profile.h"

#define PROFILE_IMAGEMAP "imagemap "

/* Whether comment @i is one: it is not for people. */
bool profile_is_imagemap(const struct profile *p, uint32_t i);

/* Adds one; @text is in base64. */
void profile_imagemap_add(struct profile *p, uint32_t pid, const char *text);

/* Return: that of @pid, the first if there are several, in base64; NULL if there is none. */
const char *profile_imagemap(const struct profile *p, uint32_t pid);

/* Return: the process whose image map comment @i is; 0 if it is none. */
uint32_t profile_imagemap_pid(const struct profile *p, uint32_t i);

#endif /* USTACK_USER_PROFILE_IMAGEMAPS_H */
