// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with many executable mappings: the code of one small library is
 * mapped again and again, with a page between each two. It calls itself through
 * HOPS of these mappings, spread over all of them, and works at the bottom. In
 * every tenth of its time it unmaps some of the mappings that it does not call
 * through, changes the protection of others, and maps them again. It has no
 * frame pointers, so callers are found by tables only.
 *
 * usage: wide LIBRARY MAPPINGS SECONDS [fork]
 *	LIBRARY		wide_hop.c as a shared object
 *	fork		a child does the work
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wide_hop.h"

#define HOPS 100

static volatile unsigned long sink;
static unsigned long end_ns, tenth_ns;
static unsigned int mappings;
static size_t page, text_at, text_len, hop_at;
static char *place;
static int library;

static void die(const char *what)
{
	perror(what);
	exit(3);
}

static unsigned long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ul + t.tv_nsec;
}

/* Return: address of mapping number @i. */
static char *at(unsigned int i)
{
	return place + i * (text_len + page);
}

static void map_one(unsigned int i)
{
	if (mmap(at(i), text_len, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, library,
		 (off_t)text_at) == MAP_FAILED)
		die("mmap");
}

/* Return: a number; hops go through the mappings whose number is a multiple of it. */
static unsigned int every(void)
{
	return mappings / HOPS;
}

/*
 * Unmaps mappings between two hops, changes their protection, and maps them
 * again.
 */
static void change(unsigned int hop)
{
	unsigned int first = hop * every() + 1, nr = every() - 1, i;

	if (!nr)
		return;
	if (munmap(at(first), nr * (text_len + page)))
		die("munmap");
	if (mmap(at(first), nr * (text_len + page), PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		die("mmap");
	for (i = 0; i < nr; i++)
		map_one(first + i);
	if (mprotect(at(first), text_len, PROT_READ) || mprotect(at(first), text_len, PROT_READ | PROT_EXEC))
		die("mprotect");
}

static void bottom(struct wide_step *step)
{
	unsigned long next = cpu_ns() + tenth_ns, now;
	unsigned int hop = 0;

	do {
		for (int i = 0; i < 100000; i++)
			sink += i;
		now = cpu_ns();
		if (now >= next) {
			change(hop++ % HOPS);
			next += tenth_ns;
		}
	} while (now < end_ns);
	step->calls++;		/* no tail call */
}

static void find_text(const char *path)
{
	char head[4096];
	const Elf64_Ehdr *e = (void *)head;
	const Elf64_Phdr *p = (void *)(head + sizeof(*e));
	unsigned int i;

	library = open(path, O_RDONLY | O_CLOEXEC);
	if (library < 0 || pread(library, head, sizeof(head), 0) != sizeof(head))
		die(path);
	for (i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X) {
			text_at = p[i].p_offset;
			text_len = (p[i].p_filesz + page - 1) & -page;
			hop_at = e->e_entry - p[i].p_vaddr;
		}
	if (!text_len)
		die("text");
}

__attribute__((noinline)) static void work(void)
{
	static struct wide_step step[HOPS + 1];
	unsigned int i;

	/* by an odd stride, so that the next hop is not the neighbour */
	for (i = 0; i < HOPS; i++)
		step[i].call = (void *)(at(i * 37 % HOPS * every()) + hop_at);
	step[HOPS].call = bottom;
	step[0].call(step);
	sink++;
}

int main(int argc, char **argv)
{
	unsigned int i;
	int status;

	page = (size_t)sysconf(_SC_PAGESIZE);
	find_text(argv[1]);
	mappings = (unsigned int)atoi(argv[2]);
	place = mmap(NULL, mappings * (text_len + page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place == MAP_FAILED)
		die("mmap");
	for (i = 0; i < mappings; i++)
		map_one(i);
	if (argc > 4 && fork())
		return wait(&status) > 0 ? WEXITSTATUS(status) : 3;
	tenth_ns = (unsigned long)(atof(argv[3]) * 1e8);
	end_ns = cpu_ns() + 10 * tenth_ns;
	work();
	return 0;
}
