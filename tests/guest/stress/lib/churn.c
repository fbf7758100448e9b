// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements churn.h: worker processes that start children, which do a job with a known result.
 * Stress programs run them beside their own test.
 */
#include "churn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define PAGE 4096ul
#define PATTERN_PAGES 16

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x7fb5d329728ea185ull;
	x ^= x >> 27;
	x *= 0x81dadef4bc2dd44dull;
	return x ^ x >> 33;
}

/* The exit status that a child must have: 1 to 127. */
static int answer(uint64_t seed)
{
	int i;

	for (i = 0; i < 100; i++)
		seed = mix(seed + i);
	return 1 + seed % 127;
}

/* Writes a pattern into memory, moves and protects it, and reads it again. */
static bool pattern_stays(uint64_t seed)
{
	size_t words = PATTERN_PAGES * PAGE / 8, i;
	uint64_t *p = mmap(NULL, 2 * PATTERN_PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	for (i = 0; i < words; i++)
		p[i] = mix(seed + i);
	mprotect(p, PAGE, PROT_READ);
	mprotect(p + PAGE / 8, PAGE, PROT_READ | PROT_EXEC);
	mprotect(p, PATTERN_PAGES * PAGE, PROT_READ | PROT_EXEC);
	p = mremap(p, PATTERN_PAGES * PAGE, 3 * PATTERN_PAGES * PAGE,
		   MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		return false;
	for (i = 0; i < words; i++)
		if (p[i] != mix(seed + i))
			return false;
	return !munmap(p, 3 * PATTERN_PAGES * PAGE);
}

/* Maps plugs over one another, moves and cuts them; calls must return the right kind. */
static bool plugs_work(const struct churn *churn, uint64_t seed)
{
	struct plug_stack stack;
	char *at = NULL, *to;
	int i, fd, kind;

	for (i = 0; i < 6; i++) {
		const struct plug *p;
		char path[32];

		kind = 1 + mix(seed + i) % PLUG_KINDS;
		p = &churn->plugs[kind];
		snprintf(path, sizeof(path), "/plugs/plug%d.so", kind);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return false;
		at = plug_map(p, fd, at, at ? MAP_FIXED : 0);
		close(fd);
		if (plug_call(&stack, at, 500) != kind)
			return false;
		switch (mix(seed + i) >> 8 & 3) {
		case 0:
			to = mmap(NULL, p->text_len, PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			to = mremap(at, p->text_len, p->text_len,
				    MREMAP_MAYMOVE | MREMAP_FIXED, to);
			if (to == MAP_FAILED)
				return false;
			at = to;
			break;
		case 1:
			munmap(at + PLUG_PAGE_ROOM * PAGE, PAGE);
			break;
		case 2:
			mprotect(at, p->text_len, PROT_NONE);
			mprotect(at, p->text_len, PROT_READ | PROT_EXEC);
			break;
		}
		if (plug_call(&stack, at, 500) != kind)
			return false;
	}
	return !munmap(at, churn->plugs[1].text_len);
}

static void job(const struct churn *churn, uint64_t seed)
{
	char text[32];
	pid_t pid;

	switch (mix(seed) % 5) {
	case 0:
		snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
		execl("/proc/self/exe", "churn", "--churn", text, NULL);
		_exit(254);
	case 1:
		snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
		pid = vfork();
		if (!pid) {
			execl("/proc/self/exe", "churn", "--churn", text, NULL);
			_exit(254);
		}
		{
			int status;

			if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
				_exit(253);
			_exit(WEXITSTATUS(status));
		}
	case 2:
		if (!pattern_stays(seed))
			_exit(252);
		_exit(answer(seed));
	case 3:
		if (!plugs_work(churn, seed))
			_exit(251);
		_exit(answer(seed));
	default:
		_exit(answer(seed));
	}
}

void churn_main(int argc, char **argv)
{
	uint64_t seed;

	if (argc < 3 || strcmp(argv[1], "--churn"))
		return;
	seed = strtoull(argv[2], NULL, 10);
	if (!pattern_stays(seed))
		_exit(252);
	_exit(answer(seed));
}

static void complain(uint64_t seed, int status)
{
	fprintf(stderr, "churn: job %llu (kind %llu): status %#x, not exit %d\n",
		(unsigned long long)seed, (unsigned long long)mix(seed) % 5,
		status, answer(seed));
}

static void worker(struct churn *churn, uint64_t seed)
{
	int status;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* use all CPU time that is left, but run after the kernel's own threads */
	setpriority(PRIO_PROCESS, 0, 10);
	for (; !churn->stop; seed++) {
		pid = fork();
		if (!pid)
			job(churn, seed);
		if (pid < 0) {
			usleep(1000);
			continue;
		}
		if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
		    WEXITSTATUS(status) == answer(seed)) {
			__atomic_fetch_add(&churn->jobs, 1, __ATOMIC_RELAXED);
			continue;
		}
		if (__atomic_fetch_add(&churn->wrong, 1, __ATOMIC_RELAXED) < 10)
			complain(seed, status);
	}
	_exit(0);
}

struct churn *churn_start(unsigned int nr)
{
	struct churn *churn = mmap(NULL, sizeof(*churn), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	char path[32];
	pid_t pid;

	if (churn == MAP_FAILED)
		die_errno("mmap");
	for (i = 1; i <= PLUG_KINDS; i++) {
		snprintf(path, sizeof(path), "/plugs/plug%u.so", i);
		plug_read(&churn->plugs[i], path);
	}
	churn->nr = nr;
	fflush(stdout);
	for (i = 0; i < nr; i++) {
		pid = fork();
		if (!pid)
			worker(churn, (uint64_t)i << 32);
		churn->workers[i] = pid;
	}
	return churn;
}

unsigned int churn_stop(struct churn *churn)
{
	unsigned int i, bad = 0;
	int status;

	churn->stop = 1;
	for (i = 0; i < churn->nr; i++)
		bad += waitpid(churn->workers[i], &status, 0) !=
			       churn->workers[i] || status;
	return bad;
}
