// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs code that it has copied into memory, and names it in /tmp/perf-PID.map.
 *
 * usage: made memfd|shared|file|anon NAME SECONDS PATH
 *	memfd	a memfd that is mapped
 *	shared	shared memory without a name, which the kernel calls /dev/zero
 *	file	PATH, which is no ELF file
 *	anon	private memory
 *	NAME	of the function in the map; "" for no map
 *
 * PATH.map gets the path of the map, which is left for its reader.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BYTES 4096

/* Keeps a frame pointer, and does not depend on where it is. */
__attribute__((__noinline__, __section__("copied"), __used__))
static unsigned long spin(unsigned long n)
{
	volatile unsigned long i;

	for (i = 0; i < n; i++)
		__asm__ volatile("");
	return i;
}

extern const char __start_copied[], __stop_copied[];

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int open_memory(const char *kind, const char *path)
{
	int fd = -1;

	if (!strcmp(kind, "memfd"))
		fd = memfd_create("made", 0);
	else if (!strcmp(kind, "file"))
		fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0700);
	else
		return -1;
	if (fd < 0 || ftruncate(fd, BYTES))
		die(kind);
	return fd;
}

/* Memory that is written to elsewhere than where it runs, as runtimes have it. */
static char *map_code(const char *kind, const char *path)
{
	int fd = open_memory(kind, path);
	int flags = fd >= 0 ? MAP_SHARED :
		    strcmp(kind, "anon") ? MAP_SHARED | MAP_ANONYMOUS : MAP_PRIVATE | MAP_ANONYMOUS;
	char *code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (code == MAP_FAILED)
		die("mmap");
	/* behind what would be an ELF file's magic */
	memcpy(code, "CODE", 4);
	memcpy(code + 64, __start_copied, (size_t)(__stop_copied - __start_copied));
	if (mprotect(code, BYTES, PROT_READ | PROT_EXEC))
		die("mprotect");
	__builtin___clear_cache(code, code + BYTES);
	return code + 64;
}

static FILE *open_text(const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		die(path);
	return f;
}

static void write_map(const char *code, const char *name, const char *where)
{
	char path[64], other[4096];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = open_text(path);
	fprintf(f, "%lx %x %s\n", (unsigned long)code, BYTES - 64, name);
	fclose(f);
	snprintf(other, sizeof(other), "%s.map", where);
	f = open_text(other);
	fputs(path, f);
	fclose(f);
}

int main(int argc, char **argv)
{
	double seconds = argc > 3 ? atof(argv[3]) : 1;
	unsigned long (*run)(unsigned long n);
	char *code;

	if (argc != 5)
		return 2;
	code = map_code(argv[1], argv[4]);
	if (*argv[2])
		write_map(code, argv[2], argv[4]);
	run = (unsigned long (*)(unsigned long))code;
	while (clock() < seconds * CLOCKS_PER_SEC)
		run(1000000);
	return 0;
}
