// SPDX-License-Identifier: GPL-2.0-only
/* Measures the module's memory for a process, a mapping and an image (price.h). */
#include "price.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops.h"
#include "stress.h"

#define CHILDREN 50
#define MAPPINGS 1000

static unsigned long long process_bytes(void)
{
	return module_stat("process_bytes");
}

static void say_bytes(const char *what, unsigned long long before,
		      unsigned long long after, unsigned long long nr)
{
	printf("bytes %s: %llu\n", what, nr ? (after - before) / nr : 0);
	fflush(stdout);
}

/* Starts a child that is ready and waits to be killed: it runs this program, or @path. */
static pid_t start(const char *path)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		die_errno("pipe");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die_errno("fork");
	if (!pid) {
		dup2(ready[1], STDOUT_FILENO);
		if (path)
			execl(path, path, "wait", NULL);
		else if (write(STDOUT_FILENO, "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("a child did not start");
	close(ready[0]);
	return pid;
}

static void children(const char *what, const char *path)
{
	pid_t pids[CHILDREN];
	unsigned long long before = process_bytes();
	unsigned int i;

	for (i = 0; i < CHILDREN; i++)
		pids[i] = start(path);
	say_bytes(what, before, process_bytes(), CHILDREN);
	for (i = 0; i < CHILDREN; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < CHILDREN; i++)
		waitpid(pids[i], NULL, 0);
}

void price_memory(void)
{
	unsigned long long before, images, image_bytes;
	unsigned int i;

	children("forked process", NULL);
	children("executed process", PRICE_STATIC);

	/* first the files, then mappings of files that the module already knows */
	images = module_stat("images");
	image_bytes = module_stat("image_bytes");
	for (i = 0; i < PRICE_FILES; i++)
		price_map_code(i);
	say_bytes("image", image_bytes, module_stat("image_bytes"),
		  module_stat("images") - images);
	before = process_bytes();
	for (i = 0; i < MAPPINGS; i++)
		price_map_code(i);
	say_bytes("mapping", before, process_bytes(), MAPPINGS);
}
