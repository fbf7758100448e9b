// SPDX-License-Identifier: GPL-2.0-only
/* Mappings that are replaced, moved, cut and protected. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lifetime.h"
#include "ustack.h"

#define PAGE 4096ul

/* One file of each kind. */
static int file_of(int kind)
{
	static int fd[PLUG_KINDS + 1];
	char path[64];

	if (!fd[kind]) {
		snprintf(path, sizeof(path), "/tmp/maps-plug%d", kind);
		fd[kind] = plug_file(kind, path);
	}
	return fd[kind];
}

static void *map(int kind, void *at, int flags)
{
	return plug_map(&plugs[kind], file_of(kind), at, flags);
}

void test_fixed(void)
{
	struct tally sum = { 0 }, t;
	void *at = place();
	int i;

	for (i = 0; i < 40; i++) {
		map(1 + i % 4, at, MAP_FIXED);
		plug_sample(at, samples_wanted / 20, &t);
		tally_add(&sum, &t);
	}
	check_sum(&sum, "MAP_FIXED over another plug, 40 times");
	/* anonymous memory over it, and code copied there: there is no image and no table */
	mmap(at, plugs[4].text_len, PROT_READ | PROT_WRITE | PROT_EXEC,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memcpy(at, plugs[2].bytes + plugs[2].text_off, plugs[2].text_len);
	__builtin___clear_cache(at, (char *)at + plugs[2].text_len);
	/* a guess may find the caller, but a table must not */
	if (!module_param("guess", "0"))
		die_errno("guess");
	plug_sample(at, samples_wanted, &t);
	if (!module_param("guess", "1"))
		die_errno("guess");
	check(t.cut && !t.whole && !t.wrong,
	      "anonymous memory in a file's place: cut %lu, whole %lu, wrong %lu",
	      t.cut, t.whole, t.wrong);
	munmap(at, plugs[4].text_len);
}

/*
 * A mapping that replaces another file's mapping and merges with its neighbour in the same
 * call: some kernels report the new one before they remove the old one.
 */
void test_fixed_merge(void)
{
	const struct plug *p = &plugs[1];
	char *at = place();

	map(2, at, MAP_FIXED);
	mmap(at, 3 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
	     file_of(1), p->text_off);
	mmap(at + 3 * PAGE, p->text_len - 3 * PAGE, PROT_READ | PROT_EXEC,
	     MAP_PRIVATE | MAP_FIXED, file_of(1), p->text_off + 3 * PAGE);
	check_whole(at, "two halves over another file, merged");
	munmap(at, p->text_len);
}

/* As ld.so does: first the whole file, then its segments over it. */
void test_fixed_pages(void)
{
	const struct plug *p = &plugs[3];
	char *at = place();
	size_t page;

	mmap(at, p->text_off + p->text_len + PAGE, PROT_READ,
	     MAP_PRIVATE | MAP_FIXED, file_of(3), 0);
	for (page = 0; page < p->text_len; page += PAGE)
		mmap(at + p->text_off + page, PAGE, PROT_READ | PROT_EXEC,
		     MAP_PRIVATE | MAP_FIXED, file_of(3), p->text_off + page);
	check_whole(at + p->text_off, "page by page over the file's own mapping");
	munmap(at, p->text_off + p->text_len + PAGE);
}

void test_moved(void)
{
	size_t len = plugs[1].text_len;
	struct tally sum = { 0 }, t;
	char *at = place(), *to = place();
	int i;

	map(1, at, MAP_FIXED);
	check_whole(at, "before mremap");
	if (mremap(at, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
		die_errno("mremap");
	check_whole(to, "text moved by mremap");
	map(2, at, MAP_FIXED);
	check_whole(at, "another plug where it was");
	for (i = 0; i < 20; i++) {
		char *from = i & 1 ? at : to, *dest = i & 1 ? to : at;

		if (mremap(from, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, dest) !=
		    dest)
			die_errno("mremap");
		map(1 + i % 4, from, MAP_FIXED);
		plug_sample(dest, 3, &t);
		tally_add(&sum, &t);
		plug_sample(from, 3, &t);
		tally_add(&sum, &t);
	}
	check_sum(&sum, "mremap over another and back, 20 times");
	/* a part goes: the page of the leaf; the rest stays */
	map(3, at, MAP_FIXED);
	if (mremap(at, len, PLUG_PAGE_LEAF * PAGE + PAGE, 0) != at)
		die_errno("mremap to shrink");
	check_whole(at, "shrunk by mremap behind the leaf");
	munmap(at, len);
	munmap(to, len);
}

void test_cut(void)
{
	size_t len = plugs[4].text_len;
	char *at = place();

	map(4, at, MAP_FIXED);
	munmap(at + PLUG_PAGE_ROOM * PAGE, PAGE);
	check_whole(at, "a hole in the text by munmap");
	map(1, at + len, MAP_FIXED);
	munmap(at + len - PAGE, PAGE + PLUG_PAGE_ROOM * PAGE);
	check_whole(at, "end cut by one munmap over two mappings");
	munmap(at, 2 * len);
	map(2, at, MAP_FIXED);
	check_whole(at, "another plug there");
	munmap(at, len);
}

/* Calls that change vmas or their pages, but no code. */
void test_advised(void)
{
	size_t len = plugs[1].text_len;
	char *at = place();

	map(1, at, MAP_FIXED);
	mlock(at + PAGE, PAGE);
	check_whole(at, "a page of the text locked");
	munlock(at, len);
	check_whole(at, "and unlocked, so that vmas merge");
	madvise(at + PLUG_PAGE_ROOM * PAGE, PAGE, MADV_DONTFORK);
	check_whole(at, "a page marked not to be forked");
	madvise(at, len, MADV_DOFORK);
	check_whole(at, "and all marked to be");
	madvise(at, len, MADV_DONTNEED);
	check_whole(at, "pages thrown away by madvise");
	munmap(at, len);
}

void test_protected(void)
{
	size_t len = plugs[2].text_len;
	struct tally sum = { 0 }, t;
	char *at = place();
	int i;

	if (mmap(at, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
		 file_of(2), plugs[2].text_off) != at)
		die_errno("mmap");
	mprotect(at, len, PROT_READ | PROT_EXEC);
	check_whole(at, "executable only by mprotect");
	for (i = 0; i < 50; i++) {
		mprotect(at + PLUG_PAGE_ROOM * PAGE, PAGE, PROT_NONE);
		mprotect(at + (i % 4) * PAGE, PAGE, PROT_READ | PROT_WRITE);
		if (i & 1)
			mprotect(at, len, PROT_NONE);
		mprotect(at, len, PROT_READ | PROT_EXEC);
		plug_sample(at, 2, &t);
		tally_add(&sum, &t);
	}
	check_sum(&sum, "mprotect back and forth, 50 times");
	mprotect(at + PLUG_PAGE_ROOM * PAGE, PAGE, PROT_READ);
	check_whole(at, "a page without code not executable");
	munmap(at, len);
}

/*
 * More executable mappings than are kept: those beyond the limit have no table, those within
 * have the right one, and nothing else happens.
 */
void test_many(void)
{
	char *at = place(), *first = at;
	unsigned int n, limit = samples_wanted < 60 ? 1200 : 5200;
	struct tally t;

	map(1, at, MAP_FIXED);
	at += plugs[1].text_len + PAGE;
	for (n = 0; n < limit; n++, at += 2 * PAGE)
		if (mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			 file_of(2), plugs[2].text_off) != at)
			die_errno("mmap of one of many");
	check_whole(first, "a plug before thousands of mappings");
	map(3, at, MAP_FIXED);
	plug_sample(at, samples_wanted, &t);
	check(!t.wrong && (limit > 4096 ? t.cut : t.whole),
	      "a plug behind %u: whole %lu, cut %lu, wrong %lu", limit, t.whole,
	      t.cut, t.wrong);
	munmap(first, at + plugs[3].text_len - first);
	map(4, first, MAP_FIXED);
	check_whole(first, "and after all of them went");
	munmap(first, plugs[4].text_len);
}

static int add_region(void *at, const struct plug *p)
{
	uint64_t vaddr;
	size_t len;
	struct ustack_region region = {
		.size = sizeof(region),
		.start = (uintptr_t)at,
		.len = p->text_len,
	};
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC), err;

	if (fd < 0)
		die_errno(USTACK_DEVICE);
	region.section = (uintptr_t)plug_sframe(p, &len, &vaddr);
	region.section_len = len;
	region.vaddr = (uintptr_t)at + vaddr - p->text_off;
	err = ioctl(fd, USTACK_IOC_REGION_ADD, &region) ? errno : 0;
	if (err)
		say("REGION_ADD: %s, reason %u at %#x", strerror(err),
		    region.reason, region.bad_off);
	close(fd);
	return err;
}

/*
 * Memory of a JIT compiler: written, made executable, patched, made executable again, so that
 * its vma merges with its neighbour's each time.
 */
void test_region_merge(void)
{
	size_t len = plugs[1].text_len;
	char *at = place(), *code = at + len;
	int prot = PROT_READ | PROT_WRITE;

	mmap(at, 3 * len, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memset(at, 0, 3 * len);
	memcpy(code, plugs[1].bytes + plugs[1].text_off, len);
	mprotect(at, 2 * len, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(code, code + len);
	if (!check(!add_region(code, &plugs[1]), "a JIT region is taken"))
		return;
	check_whole(code, "in a JIT region");
	mprotect(code, len, prot);
	mprotect(code, len, PROT_READ | PROT_EXEC);
	check_whole(code, "in a JIT region after its memory was patched");
	mprotect(at, 3 * len, prot);
	mprotect(at, 3 * len, PROT_READ | PROT_EXEC);
	check_whole(code, "in a JIT region after all was patched");
	munmap(at, 3 * len);
	map(2, code, MAP_FIXED);
	check_whole(code, "a file where the region was");
	munmap(code, len);
}
