// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with another name than ruby that loads the interpreter's library as a plug-in.
 *
 * usage: PROGRAM LIBRARY SCRIPT ARGUMENT...
 */
#include <dlfcn.h>
#include <stdio.h>

static void *library;

static void *function(const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		fprintf(stderr, "%s\n", dlerror());
	return found;
}

int main(int argc, char **argv)
{
	void (*sysinit)(int *argc, char ***argv);
	void (*init_stack)(volatile unsigned long *addr);
	void (*init)(void);
	void *(*options)(int argc, char **argv);
	int (*run_node)(void *node);
	volatile unsigned long stack = 0;

	library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	argc--;
	argv++;
	sysinit = function("ruby_sysinit");
	init_stack = function("ruby_init_stack");
	init = function("ruby_init");
	options = function("ruby_options");
	run_node = function("ruby_run_node");
	if (!sysinit || !init_stack || !init || !options || !run_node)
		return 1;
	sysinit(&argc, &argv);
	init_stack(&stack);
	init();
	return run_node(options(argc, argv));
}
