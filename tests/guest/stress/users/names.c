// SPDX-License-Identifier: GPL-2.0-only
/*
 * The owner of a file chooses its name, so the name must be harmless wherever people and
 * programs read it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <unistd.h>

#include "users.h"

#define TRACING "/sys/kernel/tracing/"
#define BEFORE "name-before"
#define FORGED "forged by nobody"
#define NAME DIR "/" BEFORE "\n" FORGED
#define KLOG_READ_ALL 3
#define KLOG_SIZE 10

/* The text of a line: in the log, the part after "<5>[    6.939173] ". */
static const char *text_of(const char *line)
{
	const char *at = strstr(line, "] ");

	return (*line == '<' || *line == '[') && at ? at + 2 : line;
}

/*
 * In @text, which is split, one line contains the whole name, and no line begins inside the
 * name.
 */
static void check_lines(char *text, const char *where)
{
	unsigned int named = 0, whole = 0, forged = 0;
	char *line, *save;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		named += !!strstr(line, BEFORE);
		whole += strstr(line, BEFORE) && strstr(line, "forged");
		forged += !strncmp(text_of(line), "forged", 6);
	}
	check(named && whole == named && !forged,
	      "%s names the file in one line: %u lines name it, %u of them wholly, %u lines are forged",
	      where, named, whole, forged);
}

static void check_file(const char *path)
{
	char *text = (char *)file_read(path, NULL);

	check_lines(text, path);
	free(text);
}

static void check_log(void)
{
	int size = klogctl(KLOG_SIZE, NULL, 0);
	char *text = calloc(1, size + 1);

	if (size <= 0 || klogctl(KLOG_READ_ALL, text, size) < 0)
		die_errno("the kernel's log");
	check_lines(text, "the log");
	free(text);
}

/* A plug with a broken section, so that the log reports it; mapped until killed. */
static int map_named(void *arg)
{
	volatile int *ready = arg;
	uint8_t *bytes = plugs[1].bytes;
	size_t i;
	int fd;

	for (i = 0; i + 4 < plugs[1].len; i += 4)
		if (bytes[i] == 0xe2 && bytes[i + 1] == 0xde && bytes[i + 2] == 3)
			bytes[i + 2] = 99;	/* the version byte */
	file_create(NAME, bytes, plugs[1].len);
	fd = open(NAME, O_RDONLY | O_CLOEXEC);
	plug_map(&plugs[1], fd, NULL, 0);
	*ready = 1;
	pause();
	return 0;
}

void test_names(void)
{
	volatile int *ready = shared_memory(4096);
	pid_t pid;

	file_write(TRACING "trace", " ");
	file_write(TRACING "events/ustack/ustack_image/enable", "1");
	pid = user_start(NOBODY, map_named, (void *)ready);
	while (!*ready)
		usleep(1000);
	check_file("/proc/ustack/images");
	check_file(TRACING "trace");
	check_log();
	stop(pid);
	file_write(TRACING "events/ustack/ustack_image/enable", "0");
	munmap((void *)ready, 4096);
}

static int open_all(void *arg)
{
	static const char *const paths[] = {
		"/proc/ustack/stat", "/proc/ustack/images", "/dev/ustack",
	};
	unsigned int i;
	int opened = 0;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (open(paths[i], O_RDONLY | O_NONBLOCK) >= 0) {
			say("nobody opens %s", paths[i]);
			opened++;
		}
	fflush(stdout);
	return opened;
}

void test_rights(void)
{
	check(!access("/proc/ustack/stat", R_OK) &&
	      !access("/proc/ustack/images", R_OK) && !access("/dev/ustack", R_OK),
	      "root may read what the module says");
	check(!reap(user_start(NOBODY, open_all, NULL)),
	      "nobody can read what the module says of others");
}
