// SPDX-License-Identifier: GPL-2.0-only
/*
 * A JIT compiler as the kernel sees it: bytes become code in anonymous memory (two regions in
 * turn), with frames of its own, and are registered with ustack.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "jit.h"
#include "run.h"

/* jit_blob.S: the code's bytes and their table */
extern const char jit_text[], jit_text_end[], jit_sframe[], jit_sframe_end[];
extern const unsigned long jit_sframe_vaddr;

#define REGION 0x10000

typedef void (*jit_fn)(unsigned long spins);

FRAME char *jit_compile(void)
{
	size_t length = jit_text_end - jit_text;
	char *code = mmap(NULL, REGION, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return NULL;
	memcpy(code, jit_text, length);
	__builtin___clear_cache(code, code + length);
	return mprotect(code, REGION, PROT_READ | PROT_EXEC) ? NULL : code;
}

FRAME void jit_call(char *code)
{
	((jit_fn)code)(SPIN);	/* the entry, jit_outer, is first */
	STAY();
}

FRAME int jit_round(int n)
{
	struct jit_region region = {
		.start = jit_compile(),
		.length = jit_text_end - jit_text,
		.sframe = jit_sframe,
		.sframe_length = jit_sframe_end - jit_sframe,
		.sframe_vaddr = jit_sframe_vaddr,
	};
	int i, err;

	if (!region.start)
		return 1;
	err = register_region(&region);
	if (err && !n)
		fprintf(stderr, "%s: register_region: %s\n", workload_self,
			strerror(-err));
	for (i = 0; i < 500; i++)
		jit_call(region.start);
	unregister_region(&region);
	munmap(region.start, REGION);
	return 0;
}

FRAME int run_jit(double seconds)
{
	unsigned long long end = after(seconds);
	int i;

	for (i = 0; now_ns() < end; i++)
		if (jit_round(i))
			return 1;
	return 0;
}
