// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose mappings change: it loads, uses and unloads one library after
 * the other, each for the same CPU time, most likely at the same address.
 *
 * usage: loader SECONDS
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static int use(const char *file, const char *name, double seconds)
{
	void *handle = dlopen(file, RTLD_NOW);
	void (*run)(double);

	if (!handle) {
		fprintf(stderr, "loader: %s\n", dlerror());
		return 1;
	}
	*(void **)&run = dlsym(handle, name);
	if (run)
		run(seconds);
	dlclose(handle);
	return !run;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) / 4 : 0.25;

	return use("/w/plugin-first.so", "first", seconds) ||
	       use("/w/plugin-second.so", "second", seconds) ||
	       use("/w/plugin-first.so", "first", seconds) ||
	       use("/w/plugin-second.so", "second", seconds);
}
