// SPDX-License-Identifier: GPL-2.0-only
#include "tables/answer.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "process/scan.h"
#include "stackcopy/code.h"
#include "supply/locate.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

/* File systems' times advance by ticks, of 10 ms at most: what is written within the tick of the
 * last change has the same time.
 */
#define TICK_NS 20000000

static const size_t images_len = TABLES_IMAGES * sizeof(struct tables_image);

int answers_look(struct bpf_program *each, uint32_t tgid)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, o);
	union bpf_iter_link_info info = { .task = { .pid = tgid } };
	struct bpf_link *link;
	char nothing[64];
	int fd, err = 0;

	if (tgid) {
		o.link_info = &info;
		o.link_info_len = sizeof(info);
	}
	link = bpf_program__attach_iter(each, &o);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		err = fd;
	else
		while (read(fd, nothing, sizeof(nothing)) > 0)
			;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

int answers_open(struct answers *a, const struct keeper_maps *maps, uint64_t memory,
		 struct diag *diag)
{
	a->spaces = maps->spaces;
	a->each = maps->each;
	a->bins.outer = maps->bins;
	a->bins.max = (unsigned int)((memory + TABLES_BIN_BYTES - 1) / TABLES_BIN_BYTES);
	a->images = mmap(NULL, images_len, PROT_READ | PROT_WRITE, MAP_SHARED, maps->images, 0);
	if (a->images == MAP_FAILED) {
		a->images = NULL;
		return diag_errno(diag, errno, "images");
	}
	a->cache = (struct cache)CACHE_INIT;
	/* who may not write to it makes tables for this run alone */
	a->has_cache = !cache_open(&a->cache, cache_default(), geteuid(), getegid(), NULL);
	return 0;
}

void answers_release(struct answers *a)
{
	if (a->images)
		munmap(a->images, images_len);
	if (a->has_cache)
		cache_release(&a->cache);
	bins_release(&a->bins);
	*a = (struct answers)ANSWERS_INIT;
}

/* What the process has mapped at @addr by now: mappings are split and joined. */
static bool find_mapping(uint32_t pid, uint64_t addr, char path[80])
{
	_cleanup_(cleanup_free) char *line = NULL;
	struct scan_line l;
	bool found = false;
	size_t room = 0;
	FILE *maps;

	snprintf(path, 80, "/proc/%" PRIu32 "/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return false;
	while (!found && getline(&line, &room, maps) > 0)
		found = scan_line(line, &l) && addr >= l.start && addr < l.end;
	fclose(maps);
	if (found)
		snprintf(path, 80, "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, pid,
			 l.start, l.end);
	return found;
}

static enum supply_outcome open_file(const struct tables_wish *wish, struct supply_file *f)
{
	const struct ustack_event vdso = { .pid = (uint32_t)getpid(), .vdso = 1 };
	enum ustack_reason reason;
	enum supply_outcome ret;
	char path[80];

	if (wish->image == TABLES_VDSO)
		return supply_locate_vdso(f, &vdso, &reason);
	if (!find_mapping(wish->tgid, wish->start, path))
		return SUPPLY_GONE;
	ret = supply_file_open(f, AT_FDCWD, path, false);
	f->path = NULL;		/* it was of this function */
	return ret ? ret : supply_file_headers(f, &reason);
}

/* The programs' image of what this process has mapped at @at. */
static uint32_t image_at(const struct answers *a, const void *at)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	uint32_t tgid = (uint32_t)getpid(), i;

	if (!space || bpf_map_lookup_elem(a->spaces, &tgid, space))
		return TABLES_MADE;
	for (i = 0; i < TABLES_WINDOWS; i++)
		if ((uint64_t)at - space->window[i].start < space->window[i].len)
			return space->window[i].image;
	return TABLES_MADE;
}

/*
 * Whether the file is the one of the image: the kernel is asked, by mapping it. A program that
 * could not look then, as another thread changed mappings, is asked to look again.
 */
static bool is_image(const struct answers *a, const struct supply_file *f, uint32_t image)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, f->fd, 0);
	bool ret;

	if (at == MAP_FAILED)
		return false;
	ret = image_at(a, at) == image;
	if (!ret && !answers_look(a->each, (uint32_t)getpid()))
		ret = image_at(a, at) == image;
	munmap(at, 4096);
	return ret;
}

/* A file that was written a moment ago may be written again within the same tick. */
static void let_it_age(const struct supply_file *f)
{
	int64_t age = (int64_t)clock_ns(CLOCK_REALTIME) -
		      ((int64_t)f->st.st_ctim.tv_sec * 1000000000 + f->st.st_ctim.tv_nsec);
	struct timespec rest = { .tv_nsec = TICK_NS };

	if (age >= 0 && age < TICK_NS)
		nanosleep(&rest, NULL);
}

/* Return: false if it has more segments than there is room for. */
static bool take_segments(struct tables_image *image, const struct code *c)
{
	unsigned int i;

	if (c->nr_segments > TABLES_SEGMENTS)
		return false;
	for (i = 0; i < c->nr_segments; i++)
		image->segment[i] = (struct tables_segment){
			c->segments[i].off, c->segments[i].end, c->segments[i].delta,
		};
	return true;
}

/* Programs read @bytes first, so it is written last. */
static bool publish(struct answers *a, struct tables_image *image, const struct code *c)
{
	struct bins_place place;

	if (!take_segments(image, c) ||
	    bins_put(&a->bins, &c->table, c->table.size, &place)) {
		__atomic_fetch_add(&a->refused, 1, __ATOMIC_RELAXED);
		return false;
	}
	image->bin = place.bin;
	image->off = place.off;
	__atomic_store_n(&image->bytes, (uint32_t)c->table.size, __ATOMIC_RELEASE);
	__atomic_fetch_add(&a->tables, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&a->table_bytes, c->table.size, __ATOMIC_RELAXED);
	__atomic_store_n(&a->bin_bytes, bins_bytes(&a->bins), __ATOMIC_RELAXED);
	return true;
}

/* Return: what frames in the file have to say from now on; USTACK_BUILDING to be asked again. */
static enum ustack_reason make(struct answers *a, const struct tables_wish *wish)
{
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	_cleanup_(cleanup_free) struct code *c = NULL;
	enum supply_outcome found = open_file(wish, &f);
	enum ustack_reason why;

	if (found == SUPPLY_NOT_OURS || found == SUPPLY_BROKEN || found == SUPPLY_NOT_REGULAR)
		return USTACK_NO_TABLE;
	if (found || (wish->image != TABLES_VDSO && !is_image(a, &f, wish->image)))
		return USTACK_BUILDING;
	let_it_age(&f);
	c = code_make(&f, a->has_cache ? &a->cache : NULL, &why);
	if (!supply_file_unchanged(&f))
		return USTACK_BUILDING;
	return c && publish(a, &a->images[wish->image], c) ? USTACK_OK : USTACK_NO_TABLE;
}

void answers_make(struct answers *a, const struct tables_wish *wish)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	enum ustack_reason why;

	if (wish->image >= TABLES_IMAGES || a->images[wish->image].why != USTACK_BUILDING)
		return;
	why = make(a, wish);
	__atomic_store_n(&a->images[wish->image].why, why, __ATOMIC_RELEASE);
	__atomic_fetch_add(&a->ns, clock_ns(CLOCK_THREAD_CPUTIME_ID) - began, __ATOMIC_RELAXED);
}

void answers_counts(const struct answers *a, struct keeper_counts *ret)
{
	*ret = (struct keeper_counts){
		.tables = __atomic_load_n(&a->tables, __ATOMIC_RELAXED),
		.table_bytes = __atomic_load_n(&a->table_bytes, __ATOMIC_RELAXED),
		.bin_bytes = __atomic_load_n(&a->bin_bytes, __ATOMIC_RELAXED),
		.ns = __atomic_load_n(&a->ns, __ATOMIC_RELAXED),
		.refused = __atomic_load_n(&a->refused, __ATOMIC_RELAXED),
	};
}
