// SPDX-License-Identifier: GPL-2.0-only
/* The set of mapped files as a hash table with open addressing, see mapped_file.h. */
#include "host/process/mapped_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	/* FNV-1a is good enough: a few hundred files, looked up at each mmap */
	while (len--)
		h = (h ^ *p++) * 0x100000001b3;
	return h;
}

static uint64_t id_hash(const struct process_file_id *id)
{
	uint64_t h = hash_bytes(0xcbf29ce484222325, id->path, strlen(id->path));

	h = hash_bytes(h, id->build_id, id->build_id_len);
	h = hash_bytes(h, &id->dev, sizeof(id->dev));
	h = hash_bytes(h, &id->ino, sizeof(id->ino));
	h = hash_bytes(h, &id->generation, sizeof(id->generation));
	return h ^ h >> 32;
}

static bool id_equal(const struct process_file_id *a, const struct process_file_id *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->generation == b->generation &&
	       a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len) &&
	       !strcmp(a->path, b->path);
}

static struct process_file **place(const struct process_files *set,
				   const struct process_file_id *id)
{
	size_t i = id_hash(id) & (set->room - 1);

	while (set->places[i] && !id_equal(&set->places[i]->id, id))
		i = (i + 1) & (set->room - 1);
	return &set->places[i];
}

static int grow(struct process_files *set)
{
	struct process_files next = { .room = set->room ? 2 * set->room : 256 };
	size_t i;

	next.places = calloc(next.room, sizeof(struct process_file *));
	if (!next.places)
		return -ENOMEM;
	for (i = 0; i < set->room; i++)
		if (set->places[i])
			*place(&next, &set->places[i]->id) = set->places[i];
	free(set->places);
	set->places = next.places;
	set->room = next.room;
	return 0;
}

/*
 * The kind of a mapping by the name that the kernel gives it: perf_event_mmap_event() and
 * fs/proc/task_mmu.c. A memfd counts as a file.
 */
static enum process_file_kind kind_of(const char *path)
{
	if (!strcmp(path, "[vdso]"))
		return PROCESS_VDSO;
	if (!path[0] || !strcmp(path, "//anon") || !strcmp(path, "[heap]") ||
	    !strncmp(path, "[stack", 6) || !strncmp(path, "[anon", 5) ||
	    !strncmp(path, "/dev/zero", 9) || !strncmp(path, "/SYSV", 5))
		return PROCESS_ANON;
	return path[0] == '/' ? PROCESS_FILE : PROCESS_SPECIAL;
}

static struct process_file *file_new(const struct process_file_id *id)
{
	size_t len = strlen(id->path) + 1;
	struct process_file *f = malloc(sizeof(*f) + len);

	if (!f)
		return NULL;
	*f = (struct process_file){ .id = *id, .kind = kind_of(id->path), .refs = 1 };
	f->id.path = memcpy(f + 1, id->path, len);
	return f;
}

struct process_file *process_files_get(struct process_files *set,
				       const struct process_file_id *id, bool *fresh)
{
	struct process_file **p;

	/* at most three quarters full */
	if (4 * (set->nr + 1) > 3 * set->room && grow(set))
		return NULL;
	p = place(set, id);
	*fresh = !*p;
	if (*p)
		return process_file_ref(*p);
	*p = file_new(id);
	set->nr += !!*p;
	return *p;
}

struct process_file *process_file_ref(struct process_file *f)
{
	if (f)
		f->refs++;
	return f;
}

/* Frees a place, and moves entries up that were put further back because it was taken. */
static void close_gap(struct process_files *set, struct process_file **gap)
{
	size_t i = gap - set->places;
	struct process_file *f;

	*gap = NULL;
	for (i = (i + 1) & (set->room - 1); set->places[i]; i = (i + 1) & (set->room - 1)) {
		f = set->places[i];
		set->places[i] = NULL;
		*place(set, &f->id) = f;
	}
}

void process_file_put(struct process_files *set, struct process_file *f)
{
	if (!f || --f->refs)
		return;
	close_gap(set, place(set, &f->id));
	set->nr--;
	if (set->gone)
		set->gone(f, set->gone_arg);
	free(f);
}

void process_files_release(struct process_files *set)
{
	free(set->places);
	*set = (struct process_files){ 0 };
}
