/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: the sources of names. Each image tries the providers
 * in this order (providers.c) and keeps the best names:
 *
 *	own		the file and its debug file, if it is on this machine
 *	servers		a debug file from debuginfod servers
 *	bsym		a BSYM file in the folder that the user gave
 */
#ifndef USTACK_USER_SYMSTORE_PROVIDER_H
#define USTACK_USER_SYMSTORE_PROVIDER_H

#include "symbols/symstore/store.h"

/**
 * provider_fn - start to get better names than @i has
 * @s: the store
 * @i: the image; its state changes, and @i->reason if something fails
 *
 * Cached names are taken at once, by provider_take_cached(). Otherwise a jail does the
 * work, started by provider_make() or by the provider itself.
 *
 * Return: true if a jail is running for it now; the next provider is tried after it ends.
 * false if the next provider is to be tried at once.
 */
typedef bool provider_fn(struct symstore *s, struct symstore_image *i);

provider_fn provider_own, provider_servers, provider_bsym;

/**
 * provider_servers_ended() - take the result of a fetch
 * @s: the store
 * @i: an image in STATE_FETCHED; @i->fetched is the debug file if @err is 0
 * @err: 0 or an errno, see fetch_end()
 *
 * Return: as provider_fn.
 */
bool provider_servers_ended(struct symstore *s, struct symstore_image *i, int err);

/* Functions that the providers share; they are in providers.c. */

/* A job for provider_make() with those facts of @i that do not depend on the provider. */
struct make_job provider_job(const struct symstore *s, const struct symstore_image *i);

/* Takes the names that the cache has under @i->cached. Return: whether it has some. */
bool provider_take_cached(struct symstore *s, struct symstore_image *i);

/* Starts a jail for @job and sets its @out. Return: whether it runs; else sets @i->reason. */
bool provider_make(struct symstore *s, struct symstore_image *i, struct make_job *job);

/* Reports once to the store's user why there are fewer names than possible. */
void provider_say_reason(struct symstore *s, struct symstore_image *i);

#endif /* USTACK_USER_SYMSTORE_PROVIDER_H */
