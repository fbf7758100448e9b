// SPDX-License-Identifier: GPL-2.0-only
/*
 * One user maps more files than there are numbers of images: others must still get numbers, and he
 * must get some again after he has unmapped his. Also tests who is charged, in user namespaces too.
 *
 * usage: hoard [few]
 *	few: without the user with too many files, which takes minutes in an emulator
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "keeping.h"
#include "tables.h"

#define NOBODY 65534u
#define PAGE 4096u
/* Files of each hoarder. Three want more than all numbers, but numbers are freed meanwhile. */
#define HOARD 3000u
#define HOARDERS 8u
#define FEW 100u
#define MAX_SECONDS 120

static unsigned int passed, failed, skipped;

struct process {
	pid_t pid;
	int told;
	uint64_t place;
};

static void die(const char *what)
{
	fprintf(stderr, "hoard: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void check(bool good, const char *what, unsigned long nr)
{
	passed += good;
	failed += !good;
	if (!good)
		printf("FAILED: %s: %lu\n", what, nr);
}

/* Runs a process that maps one page of each of @files files. */
static void live(int told, uid_t user, unsigned int files)
{
	char *place = mmap(NULL, (size_t)files * 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	int fd;

	if (user && setresuid(user, user, user))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < files; i++) {
		fd = memfd_create("hoard", MFD_CLOEXEC);
		if (fd < 0 || ftruncate(fd, PAGE) ||
		    mmap(place + (size_t)i * 2 * PAGE, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			 fd, 0) == MAP_FAILED)
			_exit(1);
		close(fd);
	}
	if (write(told, &place, sizeof(place)) != sizeof(place))
		_exit(1);
	for (;;)
		pause();
}

static void begin(struct process *p, uid_t user, unsigned int files)
{
	int told[2];

	if (pipe2(told, O_CLOEXEC))
		die("pipe");
	p->pid = fork();
	if (p->pid < 0)
		die("fork");
	if (!p->pid) {
		close(told[0]);
		live(told[1], user, files);
	}
	close(told[1]);
	p->told = told[0];
	if (read(p->told, &p->place, sizeof(p->place)) != sizeof(p->place))
		die("a process");
}

static void end(struct process *p)
{
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->told);
}

static void space_of(const struct table_maker_maps *m, pid_t pid, struct tables_space *ret)
{
	uint32_t tgid = (uint32_t)pid;

	if (bpf_map_lookup_elem(m->spaces, &tgid, ret))
		die("a space");
}

/* Number of files with a number, in a process with FEW files. */
static unsigned int numbered(const struct table_maker_maps *m, const struct process *p)
{
	static struct tables_space space;
	unsigned int i, nr = 0;

	space_of(m, p->pid, &space);
	for (i = 0; i < TABLES_WINDOWS && space.window[i].start != ~0ull; i++)
		nr += space.window[i].start - p->place < (uint64_t)FEW * 2 * PAGE &&
		      space.window[i].image >= TABLES_FIRST_FILE;
	return nr;
}

static unsigned int try_few(const struct table_maker_maps *m, struct table_maker *k, uid_t user)
{
	struct process p;
	unsigned int nr;

	begin(&p, user, FEW);
	keeping_settle(k);
	nr = numbered(m, &p);
	end(&p);
	return nr;
}

static void read_shares(const struct table_maker_maps *m, struct tables_shares *ret)
{
	uint32_t zero = 0;

	if (bpf_map_lookup_elem(m->shares, &zero, ret))
		die("shares");
}

/* Number of inodes that have two numbers, as if they had been changed meanwhile. */
static unsigned int twice(const struct table_maker_maps *m)
{
	static struct tables_file files[TABLES_IMAGES];
	struct tables_file *from = NULL;
	unsigned int i, k, nr = 0, ret = 0;

	while (nr < TABLES_IMAGES && !bpf_map_get_next_key(m->files, from, &files[nr]))
		from = &files[nr++];
	for (i = 0; i < nr; i++)
		for (k = 0; k < i; k++)
			ret += files[i].ino == files[k].ino && files[i].dev == files[k].dev;
	return ret;
}

/* Tests that user space's reading of a file does not give it another number. */
static void numbers(const struct table_maker_maps *m, struct table_maker *k)
{
	unsigned int before, after;
	struct process p;

	before = twice(m);
	begin(&p, NOBODY, FEW);
	keeping_settle(k);
	check(numbered(m, &p) == FEW, "a user's files have numbers", numbered(m, &p));
	after = twice(m);
	/* another program of this machine may have written to a file that it has mapped */
	check(after < before + FEW / 2, "each has one number", after - before);
	end(&p);
}

static void hoard(const struct table_maker_maps *m, struct table_maker *k)
{
	struct process p[HOARDERS];
	struct tables_shares s;
	time_t until = time(NULL) + MAX_SECONDS;
	unsigned int i, nr = FEW, hoarders = 0;
	uint32_t had;

	while (nr && hoarders < HOARDERS) {
		begin(&p[hoarders++], NOBODY, HOARD);
		keeping_settle(k);
		nr = try_few(m, k, NOBODY);
	}
	check(!nr, "he gets no more", nr);
	read_shares(m, &s);
	had = s.of[tables_share_of(NOBODY, s.seed)];
	check(s.total >= TABLES_SCARCE && s.total < TABLES_IMAGES - 3 * FEW, "numbers that are taken", s.total);
	check(had > TABLES_SHARE && had < HOARD * HOARDERS, "of them one user's", had);
	nr = try_few(m, k, NOBODY - 1);
	check(nr == FEW, "another user does", nr);
	nr = try_few(m, k, 0);
	check(nr == FEW, "root does", nr);
	for (i = 0; i < hoarders; i++)
		end(&p[i]);
	/* freed numbers are collected every five seconds, while files are mapped */
	do {
		nr = try_few(m, k, NOBODY);
		usleep(200000);
	} while (nr < FEW && time(NULL) < until);
	check(nr == FEW, "he gets numbers again when he has let go", nr);
	read_shares(m, &s);
	had = s.of[tables_share_of(NOBODY, s.seed)];
	check(had <= 2 * FEW, "and is charged for no more than he has", had);
}

/* Return: false if no user namespace can be made. */
static bool enter(int ready, int go)
{
	char word;

	if (unshare(CLONE_NEWUSER))
		return false;
	return write(ready, "r", 1) == 1 && read(go, &word, 1) == 1;
}

static bool write_map(pid_t pid, const char *name, const char *map)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	f = fopen(path, "we");
	return f && fputs(map, f) > 0 && !fclose(f);
}

/* The payer of a process of user @inside in @owner's namespace, or in one @nested in that. */
static uint32_t payer_in(const struct table_maker_maps *m, struct table_maker *k, uid_t owner,
			 uid_t inside, bool nested)
{
	static struct tables_space space;
	int ready[2], go[2];
	char word = 'g';
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* closes its copy, so that the read ends when the test ends */
		close(go[1]);
		if ((owner && setresuid(owner, owner, owner)) || !enter(ready[1], go[0]) ||
		    setresgid(inside, inside, inside) || setresuid(inside, inside, inside) || (nested && unshare(CLONE_NEWUSER)))
			_exit(1);
		live(ready[1], 0, 1);
	}
	close(ready[1]);
	if (read(ready[0], &word, 1) == 1 && write_map(pid, "uid_map", "0 100000 1000\n") &&
	    write_map(pid, "gid_map", "0 100000 1000\n") && write(go[1], &word, 1) == 1 &&
	    read(ready[0], &space, sizeof(uint64_t)) == sizeof(uint64_t)) {
		keeping_settle(k);
		space_of(m, pid, &space);
	} else {
		space.payer = ~0u;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(go[0]);
	close(go[1]);
	return space.payer;
}

static void payers(const struct table_maker_maps *m, struct table_maker *k)
{
	static struct tables_space space;
	struct process p;
	uint32_t one, other;

	begin(&p, 0, 1);
	space_of(m, p.pid, &space);
	check(space.payer == 0, "root is charged as root", space.payer);
	end(&p);
	begin(&p, NOBODY, 1);
	space_of(m, p.pid, &space);
	check(space.payer == NOBODY, "a user is charged", space.payer);
	end(&p);
	one = payer_in(m, k, NOBODY, 7, false);
	if (one == ~0u) {
		printf("skip: namespaces: this kernel lets no user make a user namespace\n");
		skipped++;
		return;
	}
	check(one == NOBODY, "who made the namespace is charged", one);
	one = payer_in(m, k, NOBODY, 7, true);
	check(one == NOBODY, "who made the outermost namespace is charged", one);
	one = payer_in(m, k, 0, 7, false);
	other = payer_in(m, k, 0, 7, false);
	check(one >> 31 && other >> 31, "a namespace that root made is charged itself", one);
}

int main(int argc, char **argv)
{
	struct keeping k;

	keeping_begin(&k);
	payers(&k.maps, k.k);
	numbers(&k.maps, k.k);
	if (argc < 2)
		hoard(&k.maps, k.k);
	keeping_end(&k);
	printf("hoard: %u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
