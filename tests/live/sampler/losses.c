// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks by unwind tables where something is full, missing or moved: each
 * sample must be counted once, as a stack or as a loss that has a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reason.h"
#include "tables.h"
#include "supply/tables/maker.h"
#include "test.h"

#define HZ 997
/*
 * An emulator that shares its CPU needs a minute where this machine needs a
 * second.
 */
#define SETTLE_MS 300000
/* A record of the ring has 8 bytes before the struct. */
#define WISH_BYTES (sizeof(struct tables_wish) + 8)
#define RING_BYTES (1u << 16)
/*
 * Number of forks that fill the ring, and some more: each unknown process makes
 * one request.
 */
#define FORKS (RING_BYTES / WISH_BYTES * 3 / 2)
/*
 * Number of new tables after which tables of files that nobody maps are
 * dropped.
 */
#define COLLECT_EVERY 4u
/*
 * There is one bin and a spare one to move to: when more bytes were made than
 * both hold, a bin was reused.
 */
#define MADE_BYTES (2ull * TABLES_BIN_BYTES)
/* An emulator needs seconds to make a table. */
#define MADE_BYTES_IN_GUEST (TABLES_BIN_BYTES / 8)
#define MAX_COPIES 2000u

static struct table_maker *keep(const struct table_maker_maps *maps, unsigned int collect_every)
{
	const struct table_maker_limits limits = {
		.memory = TABLES_BIN_BYTES, .collect_every = collect_every,
	};
	struct table_maker *ret;
	struct diag diag;
	char text[512];
	sigset_t mask;

	/* like the recorder: children of the table maker end and send this */
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (table_maker_new(maps, &limits, &ret, &diag)) {
		diag_format(&diag, text, sizeof(text));
		die("%s", text);
	}
	return ret;
}

static void settle(struct table_maker *k)
{
	if (!table_maker_settle(k, SETTLE_MS))
		die("wishes are not answered");
}

/*
 * Return: bytes in the ring of requests, from the kernel's own positions for
 * reading and writing.
 */
static uint64_t wished(int ring)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t *at = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, ring, 0);
	uint64_t ret;

	if (at == MAP_FAILED)
		die("the ring of wishes: %s", strerror(errno));
	ret = __atomic_load_n(at + page / sizeof(*at), __ATOMIC_ACQUIRE) -
	      __atomic_load_n(at, __ATOMIC_ACQUIRE);
	munmap((void *)at, 2 * page);
	return ret;
}

struct ending {
	pid_t pid;
	bool complete;
};

static bool ends(const struct sampler_count *c, const void *context)
{
	const struct ending *e = context;

	return (pid_t)c->tgid == e->pid && c->nr_user &&
	       (c->why == USTACK_COMPLETE || c->why == SAMPLER_WHY_GUESSED) == e->complete;
}

/* A stack that is known has more than its first frame. */
static bool is_short_of_caller(const struct sampler_count *c, const void *pid)
{
	return ends(c, &(struct ending){ *(const pid_t *)pid, true }) && in_place(c->user[0], &place_spin) &&
	       (c->nr_user < 2 || !in_place(c->user[1], &place_spin_caller));
}

static pid_t exec_one(uint64_t ms, struct answer *ret)
{
	struct child c = child_new(work_exec, &ms);

	child_go(&c);
	*ret = child_wait(&c);
	child_end(&c);
	return (pid_t)ret->tids[0];
}

/*
 * Nobody reads the ring: processes that fork fill it, and a program that is new
 * then cannot ask for its table. Its samples are counted, without callers. When
 * the ring is read, the next sample asks again.
 */
void test_wishes(void)
{
	struct child forks = child_new(work_forks, (uint64_t[]){ 0, FORKS });
	uint64_t before, after, whole, cut;
	struct table_maker_maps maps;
	struct answer a, late;
	struct table_maker *k;
	struct run r;
	pid_t pid;

	run_init(&r, "cpu-clock", HZ, 0);
	r.options.tables = true;
	run_start(&r);
	sampler_maps(r.sampler, &maps);
	child_go(&forks);
	child_wait(&forks);
	child_end(&forks);
	before = wished(maps.wishes);
	check(before <= RING_BYTES && before + WISH_BYTES > RING_BYTES, "%llu bytes of wishes after %u forks",
	      (unsigned long long)before, (unsigned int)FORKS);
	pid = exec_one(quick ? 200 : 1000, &a);
	after = wished(maps.wishes);
	check(after == before, "%llu bytes of wishes, then %llu", (unsigned long long)before,
	      (unsigned long long)after);
	run_drain(&r);
	whole = run_sum(&r, ends, &(struct ending){ pid, true }, NULL);
	cut = run_sum(&r, ends, &(struct ending){ pid, false }, NULL);
	check(cut >= 20 && !whole, "%llu stacks end for want of a table, %llu do not", (unsigned long long)cut,
	      (unsigned long long)whole);
	k = keep(&maps, 0);
	settle(k);
	table_maker_know(k, self, SETTLE_MS);
	pid = exec_one(quick ? 200 : 1000, &late);
	run_stop(&r);
	whole = run_sum(&r, ends, &(struct ending){ pid, true }, NULL);
	cut = run_sum(&r, ends, &(struct ending){ pid, false }, NULL);
	check(whole >= 20 && whole >= 19 * cut, "with its table: %llu stacks are whole, %llu are not",
	      (unsigned long long)whole, (unsigned long long)cut);
	run_check_accounts(&r);
	table_maker_free(k);
	run_free(&r);
}

/*
 * Maps a new file with this program's bytes for a moment, so that a table is
 * made for it.
 */
static void map_copy(struct table_maker *k)
{
	int from = open(self, O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC);
	struct stat st;
	off_t at = 0;
	void *map;

	if (from < 0 || to < 0 || fstat(from, &st))
		die("%s: %s", self, strerror(errno));
	while (at < st.st_size)
		if (sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0)
			die("a copy of %s: %s", self, strerror(errno));
	map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, to, 0);
	if (map == MAP_FAILED)
		die("a copy of %s: %s", self, strerror(errno));
	settle(k);
	munmap(map, 4096);
	close(from);
	close(to);
}

/*
 * While stacks are walked, tables come and go in the bin of a program's table,
 * and numbers of files are reused: no stack may be wrong, and none may be
 * missing.
 */
void test_bins(void)
{
	struct child c = child_new(work_spin, (uint64_t[]){ quick ? 2000 : 6000 });
	const uint64_t least = getenv("SAMPLER_GUEST") ? MADE_BYTES_IN_GUEST : MADE_BYTES;
	uint64_t whole, cut, wrong, made = 0, copies = 0, dropped = 0;
	struct table_maker_counts counts, last;
	struct table_maker_maps maps;
	struct table_maker *k;
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", 1999, 0);
	r.options.tables = true;
	run_start(&r);
	sampler_maps(r.sampler, &maps);
	k = keep(&maps, COLLECT_EVERY);
	settle(k);
	table_maker_know(k, self, SETTLE_MS);
	child_go(&c);
	table_maker_counts(k, &last);
	while ((child_works(&c) || made < least) && copies < MAX_COPIES) {
		map_copy(k);
		copies++;
		if (sampler_wait(r.sampler, 0, NULL) > 0)
			run_drain(&r);
		table_maker_counts(k, &counts);
		if (counts.table_bytes > last.table_bytes)
			made += counts.table_bytes - last.table_bytes;
		dropped += counts.tables < last.tables;
		last = counts;
	}
	a = child_wait(&c);
	run_stop(&r);
	run_check_accounts(&r);
	run_check_clock(&r, run_sum(&r, ends, &(struct ending){ c.pid, true }, NULL) +
			run_sum(&r, ends, &(struct ending){ c.pid, false }, NULL), a.cpu_ns, a.blocked + a.preempted);
	whole = run_sum(&r, ends, &(struct ending){ c.pid, true }, NULL);
	cut = run_sum(&r, ends, &(struct ending){ c.pid, false }, NULL);
	wrong = run_sum(&r, is_short_of_caller, &c.pid, NULL);
	check(whole >= 100 && whole >= 19 * cut, "%llu stacks are whole, %llu are not",
	      (unsigned long long)whole, (unsigned long long)cut);
	check(!wrong, "%llu stacks without the caller", (unsigned long long)wrong);
	check(made >= least && dropped, "%llu bytes of tables were made of %llu copies, and %llu times some let go",
	      (unsigned long long)made, (unsigned long long)copies, (unsigned long long)dropped);
	check(counts.bin_bytes <= 2 * TABLES_BIN_BYTES && !counts.refused, "%llu bytes of bins, %llu tables refused",
	      (unsigned long long)counts.bin_bytes, (unsigned long long)counts.refused);
	printf("  %llu copies, %llu KiB of tables, %llu times let go; %llu stacks are whole, %llu are not\n",
	       (unsigned long long)copies, (unsigned long long)made / 1024, (unsigned long long)dropped,
	       (unsigned long long)whole, (unsigned long long)cut);
	table_maker_free(k);
	run_free(&r);
	child_end(&c);
}
