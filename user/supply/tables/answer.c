// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers wishes in the maker's thread: has the BPF iterator read a process's mappings, or
 * finds the file of an image, makes its table and publishes it. Rations the CPU time of both.
 */
#include "supply/tables/answer.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "host/process/scan.h"
#include "supply/code.h"
#include "supply/made.h"
#include "host/file/locate.h"
#include "supply/tables/collect.h"
#include "supply/tables/image.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

#define MAX_READS 3u

/* Tables that no stack has asked for yet may take this at once, and this part of a CPU for long. */
#define AHEAD_NS 10000000000
#define AHEAD_PART 50

/* The same for the tables that one payer's stacks ask for (struct tables_shares): others wait. */
#define PAYER_NS 10000000000
#define PAYER_PART 4

/* The same for reading one process's mappings. A process that changes its mappings all the time
 * would be read all the time.
 */
#define LOOK_NS 500000000
#define LOOK_PART 20

/* If numbers are scarce, unused ones are collected at most once in this time. */
#define COLLECT_NS 5000000000

static const size_t images_len = TABLES_IMAGES * sizeof(struct tables_image);

/*
 * Reads the iterator to its end. The BPF program that runs for each entry does the work and prints
 * nothing. After a million entries without output the kernel ends read() with EAGAIN, and the next
 * read() continues there.
 */
static int read_to_end(int fd)
{
	char nothing[64];
	ssize_t n;

	do
		n = read(fd, nothing, sizeof(nothing));
	while (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
	return n < 0 ? -errno : 0;
}

int answers_look(struct bpf_program *each, uint32_t tgid)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, o);
	union bpf_iter_link_info info = { .task = { .pid = tgid } };
	struct bpf_link *link;
	int fd, err;

	if (tgid) {
		o.link_info = &info;
		o.link_info_len = sizeof(info);
	}
	link = bpf_program__attach_iter(each, &o);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	err = fd < 0 ? fd : read_to_end(fd);
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

static void map_process(struct answers *a, uint32_t tgid)
{
	const struct wide *wide = wides_make(&a->wides, tgid);

	__atomic_store_n(&a->wide_bytes, wides_bytes(&a->wides), __ATOMIC_RELAXED);
	__atomic_store_n(&a->crowded, a->wides.refusals, __ATOMIC_RELAXED);
	if (!wide) {
		answers_look(a->each, tgid);
		return;
	}
	/* programs that do not see the wide windows yet may change the old ones until they end */
	if (bins_wait(&a->bins) || answers_look(a->each, wide->tgid))
		return;
	wides_ready(wide);
	/* walks that found the wide windows not ready read the old ones until they end */
	if (!bins_wait(&a->bins))
		wides_drop_fewer(&a->wides, wide->id);
}

int answers_open(struct answers *a, const struct table_maker_maps *maps,
		 const struct table_maker_limits *limits, struct diag *diag)
{
	int err;

	a->spaces = maps->spaces;
	a->each = maps->each;
	a->made = maps->made;
	a->files = maps->files;
	a->free_images = maps->free_images;
	a->every = a->until = limits->collect_every ? limits->collect_every : TABLES_IMAGES / 8;
	a->most = limits->part_bytes ? limits->part_bytes : TABLES_BIN_BYTES;
	err = bins_open(&a->bins, maps->bins,
			(unsigned int)((limits->memory + TABLES_BIN_BYTES - 1) / TABLES_BIN_BYTES));
	if (err)
		return diag_set(diag, -err, NULL, "no memory of the kernel for unwind tables: %s",
				strerror(-err));
	a->images = mmap(NULL, images_len, PROT_READ | PROT_WRITE, MAP_SHARED, maps->images, 0);
	if (a->images == MAP_FAILED) {
		a->images = NULL;
		return diag_errno(diag, errno, "images");
	}
	a->shares = mmap(NULL, sizeof(*a->shares), PROT_READ | PROT_WRITE, MAP_SHARED, maps->shares, 0);
	if (a->shares == MAP_FAILED) {
		a->shares = NULL;
		return diag_errno(diag, errno, "shares");
	}
	if (getrandom(&a->shares->seed, sizeof(a->shares->seed), 0) != sizeof(a->shares->seed))
		return diag_errno(diag, errno, "getrandom");
	err = wides_open(&a->wides, maps->spaces, maps->wides, maps->huges);
	if (err)
		return diag_set(diag, -err, NULL, "no memory of the kernel for mappings: %s",
				strerror(-err));
	a->cache = (struct cache)CACHE_INIT;
		/* without the right to write to the cache, tables are made for this run only */
	a->has_cache = !cache_open(&a->cache, cache_default(), geteuid(), getegid(), NULL);
	return 0;
}

void answers_release(struct answers *a)
{
	if (a->images)
		munmap(a->images, images_len);
	if (a->shares)
		munmap(a->shares, sizeof(*a->shares));
	if (a->has_cache)
		cache_release(&a->cache);
	bins_release(&a->bins);
	wides_close(&a->wides);
	*a = (struct answers)ANSWERS_INIT;
}

/*
 * Finds the present mapping at @addr, as mappings are split and joined. The path in @ret is not
 * valid.
 */
static bool find_mapping(uint32_t pid, uint64_t addr, struct scan_line *ret)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;

	if (!scan_maps_open(&maps, pid))
		return false;
	while (scan_maps_next(&maps, ret))
		if (addr >= ret->start && addr < ret->end)
			return true;
	return false;
}

/*
 * Opens the file of the wish; its headers are not read. All mappings are read only if the
 * mapping was split or joined since, as a process can have tens of thousands.
 */
static enum supply_outcome open_file(const struct tables_wish *wish, struct supply_file *f)
{
	enum supply_outcome ret;
	char path[SCAN_MAPPED_PATH];
	struct scan_line l;

	scan_mapped_path(wish->tgid, wish->start, wish->end, path);
	ret = supply_file_open(f, AT_FDCWD, path, false);
	if (ret == SUPPLY_GONE && find_mapping(wish->tgid, wish->start, &l)) {
		scan_mapped_path(wish->tgid, l.start, l.end, path);
		ret = supply_file_open(f, AT_FDCWD, path, false);
	}
	f->path = NULL;		/* it points into this function's stack */
	return ret;
}

/* The number that the BPF programs have given to what this process has mapped at @at. */
static uint32_t image_at(const struct answers *a, const void *at)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	uint32_t tgid = (uint32_t)getpid(), i, nr;
	const struct tables_window *window;

	if (!space || bpf_map_lookup_elem(a->spaces, &tgid, space))
		return TABLES_MADE;
	window = wides_of(&a->wides, space, &nr);
	for (i = 0; i < nr; i++)
		if ((uint64_t)at - window[i].start < window[i].len)
			return window[i].image;
	return TABLES_MADE;
}

/*
 * Whether the image's file is still @f. A file that was renamed, removed or given other rights
 * since it was mapped has another number now. It is the same file if it has not been written.
 */
static bool is_unwritten(const struct answers *a, const struct supply_file *f, uint32_t image,
			 uint32_t now)
{
	const uint64_t written = (uint64_t)f->st.st_mtim.tv_sec * 1000000000 +
				 (uint64_t)f->st.st_mtim.tv_nsec;
	const struct tables_file *was = &a->images[image].file, *is = &a->images[now].file;

	return now >= TABLES_FIRST_FILE && was->dev == is->dev && was->ino == is->ino &&
	       written <= was->changed;
}

/*
 * Whether @f is the image's file: it is mapped here, so that the kernel tells. If the programs
 * missed that mapping, as another thread changed mappings, they are asked to read them again.
 */
static bool is_image(const struct answers *a, const struct supply_file *f, uint32_t image)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, f->fd, 0);
	uint32_t now;

	if (at == MAP_FAILED)
		return false;
	now = image_at(a, at);
	if (now != image && !answers_look(a->each, (uint32_t)getpid()))
		now = image_at(a, at);
	munmap(at, 4096);
	return now == image || is_unwritten(a, f, image, now);
}

/* Waits a tick: a file written a moment ago may be written again with the same time stamp. */
static void let_it_age(const struct supply_file *f)
{
	struct timespec rest = { .tv_nsec = SUPPLY_TICK_NS };

	if (supply_file_is_fresh(f))
		nanosleep(&rest, NULL);
}

static void take_segments(struct tables_image *image, const struct code *c)
{
	unsigned int i;

	_Static_assert(TABLES_SEGMENTS >= USTACK_MAX_SEGMENTS, "there is room for all");
	/* the number may have belonged to a file with more segments */
	memset(image->segment, 0, sizeof(image->segment));
	for (i = 0; i < c->nr_segments; i++)
		image->segment[i] = (struct tables_segment){
			c->segments[i].off, c->segments[i].end, c->segments[i].delta,
		};
}

/* Sum of the bytes of all tables that @payer is charged for. */
static uint64_t bytes_of(const struct answers *a, uint32_t payer)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < TABLES_IMAGES; i++)
		if (a->images[i].payer == payer)
			sum += image_bytes(&a->images[i]);
	return sum;
}

/* Limits a payer's bytes, as TABLES_SCARCE and TABLES_SHARE limit numbers. */
static bool may_put(const struct answers *a, uint32_t payer, uint64_t size)
{
	const uint64_t all = (uint64_t)a->bins.max * TABLES_BIN_BYTES;

	return !payer || a->table_bytes + size <= all / 4 * 3 || bytes_of(a, payer) + size <= all / 16;
}

/* Puts a table into a bin; if there is no room, unused tables are freed and bins compacted. */
static int put_table(struct answers *a, const struct ustack_table *table, uint64_t *place)
{
	int err = bins_put(&a->bins, table, table->size, place);

	if (err != -ENOSPC)
		return err;
	collect(a);
	err = bins_put(&a->bins, table, table->size, place);
	while (err == -ENOSPC && collect_move(a))
		err = bins_put(&a->bins, table, table->size, place);
	return err;
}

/*
 * Puts all parts of the table but the first into bins. Each is in @image at once, so that it is moved if there
 * is no room for the next one; programs do not read it before @image->bytes is set.
 */
static int put_rest(struct answers *a, struct tables_image *image, const struct code *c)
{
	uint64_t place;
	unsigned int i;
	int err = 0;

	_Static_assert(TABLES_PARTS == CODE_MAX_TABLES, "there is room for all parts");
	/* the number may have belonged to a file with more parts */
	memset(image->more, 0, sizeof(image->more));
	for (i = 1; i < c->nr_tables && !err; i++) {
		err = put_table(a, c->tables[i], &place);
		if (!err)
			image->more[i - 1] = (struct tables_part){
				.from = c->from[i], .place = place, .bytes = c->tables[i]->size,
			};
	}
	return err;
}

static uint64_t size_of(const struct code *c)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < c->nr_tables; i++)
		sum += c->tables[i]->size;
	return sum;
}

/* Makes the table visible. Programs read @bytes first, so it is written last. */
static bool publish(struct answers *a, struct tables_image *image, const struct code *c)
{
	const uint64_t size = size_of(c);
	uint64_t place;

	if (!may_put(a, image->payer, size))
		return false;
	if (put_rest(a, image, c) || put_table(a, &c->table, &place)) {
		image_drop_rest(image, &a->bins);
		return false;
	}
	take_segments(image, c);
	image->place = place;
	__atomic_store_n(&image->bytes, (uint32_t)c->table.size, __ATOMIC_RELEASE);
	__atomic_fetch_add(&a->tables, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&a->table_bytes, size, __ATOMIC_RELAXED);
	__atomic_store_n(&a->bin_bytes, bins_bytes(&a->bins), __ATOMIC_RELAXED);
	return true;
}

/* Publishes the table @c; NULL: there is none, because of @why. Return: whether there is one now. */
static bool settle(struct answers *a, uint32_t image, const struct code *c, enum ustack_reason why)
{
	if (c && publish(a, &a->images[image], c))
		return true;
	if (c || why == USTACK_TOO_LARGE)
		__atomic_fetch_add(&a->refused, 1, __ATOMIC_RELAXED);
	return false;
}

/* Makes the table; reads again if the file changed, mostly as it was removed or renamed. */
static enum ustack_reason make_table(struct answers *a, struct supply_file *f, uint32_t image)
{
	_cleanup_(cleanup_free) struct code *c = NULL;
	enum ustack_reason why;
	unsigned int tries;

	for (tries = 0; tries < MAX_READS; tries++) {
		free(c);
		c = code_make(f, a->has_cache ? &a->cache : NULL, a->most, &why);
		if (supply_file_unchanged(f))
			return settle(a, image, c, why) ? USTACK_OK : USTACK_NO_TABLE;
		if (fstat(f->fd, &f->st))
			break;
	}
	return USTACK_NO_TABLE;
}

static enum ustack_reason make_vdso(struct answers *a)
{
	const struct ustack_event event = { .pid = (uint32_t)getpid(), .vdso = 1 };
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	enum ustack_reason reason;

	return supply_locate_vdso(&f, &event, &reason) ? USTACK_NO_TABLE :
							 make_table(a, &f, TABLES_VDSO);
}

/* Makes the table of code that the process made itself. Return: see make(). */
static enum ustack_reason make_of_made(struct answers *a, const struct tables_wish *wish,
				       const struct supply_file *f)
{
	struct made_code made = {
		.pid = wish->tgid, .start = wish->start, .end = wish->end, .fd = f->fd,
	};
	_cleanup_(cleanup_free) struct code *c = NULL;
	enum made_code_answer answer;
	struct scan_line l;

	if (!a->made || !find_mapping(wish->tgid, wish->start, &l))
		return USTACK_NO_IMAGE;
	made.offset = l.offset + (wish->start - l.start);
	answer = a->made(&made);
	if (answer != MADE_CODE_KNOWN)
		return answer == MADE_CODE_NOT_YET ? USTACK_BUILDING : USTACK_NO_IMAGE;
	c = made_code_table(&made, a->has_cache ? &a->cache : NULL);
	return settle(a, wish->image, c, USTACK_OK) ? USTACK_OK : USTACK_NO_IMAGE;
}

/*
 * Return: the reason that frames in the file get from now on. USTACK_BUILDING means that the
 * wish may come again with the next mapping: the process is gone, or the number is another
 * file's by now.
 */
static enum ustack_reason make(struct answers *a, const struct tables_wish *wish)
{
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	enum ustack_reason reason;

	if (wish->image == TABLES_VDSO)
		return make_vdso(a);
	if (open_file(wish, &f) || !is_image(a, &f, wish->image))
		return USTACK_BUILDING;
	let_it_age(&f);
	/* no ELF file: the process made the code itself, in a memfd say */
	if (supply_file_headers(&f, &reason))
		return reason == USTACK_NOT_ELF ? make_of_made(a, wish, &f) : USTACK_NO_TABLE;
	return make_table(a, &f, wish->image);
}

/* CPU time of this thread, and of the processes that read files for it. */
static uint64_t spent_ns(void)
{
	struct rusage children;

	getrusage(RUSAGE_CHILDREN, &children);
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) +
	       (uint64_t)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000000 +
	       (uint64_t)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1000;
}

/* The CPU time that a payer may spend; NULL: no limit. */
static struct credit *credit_of(struct answers *a, uint32_t payer)
{
	return payer ? &a->of[tables_share_of(payer, a->shares->seed)] : NULL;
}

/*
 * A table that a stack needs is made, unless its user has had so many made that others would
 * wait; then the next stack asks again. Tables that no stack needs yet are made ahead, so that
 * the first stack is complete, as long as that takes little CPU time: a machine that builds
 * programs has more files than samples.
 */
static bool may_make(struct answers *a, const struct tables_wish *wish)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct credit *of = credit_of(a, a->images[wish->image].payer);

	if (of && !credit_left(of, now, PAYER_NS, PAYER_PART))
		return false;
	return credit_left(&a->ahead, now, AHEAD_NS, AHEAD_PART) || wish->sampled ||
	       wish->tgid == (uint32_t)getpid();
}

bool answers_map(struct answers *a, uint32_t tgid)
{
	struct look *look = &a->look[tgid % ANSWERS_LOOKS];
	uint64_t now = clock_ns(CLOCK_MONOTONIC), began, took;
	struct credit *of;

	if (look->tgid != tgid)
		*look = (struct look){ .tgid = tgid };
	if (!credit_left(&look->left, now, LOOK_NS, LOOK_PART))
		return false;
	began = spent_ns();
	of = credit_of(a, wides_payer(&a->wides, tgid));
	if (of && !credit_left(of, now, PAYER_NS, PAYER_PART))
		return false;
	map_process(a, tgid);
	took = spent_ns() - began;
	if (of)
		credit_spend(of, took);
	credit_spend(&look->left, took);
	__atomic_fetch_add(&a->ns, took, __ATOMIC_RELAXED);
	return true;
}

void answers_free_numbers(struct answers *a)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool scarce = a->scarce;

	if ((!scarce && __atomic_load_n(&a->shares->total, __ATOMIC_RELAXED) < TABLES_SCARCE) ||
	    now - a->collected < COLLECT_NS)
		return;
	a->scarce = false;
	collect(a);
	a->collected = now;
	if (scarce)
		answers_look(a->each, 0);
}

void answers_make(struct answers *a, const struct tables_wish *wish)
{
	uint64_t began = spent_ns(), took;
	enum ustack_reason why;
	struct credit *of;

	if (wish->image >= TABLES_IMAGES || a->images[wish->image].why != USTACK_BUILDING ||
	    !may_make(a, wish))
		return;
	of = credit_of(a, a->images[wish->image].payer);
	a->making = wish->image;
	why = make(a, wish);
	a->making = TABLES_MADE;
	__atomic_store_n(&a->images[wish->image].why, why, __ATOMIC_RELEASE);
	if (why != USTACK_BUILDING && !--a->until) {
		collect(a);
		a->until = a->every;
	}
	took = spent_ns() - began;
	if (!wish->sampled)
		credit_spend(&a->ahead, took);
	if (of)
		credit_spend(of, took);
	__atomic_fetch_add(&a->ns, took, __ATOMIC_RELAXED);
}

void answers_counts(const struct answers *a, struct table_maker_counts *ret)
{
	*ret = (struct table_maker_counts){
		.tables = __atomic_load_n(&a->tables, __ATOMIC_RELAXED),
		.table_bytes = __atomic_load_n(&a->table_bytes, __ATOMIC_RELAXED),
		.bin_bytes = __atomic_load_n(&a->bin_bytes, __ATOMIC_RELAXED),
		.ns = __atomic_load_n(&a->ns, __ATOMIC_RELAXED),
		.refused = __atomic_load_n(&a->refused, __ATOMIC_RELAXED),
		.wide_bytes = __atomic_load_n(&a->wide_bytes, __ATOMIC_RELAXED),
		.crowded = __atomic_load_n(&a->crowded, __ATOMIC_RELAXED),
	};
}
