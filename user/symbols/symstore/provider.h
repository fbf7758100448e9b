/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: where names come from. Each image tries the providers in their order
 * (work.c) and keeps the best names that any of them had:
 *
 *	own		the file and its debug file, if it is on this machine
 *	servers		a debug file that debuginfod servers have
 *	bsym		a BSYM file of the folder that the user gave
 */
#ifndef USTACK_USER_SYMSTORE_PROVIDER_H
#define USTACK_USER_SYMSTORE_PROVIDER_H

#include "symbols/symstore/store.h"

/**
 * provider_fn - begin to get better names than @i has
 * @s: the store
 * @i: the image; its state, and @i->reason if something fails
 *
 * What the cache has is taken at once, by provider_take_cached(). The rest is the work of a jail:
 * provider_make(), or what the provider has of its own.
 *
 * Return: true if a jail works for it now; the next provider is tried when that has ended. false if
 * the next one is to be tried now.
 */
typedef bool provider_fn(struct symstore *s, struct symstore_image *i);

provider_fn provider_own, provider_servers, provider_bsym;

/**
 * provider_servers_ended() - what a server sent, or did not send
 * @s: the store
 * @i: in STATE_FETCHED; @i->fetched is the debug file if @err is 0
 * @err: errno of the jail that fetched it
 *
 * Return: as provider_fn.
 */
bool provider_servers_ended(struct symstore *s, struct symstore_image *i, int err);

/* What the providers share; work.c has them. */

/* A job for provider_make() that says of @i what does not depend on the provider. */
struct make_job provider_job(const struct symstore *s, const struct symstore_image *i);

/* Takes the names that the cache has as @i->cached. Return: whether there were any. */
bool provider_take_cached(struct symstore *s, struct symstore_image *i);

/* Starts a jail for @job, whose @out is set. Return: whether it runs; else @i->reason says why. */
bool provider_make(struct symstore *s, struct symstore_image *i, struct make_job *job);

/* Tells the user of the store, once, why there are fewer names than there could be. */
void provider_say_reason(struct symstore *s, struct symstore_image *i);

#endif /* USTACK_USER_SYMSTORE_PROVIDER_H */
