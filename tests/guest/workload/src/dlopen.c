// SPDX-License-Identifier: GPL-2.0-only
/* Four libraries loaded one after the other, mostly at the same address. */
#include <dlfcn.h>
#include <stdio.h>

#include "plugs.h"
#include "run.h"

FRAME int dlopen_round(int plug)
{
	char name[32], symbol[32];
	plug_fn entry;
	void *lib;

	snprintf(name, sizeof(name), "libplug%d.so", plug);
	snprintf(symbol, sizeof(symbol), "plug%d_entry", plug);
	lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		fprintf(stderr, "%s: %s\n", workload_self, dlerror());
		return 1;
	}
	entry = (plug_fn)dlsym(lib, symbol);
	if (!entry)
		return 1;
	entry(plug);
	STAY();
	return dlclose(lib) != 0;
}

FRAME int run_dlopen(double seconds)
{
	unsigned long long end = after(seconds);
	int i = 0, status = 0;

	while (!status && now_ns() < end) {
		status = dlopen_round(i + 1);
		STAY();
		i = (i + 1) % PLUGS;
	}
	return status;
}
