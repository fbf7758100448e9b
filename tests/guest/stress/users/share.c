// SPDX-License-Identifier: GPL-2.0-only
/* One user's files fill the budget: other users still get tables, and are not charged. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "craft.h"
#include "users.h"

#define TRACING "/sys/kernel/tracing/"
#define BUDGET_MB "16"
#define MOST_ROWS 400000u	/* rows for a table of a little more than a MiB */
#define LEAST_ROWS 16u
#define MAX_FILES 200
#define MAPPINGS 5

static pid_t holders[MAX_FILES];
static unsigned int nr_holders;

struct holder {
	char path[64];
	volatile int ready;
};

/* Maps the file, and keeps it mapped until killed. */
static int hold(void *arg)
{
	struct holder *h = arg;
	int fd = open(h->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			   4096) == MAP_FAILED)
		return 1;
	h->ready = 1;
	for (;;)
		pause();
	return 0;
}

/* A file whose table has as many rows. Rules change from row to row. */
static void file_of_rows(const char *path, uint32_t nr)
{
	struct craft_row *rows = malloc(nr * sizeof(*rows));
	uint32_t i;

	for (i = 0; i < nr; i++)
		rows[i] = (struct craft_row){
			.start = 8 * i, .cfa = i & 1 ? 24 : 32, .fp = -16,
		};
	craft(path, 8ul * nr + 65536, rows, nr, 0);
	free(rows);
}

/* Return: whether the file got a table; no process has it mapped afterwards. */
static bool fill_by(const char *name, uint32_t rows)
{
	struct holder *h = shared_memory(sizeof(*h));
	char line[256] = "", state[32];
	pid_t pid;

	snprintf(h->path, sizeof(h->path), DIR "/%s", name);
	file_of_rows(h->path, rows);
	pid = user_start(NOBODY, hold, h);
	while (!h->ready)
		usleep(1000);
	munmap(h, sizeof(*h));
	if (!module_image(name, line, sizeof(line)))
		die("the module does not know %s", name);
	module_image_state(line, state);
	if (module_state_is_own(state)) {
		holders[nr_holders++] = pid;
		return true;
	}
	if (strcmp(state, "BUDGET"))
		die("%s: the table is %s", name, state);
	stop(pid);
	return false;
}

/* Until not even the smallest table fits. */
static void fill(void)
{
	uint32_t rows = MOST_ROWS;
	char name[32];
	unsigned int n;

	for (n = 0; rows >= LEAST_ROWS && nr_holders < MAX_FILES; n++) {
		snprintf(name, sizeof(name), "fill-%u-", n);
		if (!fill_by(name, rows))
			rows /= 2;
	}
	check(rows < LEAST_ROWS && module_stat("table_bytes") > 1 << 20,
	      "nobody has %u tables, %llu bytes in all, and gets no more", nr_holders,
	      module_stat("table_bytes"));
}

/* A program of another user, which the module has not met. */
static int run_fresh(void *arg)
{
	char path[64];
	int kind = 1 + getuid() % 2, fd;
	void *at = place();

	snprintf(path, sizeof(path), DIR "/fresh-%u", getuid());
	fd = plug_file(kind, path);
	plug_map(&plugs[kind], fd, at, MAP_FIXED);
	return whole_status(at);
}

/* Number of lines of the trace that name @name: attempts to read the file. */
static unsigned int attempts_at(const char *name)
{
	char *text = (char *)file_read(TRACING "trace", NULL), *at = text;
	unsigned int nr = 0;

	while ((at = strstr(at, name))) {
		nr++;
		at++;
	}
	free(text);
	return nr;
}

static int map_often(void *arg)
{
	int fd = open(arg, O_RDONLY | O_CLOEXEC), i;

	for (i = 0; i < MAPPINGS; i++)
		craft_look_at(fd);
	return fd < 0;
}

static void check_attempts(uid_t uid, const char *whose)
{
	unsigned int before = attempts_at("too-much");
	int err = reap(user_start(uid, map_often, DIR "/too-much"));
	unsigned int more = attempts_at("too-much") - before;

	check(!err && before && !more,
	      "a library that found no room: read %u times at first, %u times for %u mappings of %s",
	      before, more, MAPPINGS, whose);
}

void test_share(void)
{
	fresh_module("budget_mb=" BUDGET_MB);
	fill();
	check(!reap(user_start(0, run_fresh, NULL)),
	      "root's fresh program is whole");
	check(!reap(user_start(SOMEBODY, run_fresh, NULL)),
	      "another user's fresh program is whole");

	file_write(TRACING "trace", " ");
	file_write(TRACING "events/ustack/ustack_image/enable", "1");
	check(!fill_by("too-much", MOST_ROWS), "nobody's library finds no room");
	check_attempts(NOBODY, "the same user");
	file_write(TRACING "events/ustack/ustack_image/enable", "0");
	while (nr_holders)
		stop(holders[--nr_holders]);
	fresh_module("");
}
