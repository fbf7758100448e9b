// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for the module, for LD_PRELOAD: /dev/ustack and
 * /proc/ustack/images without one. Environment:
 *
 *   FAKE_DEVICE	absent, denied: open fails so; else it opens
 *   FAKE_ERRNO		number that every request fails with
 *   FAKE_REFUSE	LOAD fails with EINVAL and this reason, at offset 28
 *   FAKE_EVENTS	none, broken: what read(2) gives; a file with a "/" in its name:
 *			its lines as records (put_line()); else four records
 *   FAKE_IMAGES	file opened for /proc/ustack/images
 *   FAKE_LOG		file that LOAD's arguments are appended to
 *   FAKE_PATHS		file that LOAD's ELF file is appended to, by name
 *   FAKE_DIE		LOAD kills the process
 *   FAKE_HANG		LOAD does not return
 *   FAKE_TABLES	bytes of tables that INFO tells of
 *   FAKE_CHANGE	file whose times INFO changes
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reason.h"
#include "ustack.h"

int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);
int ioctl(int fd, unsigned long cmd, ...);

static int env_is(const char *name, const char *value)
{
	const char *v = getenv(name);

	return v && !strcmp(v, value);
}

static size_t put_event(uint8_t *buf, uint32_t reason, int vdso, int id_len,
			const char *path)
{
	struct ustack_event *e = (struct ustack_event *)buf;
	size_t size = (sizeof(*e) + strlen(path) + 1 + 7) & ~(size_t)7;
	int i;

	memset(buf, 0, size);
	e->size = (uint32_t)size;
	e->type = USTACK_EVENT_NO_TABLE;
	e->reason = reason;
	e->pid = 4242;
	e->start = 0x400000;
	e->end = 0x500000;
	e->dev = 0x12300845;	/* major 8, minor 0x12345 */
	e->ino = 77;
	e->file_size = 123456;
	e->vdso = (uint8_t)vdso;
	e->build_id_len = (uint8_t)id_len;
	for (i = 0; i < id_len; i++)
		e->build_id[i] = (uint8_t)(0xa0 + i);
	strcpy(e->path, path);
	return size;
}

/* "PID START END DEV INO SIZE BUILDID VDSO PATH", numbers as C has them, "-" for no
 * build id.
 */
static size_t put_line(uint8_t *buf, const char *line)
{
	struct ustack_event *e = (struct ustack_event *)buf;
	long long n[5], pid, vdso;
	char id[80], path[4200];
	unsigned int i;
	size_t size;

	if (sscanf(line, "%lli %lli %lli %lli %lli %lli %79s %lli %4199[^\n]",
		   &pid, &n[0], &n[1], &n[2], &n[3], &n[4], id, &vdso, path) != 9)
		abort();
	size = put_event(buf, USTACK_NO_SECTION, (int)vdso, 0, path);
	e->pid = (uint32_t)pid;
	e->start = (uint64_t)n[0];
	e->end = (uint64_t)n[1];
	e->dev = (uint64_t)n[2];
	e->ino = (uint64_t)n[3];
	e->file_size = (uint64_t)n[4];
	for (i = 0; i < 2 * sizeof(e->build_id) && *id != '-' && id[i]; i += 2)
		sscanf(id + i, "%2hhx", &e->build_id[e->build_id_len++]);
	return size;
}

/* As much as a pipe takes. */
static size_t put_file(uint8_t *buf, size_t room, const char *path)
{
	char line[8192];
	FILE *f = fopen(path, "r");
	size_t n = 0;

	while (f && room - n > sizeof(line) && fgets(line, sizeof(line), f))
		n += put_line(buf + n, line);
	if (f)
		fclose(f);
	return n;
}

/* A pipe whose writing end stays open: empty means EAGAIN, as at the device. */
static int open_device(void)
{
	static _Alignas(8) uint8_t buf[65536];
	const char *events = getenv("FAKE_EVENTS");
	int fds[2];
	size_t n = 0;

	if (pipe(fds) < 0)
		return -1;
	if (env_is("FAKE_EVENTS", "none"))
		return fds[0];
	if (events && strchr(events, '/')) {
		n = put_file(buf, sizeof(buf), events);
		return write(fds[1], buf, n) == (ssize_t)n ? fds[0] : -1;
	}
	n += put_event(buf, USTACK_NO_SECTION, 0, 20, "/usr/lib/lib with blank.so");
	n += put_event(buf + n, USTACK_TRUNCATED, 0, 0, "/tmp/new\nline");
	n += put_event(buf + n, USTACK_NO_SECTION, 0, 4, "");
	n += put_event(buf + n, USTACK_NO_SECTION, 1, 8, "");
	if (env_is("FAKE_EVENTS", "broken"))
		((struct ustack_event *)buf)->size = 8000;
	if (write(fds[1], buf, n) != (ssize_t)n)
		return -1;
	return fds[0];
}

static int open_any(const char *path, int flags, int mode)
{
	const char *images = getenv("FAKE_IMAGES");
	int ours = !strcmp(path, USTACK_DEVICE);

	if (ours || !strcmp(path, "/proc/ustack/images")) {
		if (env_is("FAKE_DEVICE", "absent")) {
			errno = ENOENT;
			return -1;
		}
		if (env_is("FAKE_DEVICE", "denied")) {
			errno = EACCES;
			return -1;
		}
		if (ours)
			return open_device();
		path = images ? images : "/dev/null";
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return open_any(path, flags, mode);
}

static void fill_info(struct ustack_info *info)
{
	const char *tables = getenv("FAKE_TABLES"), *change = getenv("FAKE_CHANGE");

	if (change)
		utimensat(AT_FDCWD, change, NULL, 0);
	info->abi = USTACK_ABI_VERSION;
	info->arch = 1;
	info->hooks = USTACK_HOOK_CALLCHAIN | USTACK_HOOK_MMAP |
		      USTACK_HOOK_FORK | USTACK_HOOK_EXIT;
	info->enabled = !getenv("FAKE_DISABLED");
	info->max_frames = 127;
	info->budget_bytes = 64 << 20;
	info->table_bytes = tables ? strtoull(tables, NULL, 0) : 12900000;
	info->image_bytes = 40000;
	info->space_bytes = 500;
	info->images = 260;
	info->tables = 210;
	info->spaces = 31;
}

/* Each call finds 1,000 more samples, 999 of them complete. */
static void fill_stats(struct ustack_stats *st)
{
	static unsigned int calls;

	calls++;
	if (env_is("FAKE_EVENTS", "none"))
		return;
	st->samples = 100000 + 1000 * calls;
	st->frames = 1900000 + 19000 * calls;
	st->table_steps = 1790000;
	st->blind_steps = 10000;
	st->guessed_steps = 123;
	st->guessed_samples = 45;
	st->guessed_complete = 1010;
	st->reasons[USTACK_COMPLETE] = 98000 + 999 * calls;
	st->reasons[USTACK_STACK_FAULT] = 500 + calls;
	st->reasons[USTACK_NO_TABLE] = 1500;
	st->reasons[90] = 1;
}

static void log_path(const char *path, int fd)
{
	char self[32], name[4096] = "";
	FILE *log = path ? fopen(path, "a") : NULL;

	if (!log)
		return;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (readlink(self, name, sizeof(name) - 1) < 0)
		strcpy(name, "none");
	fprintf(log, "%s\n", name);
	fclose(log);
}

static int do_load(struct ustack_load *load)
{
	const uint8_t *bytes = (const void *)(uintptr_t)load->section;
	const char *refuse = getenv("FAKE_REFUSE"), *path = getenv("FAKE_LOG");
	FILE *log = path ? fopen(path, "a") : NULL;

	if (getenv("FAKE_DIE"))
		abort();
	while (getenv("FAKE_HANG"))
		pause();
	log_path(getenv("FAKE_PATHS"), load->fd);
	if (log) {
		fprintf(log, "load fd %s flags %u vaddr 0x%llx len %llu magic %02x%02x\n",
			load->fd < 0 ? "none" :
				fcntl(load->fd, F_GETFD) < 0 ? "bad" : "good",
			load->flags, load->vaddr, load->len, bytes[1], bytes[0]);
		fclose(log);
	}
	if (refuse) {
		load->reason = (uint32_t)atoi(refuse);
		load->bad_off = 28;
		errno = EINVAL;
		return -1;
	}
	load->functions = 120;
	load->rows = 412;
	load->table_bytes = 3456;
	load->lost = 2;
	load->reason = USTACK_PLT_BUG;
	load->bad_off = 0x44;
	return 0;
}

static int log_line(const char *path, unsigned long long number)
{
	FILE *log = path ? fopen(path, "a") : NULL;

	if (log) {
		fprintf(log, "%llu\n", number);
		fclose(log);
	}
	return 0;
}

static int do_prepare(struct ustack_prepare *prepare)
{
	log_line(getenv("FAKE_PREPARED"), (unsigned int)prepare->pid);
	if (prepare->pid == 999999) {
		errno = ESRCH;
		return -1;
	}
	prepare->mappings = 12;
	prepare->tables = 10;
	return 0;
}

static int request(unsigned long cmd, void *arg)
{
	const char *err = getenv("FAKE_ERRNO");

	if (err) {
		errno = atoi(err);
		return -1;
	}
	if (*(uint32_t *)arg != _IOC_SIZE(cmd)) {
		errno = EINVAL;
		return -1;
	}
	switch (cmd) {
	case USTACK_IOC_INFO:
		fill_info(arg);
		return 0;
	case USTACK_IOC_STATS:
		fill_stats(arg);
		return 0;
	case USTACK_IOC_LOAD:
		return do_load(arg);
	case USTACK_IOC_PREPARE:
		return do_prepare(arg);
	case USTACK_IOC_AGAIN:
		return log_line(getenv("FAKE_AGAIN"),
				((struct ustack_again *)arg)->ino);
	}
	errno = ENOTTY;
	return -1;
}

int ioctl(int fd, unsigned long cmd, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (_IOC_TYPE(cmd) == USTACK_IOC_TYPE)
		return request(cmd, arg);
	return (int)syscall(SYS_ioctl, fd, cmd, arg);
}
