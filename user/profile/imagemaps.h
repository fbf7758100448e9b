/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Image maps of processes (imagemap/imagemap.h) in a profile: comments "imagemap PID
 * BASE64". Comments are what pprof's tools keep as they are when they read, merge and write
 * profiles; a label would be on every sample.
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

/* Leaves them out: pprof's tools show all comments above whatever else they show. */
void profile_imagemaps_drop(struct profile *p);

#endif /* USTACK_USER_PROFILE_IMAGEMAPS_H */
