// SPDX-License-Identifier: GPL-2.0-only
/*
 * Estimates the size of the profile's file while recording, to end at a limit.
 * See size.h.
 */
#include "capture/record/size.h"

#include <time.h>

#include "host/process/watch.h"
#include "util/clock.h"

#include "util/poison.h"

/*
 * Time between two looks: at least this many times the CPU time that one look
 * takes.
 */
#define LOOK_SHARE 20u
/* Also at least until the next drain, which mostly comes after this time. */
#define LOOK_NS 1000000000u

/*
 * Return: bytes that are added within @ns if the profile grows as since the
 * last look.
 */
static uint64_t growth(const struct record_size *size, uint64_t bytes, uint64_t now, uint64_t ns)
{
	if (!size->bytes || bytes <= size->bytes || now <= size->looked)
		return 0;
	return (uint64_t)((double)(bytes - size->bytes) / (double)(now - size->looked) *
			  (double)ns);
}

int record_size_look(struct record_size *size, const struct pprof_spool *spool,
		     const struct profile *p, struct record_names *names, bool *ret)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID), now = watch_now(), bytes, wait;
	int err;

	*ret = false;
	if (!size->limit || now < size->next)
		return 0;
	err = record_name_now(names);
	if (!err)
		err = pprof_spool_size(spool, p, &bytes);
	if (err)
		return err;
	bytes += record_names_to_come(names);
	now = watch_now();
	wait = LOOK_SHARE * (clock_ns(CLOCK_THREAD_CPUTIME_ID) - began);
	size->next = now + wait;
	*ret = bytes + growth(size, bytes, now, wait > LOOK_NS ? wait : LOOK_NS) >= size->limit;
	size->bytes = bytes;
	size->looked = now;
	return 0;
}
