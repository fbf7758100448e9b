// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of generated code, see jit.h: finds the files of each process, and reads what was
 * added to them since the last lookup.
 */
#include "symbols/symstore/jit.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/file/process_file.h"
#include "symbols/symstore/jit_codes.h"
#include "symbols/symstore/jitdump.h"
#include "symbols/symstore/perf_map.h"
#include "util/proc_status.h"

/* Bytes that are read at a time; a larger record of a jitdump file is not read. */
#define CHUNK (16u << 20)

/**
 * struct source - a file in which a process describes its code
 * @fd: descriptor, -1 if there is none
 * @at: offset up to which it was read
 * @bad: the content is invalid from @at on
 */
struct source {
	int fd;
	uint64_t at;
	bool bad;
};

struct process {
	uint32_t pid;
	struct source map;
	struct source dump;
	struct jitdump dump_state;
	struct jit_codes codes;
};

/*
 * Processes in a hash table with open addressing. A process without generated code has no
 * files and stays small.
 */
struct jit {
	struct process **places;
	size_t room;
	size_t nr;
	uint8_t *chunk;
};

struct jit *jit_new(void)
{
	struct jit *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->room = 256;
	j->places = calloc(j->room, sizeof(struct process *));
	if (j->places)
		return j;
	free(j);
	return NULL;
}

static void source_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void process_free(struct process *p)
{
	source_close(&p->map);
	source_close(&p->dump);
	jit_codes_release(&p->codes);
	free(p);
}

void jit_free(struct jit *j)
{
	size_t i;

	if (!j)
		return;
	for (i = 0; i < j->room; i++)
		if (j->places[i])
			process_free(j->places[i]);
	free(j->places);
	free(j->chunk);
	free(j);
}

static struct process **place(const struct jit *j, uint32_t pid)
{
	size_t i = pid & (j->room - 1);

	while (j->places[i] && j->places[i]->pid != pid)
		i = (i + 1) & (j->room - 1);
	return &j->places[i];
}

static int grow(struct jit *j)
{
	struct process **old = j->places;
	size_t room = j->room, i;

	j->places = calloc(2 * room, sizeof(struct process *));
	if (!j->places) {
		j->places = old;
		return -ENOMEM;
	}
	j->room = 2 * room;
	for (i = 0; i < room; i++)
		if (old[i])
			*place(j, old[i]->pid) = old[i];
	free(old);
	return 0;
}

bool jit_is_dump(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	name = name ? name + 1 : path;
	if (strncmp(name, "jit-", 4))
		return false;
	digits = strspn(name + 4, "0123456789");
	return digits && !strncmp(name + 4 + digits, ".dump", 5);
}

/* The process's number in its own PID namespace, by which it names its files. */
static uint32_t inner_pid(uint32_t pid)
{
	char path[PROC_STATUS_PATH];

	proc_status_path(pid, path);
	return proc_status_inner_pid(path, pid);
}

/*
 * Opens a file as the process sees it. The file must belong to the process's user or
 * root, as anybody may write to /tmp. If the process has ended, opens the file as this
 * program sees it.
 */
static int open_seen(uint32_t pid, const char *path)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	char proc[40];
	struct stat st;
	int root, fd = -1;

	snprintf(proc, sizeof(proc), "/proc/%" PRIu32, pid);
	root = supply_open_root(pid);
	if (root >= 0 && !stat(proc, &st)) {
		if (!supply_file_open(&f, root, path, true) &&
		    (f.st.st_uid == st.st_uid || !f.st.st_uid))
			fd = fcntl(f.fd, F_DUPFD_CLOEXEC, 0);
	} else if (!supply_file_open(&f, AT_FDCWD, path, false)) {
		fd = fcntl(f.fd, F_DUPFD_CLOEXEC, 0);
	}
	supply_file_release(&f);
	if (root >= 0)
		close(root);
	return fd;
}

static struct process *process_get(struct jit *j, uint32_t pid)
{
	struct process **p;

	if (4 * (j->nr + 1) > 3 * j->room && grow(j))
		return NULL;
	p = place(j, pid);
	if (*p)
		return *p;
	*p = calloc(1, sizeof(**p));
	if (!*p)
		return NULL;
	**p = (struct process){ .pid = pid, .map = { .fd = -1 }, .dump = { .fd = -1 } };
	j->nr++;
	return *p;
}

void jit_process(struct jit *j, uint32_t pid)
{
	struct process *p = *place(j, pid);
	char path[40];

	if (p)
		return;
	p = process_get(j, pid);
	if (!p)
		return;
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", inner_pid(pid));
	p->map.fd = open_seen(pid, path);
}

void jit_dump(struct jit *j, uint32_t pid, const char *path)
{
	struct process *p;

	jit_process(j, pid);
	p = *place(j, pid);
	if (p && p->dump.fd < 0)
		p->dump.fd = open_seen(pid, path);
}

bool jit_has_names(const struct jit *j, uint32_t pid)
{
	const struct process *p = *place(j, pid);

	return p && (p->map.fd >= 0 || p->dump.fd >= 0);
}

/* Reads what is new in a file. @parse returns the bytes that it used, or an error. */
static int read_on(struct jit *j, struct process *p, struct source *s,
		   int64_t (*parse)(struct process *p, const uint8_t *bytes, size_t len))
{
	int64_t taken = 1;
	ssize_t len;

	if (s->fd < 0 || s->bad)
		return 0;
	if (!j->chunk)
		j->chunk = malloc(CHUNK);
	if (!j->chunk)
		return -ENOMEM;
	while (taken > 0) {
		len = pread(s->fd, j->chunk, CHUNK, (off_t)s->at);
		if (len <= 0)
			return 0;
		taken = parse(p, j->chunk, (size_t)len);
		/* a record or line is larger than what is read at a time */
		s->bad = taken < 0 || (!taken && len == CHUNK);
		if (taken > 0)
			s->at += (uint64_t)taken;
	}
	return taken == -ENOMEM ? -ENOMEM : 0;
}

static int64_t parse_map(struct process *p, const uint8_t *bytes, size_t len)
{
	return perf_map_parse(&p->codes, (const char *)bytes, len);
}

static int64_t parse_dump(struct process *p, const uint8_t *bytes, size_t len)
{
	return jitdump_parse(&p->dump_state, &p->codes, bytes, len);
}

/* If the map has become shorter, the process has started a new one: read it from the start. */
static void look_for_new_map(struct process *p)
{
	struct stat st;

	if (p->map.fd < 0 || fstat(p->map.fd, &st) || (uint64_t)st.st_size >= p->map.at)
		return;
	p->map.at = 0;
	p->map.bad = false;
}

/* Opens the process's map if it was created since the last time. */
static void look_for_map(struct process *p)
{
	char path[40];

	if (p->map.fd >= 0)
		return;
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", inner_pid(p->pid));
	p->map.fd = open_seen(p->pid, path);
}

int jit_find(struct jit *j, uint32_t pid, uint64_t addr, struct jit_frame *ret)
{
	const struct jit_code *code;
	const struct jit_line *line;
	struct process *p;
	int err;

	jit_process(j, pid);
	p = *place(j, pid);
	if (!p)
		return -ENOMEM;
	code = jit_codes_find(&p->codes, addr);
	if (!code) {
		look_for_map(p);
		look_for_new_map(p);
		err = read_on(j, p, &p->map, parse_map);
		if (!err)
			err = read_on(j, p, &p->dump, parse_dump);
		if (err)
			return err;
		code = jit_codes_find(&p->codes, addr);
	}
	if (!code)
		return 0;
	line = jit_codes_line_at(&p->codes, code, addr);
	*ret = (struct jit_frame){ .name = p->codes.names + code->name,
				   .file = line ? p->codes.names + line->file : "",
				   .line = line ? line->line : 0 };
	return 1;
}

/* Removes a process and closes the gap in the hash table. */
static void forget(struct jit *j, uint32_t pid)
{
	struct process **gap = place(j, pid), *p;
	size_t i = gap - j->places;

	if (!*gap)
		return;
	process_free(*gap);
	*gap = NULL;
	j->nr--;
	for (i = (i + 1) & (j->room - 1); j->places[i]; i = (i + 1) & (j->room - 1)) {
		p = j->places[i];
		j->places[i] = NULL;
		*place(j, p->pid) = p;
	}
}

void jit_forget_others(struct jit *j, bool (*known)(uint32_t pid, void *arg), void *arg)
{
	size_t i = 0;

	/* forget() may move a later process to this place */
	while (i < j->room)
		if (j->places[i] && !known(j->places[i]->pid, arg))
			forget(j, j->places[i]->pid);
		else
			i++;
}
