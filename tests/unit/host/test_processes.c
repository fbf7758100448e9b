// SPDX-License-Identifier: GPL-2.0-only
/*
 * processes.h: the mappings at a moment. They are compared with a model that keeps all
 * mappings, newest last, and searches from the back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/process/processes.h"
#include "host/process/scan.h"

static int seen_files;

static void seen(struct process_file *file, uint32_t pid, const struct process_map *map,
		 void *arg)
{
	seen_files++;
	assert_ptr_equal(map->file, file);
	assert_ptr_equal(arg, &seen_files);
	file->user = pid;
}

static int setup(void **state)
{
	seen_files = 0;
	*state = processes_new(seen, &seen_files);
	return !*state;
}

static int teardown(void **state)
{
	processes_free(*state);
	return 0;
}

static struct process_file_id named(const char *path)
{
	return (struct process_file_id){ .path = path, .dev = 1, .ino = strlen(path) };
}

static void map(struct processes *all, uint32_t pid, uint64_t time, uint64_t start,
		uint64_t len, uint64_t offset, const char *path)
{
	struct process_file_id id = named(path);

	assert_int_equal(processes_map(all, pid, time, start, len, offset, &id), 0);
}

static void expect(struct processes *all, uint32_t pid, uint64_t epoch, uint64_t addr,
		   const char *path, uint64_t offset)
{
	struct process_place at;
	int got = processes_find(all, pid, epoch, addr, &at);

	assert_int_equal(got, path != NULL);
	if (!path)
		return;
	assert_string_equal(at.file->id.path, path);
	assert_int_equal(at.offset, offset);
}


static void test_moments(void **state)
{
	struct processes *all = *state;

	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x2000, 0x400, "/a");
	map(all, 7, 200, 0x5000, 0x1000, 0, "/b");
	map(all, 7, 300, 0x5000, 0x1000, 0, "/c");
	expect(all, 7, 0, 0x1010, "/a", 0x410);
	expect(all, 7, 201, 0x5000, "/b", 0);
	expect(all, 7, 202, 0x5000, "/b", 0);
	expect(all, 7, 302, 0x5fff, "/c", 0xfff);
	expect(all, 7, 201, 0x5000, "/b", 0);	/* and back */
	expect(all, 7, 302, 0x6000, NULL, 0);
	expect(all, 8, 302, 0x1000, NULL, 0);
	assert_int_equal(seen_files, 3);
}

static void test_maps(void **state)
{
	struct processes *all = *state;
	const struct process_maps *m;

	assert_null(processes_maps(all, 7, 0));
	map(all, 7, 10, 0x3000, 0x1000, 0, "/b");
	map(all, 7, 20, 0x1000, 0x1000, 0x2000, "/a");
	m = processes_maps(all, 7, 10);
	assert_int_equal(m->nr, 1);
	m = processes_maps(all, 7, 20);
	assert_int_equal(m->nr, 2);
	assert_string_equal(m->map[0].file->id.path, "/a");
	assert_true(m->map[0].start == 0x1000 && m->map[0].offset == 0x2000);
	assert_string_equal(m->map[1].file->id.path, "/b");
	/* and back */
	assert_int_equal(processes_maps(all, 7, 10)->nr, 1);
}

static void test_exec(void **state)
{
	struct processes *all = *state;

	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x1000, 0, "/bin/sh");
	assert_int_equal(processes_exec(all, 7, 200, "ls"), 0);
	map(all, 7, 210, 0x1000, 0x1000, 0, "/bin/ls");
	expect(all, 7, 0, 0x1000, "/bin/sh", 0);
	expect(all, 7, 215, 0x1000, "/bin/ls", 0);
	assert_string_equal(processes_command(all, 7, 0), "sh");
	assert_string_equal(processes_command(all, 7, 215), "ls");
	assert_null(processes_command(all, 9, 0));
}

static void test_fork(void **state)
{
	struct processes *all = *state;

	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x1000, 0, "/a");
	assert_int_equal(processes_fork(all, 7, 8, 200), 0);
	map(all, 7, 300, 0x1000, 0x1000, 0, "/parent");
	map(all, 8, 310, 0x1000, 0x1000, 0, "/child");
	expect(all, 8, 202, 0x1000, "/a", 0);
	expect(all, 8, 311, 0x1000, "/child", 0);
	expect(all, 7, 302, 0x1000, "/parent", 0);
	assert_string_equal(processes_command(all, 8, 202), "sh");
	processes_exit(all, 7, 400);
	assert_int_equal(processes_expire(all, 500), 0);
	expect(all, 7, 302, 0x1000, NULL, 0);
	expect(all, 8, 311, 0x1000, "/child", 0);
}

/* A number that is reused before the samples of the first process were processed. */
static void test_reuse(void **state)
{
	struct processes *all = *state;

	assert_int_equal(processes_fork(all, 1, 7, 100), 0);
	map(all, 7, 110, 0x1000, 0x1000, 0, "/first");
	processes_exit(all, 7, 120);
	assert_int_equal(processes_fork(all, 1, 7, 130), 0);
	map(all, 7, 140, 0x1000, 0x1000, 0, "/second");
	expect(all, 7, 112, 0x1000, "/first", 0);
	expect(all, 7, 142, 0x1000, "/second", 0);
	assert_int_equal(processes_expire(all, 150), 0);
	expect(all, 7, 142, 0x1000, "/second", 0);
}

/* An epoch stays the same when the events before it have been dropped. */
static void test_expire(void **state)
{
	struct processes *all = *state;

	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x1000, 0, "/a");
	map(all, 7, 200, 0x2000, 0x1000, 0, "/b");
	assert_int_equal(processes_expire(all, 250), 0);
	map(all, 7, 300, 0x2000, 0x1000, 0, "/c");
	expect(all, 7, 203, 0x2000, "/b", 0);
	expect(all, 7, 0, 0x1000, "/a", 0);
	expect(all, 7, 301, 0x2000, "/c", 0);
	assert_int_equal(processes_expire(all, 350), 0);
	assert_int_equal(processes_expire(all, 350), 0);
	expect(all, 7, 301, 0x2000, "/c", 0);
	assert_int_equal(seen_files, 3);
	map(all, 7, 400, 0x9000, 0x1000, 0, "/b");	/* forgotten, so new */
	assert_int_equal(seen_files, 4);
}

/* An event before the first scan of /proc does not hide what the scan found. */
static void count_gone(struct process_file *file, void *arg)
{
	int *files = arg;

	/* it is still there to be looked at */
	assert_true(file->id.path[0] == '/' && file->user == 7);
	files[file->id.path[1] - 'a']++;
}

/* A file is reported as gone when no reachable moment has it mapped, once each time. */
static void test_gone(void **state)
{
	struct processes *all = processes_new(seen, &seen_files);
	int gone[3] = { 0 };

	(void)state;
	processes_on_gone(all, count_gone, gone);
	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x1000, 0, "/a");
	map(all, 7, 110, 0x2000, 0x1000, 0, "/b");
	assert_int_equal(processes_fork(all, 7, 8, 120), 0);
	map(all, 7, 200, 0x2000, 0x1000, 0, "/c");
	assert_int_equal(processes_expire(all, 300), 0);
	assert_true(!gone[0] && !gone[1] && !gone[2]);
	processes_exit(all, 8, 310);
	assert_int_equal(processes_expire(all, 305), 0);
	assert_int_equal(gone[1], 0);
	assert_int_equal(processes_expire(all, 320), 0);
	assert_int_equal(processes_expire(all, 330), 0);
	assert_true(!gone[0] && gone[1] == 1 && !gone[2]);
	/* so many that the table grows */
	for (int i = 0; i < 400; i++) {
		char path[16];

		snprintf(path, sizeof(path), "/a%d", i);
		map(all, 7, 400 + (uint64_t)i, 0x10000 + 0x1000 * (uint64_t)i, 0x1000, 0, path);
	}
	processes_free(all);
	assert_true(gone[0] == 401 && gone[1] == 1 && gone[2] == 1);
}

static void test_early_event(void **state)
{
	struct processes *all = *state;

	map(all, 7, 90, 0x9000, 0x1000, 0, "/early");
	assert_int_equal(processes_scan(all, 7, 100, "sh"), 0);
	map(all, 7, 100, 0x1000, 0x1000, 0, "/a");
	map(all, 7, 100, 0x9000, 0x1000, 0, "/early");
	expect(all, 7, 0, 0x1000, "/a", 0);
	expect(all, 7, 0, 0x9000, "/early", 0);
}

#define EVENTS 400
#define PAGES 64

static void judge_pages(struct processes *all, uint64_t epoch, const uint64_t *model)
{
	struct process_place at;
	uint32_t page;

	for (page = 0; page < PAGES; page++) {
		int got = processes_find(all, 7, epoch, page * 0x1000ull, &at);

		assert_int_equal(got, model[page] != 0);
		if (got)
			assert_int_equal(at.offset, model[page]);
	}
}

/* Random mappings over one another: every page at every moment, in random order. */
static void test_random(void **state)
{
	static uint64_t model[EVENTS + 1][PAGES];
	struct processes *all = *state;
	uint32_t i, page;

	srand(1);
	assert_int_equal(processes_fork(all, 1, 7, 2), 0);
	for (i = 1; i <= EVENTS; i++) {
		uint32_t first = rand() % PAGES, nr = 1 + rand() % (PAGES - first);
		uint64_t offset = (uint64_t)i << 20;
		char path[16];

		snprintf(path, sizeof(path), "/f%u", rand() % 20);
		map(all, 7, 10 * i, first * 0x1000ull, nr * 0x1000ull, offset, path);
		memcpy(model[i], model[i - 1], sizeof(model[i]));
		for (page = first; page < first + nr; page++)
			model[i][page] = offset + (page - first) * 0x1000ull;
	}
	for (i = 0; i < 2 * EVENTS; i++) {
		uint32_t n = 1 + rand() % EVENTS;

		judge_pages(all, 10 * n + rand() % 10, model[n]);
	}
}

/* Thousands of processes start and end; the table reuses their places. */
static void test_many(void **state)
{
	struct processes *all = *state;
	uint32_t pid;

	for (pid = 1; pid < 20000; pid++) {
		assert_int_equal(processes_fork(all, pid - 1, pid, pid * 10), 0);
		map(all, pid, pid * 10 + 1, 0x1000, 0x1000, pid, "/a");
		if (pid % 3)
			processes_exit(all, pid, pid * 10 + 2);
		if (pid % 1000 == 0)
			assert_int_equal(processes_expire(all, pid * 10), 0);
	}
	assert_int_equal(processes_expire(all, UINT64_MAX), 0);
	for (pid = 1; pid < 20000; pid++)
		assert_int_equal(processes_known(all, pid), pid % 3 == 0);
	expect(all, 300, 3002, 0x1000, "/a", 300);
}

static void test_kinds(void **state)
{
	static const struct { const char *path; enum process_file_kind kind; } cases[] = {
		{ "/usr/bin/true", PROCESS_FILE }, { "/memfd:x (deleted)", PROCESS_FILE },
		{ "[vdso]", PROCESS_VDSO }, { "//anon", PROCESS_ANON },
		{ "[anon:jit]", PROCESS_ANON }, { "[heap]", PROCESS_ANON },
		{ "[stack]", PROCESS_ANON }, { "", PROCESS_ANON },
		{ "/dev/zero (deleted)", PROCESS_ANON }, { "[uprobes]", PROCESS_SPECIAL },
	};
	struct processes *all = *state;
	struct process_place at;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		map(all, 7, 10, 0x1000, 0x1000, 0, cases[i].path);
		assert_int_equal(processes_find(all, 7, 0, 0x1000, &at), 1);
		assert_int_equal(at.file->kind, cases[i].kind);
	}
}

/*
 * A file system gives the number of a deleted file to the next new file: they are different
 * files.
 */
static void test_generation(void **state)
{
	struct process_file_id old = { .path = "/a", .dev = 1, .ino = 1, .generation = 1 };
	struct process_file_id new = old;
	struct processes *all = *state;
	struct process_place p, q;

	new.generation = 2;
	assert_int_equal(processes_map(all, 7, 10, 0x1000, 0x1000, 0, &old), 0);
	assert_int_equal(processes_map(all, 7, 10, 0x2000, 0x1000, 0, &old), 0);
	assert_int_equal(processes_map(all, 8, 20, 0x1000, 0x1000, 0, &new), 0);
	assert_int_equal(seen_files, 2);
	assert_int_equal(processes_find(all, 7, 0, 0x1000, &p), 1);
	assert_int_equal(processes_find(all, 7, 0, 0x2000, &q), 1);
	assert_ptr_equal(p.file, q.file);
	assert_int_equal(processes_find(all, 8, 0, 0x1000, &q), 1);
	assert_ptr_not_equal(p.file, q.file);
}

/* An epoch describes its moment, and is equal for moments without a change in between. */
static void test_epoch(void **state)
{
	const struct process_file_id a = { .path = "/a", .dev = 1, .ino = 1 };
	const struct process_file_id b = { .path = "/b", .dev = 1, .ino = 2 };
	struct processes *all = *state;
	struct process_place p;

	assert_int_equal(processes_epoch(all, 1, 50), 0);
	assert_int_equal(processes_exec(all, 1, 100, "x"), 0);
	assert_int_equal(processes_map(all, 1, 110, 0x1000, 0x1000, 0, &a), 0);
	assert_int_equal(processes_map(all, 1, 200, 0x1000, 0x1000, 0, &b), 0);
	assert_int_equal(processes_exec(all, 1, 300, "y"), 0);
	assert_int_equal(processes_epoch(all, 1, 99), 0);
	assert_int_equal(processes_epoch(all, 1, 105), 100);
	assert_int_equal(processes_epoch(all, 1, 110), 110);
	assert_int_equal(processes_epoch(all, 1, 199), 110);
	assert_int_equal(processes_epoch(all, 1, 299), 200);
	assert_int_equal(processes_epoch(all, 1, 1000), 300);
	assert_int_equal(processes_find(all, 1, processes_epoch(all, 1, 199), 0x1800, &p), 1);
	assert_string_equal(p.file->id.path, "/a");
	assert_int_equal(processes_find(all, 1, processes_epoch(all, 1, 250), 0x1800, &p), 1);
	assert_string_equal(p.file->id.path, "/b");
	assert_int_equal(processes_find(all, 1, processes_epoch(all, 1, 301), 0x1800, &p), 0);
}

/* The mappings of this process: one of a file is there, with its name as the kernel has it. */
static void test_scan_maps(void **state)
{
	char path[] = "/tmp/ustack-test\n-XXXXXX";
	struct scan_maps maps = SCAN_MAPS_INIT;
	long page = sysconf(_SC_PAGESIZE);
	int fd = mkstemp(path), found = 0;
	struct scan_line l;
	uint64_t at;

	assert_int_equal(ftruncate(fd, 3 * page), 0);
	at = (uint64_t)mmap(NULL, (size_t)page, PROT_READ, MAP_PRIVATE, fd, 2 * page);
	assert_int_not_equal(at, (uint64_t)MAP_FAILED);
	assert_false(scan_maps_open(&maps, 0));
	assert_true(scan_maps_open(&maps, (uint32_t)getpid()));
	while (scan_maps_next(&maps, &l))
		if (l.start == at) {
			found++;
			assert_string_equal(l.id.path, path);
			assert_int_equal(l.end, at + (uint64_t)page);
			assert_int_equal(l.offset, 2 * page);
			assert_false(l.exec);
		}
	assert_int_equal(found, 1);
	assert_true(maps.any);
	assert_int_equal(maps.err, 0);
	scan_maps_close(&maps);
	assert_null(maps.line);
	munmap((void *)at, (size_t)page);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_moments, setup, teardown),
		cmocka_unit_test_setup_teardown(test_maps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exec, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fork, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expire, setup, teardown),
		cmocka_unit_test(test_gone),
		cmocka_unit_test_setup_teardown(test_early_event, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_generation, setup, teardown),
		cmocka_unit_test_setup_teardown(test_epoch, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
		cmocka_unit_test(test_scan_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
