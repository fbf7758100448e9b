// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads take the units one by one, in the order of the file. As the units being read
 * are close to each other, the pages of those that are done are given back meanwhile.
 */
#include "symbols/convert/from_dwarf.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "symbols/convert/from_dwarf_unit.h"
#include "formats/dwarf/companion.h"
#include "formats/dwarf/package.h"
#include "util/poison.h"

#define MAX_THREADS 256u
/* Order of functions in split units, whose offsets are those of another file. */
#define SPLIT_ORDER (1ull << 63)

/* State that threads share. @lock protects the fields after it. */
struct job {
	const struct gsym_dwarf_options *o;
	struct dwarf_object *main;
	struct dwarf_object *alt;
	struct dwarf_object *package;
	struct dwarf_budget budget;
	_Atomic size_t next;	/* number of the next unit to read */

	pthread_mutex_t lock;
	uint64_t done;		/* bytes of units that were read */
	uint64_t undropped;
	size_t failed;		/* number of the first unit that failed */
	int err;
	struct diag diag;
	struct gsym_dwarf_stats stats;
};

/* One thread. */
struct worker {
	struct job *job;
	struct from_dwarf t;
	pthread_t thread;
	bool started;
};

static int convert_found(struct worker *w, struct dwarf_unit *u, int64_t found, size_t i,
			 struct diag *diag)
{
	int err = dwarf_spend(&w->job->budget, found, diag);

	if (!err)
		err = from_dwarf_unit(&w->t, u, SPLIT_ORDER | (uint64_t)i << 32, diag);
	if (found >= 0)
		dwarf_unit_close(u);
	return err;
}

/* Reads a split unit from its own file (.dwo). */
static int convert_dwo(struct worker *w, const struct dwarf_unit *skeleton, size_t i,
		       struct diag *diag)
{
	struct dwarf_object *o;
	struct dwarf_unit u;
	int err;

	err = dwarf_open_dwo(skeleton, w->job->o->dwo_dir, &o, diag);
	if (err)
		return err;
	/* thousands of skeletons may refer to the same large file */
	err = dwarf_spend(&w->job->budget, (int64_t)o->section[DWARF_INFO].size, diag);
	if (!err)
		err = convert_found(w, &u, dwarf_find_split(o, skeleton, &w->t.cache, &u, diag),
				    i, diag);
	/* the path is freed with the object; the text of the message names it */
	if (diag->file == o->path)
		diag->file = w->job->main->path;
	from_dwarf_forget(&w->t, o);
	dwarf_object_close(o);
	return err;
}

/* The functions are in another file; the skeleton unit has only addresses. */
static int convert_split(struct worker *w, const struct dwarf_unit *skeleton, size_t i,
			 struct diag *diag)
{
	struct dwarf_unit u;
	int64_t n = -ENOENT;
	int err;

	if (w->job->package)
		n = dwarf_find_packed(w->job->package, skeleton, &w->t.cache, &u, diag);
	err = n == -ENOENT ? convert_dwo(w, skeleton, i, diag) :
			     convert_found(w, &u, n, i, diag);
	if (err != -ENOENT)
		return err;
	w->t.stats.no_dwo++;
	return 0;
}

static int convert(struct worker *w, size_t i, uint64_t *bytes, struct diag *diag)
{
	struct dwarf_object *main = w->job->main;
	struct dwarf_unit u;
	int err;

	err = dwarf_unit_header(main, main->units[i], &u, diag);
	if (err)
		return err;
	*bytes = u.end - u.off;
	err = dwarf_spend(&w->job->budget, dwarf_unit_open(&u, &w->t.cache, diag), diag);
	if (err)
		return err;
	w->t.stats.units++;
	if (u.dwo_name)
		err = convert_split(w, &u, i, diag);
	else
		err = from_dwarf_unit(&w->t, &u, 0, diag);
	dwarf_unit_close(&u);
	return err;
}

/*
 * Notes that unit @i failed. Units before the first failed one are still read, so that
 * the reported failure does not depend on the order of threads.
 */
static void fail(struct job *j, size_t i, int err, const struct diag *diag)
{
	pthread_mutex_lock(&j->lock);
	if (i < j->failed) {
		j->failed = i;
		j->err = err;
		j->diag = *diag;
	}
	pthread_mutex_unlock(&j->lock);
}

/* Counts a unit as done. Return: whether more units are to be read. */
static bool advance(struct job *j, size_t i, uint64_t bytes)
{
	bool drop, go_on;

	pthread_mutex_lock(&j->lock);
	j->done += bytes;
	j->undropped += bytes;
	drop = j->undropped >= DWARF_DROP_EVERY;
	if (drop)
		j->undropped = 0;
	go_on = i < j->failed;
	if (drop && j->o->progress)
		j->o->progress(j->o->arg, j->done, j->main->section[DWARF_INFO].size);
	pthread_mutex_unlock(&j->lock);
	if (drop) {
		dwarf_object_drop(j->main);
		if (j->alt)
			dwarf_object_drop(j->alt);
		if (j->package)
			dwarf_object_drop(j->package);
	}
	return go_on;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct job *j = w->job;
	uint64_t bytes;
	size_t i;
	int err;

	for (;;) {
		struct diag diag = { .offset = DIAG_NO_OFFSET };

		i = atomic_fetch_add(&j->next, 1);
		if (i >= j->main->nr_units)
			return NULL;
		bytes = 0;
		err = convert(w, i, &bytes, &diag);
		if (err == -EBADMSG && j->o->lenient)
			w->t.stats.damaged++;
		else if (err)
			fail(j, i, err, &diag);
		if (!advance(j, i, bytes))
			return NULL;
	}
}

static void add_stats(struct gsym_dwarf_stats *sum, const struct gsym_dwarf_stats *s)
{
	sum->units += s->units;
	sum->damaged += s->damaged;
	sum->functions += s->functions;
	sum->dead += s->dead;
	sum->nameless += s->nameless;
	sum->calls += s->calls;
	sum->misplaced += s->misplaced;
	sum->sites += s->sites;
	sum->no_return += s->no_return;
	sum->lines += s->lines;
	sum->no_dwo += s->no_dwo;
}

/* This thread is the first worker. If other threads cannot be started, fewer do the work. */
static int run(struct job *j, struct worker *workers, struct gsym_dwarf *ret)
{
	size_t i;

	for (i = 1; i < ret->nr_parts; i++)
		workers[i].started = !pthread_create(&workers[i].thread, NULL, work,
						     &workers[i]);
	work(&workers[0]);
	for (i = 0; i < ret->nr_parts; i++) {
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
		add_stats(&ret->stats, &workers[i].t.stats);
	}
	return j->err;
}

static int make_parts(struct job *j, struct worker *workers, size_t n,
		      struct gsym_dwarf *ret)
{
	struct gsym_part *part;

	for (ret->nr_parts = 0; ret->nr_parts < n; ret->nr_parts++) {
		part = gsym_part_new();
		workers[ret->nr_parts].job = j;
		if (!part || from_dwarf_init(&workers[ret->nr_parts].t, j->main,
					     &j->budget, part)) {
			gsym_part_free(part);
			return -ENOMEM;
		}
		workers[ret->nr_parts].t.call_sites = j->o->call_sites;
		ret->parts[ret->nr_parts] = part;
	}
	return 0;
}

static int run_all(struct job *j, struct gsym_dwarf *ret, struct diag *diag)
{
	size_t n = j->o->threads ? j->o->threads : 1, i;
	struct worker *workers;
	int err;

	if (n > MAX_THREADS)
		n = MAX_THREADS;
	workers = calloc(n, sizeof(*workers));
	ret->parts = calloc(n, sizeof(*ret->parts));
	if (!workers || !ret->parts)
		err = -ENOMEM;
	else
		err = make_parts(j, workers, n, ret);
	if (err) {
		diag_errno(diag, -err, j->main->path);
	} else {
		err = run(j, workers, ret);
		if (err && diag)
			*diag = j->diag;
	}
	for (i = 0; workers && i < ret->nr_parts; i++)
		from_dwarf_release(&workers[i].t);
	free(workers);
	return err;
}

static int describe(const struct dwarf_object *o, struct gsym_dwarf *ret)
{
	ret->base = o->base;
	ret->big_endian = o->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	ret->uuid_len = (uint8_t)(o->uuid_len < GSYM_MAX_UUID ? o->uuid_len :
								 GSYM_MAX_UUID);
	if (ret->uuid_len)
		memcpy(ret->uuid, o->uuid, ret->uuid_len);
	ret->text = calloc(o->nr_text + 1, sizeof(*ret->text));
	if (!ret->text)
		return -ENOMEM;
	if (o->nr_text)
		memcpy(ret->text, o->text, o->nr_text * sizeof(*ret->text));
	ret->nr_text = o->nr_text;
	return 0;
}

static int read_object(struct job *j, struct gsym_dwarf *ret, struct diag *diag)
{
	const char *dir = j->o->debug_dir ? j->o->debug_dir : DWARF_DEBUG_DIR;
	int err;

	if (!j->main->section[DWARF_INFO].data)
		return diag_set(diag, ENODATA, j->main->path, "no .debug_info");
	err = dwarf_object_index(j->main, diag);
	if (!err)
		err = dwarf_open_alt(j->main, dir, &j->alt, diag);
	if (!err)
		err = dwarf_open_package(j->main, j->o->dwo_dir, &j->package, diag);
	if (err)
		return err;
	j->main->alt = j->alt;
	if (describe(j->main, ret))
		return diag_errno(diag, ENOMEM, j->main->path);
	dwarf_budget_init(&j->budget, j->main);
	if (j->package)
		dwarf_budget_add(&j->budget, j->package);
	return run_all(j, ret, diag);
}

int gsym_from_dwarf(const char *path, const struct gsym_dwarf_options *o,
		    struct gsym_dwarf *ret, struct diag *diag)
{
	struct job j = {
		.o = o, .lock = PTHREAD_MUTEX_INITIALIZER, .failed = SIZE_MAX,
	};
	int err;

	*ret = (struct gsym_dwarf){ 0 };
	err = dwarf_object_open_part(path, o->off, o->len, &j.main, diag);
	if (err)
		return err;
	err = read_object(&j, ret, diag);
	/* the path of the object is freed below: report the caller's */
	if (err && diag)
		diag->file = path;
	if (err)
		gsym_dwarf_release(ret);
	dwarf_object_close(j.package);
	dwarf_object_close(j.alt);
	dwarf_object_close(j.main);
	pthread_mutex_destroy(&j.lock);
	return err;
}

void gsym_dwarf_release(struct gsym_dwarf *d)
{
	size_t i;

	for (i = 0; i < d->nr_parts; i++)
		gsym_part_free(d->parts[i]);
	free(d->parts);
	free(d->text);
	*d = (struct gsym_dwarf){ 0 };
}
