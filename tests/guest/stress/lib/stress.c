// SPDX-License-Identifier: GPL-2.0-only
/* Implements stress.h: verdicts and the line of results, files, and control of the module. */
#include "stress.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ustack.h"

static unsigned int failed, passed, skipped;

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "trouble: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

void die_errno(const char *what)
{
	die("%s: %s", what, strerror(errno));
}

static void line(const char *word, const char *format, va_list args)
{
	printf("%-5s ", word);
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
}

bool check(bool good, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line(good ? "ok" : "FAILED:", format, args);
	va_end(args);
	passed += good;
	failed += !good;
	return good;
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line("", format, args);
	va_end(args);
}

void skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line("skip:", format, args);
	va_end(args);
	skipped++;
}

int finish(const char *name)
{
	/* a run without checks has shown nothing */
	if (!passed && !failed)
		check(false, "no check was made");
	printf("%s: %u passed, %u failed, %u skipped\n", name, passed, failed,
	       skipped);
	fflush(stdout);
	return failed ? 1 : 0;
}

unsigned int failures(void)
{
	return failed;
}

double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

uint8_t *file_read(const char *path, size_t *len)
{
	size_t room = 65536, got = 0;
	uint8_t *bytes = malloc(room + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		die_errno(path);
	while (bytes && (n = read(fd, bytes + got, room - got)) > 0) {
		got += n;
		if (got == room)
			bytes = realloc(bytes, (room *= 2) + 1);
	}
	if (!bytes || n < 0)
		die_errno(path);
	close(fd);
	bytes[got] = 0;
	if (len)
		*len = got;
	return bytes;
}

bool file_try_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(text);
	bool good = fd >= 0 && write(fd, text, len) == len;
	int err = errno;

	if (fd >= 0)
		close(fd);
	errno = err;
	return good;
}

void file_write(const char *path, const char *text)
{
	if (!file_try_write(path, text))
		die_errno(path);
}

void file_create(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || close(fd))
		die_errno(path);
}

unsigned long meminfo_kb(const char *name)
{
	char *text = (char *)file_read("/proc/meminfo", NULL), *at = text;
	unsigned long kb = 0;
	size_t len = strlen(name);

	for (; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, name, len) && at[len] == ':') {
			kb = strtoul(at + len + 1, NULL, 10);
			break;
		}
	}
	free(text);
	return kb;
}

int module_load(const char *params)
{
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		die_errno(MODULE_FILE);
	err = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return err;
}

int module_unload(void)
{
	return syscall(SYS_delete_module, "ustack", O_NONBLOCK) ? -errno : 0;
}

void module_prepare(void)
{
	struct ustack_prepare prepare = { .size = sizeof(prepare),
					  .pid = getpid() };
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, USTACK_IOC_PREPARE, &prepare))
		die_errno(USTACK_DEVICE);
	close(fd);
}

void module_prepare_all(void)
{
	struct ustack_prepare prepare = { .size = sizeof(prepare) };
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC);
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (fd < 0 || !proc)
		die_errno(USTACK_DEVICE);
	while ((entry = readdir(proc))) {
		prepare.pid = atoi(entry->d_name);
		/* kernel threads and ended processes are refused */
		if (prepare.pid)
			ioctl(fd, USTACK_IOC_PREPARE, &prepare);
	}
	closedir(proc);
	close(fd);
}

bool module_loaded(void)
{
	return !access("/sys/module/ustack", F_OK);
}

unsigned long long module_stat(const char *name)
{
	char *text = (char *)file_read("/proc/ustack/stat", NULL), *at, *save;
	unsigned long long value = 0;
	size_t len = strlen(name);

	for (at = strtok_r(text, "\n", &save); at;
	     at = strtok_r(NULL, "\n", &save)) {
		while (*at == ' ')
			at++;
		if (!strncmp(at, name, len) && at[len] == ' ')
			value = strtoull(at + len, NULL, 0);
	}
	free(text);
	return value;
}

bool module_image(const char *needle, char *buf, size_t size)
{
	char *text = (char *)file_read("/proc/ustack/images", NULL), *at, *save;
	bool found = false;

	for (at = strtok_r(text, "\n", &save); at && !found;
	     at = strtok_r(NULL, "\n", &save))
		if (strstr(at, needle)) {
			snprintf(buf, size, "%s", at);
			found = true;
		}
	free(text);
	return found;
}

void module_image_state(const char *text, char state[32])
{
	const char *at = strstr(text, " users ");

	state[0] = 0;
	if (at)
		sscanf(at, " users %*u %31s", state);
}

bool module_state_is_own(const char *state)
{
	return !strcmp(state, "own") || !strcmp(state, "partial");
}

bool module_param(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/ustack/parameters/%s", name);
	return file_try_write(path, value);
}
