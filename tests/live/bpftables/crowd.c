// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes with more executable mappings than fit into a space: user space must give them wide
 * windows with every mapping, and one user cannot get all of them. A process with more mappings
 * than wide windows hold must not hurt others, and endless wishes must keep nobody waiting.
 *
 * usage: crowd [few]
 *	few: without the crowd of the larger class, too many mappings and too many processes,
 *	whose 170,000 mappings take minutes in an emulator
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
#define PAGE 4096u
/* Numbers of mappings of a process; each maps this program's first page. */
#define SOME 600u		/* fits windows of the first class */
#define MANY 6000u		/* needs windows of the second class */
#define TOO_MANY 65000u
/* Shares of TABLES_WIDES and of TABLES_HUGES that a user who is not root may have. */
#define SHARE (TABLES_WIDES / 4)
#define CROWD (SHARE + 8)
#define HUGE_SHARE (TABLES_HUGES / 4)
#define HUGE_CROWD (HUGE_SHARE + 2)
/* Number of answers for a user who is not root. */
#define ANSWERS (TABLES_FULL_SPACES / 4)

static unsigned int passed, failed;

/*
 * A process with @nr mappings from @place on, @step bytes apart. It writes its pid and @place to
 * @told when it is ready, and does what it reads from @tell.
 */
struct process {
	unsigned int nr;
	size_t step;
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
 * Runs a process. 'u': it unmaps the middle third; 'f': its child continues in its place; 'o': it
 * maps other code over the second of three pages right before @place.
 */
static void live(const struct process *p, int tell, int told, uid_t user)
{
	const size_t len = p->nr * p->step, before = 4 * PAGE;
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *place = mmap(NULL, before + len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	char word;

	/* setresuid() would clear the signal, so prctl() comes after it */
	if ((user && setresuid(user, user, user)) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		_exit(1);
	if (mmap(place, 3 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
		_exit(1);
	place += before;
	for (i = 0; i < p->nr; i++)
		if (mmap(place + i * p->step, PAGE, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
			_exit(1);
	for (;;) {
		pid_t me = getpid();

		if (write(told, &me, sizeof(me)) != sizeof(me) ||
		    write(told, &place, sizeof(place)) != sizeof(place) || read(tell, &word, 1) != 1)
			_exit(1);
		if (word == 'u')
			munmap(place + p->nr / 3 * p->step, p->nr / 3 * p->step);
		if (word == 'f' && fork()) {
			/* the test reads from the child only, and must see its end */
			close(told);
			for (;;)
				pause();
		}
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

/* @step: distance between mappings in pages */
static void begin(struct process *p, uid_t user, unsigned int nr, unsigned int step)
{
	int tell[2], told[2];
	pid_t pid;

	p->nr = nr;
	p->step = (size_t)step * PAGE;
	if (pipe2(tell, O_CLOEXEC) || pipe2(told, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(tell[1]);
		close(told[0]);
		live(p, tell[0], told[1], user);
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

/* Copy of a process's wide windows, from state_of(). */
static union {
	struct tables_wide wide;
	char bytes[TABLES_WIDE_BYTES(TABLES_HUGE_WINDOWS)];
} copy;

/*
 * Copies the wide windows of a process.
 *
 * @nr: receives the number of windows that it may have
 *
 * Return: their state; -1: user space has not answered yet.
 */
static int state_of(const struct table_maker_maps *m, pid_t pid, uint32_t *nr)
{
	static struct tables_space space;
	uint32_t tgid = (uint32_t)pid, zero = 0, id;
	int fd;

	*nr = 0;
	if (bpf_map_lookup_elem(m->spaces, &tgid, &space) || !(space.flags & TABLES_FULL))
		return -1;
	if (!bpf_map_lookup_elem(m->huges, &space.id, &id))
		*nr = TABLES_HUGE_WINDOWS;
	else if (!bpf_map_lookup_elem(m->wides, &space.id, &id))
		*nr = TABLES_WIDE_WINDOWS;
	else
		return -1;
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0 || bpf_map_lookup_elem(fd, &zero, &copy))
		die("wide windows");
	close(fd);
	return (int)copy.wide.state;
}

static bool is_ready(const struct table_maker_maps *m, const struct process *p, uint32_t windows)
{
	uint32_t nr;

	return state_of(m, p->pid, &nr) == TABLES_WIDE_READY && nr == windows;
}

/* Number of the process's mappings in the copied windows; 0 if windows do not ascend. */
static unsigned int known(const struct process *p, uint32_t windows)
{
	const uint64_t start = (uint64_t)p->place, end = start + p->nr * p->step;
	const struct tables_window *w = copy.wide.window;
	unsigned int i, nr = 0;

	for (i = 0; i < windows && w[i].start != ~0ull; i++) {
		if (i && w[i].start < w[i - 1].start + w[i - 1].len)
			return 0;
		nr += w[i].start >= start && w[i].start < end && w[i].len == PAGE && !w[i].off;
	}
	return nr;
}

/* Number of windows that contain the page that 'o' maps over; @image: the last one's image. */
static unsigned int over(const struct table_maker_maps *m, const struct process *p, uint32_t *image)
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

/* Tests a process, its child, and the changes of either. */
static void one(const struct table_maker_maps *m, struct table_maker *k, unsigned int mappings,
		uint32_t windows)
{
	struct process p;
	pid_t parent;
	uint32_t nr;

	begin(&p, 0, mappings, 2);
	keeping_settle(k);
	check(is_ready(m, &p, windows), "a process is given windows", mappings);
	check(known(&p, windows) == mappings, "all mappings are there", known(&p, windows));
	parent = p.pid;
	tell(&p, 'f');
	keeping_settle(k);
	check(is_ready(m, &p, windows), "its child is given windows", mappings);
	check(known(&p, windows) == mappings, "the child's are all there", known(&p, windows));
	tell(&p, 'u');
	check(is_ready(m, &p, windows) && known(&p, windows) == mappings / 3 * 2,
	      "what the child unmaps is gone", known(&p, windows));
	check(state_of(m, parent, &nr) == TABLES_WIDE_READY && nr == windows &&
	      known(&p, windows) == mappings, "the parent has its own yet", known(&p, windows));
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	end(&p);
}

static void crowd(const struct table_maker_maps *m, struct table_maker *k)
{
	struct process p[CROWD], other, late;
	unsigned int i, nr, ready = 0, refused = 0;
	uint32_t image = TABLES_MADE, windows;

	for (i = 0; i < CROWD; i++) {
		begin(&p[i], NOBODY, SOME, 2);
		keeping_settle(k);
	}
	for (i = 0; i < CROWD; i++) {
		ready += is_ready(m, &p[i], TABLES_WIDE_WINDOWS);
		refused += state_of(m, p[i].pid, &windows) == TABLES_WIDE_REFUSED;
	}
	check(ready == SHARE, "processes of one user that are given windows", ready);
	check(refused == CROWD - SHARE, "others are refused", refused);
	check(over(m, &p[CROWD - 1], &image) == 1 && image >= TABLES_FIRST_FILE,
	      "who is refused has windows", image);
	tell(&p[CROWD - 1], 'o');
	nr = over(m, &p[CROWD - 1], &image);
	check(!nr || (nr == 1 && image == TABLES_MADE), "code under other code is gone", nr);
	begin(&other, NOBODY - 1, SOME, 2);
	keeping_settle(k);
	check(is_ready(m, &other, TABLES_WIDE_WINDOWS), "another user is given windows", 0);
	for (i = 0; i < CROWD; i++)
		end(&p[i]);
	begin(&late, NOBODY, SOME, 2);
	keeping_settle(k);
	check(is_ready(m, &late, TABLES_WIDE_WINDOWS), "what has gone gives them back", 0);
	end(&late);
	end(&other);
}

/* Tests the larger class: a process that is refused keeps the smaller class. */
static void huge_crowd(const struct table_maker_maps *m, struct table_maker *k)
{
	struct process p[HUGE_CROWD], other;
	unsigned int i, ready = 0, last = 0, full = 0;
	struct table_maker_counts before, after;
	uint32_t windows;

	table_maker_counts(k, &before);
	for (i = 0; i < HUGE_CROWD; i++) {
		begin(&p[i], NOBODY, TABLES_WIDE_WINDOWS + 100, 2);
		keeping_settle(k);
	}
	for (i = 0; i < HUGE_CROWD; i++) {
		ready += is_ready(m, &p[i], TABLES_HUGE_WINDOWS);
		last += state_of(m, p[i].pid, &windows) == TABLES_WIDE_LAST;
		full += windows == TABLES_WIDE_WINDOWS && known(&p[i], windows) > windows - 100;
	}
	check(ready == HUGE_SHARE, "processes of one user that are given the larger class", ready);
	check(last == HUGE_CROWD - HUGE_SHARE, "others are not", last);
	check(full == last, "these keep the smaller one, which is full", full);
	table_maker_counts(k, &after);
	check(after.crowded == before.crowded + last, "they are counted", after.crowded);
	check(after.wide_bytes >= ready * TABLES_WIDE_BYTES(TABLES_HUGE_WINDOWS) &&
	      after.wide_bytes < before.wide_bytes + HUGE_CROWD * (1 << 20),
	      "and so is the memory", after.wide_bytes);
	begin(&other, NOBODY - 1, MANY, 2);
	keeping_settle(k);
	check(is_ready(m, &other, TABLES_HUGE_WINDOWS) && known(&other, TABLES_HUGE_WINDOWS) == MANY,
	      "another user is given the larger class", known(&other, TABLES_HUGE_WINDOWS));
	for (i = 0; i < HUGE_CROWD; i++)
		end(&p[i]);
	end(&other);
}

/* Tests too many mappings: the first ones are kept, and another process gets all of its own. */
static void hostile(const struct table_maker_maps *m, struct table_maker *k)
{
	static struct tables_space space;
	struct process p, other;
	uint32_t tgid;

	begin(&p, NOBODY, TOO_MANY, 1);
	begin(&other, NOBODY - 1, MANY, 2);
	keeping_settle(k);
	check(is_ready(m, &p, TABLES_HUGE_WINDOWS), "too many mappings", 0);
	check(known(&p, TABLES_HUGE_WINDOWS) > TABLES_HUGE_WINDOWS - 100, "the first ones are kept",
	      known(&p, TABLES_HUGE_WINDOWS));
	tgid = (uint32_t)p.pid;
	if (bpf_map_lookup_elem(m->spaces, &tgid, &space))
		die("a space");
	check(space.flags & TABLES_CUT, "that some are not is marked", space.flags);
	check(is_ready(m, &other, TABLES_HUGE_WINDOWS) && known(&other, TABLES_HUGE_WINDOWS) == MANY,
	      "another process has all of its own", known(&other, TABLES_HUGE_WINDOWS));
	end(&other);
	end(&p);
}

static unsigned int number_answered(const struct table_maker_maps *m, const struct process *p,
				    unsigned int nr)
{
	unsigned int answered = 0;
	uint32_t windows;

	while (nr--)
		answered += state_of(m, p[nr].pid, &windows) >= 0;
	return answered;
}

/*
 * Tests that refusals are limited for each user, too. A wish that finds the ring full is lost,
 * and the process's next change of mappings sends it again. The ring can be full at any time, as
 * other processes of the machine send wishes: so the test fills it, and does not hope for room.
 */
static void answers(const struct table_maker_maps *m, struct table_maker *k)
{
	static struct process p[ANSWERS + 2], other;
	struct keeping_flood flood;
	unsigned int i, answered;
	uint32_t windows;

	keeping_flood_begin(m, true, &flood);
	for (i = 0; i < ANSWERS + 2; i++)
		begin(&p[i], NOBODY, TABLES_WINDOWS, 2);
	keeping_flood_end(&flood);
	keeping_settle(k);
	answered = number_answered(m, p, ANSWERS + 2);
	check(answered < ANSWERS, "wishes that find the ring full are lost", answered);
	for (i = 0; i < ANSWERS + 2; i++) {
		if (state_of(m, p[i].pid, &windows) >= 0)
			continue;
		tell(&p[i], 'o');
		keeping_settle(k);
	}
	answered = number_answered(m, p, ANSWERS + 2);
	check(answered == ANSWERS, "processes of one user that are answered", answered);
	begin(&other, NOBODY - 1, SOME, 2);
	keeping_settle(k);
	check(is_ready(m, &other, TABLES_WIDE_WINDOWS), "another user's process is given windows", 0);
	for (i = 0; i < ANSWERS + 2; i++)
		end(&p[i]);
	end(&other);
}

int main(int argc, char **argv)
{
	struct keeping_flood flood;
	struct keeping k;

	keeping_begin(&k);
	/* each mapping without a table sends a wish: thousands would fill the ring */
	keeping_know(k.k, "/proc/self/exe");
	one(&k.maps, k.k, SOME, TABLES_WIDE_WINDOWS);
	one(&k.maps, k.k, MANY, TABLES_HUGE_WINDOWS);
	keeping_flood_begin(&k.maps, false, &flood);
	one(&k.maps, k.k, MANY, TABLES_HUGE_WINDOWS);
	keeping_flood_end(&flood);
	crowd(&k.maps, k.k);
	if (argc < 2) {
		huge_crowd(&k.maps, k.k);
		hostile(&k.maps, k.k);
		answers(&k.maps, k.k);
	}
	keeping_end(&k);
	printf("crowd: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
