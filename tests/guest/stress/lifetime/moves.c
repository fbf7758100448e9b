// SPDX-License-Identifier: GPL-2.0-only
/* Mappings that mremap() moves in part, grows, or leaves behind. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "lifetime.h"

#define PAGE 4096ul

/* @nr pages from page @first on, mapped at the address that they have in @text. */
static void map_pages(int kind, char *text, size_t first, size_t nr)
{
	static int fd[PLUG_KINDS + 1];

	if (!fd[kind])
		fd[kind] = open(((const char *[]){ "", "/plugs/plug1.so",
						   "/plugs/plug2.so",
						   "/plugs/plug3.so",
						   "/plugs/plug4.so" })[kind],
				O_RDONLY | O_CLOEXEC);
	if (mmap(text + first * PAGE, nr * PAGE, PROT_READ | PROT_EXEC,
		 MAP_PRIVATE | MAP_FIXED, fd[kind],
		 plugs[kind].text_off + first * PAGE) == MAP_FAILED)
		die_errno("mmap of pages of a plug");
}

static size_t pages_of(int kind)
{
	return plugs[kind].text_len / PAGE;
}

/* The same pages of the text at @from move to the text at @to. */
static void move_pages(char *from, char *to, size_t first, size_t nr)
{
	char *dest = to + first * PAGE;

	if (mremap(from + first * PAGE, nr * PAGE, nr * PAGE,
		   MREMAP_MAYMOVE | MREMAP_FIXED, dest) != dest)
		die_errno("mremap of pages of a plug");
}

void test_moved_parts(void)
{
	char *at = place(), *to = place();
	size_t page, nr = pages_of(1);

	map_pages(1, at, 0, nr);
	map_pages(1, to, 0, 1);
	move_pages(at, to, 1, nr - 1);
	check_whole(to, "all pages but the first moved by mremap");
	munmap(at, nr * PAGE);
	munmap(to, nr * PAGE);

	map_pages(2, at, 0, nr);
	for (page = nr; page--;)
		move_pages(at, to, page, 1);
	check_whole(to, "moved page by page, the last one first");
	munmap(to, nr * PAGE);

	/* the middle goes and comes back, and meanwhile another plug is there */
	map_pages(3, at, 0, nr);
	move_pages(at, to, 1, nr - 2);
	map_pages(4, at, 0, nr);
	check_whole(at, "another plug where all pages but two have left");
	map_pages(3, at, 0, 1);
	map_pages(3, at, nr - 1, 1);
	move_pages(to, at, 1, nr - 2);
	check_whole(at, "and when they have come back");
	munmap(at, nr * PAGE);
}

void test_grown(void)
{
	char *at = place(), *to = place();
	size_t len = plugs[1].text_len;

	/* the functions after it are in the grown part */
	map_pages(1, at, 0, 2);
	if (mremap(at, 2 * PAGE, len, 0) != at)
		die_errno("mremap to grow");
	check_whole(at, "grown in place by mremap");
	munmap(at, len);

	map_pages(2, at, 0, pages_of(2));
	check_whole(at, "another plug there");
	munmap(at, len);
	map_pages(3, at, 0, 1);
	if (mremap(at, PAGE, len, 0) != at)
		die_errno("mremap to grow");
	check_whole(at, "grown in place to where that plug was");

	munmap(at + 2 * PAGE, len - 2 * PAGE);
	if (mremap(at, 2 * PAGE, len, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
		die_errno("mremap to move and grow");
	check_whole(to, "moved and grown by one mremap");
	munmap(to, len);
}

/*
 * Calls mremap() with MREMAP_DONTUNMAP for @nr pages. Return: false if this kernel does not
 * support it for files.
 */
static bool leave_behind(char *from, char *to, size_t first, size_t nr)
{
	char *dest = to + first * PAGE;
	void *got = mremap(from + first * PAGE, nr * PAGE, nr * PAGE,
			   MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, dest);

	if (got == MAP_FAILED && errno == EINVAL)
		return false;
	if (got != dest)
		die_errno("mremap with MREMAP_DONTUNMAP");
	return true;
}

void test_left_behind(void)
{
	char *at = place(), *to = place();
	size_t nr = pages_of(1);

	map_pages(1, at, 0, nr);
	if (!leave_behind(at, to, 0, nr)) {
		skip("left_behind: this kernel moves no file with MREMAP_DONTUNMAP");
		munmap(at, nr * PAGE);
		return;
	}
	check_whole(to, "moved with MREMAP_DONTUNMAP");
	check_whole(at, "and what stayed behind");
	munmap(at, nr * PAGE);
	munmap(to, nr * PAGE);

	/* the kernel splits a locked mapping before it moves a part */
	map_pages(2, at, 0, nr);
	map_pages(2, to, 0, 1);
	if (mlock(at, nr * PAGE))
		die_errno("mlock");
	leave_behind(at, to, 1, nr - 1);
	check_whole(to, "part of a locked one moved with MREMAP_DONTUNMAP");
	check_whole(at, "and what stayed behind");
	munmap(at, nr * PAGE);
	munmap(to, nr * PAGE);
}
