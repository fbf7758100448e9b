// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs code that it made itself and that is gone: a page of a file is in its
 * place, on a file system that does not answer. A reader that looks for a call
 * before a return address reads that page and waits for ever. The mapping of
 * the file is not executable, so perf reports it to nobody.
 *
 * usage: silent FILE SECONDS
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

#ifdef __aarch64__
/* stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret */
static const unsigned int code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 };
#else
/* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
#endif

static char *page;
static int file;
static double seconds;
static volatile unsigned long sum;

/* Never returns: the code that it would return to is gone. */
static void descend(void)
{
	if (mmap(page, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) {
		perror("silent: mmap");
		_exit(1);
	}
	while ((double)clock() / CLOCKS_PER_SEC < seconds)
		sum++;
	_exit(0);
}

int main(int argc, char **argv)
{
	void (*made)(void (*f)(void));

	if (argc != 3)
		return 2;
	seconds = atof(argv[2]);
	file = open(argv[1], O_RDONLY);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (file < 0 || page == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	/*
	 * not at the start, so that the bytes before the return address are in
	 * this page too
	 */
	memcpy(page + PAGE / 2, code, sizeof(code));
	if (mprotect(page, PAGE, PROT_READ | PROT_EXEC)) {
		perror("silent: mprotect");
		return 1;
	}
	__builtin___clear_cache(page, page + PAGE);
	made = (void (*)(void (*)(void)))(page + PAGE / 2);
	made(descend);
	return 1;
}
