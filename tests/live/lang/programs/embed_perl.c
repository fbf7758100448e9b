// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with another name than perl that loads the interpreter's library as a plug-in. After
 * the script it calls a sub, whose stack has no frame of the script below it.
 *
 * usage: PROGRAM LIBRARY SCRIPT ARGUMENT...
 */
#include <dlfcn.h>
#include <stdio.h>

/* G_VOID | G_DISCARD | G_NOARGS of Perl 5.36. */
#define CALL_FLAGS (1 | 4 | 0x10)

static void *library;
extern char **environ;

static void *function(const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		fprintf(stderr, "%s\n", dlerror());
	return found;
}

static void boot(void *perl)
{
	void (*new_xs)(void *perl, const char *name, void (*sub)(void *, void *), const char *file);

	new_xs = function("Perl_newXS");
	new_xs(perl, "DynaLoader::boot_DynaLoader", function("boot_DynaLoader"), __FILE__);
}

int main(int argc, char **argv)
{
	void (*init)(int *argc, char ***argv, char ***env);
	void *(*alloc)(void);
	void (*construct)(void *perl);
	int (*parse)(void *perl, void (*boot)(void *), int argc, char **argv, char **env);
	int (*run)(void *perl);
	int (*call)(void *perl, const char *sub, int flags);
	int (*destruct)(void *perl);
	void *perl;

	library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	argc--;
	argv++;
	init = function("Perl_sys_init3");
	alloc = function("perl_alloc");
	construct = function("perl_construct");
	parse = function("perl_parse");
	run = function("perl_run");
	call = function("Perl_call_pv");
	destruct = function("perl_destruct");
	if (!init || !alloc || !construct || !parse || !run || !call || !destruct)
		return 1;
	init(&argc, &argv, &environ);
	perl = alloc();
	construct(perl);
	if (parse(perl, boot, argc, argv, environ) || run(perl))
		return 1;
	call(perl, "from_c", CALL_FLAGS);
	call(perl, "Probe::warm", CALL_FLAGS);
	return destruct(perl);
}
