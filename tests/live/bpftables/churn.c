// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps more files than there is room for, one after the other. A file that nobody has mapped any
 * more must free its number and its table's place; a mapped one must keep its table, wherever the
 * table is moved; and no file may get another's table. Meanwhile a process with many mappings
 * changes them all the time.
 *
 * usage: churn DIR COPIES FILE OTHER
 * Copies of FILE and OTHER are mapped in turn, each a file of its own. Every tenth stays mapped
 * until a hundred more have come.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "core.h"
#include "keeping.h"
#include "capture/sampler/sampler.h"
#include "supply/code.h"
#include "tables.h"
#include "supply/tables/maker.h"
#include "util/cleanup.h"

/* Bytes for tables, of which other processes need some; number of tables between two collections;
 * number of copies that stay mapped.
 */
#define MEMORY (32u << 20)
#define EVERY 40u
#define KEPT 10u
/* Number of mappings of the restless process. */
#define RESTLESS 5000u
#define NOBODY 65534u

static unsigned int passed, failed;

/* A file, and its table as this program makes it. */
struct origin {
	const char *path;
	struct code *code;
};

/* A mapped copy. */
struct copy {
	const struct origin *of;
	void *at;
};

static void die(const char *what)
{
	fprintf(stderr, "churn: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void check(bool good, const char *what, unsigned long nr)
{
	passed += good;
	failed += !good;
	if (!good)
		printf("FAILED: %s (%lu)\n", what, nr);
}

static void open_origin(struct origin *o, const char *path)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	enum ustack_reason why;

	o->path = path;
	if (supply_file_open(&f, AT_FDCWD, path, false) || supply_file_headers(&f, &why))
		die(path);
	o->code = code_make(&f, NULL, 0, &why);
	supply_file_release(&f);
	if (!o->code)
		die(path);
}

/* Makes and maps a new file; it is removed from its folder when it is mapped. */
static void map_copy(struct copy *c, const struct origin *o, const char *dir)
{
	char path[4096];
	int from = open(o->path, O_RDONLY | O_CLOEXEC), to;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/copy", dir);
	to = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (from < 0 || to < 0)
		die(path);
	while ((n = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
		;
	c->of = o;
	c->at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, to, 0);
	if (n < 0 || c->at == MAP_FAILED || unlink(path))
		die(path);
	close(from);
	close(to);
}

static uint32_t number_of(const struct table_maker_maps *m, const void *at)
{
	static struct tables_space space;
	uint32_t tgid = (uint32_t)getpid(), i;

	if (bpf_map_lookup_elem(m->spaces, &tgid, &space))
		return TABLES_MADE;
	for (i = 0; i < TABLES_WINDOWS; i++)
		if ((uint64_t)at - space.window[i].start < space.window[i].len)
			return space.window[i].image;
	return TABLES_MADE;
}

/* Whether the programs have the copy's own table. */
static bool is_there(const struct table_maker_maps *m, const struct copy *c)
{
	uint32_t number = number_of(m, c->at), bin, zero = 0, id;
	static uint8_t bytes[TABLES_BIN_VALUE];
	struct tables_image image;
	int fd;

	if (number < TABLES_FIRST_FILE || bpf_map_lookup_elem(m->images, &number, &image) ||
	    image.bytes != c->of->code->table.size)
		return false;
	bin = (uint32_t)(image.place / TABLES_BIN_BYTES);
	if (bpf_map_lookup_elem(m->bins, &bin, &id))
		return false;
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0 || bpf_map_lookup_elem(fd, &zero, bytes))
		die("a bin");
	close(fd);
	return !memcmp(bytes + image.place % TABLES_BIN_BYTES, &c->of->code->table, image.bytes);
}

static void churn(const struct table_maker_maps *m, struct table_maker *k, const struct origin *o,
		  const char *dir, unsigned long copies)
{
	struct copy kept[KEPT] = { 0 }, c;
	static unsigned int times[TABLES_IMAGES];
	unsigned int again = 0;
	unsigned long i, there = 0, still = 0;

	for (i = 0; i < copies; i++) {
		map_copy(&c, &o[i % 2], dir);
		keeping_settle(k);
		there += is_there(m, &c);
		again += times[number_of(m, c.at)]++ > 0;
		if (i % 10) {
			munmap(c.at, 4096);
			continue;
		}
		if (kept[i / 10 % KEPT].at) {
			still += is_there(m, &kept[i / 10 % KEPT]);
			munmap(kept[i / 10 % KEPT].at, 4096);
		} else {
			still++;
		}
		kept[i / 10 % KEPT] = c;
	}
	check(there == copies, "copies have their own table", there);
	check(still == (copies + 9) / 10, "what stays mapped has it yet", still);
	for (i = 0; i < KEPT; i++)
		check(!kept[i].at || is_there(m, &kept[i]), "what is mapped to the end", i);
	check(again, "numbers are used again", again);
}

/* Its windows move at each change, so that a reader finds them changed. */
static void be_restless(int told)
{
	const size_t page = 4096;
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *place = mmap(NULL, 2 * RESTLESS * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	for (i = 1; i < RESTLESS; i++)
		if (mmap(place + 2 * i * page, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file,
			 0) == MAP_FAILED)
			_exit(1);
	/* setresuid() clears the signal, so prctl() comes after it */
	if (setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    write(told, "r", 1) != 1)
		_exit(1);
	for (;;) {
		mmap(place, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0);
		munmap(place, page);
	}
}

static pid_t begin_restless(struct table_maker *k)
{
	int told[2];
	char word;
	pid_t pid;

	if (pipe2(told, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		be_restless(told[1]);
	close(told[1]);
	if (read(told[0], &word, 1) != 1)
		die("the restless process");
	close(told[0]);
	keeping_settle(k);
	return pid;
}

int main(int argc, char **argv)
{
	static const struct sampler_event none = { .name = "context-switches" };
	const struct sampler_options options = { .events = &none, .nr_events = 1, .tables = true };
	struct table_maker_counts counts;
	struct origin origins[2];
	struct table_maker_maps maps;
	struct sampler *s;
	struct table_maker *k;
	struct diag diag;
	const struct table_maker_limits limits = { .memory = MEMORY, .collect_every = EVERY };
	sigset_t mask;
	pid_t restless;

	if (argc != 5)
		return 2;
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	open_origin(&origins[0], argv[3]);
	open_origin(&origins[1], argv[4]);
	if (sampler_new(&options, &s, &diag))
		die("the programs");
	sampler_maps(s, &maps);
	if (table_maker_new(&maps, &limits, &k, &diag))
		die("the maker");
	restless = begin_restless(k);
	churn(&maps, k, origins, argv[1], strtoul(argv[2], NULL, 10));
	kill(restless, SIGKILL);
	waitpid(restless, NULL, 0);
	table_maker_counts(k, &counts);
	check(!counts.refused, "tables that there was no room for", counts.refused);
	/* one more bin is for moved tables */
	check(counts.bin_bytes <= MEMORY + TABLES_BIN_BYTES, "memory of tables", counts.bin_bytes);
	printf("churn: tables of %zu and %zu bytes; %llu in the end, of %llu bytes in %llu\n",
	       (size_t)origins[0].code->table.size, (size_t)origins[1].code->table.size,
	       (unsigned long long)counts.tables, (unsigned long long)counts.table_bytes,
	       (unsigned long long)counts.bin_bytes);
	table_maker_free(k);
	sampler_free(s);
	printf("churn: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
