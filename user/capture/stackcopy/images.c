// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapped files with their unwind tables, in a hash table by build id or inode.
 * walk.c asks for them, stackcopy.c and perfimport limit their memory. See
 * images.h.
 */
#include "capture/stackcopy/images.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symstore/find.h"
#include "util/clock.h"

#define BUCKETS 1024u
#define PAGE 4096u

/*
 * Limit for files, also without tables: each has a descriptor and a page in
 * memory.
 */
#define MAX_IMAGES 2048u

/*
 * A file that cannot be opened through one process may be found through
 * another.
 */
#define MAX_TRIES 4u

/**
 * struct image - a file
 * @next: next image in the bucket
 * @id: identity of the file; the image owns its path
 * @kind: kind of the file
 * @tries: number of failed attempts to open it; MAX_TRIES after it was opened
 * @last_pid: process of the last attempt
 * @code: unwind table, NULL if there is none
 * @file: the file, open or not
 * @used: @tick of struct images at the last use
 * @page_off: offset of @page in the file
 * @page_len: valid bytes in @page, 0 if none
 */
struct image {
	struct image *next;
	struct process_file_id id;
	enum process_file_kind kind;
	u32 tries;
	u32 last_pid;
	struct code *code;
	struct supply_file file;
	u64 used;
	u64 page_off;
	u32 page_len;
	u8 page[PAGE];
};

struct images {
	struct image *buckets[BUCKETS];
	struct cache cache;
	bool has_cache;
	bool past;
	u64 memory;
	u64 bytes;
	u32 nr;
	u64 tick;
	u64 made;
	u64 dropped;
	u64 opening_ns;
};

struct images *images_new(u64 memory, bool past)
{
	struct images *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->memory = memory;
	all->past = past;
	all->cache = (struct cache)CACHE_INIT;
	/* without write access tables are made for this run alone */
	all->has_cache = !cache_open(&all->cache, cache_default(), geteuid(), getegid(), NULL);
	return all;
}

static void image_free(struct image *i)
{
	supply_file_release(&i->file);
	free(i->code);
	free((char *)i->id.path);
	free(i);
}

void images_free(struct images *all)
{
	struct image *i, *next;
	unsigned int b;

	if (!all)
		return;
	for (b = 0; b < BUCKETS; b++)
		for (i = all->buckets[b]; i; i = next) {
			next = i->next;
			image_free(i);
		}
	if (all->has_cache)
		cache_release(&all->cache);
	free(all);
}

static struct image **bucket(struct images *all, const struct process_file_id *id)
{
	u64 sum = id->build_id_len ? cache_sum(0, id->build_id, id->build_id_len) :
				     cache_sum(id->ino, &id->dev, sizeof(id->dev));

	return &all->buckets[(sum ^ sum >> 32) % BUCKETS];
}

static bool same(const struct image *i, const struct process_file *f)
{
	const struct process_file_id *a = &i->id, *b = &f->id;

	if (i->kind != f->kind || a->build_id_len != b->build_id_len)
		return false;
	if (a->build_id_len)
		return !memcmp(a->build_id, b->build_id, a->build_id_len);
	return a->dev == b->dev && a->ino == b->ino && a->generation == b->generation &&
	       (a->ino || !strcmp(a->path, b->path));
}

static void open_image(struct images *all, struct image *i, u32 pid,
		       const struct process_place *at)
{
	struct symstore_key key = {
		.path = i->id.path, .build_id_len = i->id.build_id_len, .dev = i->id.dev,
		.ino = i->id.ino, .generation = i->id.generation,
		.pid = all->past ? 0 : pid, .start = at->start, .end = at->end,
	};
	enum ustack_reason why;

	memcpy(key.build_id, i->id.build_id, i->id.build_id_len);
	i->last_pid = pid;
	i->file = (struct supply_file)SUPPLY_FILE_INIT;
	if (symstore_find(&key, NULL, &i->file)) {
		i->tries++;
		return;
	}
	i->file.path = i->id.path;
	i->tries = MAX_TRIES;
	i->code = code_make(&i->file, all->has_cache ? &all->cache : NULL, 0, &why);
	if (!i->code)
		return;
	all->made++;
	all->bytes += i->code->bytes;
}

/*
 * Adds the CPU time to @opening_ns: it depends on the number of new programs,
 * not of samples.
 */
static void open_counted(struct images *all, struct image *i, u32 pid,
			 const struct process_place *at)
{
	u64 began = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	open_image(all, i, pid, at);
	all->opening_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;
}

static struct image *image_new(struct images *all, const struct process_file *f)
{
	struct image **at = bucket(all, &f->id), *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->file = (struct supply_file)SUPPLY_FILE_INIT;
	i->id = f->id;
	i->kind = f->kind;
	i->id.path = strdup(f->id.path);
	if (!i->id.path) {
		free(i);
		return NULL;
	}
	i->next = *at;
	*at = i;
	all->nr++;
	return i;
}

struct image *images_get(struct images *all, u32 pid, const struct process_place *at)
{
	struct image *i = *bucket(all, &at->file->id);

	while (i && !same(i, at->file))
		i = i->next;
	if (!i)
		i = image_new(all, at->file);
	if (!i)
		return NULL;
	if (i->file.fd < 0 && i->tries < MAX_TRIES && i->last_pid != pid)
		open_counted(all, i, pid, at);
	i->used = ++all->tick;
	return i;
}

const struct code *image_code(const struct image *i)
{
	return i->code;
}

static bool read_page(struct image *i, u64 off)
{
	ssize_t n;

	i->page_off = off & ~(u64)(PAGE - 1);
	n = pread(i->file.fd, i->page, PAGE, (off_t)i->page_off);
	i->page_len = n > 0 ? (u32)n : 0;
	return i->page_len;
}

static bool read_byte(struct image *i, u64 off, u8 *ret)
{
	if (off - i->page_off >= i->page_len &&
	    (!read_page(i, off) || off - i->page_off >= i->page_len))
		return false;
	*ret = i->page[off - i->page_off];
	return true;
}

bool image_read(struct image *i, u64 off, u64 *ret)
{
	u8 bytes[sizeof(*ret)];
	unsigned int n;

	if (i->file.fd < 0)
		return false;
	for (n = 0; n < sizeof(bytes); n++)
		if (!read_byte(i, off + n, &bytes[n]))
			return false;
	*ret = ustack_le64(bytes);
	return true;
}

/*
 * Drops the least recently used image. @with_code: only look at images that
 * have a table.
 */
static void drop_oldest(struct images *all, bool with_code)
{
	struct image **oldest = NULL, **at, *gone;
	unsigned int b;

	for (b = 0; b < BUCKETS; b++)
		for (at = &all->buckets[b]; *at; at = &(*at)->next)
			if ((!with_code || (*at)->code) &&
			    (!oldest || (*at)->used < (*oldest)->used))
				oldest = at;
	if (!oldest)
		return;
	gone = *oldest;
	*oldest = gone->next;
	all->nr--;
	if (gone->code) {
		all->bytes -= gone->code->bytes;
		all->dropped++;
	}
	image_free(gone);
}

void images_trim(struct images *all)
{
	while (all->bytes > all->memory)
		drop_oldest(all, true);
	while (all->nr > MAX_IMAGES)
		drop_oldest(all, false);
}

void images_counts(const struct images *all, u64 *made, u64 *dropped)
{
	*made = all->made;
	*dropped = all->dropped;
}

u64 images_bytes(const struct images *all)
{
	return all->bytes;
}

u64 images_opening_ns(const struct images *all)
{
	return all->opening_ns;
}
