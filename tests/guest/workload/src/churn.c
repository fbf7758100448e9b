// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable file mappings that come and go at one address, each for a different file: mapped
 * executable at once, or by mprotect() later, over the old mapping or after munmap().
 */
#include <sys/mman.h>

#include "plugs.h"
#include "run.h"

FRAME void *churn_map(const struct plug *plug, void *at, int later)
{
	int prot = later ? PROT_READ : PROT_READ | PROT_EXEC;
	int fixed = at ? MAP_FIXED : 0;

	at = mmap(at, plug->length, prot, MAP_PRIVATE | fixed, plug->fd,
		  plug->offset);
	if (at != MAP_FAILED && later)
		mprotect(at, plug->length, PROT_READ | PROT_EXEC);
	return at == MAP_FAILED ? NULL : at;
}

FRAME void churn_call(const struct plug *plug, char *at)
{
	((plug_fn)(at + plug->entry))(3);
	STAY();
}

FRAME int run_churn(double seconds)
{
	unsigned long long end = after(seconds);
	struct plug plugs[PLUGS];
	char *at = NULL;
	int i;

	for (i = 0; i < PLUGS; i++)
		if (plug_open(&plugs[i], i + 1))
			return 1;
	for (i = 0; now_ns() < end; i++) {
		const struct plug *plug = &plugs[i % PLUGS];

		at = churn_map(plug, at, i & 4);
		if (!at)
			return 1;
		churn_call(plug, at);
		STAY();
		if (i & 8)
			munmap(at, plug->length);
	}
	return 0;
}
