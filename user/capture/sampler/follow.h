/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows how all processes are mapped, without sampling: for other profilers
 * that use our walk.
 */
#ifndef USTACK_USER_SAMPLER_FOLLOW_H
#define USTACK_USER_SAMPLER_FOLLOW_H

#include "util/diag.h"

struct follow;
struct table_maker_maps;

/**
 * follow_new() - load and attach the programs that follow mappings
 * @ret: released by follow_free()
 * @diag: may be NULL
 *
 * The calling thread must block all signals, also SIGCHLD, while it loads: a
 * signal makes the verifier give up.
 *
 * Return: 0 or a negative errno.
 */
int follow_new(struct follow **ret, struct diag *diag);
void follow_free(struct follow *f);

/**
 * follow_maps() - the maps that the programs fill, and where they ask for
 * tables
 * @f: from follow_new()
 * @ret: for table_maker_new(); valid as long as @f
 */
void follow_maps(const struct follow *f, struct table_maker_maps *ret);

#endif /* USTACK_USER_SAMPLER_FOLLOW_H */
