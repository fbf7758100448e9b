// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs code that it has copied into memory, and names it in /tmp/perf-PID.map.
 *
 * usage: made memfd|shared|file|anon|pushed|freed NAME SECONDS PATH
 *	memfd	in a mapped memfd
 *	shared	in shared memory without a name, which the kernel calls /dev/zero
 *	file	in PATH, which is no ELF file
 *	anon	in private memory
 *	pushed	in private memory, and it calls as HotSpot's interpreter does: only on x86-64
 *	freed	in private memory, and it calls as CPython's trampolines do, without a frame pointer
 *	NAME	name of the function in the map; "" for no map
 *
 * PATH.map gets the path of the map, which is left for its reader.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BYTES 4096

/* Keeps a frame pointer, and works at any address. */
__attribute__((__noinline__, __section__("copied"), __used__))
static unsigned long spin(unsigned long n)
{
	volatile unsigned long i;

	for (i = 0; i < n; i++)
		__asm__ volatile("");
	return i;
}

extern const char __start_copied[], __stop_copied[];

/*
 * Keeps frame pointers, pushes a return address that does not follow a call,
 * and jumps to code that calls the function in its argument.
 */
#ifdef __x86_64__
__asm__(".pushsection copied_pushed, \"ax\"\n"
	"	push	%rbp\n"
	"	mov	%rsp, %rbp\n"
	"	lea	1f(%rip), %rax\n"
	"	push	%rax\n"
	"	jmp	2f\n"
	"1:	pop	%rbp\n"
	"	ret\n"
	"2:	push	%rbp\n"
	"	mov	%rsp, %rbp\n"
	"	call	*%rdi\n"
	"	pop	%rbp\n"
	"	ret\n"
	".popsection");
extern const char __start_copied_pushed[], __stop_copied_pushed[];

/*
 * The code that python -X perf makes for each function: it calls, frees eight
 * bytes and returns.
 */
__asm__(".pushsection copied_freed, \"ax\"\n"
	"	sub	$8, %rsp\n"
	"	call	*%rdi\n"
	"	add	$8, %rsp\n"
	"	ret\n"
	".popsection");
extern const char __start_copied_freed[], __stop_copied_freed[];
#else
#define __start_copied_pushed __start_copied
#define __stop_copied_pushed __stop_copied
#define __start_copied_freed __start_copied
#define __stop_copied_freed __stop_copied
#endif

/*
 * The function that the made code calls: it is in the program, which has
 * tables.
 */
__attribute__((__noinline__)) static void called(void)
{
	volatile unsigned long i;

	for (i = 0; i < 1000000; i++)
		__asm__ volatile("");
}

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

/*
 * Makes memory that is written at another address than it runs at, as runtimes
 * do.
 */
static char *map_code(const char *kind, const char *path)
{
	int fd = open_memory(kind, path);
	int flags = fd >= 0 ? MAP_SHARED :
		    strcmp(kind, "shared") ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_ANONYMOUS;
	const bool pushed = !strcmp(kind, "pushed"), freed = !strcmp(kind, "freed");
	const char *from = pushed ? __start_copied_pushed :
			   freed ? __start_copied_freed : __start_copied;
	const char *to = pushed ? __stop_copied_pushed :
			 freed ? __stop_copied_freed : __stop_copied;
	char *code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (code == MAP_FAILED)
		die("mmap");
	/* the code comes after the place of an ELF file's magic */
	memcpy(code, "CODE", 4);
	memcpy(code + 64, from, (size_t)(to - from));
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
	void (*run)(void (*function)(void));
	unsigned long (*count)(unsigned long n);
	char *code;

	if (argc != 5)
		return 2;
	code = map_code(argv[1], argv[4]);
	if (*argv[2])
		write_map(code, argv[2], argv[4]);
	count = (unsigned long (*)(unsigned long))code;
	run = (void (*)(void (*)(void)))code;
	while (clock() < seconds * CLOCKS_PER_SEC)
		if (strcmp(argv[1], "pushed") && strcmp(argv[1], "freed"))
			count(1000000);
		else
			run(called);
	return 0;
}
