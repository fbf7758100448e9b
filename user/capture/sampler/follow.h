/* SPDX-License-Identifier: GPL-2.0-only */
/* How all processes are mapped, followed without sampling: for walks of others' programs. */
#ifndef USTACK_USER_SAMPLER_FOLLOW_H
#define USTACK_USER_SAMPLER_FOLLOW_H

#include "util/diag.h"

struct follow;
struct keeper_maps;

/**
 * follow_new() - load and attach the programs that follow mappings
 * @ret: released by follow_free()
 * @diag: may be NULL
 *
 * The calling thread must not get signals while it loads, SIGCHLD among them: the verifier gives
 * up when one comes.
 *
 * Return: 0 or a negative errno.
 */
int follow_new(struct follow **ret, struct diag *diag);
void follow_free(struct follow *f);

/**
 * follow_maps() - what the programs write, and what they ask for
 * @f: from follow_new()
 * @ret: for keeper_new(), as long as @f is there
 */
void follow_maps(const struct follow *f, struct keeper_maps *ret);

#endif /* USTACK_USER_SAMPLER_FOLLOW_H */
