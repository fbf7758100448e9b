/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ends a recording when its profile reaches a size. Only packing the profile
 * tells its size, and that takes time: session.c looks after a drain, but uses
 * at most a twentieth of a CPU for it.
 */
#ifndef USTACK_USER_RECORD_SIZE_H
#define USTACK_USER_RECORD_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pprof_spool.h"
#include "capture/record/names.h"

/**
 * struct record_size - what was seen so far
 * @limit: limit for the profile's file in bytes; 0 is none
 * @bytes: size of the file at the last look; 0 before that
 * @looked: time of the last look, as from watch_now()
 * @next: time of the next look
 */
struct record_size {
	uint64_t limit;
	uint64_t bytes;
	uint64_t looked;
	uint64_t next;
};

/**
 * record_size_look() - check whether the recording must end
 * @size: @limit is set, the rest is 0 at first
 * @spool: has a part of @p
 * @p: the profile
 * @names: names of @p, which gets those known so far
 * @ret: on 0: whether the file has reached the limit, or would pass it before
 *	the next look if it grew as it did since the last one
 *
 * Names and image maps that @p does not have yet are estimated.
 *
 * Return: 0 or a negative errno.
 */
int record_size_look(struct record_size *size, const struct pprof_spool *spool,
		     const struct profile *p, struct record_names *names, bool *ret);

#endif /* USTACK_USER_RECORD_SIZE_H */
