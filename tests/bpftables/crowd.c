// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes with more executable mappings than a space has room for: user space gives them more,
 * with every mapping in it, and one user cannot have all that there is.
 *
 * usage: crowd
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "keeping.h"
#include "tables.h"

#define NOBODY 65534u
/* of each process, of this program's first page, with a page between each two */
#define MAPPINGS 600u
#define PAGE 4096u
/* of TABLES_WIDES, for a user who is not root */
#define SHARE (TABLES_WIDES / 4)
#define CROWD (SHARE + 8)

static unsigned int passed, failed;

/* A process with mappings from @place on. It says so in @told, and does what it is told by @tell. */
struct process {
	pid_t pid;
	int tell;
	int told;
	char *place;
};

static void die(const char *what)
{
	fprintf(stderr, "crowd: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void check(bool good, const char *what, unsigned long nr)
{
	passed += good;
	failed += !good;
	if (!good)
		printf("FAILED: %s: %lu\n", what, nr);
}

/*
 * 'u': unmaps the middle third; 'f': its child goes on instead; 'o': maps other code over the
 * second of three pages that are right before @place
 */
static void live(int tell, int told, uid_t user)
{
	const size_t len = (size_t)MAPPINGS * 2 * PAGE, before = 4 * PAGE;
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *place = mmap(NULL, before + len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	char word;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (user && setresuid(user, user, user))
		_exit(1);
	if (mmap(place, 3 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
		_exit(1);
	place += before;
	for (i = 0; i < MAPPINGS; i++)
		if (mmap(place + (size_t)i * 2 * PAGE, PAGE, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
			_exit(1);
	for (;;) {
		pid_t me = getpid();

		if (write(told, &me, sizeof(me)) != sizeof(me) ||
		    write(told, &place, sizeof(place)) != sizeof(place) || read(tell, &word, 1) != 1)
			_exit(1);
		if (word == 'u')
			munmap(place + len / 3, len / 3);
		if (word == 'f' && fork())
			pause();
		if (word == 'o' && mmap(place - before + PAGE, PAGE, PROT_READ | PROT_EXEC,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			_exit(1);
	}
}

static void hear(struct process *p)
{
	if (read(p->told, &p->pid, sizeof(p->pid)) != sizeof(p->pid) ||
	    read(p->told, &p->place, sizeof(p->place)) != sizeof(p->place))
		die("a process");
}

static void begin(struct process *p, uid_t user)
{
	int tell[2], told[2];
	pid_t pid;

	if (pipe2(tell, O_CLOEXEC) || pipe2(told, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(tell[1]);
		close(told[0]);
		live(tell[0], told[1], user);
	}
	close(tell[0]);
	close(told[1]);
	p->tell = tell[1];
	p->told = told[0];
	hear(p);
}

static void tell(struct process *p, char word)
{
	if (write(p->tell, &word, 1) != 1)
		die("a process");
	hear(p);
}

static void end(struct process *p)
{
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->tell);
	close(p->told);
}

/* Copies the wide windows of a process. Return: their state; -1: user space has not answered. */
static int state_of(const struct keeper_maps *m, pid_t pid, struct tables_window *windows)
{
	static struct tables_space space;
	static struct tables_wide wide;
	uint32_t tgid = (uint32_t)pid, zero = 0, id;
	int fd;

	if (bpf_map_lookup_elem(m->spaces, &tgid, &space) || !(space.flags & TABLES_FULL) ||
	    bpf_map_lookup_elem(m->wides, &space.id, &id))
		return -1;
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0 || bpf_map_lookup_elem(fd, &zero, &wide))
		die("wide windows");
	close(fd);
	memcpy(windows, wide.window, sizeof(wide.window));
	return (int)wide.state;
}

/* How many of the process's mappings are windows; 0 if they do not ascend. */
static unsigned int known(const struct tables_window *w, const char *place)
{
	const uint64_t start = (uint64_t)place, end = start + (uint64_t)MAPPINGS * 2 * PAGE;
	unsigned int i, nr = 0;

	for (i = 0; i < TABLES_WIDE_WINDOWS && w[i].start != ~0ull; i++) {
		if (i && w[i].start < w[i - 1].start + w[i - 1].len)
			return 0;
		nr += w[i].start >= start && w[i].start < end && w[i].len == PAGE && !w[i].off;
	}
	return nr;
}

/* Images of the windows that have what 'o' maps over. */
static unsigned int over(const struct keeper_maps *m, const struct process *p, uint32_t *image)
{
	const uint64_t at = (uint64_t)p->place - 3 * PAGE;
	static struct tables_space space;
	uint32_t tgid = (uint32_t)p->pid, i;
	unsigned int nr = 0;

	if (bpf_map_lookup_elem(m->spaces, &tgid, &space))
		return 0;
	for (i = 0; i < TABLES_WINDOWS && space.window[i].start != ~0ull; i++)
		if (at - space.window[i].start < space.window[i].len) {
			*image = space.window[i].image;
			nr++;
		}
	return nr;
}

static void one(const struct keeper_maps *m, struct keeper *k)
{
	static struct tables_window w[TABLES_WIDE_WINDOWS];
	struct process p;
	pid_t parent;

	begin(&p, 0);
	keeper_settle(k, 0);
	check(state_of(m, p.pid, w) == TABLES_WIDE_READY, "a process is given windows", 0);
	check(known(w, p.place) == MAPPINGS, "all mappings are there", known(w, p.place));
	parent = p.pid;
	tell(&p, 'f');
	keeper_settle(k, 0);
	check(state_of(m, p.pid, w) == TABLES_WIDE_READY, "its child is given windows", 0);
	check(known(w, p.place) == MAPPINGS, "the child's are all there", known(w, p.place));
	tell(&p, 'u');
	check(state_of(m, p.pid, w) == TABLES_WIDE_READY && known(w, p.place) == MAPPINGS / 3 * 2,
	      "what the child unmaps is gone", known(w, p.place));
	check(state_of(m, parent, w) == TABLES_WIDE_READY && known(w, p.place) == MAPPINGS,
	      "the parent has its own yet", known(w, p.place));
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	end(&p);
}

static void crowd(const struct keeper_maps *m, struct keeper *k)
{
	static struct tables_window w[TABLES_WIDE_WINDOWS];
	struct process p[CROWD], other, late;
	unsigned int i, nr, ready = 0, refused = 0;
	uint32_t image = TABLES_MADE;

	for (i = 0; i < CROWD; i++) {
		begin(&p[i], NOBODY);
		keeper_settle(k, 0);
	}
	for (i = 0; i < CROWD; i++) {
		ready += state_of(m, p[i].pid, w) == TABLES_WIDE_READY;
		refused += state_of(m, p[i].pid, w) == TABLES_WIDE_REFUSED;
	}
	check(ready == SHARE, "processes of one user that are given windows", ready);
	check(refused == CROWD - SHARE, "others are refused", refused);
	check(over(m, &p[CROWD - 1], &image) == 1 && image >= TABLES_FIRST_FILE,
	      "who is refused has windows", image);
	tell(&p[CROWD - 1], 'o');
	nr = over(m, &p[CROWD - 1], &image);
	check(!nr || (nr == 1 && image == TABLES_MADE), "code under other code is gone", nr);
	begin(&other, NOBODY - 1);
	keeper_settle(k, 0);
	check(state_of(m, other.pid, w) == TABLES_WIDE_READY, "another user is given windows", 0);
	for (i = 0; i < CROWD; i++)
		end(&p[i]);
	begin(&late, NOBODY);
	keeper_settle(k, 0);
	check(state_of(m, late.pid, w) == TABLES_WIDE_READY, "what has gone gives them back", 0);
	end(&late);
	end(&other);
}

int main(void)
{
	struct keeping k;

	keeping_begin(&k);
	one(&k.maps, k.k);
	crowd(&k.maps, k.k);
	keeping_end(&k);
	printf("crowd: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
