// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text moved by mremap(), which perf does not report to its readers, and another file's text
 * mapped at the old place. The two addresses are fixed and known to the checker (see `fixed` in
 * mktruth.py).
 */
#include <sys/mman.h>

#include "plugs.h"
#include "run.h"

#define HERE ((char *)0x5000000000)
#define THERE ((char *)0x5100000000)

FRAME void mremap_call(const struct plug *plug, char *at)
{
	((plug_fn)(at + plug->entry))(3);
	STAY();
}

FRAME char *mremap_map(const struct plug *plug)
{
	char *at = mmap(HERE, plug->length, PROT_READ | PROT_EXEC,
			MAP_PRIVATE | MAP_FIXED, plug->fd, plug->offset);

	return at == MAP_FAILED ? NULL : at;
}

FRAME int run_mremap(double seconds)
{
	unsigned long long end = after(seconds);
	struct plug one, two;

	if (plug_open(&one, 1) || plug_open(&two, 2))
		return 1;
	while (now_ns() < end) {
		if (!mremap_map(&one))
			return 1;
		mremap_call(&one, HERE);
		if (mremap(HERE, one.length, one.length,
			   MREMAP_MAYMOVE | MREMAP_FIXED, THERE) != THERE)
			return 1;
		if (!mremap_map(&two))
			return 1;
		mremap_call(&one, THERE);
		mremap_call(&two, HERE);
		STAY();
	}
	return 0;
}
