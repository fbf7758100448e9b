// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile [-q] [-n MUTANTS] [-s SEED] [-w NUMBER FILE] BASE...
 *
 * Maps damaged copies of the files and runs code in them, while it is sampled. It runs in a
 * guest as root; the module is not loaded but is at /ustack.ko. -w only writes one mutant to a
 * file.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mutate.h"
#include "plug.h"
#include "stress.h"
#include "ustack.h"

#define PERIOD_NS 200000
#define SPIN_SECONDS 0.002
#define MAX_MUTANTS 20000
#define MAX_BASES 32
#define DIR "/tmp/hostile"

static const struct {
	unsigned int number;
	const char *name;
} reasons[] = {
#define USTACK_REASON(number, name, text) { number, #name },
#include "reason.def"
#undef USTACK_REASON
};

#define NR_REASONS (sizeof(reasons) / sizeof(reasons[0]))

static struct base bases[MAX_BASES];
static unsigned int nr_bases;

/* The result of each mutant in the module. */
static struct fate {
	char state[20];		/* state in /proc/ustack/images */
	int event;		/* reason in the device's event; -1 = no event */
	unsigned int lost;	/* functions without rows */
	uint16_t kinds;
	bool called;
} *fates;

static int reason_index(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_REASONS; i++)
		if (!strcmp(reasons[i].name, name))
			return i;
	return -1;
}

static bool reason_known(unsigned int number)
{
	unsigned int i;

	for (i = 0; i < NR_REASONS; i++)
		if (reasons[i].number == number)
			return true;
	return false;
}

/* ---- what the module says ------------------------------------------------- */

static int number_in(const char *path)
{
	const char *at = strstr(path, "mutant-");

	return at ? atoi(at + 7) : -1;
}

static void read_images(unsigned int nr)
{
	char *text = (char *)file_read("/proc/ustack/images", NULL), *at, *save;
	char *lost;
	int n;

	for (at = strtok_r(text, "\n", &save); at;
	     at = strtok_r(NULL, "\n", &save)) {
		n = number_in(at);
		if (n < 0 || (unsigned int)n >= nr)
			continue;
		sscanf(strstr(at, " users "), " users %*u %19s", fates[n].state);
		lost = strstr(at, " lost ");
		fates[n].lost = lost ? atoi(lost + 6) : 0;
	}
	free(text);
}

static void read_events(int fd, unsigned int nr)
{
	static uint64_t buf[16384];
	struct ustack_event *e;
	ssize_t got;
	char *at;
	int n;

	while ((got = read(fd, buf, sizeof(buf))) > 0)
		for (at = (char *)buf; at < (char *)buf + got; at += e->size) {
			e = (void *)at;
			n = number_in(e->path);
			if (n >= 0 && (unsigned int)n < nr)
				fates[n].event = e->reason;
		}
}

/* ---- one mutant ------------------------------------------------------------ */

static void call(const void *text)
{
	double end = seconds() + SPIN_SECONDS;
	struct plug_stack stack;

	do
		plug_call(&stack, text, PLUG_SPIN);
	while (seconds() < end);
}

/*
 * A third each: a memfd of its own, a file with its own name, and a file that replaces the last
 * one by rename.
 */
static int file_with(const struct mutant *m, unsigned int number)
{
	char path[64], temp[64];
	int fd;

	snprintf(path, sizeof(path), DIR "/mutant-%u", number);
	if (number % 3 == 0) {
		fd = memfd_create(path + sizeof(DIR), MFD_CLOEXEC);
		if (fd < 0 || write(fd, m->bytes, m->len) != (ssize_t)m->len)
			die_errno("memfd");
		return fd;
	}
	file_create(path, m->bytes, m->len);
	if (number % 3 == 2) {
		snprintf(temp, sizeof(temp), DIR "/lib-mutant-%u", number);
		if (rename(path, temp))
			die_errno("rename");
		strcpy(path, temp);
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die_errno(path);
	unlink(path);
	return fd;
}

/* The same damage loaded through the device, for a file that is intact. */
static void load(const struct base *b, const struct mutant *m)
{
	struct ustack_load l = {
		.size = sizeof(l),
		.section = (uintptr_t)(m->bytes + b->sframe_off),
		.len = b->sframe_len,
		.vaddr = b->sframe_off,
	};
	static struct mutant whole;
	struct plug_stack stack;
	static unsigned int n;
	int dev, err;
	void *text;

	if (!b->plug)
		return;
	whole.bytes = b->bytes;
	whole.len = b->len;
	l.fd = file_with(&whole, MAX_MUTANTS + n++);
	text = mmap(NULL, b->text_len, PROT_READ | PROT_EXEC, MAP_PRIVATE, l.fd,
		    b->text_off);
	dev = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC);
	if (dev < 0 || text == MAP_FAILED)
		die_errno(USTACK_DEVICE);
	err = ioctl(dev, USTACK_IOC_LOAD, &l) ? errno : 0;
	if (err ? err != EINVAL || !l.reason : 0)
		check(false, "LOAD: %s with reason %u", strerror(err), l.reason);
	if (!reason_known(l.reason))
		check(false, "LOAD: reason %u is none", l.reason);
	plug_call(&stack, text, 4 * PLUG_SPIN);
	munmap(text, b->text_len);
	close(dev);
	close(l.fd);
}

static void try(unsigned int number, uint64_t seed)
{
	const struct base *b = &bases[number % nr_bases];
	static struct mutant m;
	static size_t room;
	void *text;
	int fd;

	if (b->len + 4096 > room) {
		room = b->len + 4096;
		m.bytes = realloc(m.bytes, room);
	}
	mutate(b, seed, number, &m);
	fates[number].kinds = m.kinds;
	fates[number].event = -1;
	fd = file_with(&m, number);
	text = mmap(NULL, b->text_len, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		    b->text_off);
	if (text == MAP_FAILED)
		die_errno("mmap");
	if (b->plug && m.text_intact) {
		fates[number].called = true;
		call(text);
	}
	munmap(text, b->text_len);
	close(fd);
	if (m.len == b->len)
		load(b, &m);
}

/* ---- verdict --------------------------------------------------------------- */

static unsigned int tables, whole_tables, called;

static void count(unsigned int nr)
{
	unsigned int histogram[NR_REASONS] = { 0 }, i, bad = 0, differ = 0;
	int r;

	for (i = 0; i < nr; i++) {
		const struct fate *f = &fates[i];

		called += f->called;
		if (module_state_is_own(f->state)) {
			tables++;
			whole_tables += !f->lost;
			continue;
		}
		r = f->state[0] ? reason_index(f->state) : -1;
		if (r < 0 || f->kinds == 1) {
			if (bad++ < 10)
				say("mutant %u (kinds %#x): \"%s\"", i, f->kinds,
				    f->state);
			continue;
		}
		histogram[r]++;
		if (f->event != (int)reasons[r].number)
			differ++;
	}
	say("%u got a table, %u of them a whole one; refused:", tables, whole_tables);
	for (i = 0; i < NR_REASONS; i++)
		if (histogram[i])
			say("  %-16s %5u", reasons[i].name, histogram[i]);
	check(!bad, "every mutant has a table or a reason, undamaged ones a table: %u not",
	      bad);
	check(!differ, "the device said the same: %u not", differ);
}

static struct machine_sampler sampler;
static volatile bool stop;

static void *drain_thread(void *arg)
{
	while (!stop) {
		machine_sampler_drain(&sampler, NULL, NULL);
		usleep(5000);
	}
	return NULL;
}

static void after(void)
{
	struct plug plug;
	struct tally t;
	int fd;

	plug_read(&plug, "/plugs/plug4.so");
	fd = open("/plugs/plug4.so", O_RDONLY | O_CLOEXEC);
	plug_sample(plug_map(&plug, fd, NULL, 0), 50, &t);
	check(t.whole && !t.cut && !t.wrong && !t.edge,
	      "a sound file afterwards: whole %lu, cut %lu, wrong %lu", t.whole,
	      t.cut, t.wrong + t.edge);
}

static void write_one(uint64_t seed, unsigned int number, const char *path)
{
	const struct base *b = &bases[number % nr_bases];
	struct mutant m = { .bytes = malloc(b->len + 4096) };

	mutate(b, seed, number, &m);
	file_create(path, m.bytes, m.len);
	printf("%s: mutant %u of seed %llu, from %s, kinds %#x\n", path, number,
	       (unsigned long long)seed, b->name, m.kinds);
	exit(0);
}

int main(int argc, char **argv)
{
	unsigned int nr = 2000, i;
	int opt, events, one = -1;
	const char *path = NULL;
	uint64_t seed = 1;
	pthread_t thread;
	double start;

	while ((opt = getopt(argc, argv, "qn:s:w:o:")) != -1)
		switch (opt) {
		case 'q': nr = 200; break;
		case 'n': nr = atoi(optarg); break;
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'w': one = atoi(optarg); break;
		case 'o': path = optarg; break;
		default: return 2;
		}
	for (; optind < argc && nr_bases < MAX_BASES; optind++)
		base_read(&bases[nr_bases++], argv[optind]);
	if (!nr_bases || nr > MAX_MUTANTS)
		die("hostile: no bases, or too many mutants");
	if (one >= 0)
		write_one(seed, one, path ? path : "mutant");
	fates = calloc(nr, sizeof(*fates));
	mkdir(DIR, 0755);
	sampler_unthrottle();
	if (module_load(""))
		die("insmod");
	module_prepare();
	events = open(USTACK_DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	machine_sampler_open(&sampler, PERIOD_NS);
	machine_sampler_enable(&sampler, true);
	pthread_create(&thread, NULL, drain_thread, NULL);
	start = seconds();
	for (i = 0; i < nr; i++) {
		try(i, seed);
		if (i % 100 == 99 || i == nr - 1) {
			read_events(events, nr);
			read_images(nr);
		}
	}
	stop = true;
	pthread_join(thread, NULL);
	machine_sampler_close(&sampler);
	close(events);
	count(nr);
	say("%u mutants of %u files, %u called, %lu samples, %.0f s", nr, nr_bases,
	    called, machine_sampler_samples(&sampler), seconds() - start);
	check(called > nr / 10 && tables > nr / 20,
	      "the mutants are of use: %u called, %u with tables", called, tables);
	after();
	return finish("stress/hostile");
}
