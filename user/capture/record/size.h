/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that ends when its profile is so large. How large it is only packing can tell, and
 * that takes time: it is looked at after a drain, but for no more than a twentieth of a CPU.
 */
#ifndef USTACK_USER_RECORD_SIZE_H
#define USTACK_USER_RECORD_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pprof_spool.h"
#include "capture/record/names.h"

/**
 * struct record_size - what was seen so far
 * @limit: bytes of the profile; 0 is none
 * @bytes: when it was looked at last, as the file would be; 0 before that
 * @looked: when that was
 * @next: when to look again
 */
struct record_size {
	uint64_t limit;
	uint64_t bytes;
	uint64_t looked;
	uint64_t next;
};

/**
 * record_size_look() - is the recording to end?
 * @size: its limit is set, the rest 0 at first
 * @spool: has a part of @p
 * @p: the profile
 * @names: its names; @p gets those that are known by now
 * @ret: on 0: whether the file has the limit, or would pass it before the next look if it grew
 *       as it did since the last one
 *
 * Names and image maps that @p does not have yet are estimated.
 *
 * Return: 0 or a negative errno.
 */
int record_size_look(struct record_size *size, const struct pprof_spool *spool,
		     const struct profile *p, struct record_names *names, bool *ret);

#endif /* USTACK_USER_RECORD_SIZE_H */
