// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the file: header and tables, strings, functions, in LLVM's order.
 * Every function is encoded twice, by all threads: first for its length, which
 * the tables before the functions need, and then for its bytes, which are
 * written as they are made.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gsym/encode.h"
#include "formats/gsym/format.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/* Functions that a thread takes at a time. */
#define BATCH 256u
/* Bytes of tables and strings that are written at a time. */
#define CHUNK (256u << 10)
#define MAX_THREADS 64u
#define ALIGN(x, to) (((x) + (to) - 1) & ~((uint64_t)(to) - 1))

/**
 * struct work - one round of encoding all functions
 * @plan: complete
 * @o: options
 * @fd: descriptor of the file; -1 in the round that measures lengths
 * @lengths: bytes of each function, by its place in the plan
 * @lock: protects the members below
 * @moved: signalled when @written or @err changes
 * @next: first batch that no thread has taken
 * @written: number of batches that are in the file
 * @err: first failure
 * @failed: function that failed
 */
struct work {
	struct gsym_plan *plan;
	const struct gsym_write_options *o;
	int fd;
	uint32_t *lengths;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	size_t next;
	size_t written;
	int err;
	size_t failed;
};

/* Offsets of the parts of the file. */
struct layout {
	unsigned int addr_size;
	unsigned int info_size;		/* bytes of an offset of a function */
	unsigned int string_size;	/* bytes of an offset into the strings */
	uint64_t uuid;
	uint64_t addrs;
	uint64_t infos;
	uint64_t files;
	uint64_t strings;
	uint64_t functions;
	uint64_t end;
};

/* State of the writer of one file. */
struct writer {
	struct gsym_plan plan;
	const struct gsym_write_options *o;
	int fd;
	const char *path;
	struct diag *diag;
	uint8_t uuid_len;
	uint32_t *lengths;
	struct layout at;
	struct buffer out;
	uint64_t done;			/* bytes written before @out */
};

/*
 * Return: the first function of a batch. Merged functions belong to the batch
 * of the function that they are merged into.
 */
static size_t batch_start(const struct gsym_plan *plan, size_t batch)
{
	size_t i = batch * BATCH;

	while (i < plan->nr_kept && plan->kept[i].merged)
		i++;
	return i < plan->nr_kept ? i : plan->nr_kept;
}

static int encode_batch(struct work *w, struct gsym_encoder *e, size_t batch,
			size_t *failed)
{
	size_t i, end = batch_start(w->plan, batch + 1), begin;
	int err;

	e->out.len = 0;
	for (i = batch_start(w->plan, batch); i < end; i++) {
		if (w->plan->kept[i].merged)
			continue;
		if (w->fd < 0)
			e->out.len = 0;
		else
			buffer_align(&e->out, 4);
		begin = e->out.len;
		err = gsym_encode(e, i, w->fd < 0);
		if (!err && e->out.len - begin > UINT32_MAX)
			err = -EFBIG;
		if (err) {
			*failed = i;
			return err;
		}
		w->lengths[i] = (uint32_t)(e->out.len - begin);
	}
	if (w->fd >= 0 && end < w->plan->nr_kept)
		buffer_align(&e->out, 4);
	return e->out.failed ? -ENOMEM : 0;
}

/*
 * Writes batches in their order. The lock is held while one is written; other
 * threads encode meanwhile, and wait only with a batch that is complete.
 */
static int write_batch(struct work *w, struct gsym_encoder *e, size_t batch)
{
	int err = 0;

	pthread_mutex_lock(&w->lock);
	while (w->written != batch && !w->err)
		pthread_cond_wait(&w->moved, &w->lock);
	if (!w->err)
		w->err = err = file_write_all(w->fd, e->out.at, e->out.len);
	w->written++;
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
	return err;
}

static bool take_batch(struct work *w, size_t *batch)
{
	bool more;

	pthread_mutex_lock(&w->lock);
	*batch = w->next++;
	more = !w->err && *batch * BATCH < w->plan->nr_kept;
	pthread_mutex_unlock(&w->lock);
	return more;
}

static void fail(struct work *w, int err, size_t failed)
{
	pthread_mutex_lock(&w->lock);
	if (!w->err || failed < w->failed) {
		w->err = err;
		w->failed = failed;
	}
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
}

static void *run_thread(void *arg)
{
	struct work *w = arg;
	struct gsym_encoder *e;
	size_t batch, failed = SIZE_MAX;
	int err = 0;

	e = gsym_encoder_new(w->plan, w->o->layout, w->o->big_endian);
	if (!e) {
		fail(w, -ENOMEM, failed);
		return NULL;
	}
	while (!err && take_batch(w, &batch)) {
		err = encode_batch(w, e, batch, &failed);
		if (!err && w->fd >= 0)
			err = write_batch(w, e, batch);
	}
	if (err)
		fail(w, err, failed);
	gsym_encoder_free(e);
	return NULL;
}

/* If fewer threads can be started, they do all of the work. */
static void run_threads(struct work *w)
{
	pthread_t threads[MAX_THREADS];
	unsigned int nr = w->o->threads, i, started = 0;

	if (nr > MAX_THREADS)
		nr = MAX_THREADS;
	if (nr > w->plan->nr_kept / BATCH + 1)
		nr = (unsigned int)(w->plan->nr_kept / BATCH + 1);
	for (i = 1; i < nr; i++)
		if (!pthread_create(&threads[started], NULL, run_thread, w))
			started++;
	run_thread(w);
	while (started--)
		pthread_join(threads[started], NULL);
}

/* Encodes all functions; if @fd is -1, only for their lengths. */
static int encode_all(struct writer *wr, int fd)
{
	struct work w = {
		.plan = &wr->plan, .o = wr->o, .fd = fd, .lengths = wr->lengths,
		.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER,
		.failed = SIZE_MAX,
	};

	run_threads(&w);
	pthread_cond_destroy(&w.moved);
	pthread_mutex_destroy(&w.lock);
	if (w.err == -EFBIG)
		return diag_set(wr->diag, EFBIG, wr->path,
				"the function at 0x%" PRIx64 " has more than 4 GiB of code or information",
				wr->plan.kept[w.failed].start);
	return w.err ? diag_errno(wr->diag, -w.err, wr->path) : 0;
}

static unsigned int addr_size(const struct writer *wr)
{
	const struct gsym_plan *plan = &wr->plan;
	uint64_t last = 0;

	if (plan->nr_kept)
		last = plan->kept[plan->nr_kept - 1].start - wr->o->base;
	if (last > UINT32_MAX)
		return 8;
	if (last > UINT16_MAX)
		return 4;
	return last > UINT8_MAX || wr->o->layout == GSYM_PROTOTYPE ? 2 : 1;
}

static uint64_t functions_len(const struct writer *wr)
{
	uint64_t len = 0;
	size_t i;

	for (i = 0; i < wr->plan.nr_kept; i++)
		if (!wr->plan.kept[i].merged)
			len = ALIGN(len, 4) + wr->lengths[i];
	return len;
}

/* The table has a number of files, and two strings for each file. */
static uint64_t files_len(const struct writer *wr)
{
	uint64_t nr = wr->plan.nr_files + (wr->o->layout != GSYM_PROTOTYPE);

	return 4 + nr * 2 * wr->at.string_size;
}

static void lay_out(struct writer *wr)
{
	struct layout *at = &wr->at;
	const struct gsym_write_options *o = wr->o;
	bool wide = o->layout == GSYM_LLVM_2;
	uint64_t end;

	at->addr_size = addr_size(wr);
	at->info_size = wide ? 8 : 4;
	at->string_size = wide ? 8 : 4;
	if (wide)
		end = GSYM_HEADER_LLVM_2 + (wr->uuid_len ? 7 : 6) * GSYM_GLOBAL_SIZE;
	else
		end = o->layout == GSYM_LLVM_1 ? GSYM_HEADER_LLVM_1 : GSYM_HEADER_PROTOTYPE;
	at->uuid = end;
	if (wide)
		end += wr->uuid_len;
	at->addrs = ALIGN(end, at->addr_size);
	at->infos = ALIGN(at->addrs + wr->plan.nr_functions * at->addr_size, at->info_size);
	at->files = ALIGN(at->infos + wr->plan.nr_functions * at->info_size, 4);
	at->strings = at->files + files_len(wr);
	at->functions = ALIGN(at->strings + wr->plan.strings_len, 4);
	at->end = at->functions + functions_len(wr);
}

static int check_limits(const struct writer *wr)
{
	const struct layout *at = &wr->at;
	const char *what = NULL;

	if (wr->plan.nr_functions > UINT32_MAX)
		what = "more than 4294967295 functions";
	else if (wr->o->layout != GSYM_LLVM_2 && wr->plan.strings_len > UINT32_MAX)
		what = "more than 4 GiB of strings";
	else if (wr->o->layout != GSYM_LLVM_2 && at->strings > UINT32_MAX)
		what = "more than 4 GiB of tables";
	else if (wr->o->layout != GSYM_LLVM_2 && at->end > UINT32_MAX)
		what = "more than 4 GiB of functions";
	if (!what)
		return 0;
	return diag_set(wr->diag, EFBIG, wr->path, "the layout has no room for %s", what);
}

static int flush(struct writer *wr)
{
	int err;

	if (wr->out.failed)
		return diag_errno(wr->diag, ENOMEM, wr->path);
	err = file_write_all(wr->fd, wr->out.at, wr->out.len);
	if (err)
		return diag_errno(wr->diag, -err, wr->path);
	wr->done += wr->out.len;
	wr->out.len = 0;
	return 0;
}

static int flush_chunk(struct writer *wr)
{
	return wr->out.len < CHUNK ? 0 : flush(wr);
}

/* Writes zeros up to @offset, which is near. */
static void pad(struct writer *wr, uint64_t offset)
{
	while (wr->done + wr->out.len < offset && !wr->out.failed)
		buffer_fixed(&wr->out, 0, 1);
}

static void put_global(struct writer *wr, enum gsym_global type, uint64_t at, uint64_t end)
{
	buffer_fixed(&wr->out, type, 4);
	buffer_fixed(&wr->out, at, 8);
	buffer_fixed(&wr->out, end - at, 8);
}

static void put_globals(struct writer *wr)
{
	const struct layout *at = &wr->at;
	uint64_t nr = wr->plan.nr_functions;

	if (wr->uuid_len)
		put_global(wr, GSYM_GLOBAL_UUID, at->uuid, at->uuid + wr->uuid_len);
	put_global(wr, GSYM_GLOBAL_ADDR_OFFSETS, at->addrs, at->addrs + nr * at->addr_size);
	put_global(wr, GSYM_GLOBAL_INFO_OFFSETS, at->infos, at->infos + nr * at->info_size);
	put_global(wr, GSYM_GLOBAL_FILES, at->files, at->strings);
	put_global(wr, GSYM_GLOBAL_STRINGS, at->strings,
		   at->strings + wr->plan.strings_len);
	put_global(wr, GSYM_GLOBAL_FUNCTIONS, at->functions, at->end);
	put_global(wr, GSYM_GLOBAL_END, 0, 0);
	buffer_put(&wr->out, wr->o->uuid, wr->uuid_len);
}

static void put_header(struct writer *wr)
{
	static const uint8_t zeros[GSYM_MAX_UUID];
	const struct gsym_write_options *o = wr->o;
	bool first = o->layout == GSYM_LLVM_1;

	buffer_fixed(&wr->out, GSYM_MAGIC, 4);
	buffer_fixed(&wr->out, o->layout == GSYM_LLVM_2 ? 2 : 1, 2);
	buffer_fixed(&wr->out, wr->at.addr_size, 1);
	buffer_fixed(&wr->out, first ? wr->uuid_len : 0, 1);
	buffer_fixed(&wr->out, o->base, 8);
	buffer_fixed(&wr->out, wr->plan.nr_functions, 4);
	if (o->layout == GSYM_LLVM_2) {
		put_globals(wr);
		return;
	}
	buffer_fixed(&wr->out, wr->at.strings, 4);
	buffer_fixed(&wr->out, wr->plan.strings_len, 4);
	if (first) {
		buffer_put(&wr->out, o->uuid, wr->uuid_len);
		buffer_put(&wr->out, zeros, GSYM_MAX_UUID - wr->uuid_len);
	}
}

static int write_addrs(struct writer *wr)
{
	const struct gsym_kept *kept = wr->plan.kept;
	size_t i;
	int err = 0;

	pad(wr, wr->at.addrs);
	for (i = 0; !err && i < wr->plan.nr_kept; i++) {
		if (kept[i].merged)
			continue;
		buffer_fixed(&wr->out, kept[i].start - wr->o->base, wr->at.addr_size);
		err = flush_chunk(wr);
	}
	return err;
}

static int write_infos(struct writer *wr)
{
	uint64_t at = wr->o->layout == GSYM_LLVM_2 ? 0 : wr->at.functions;
	size_t i;
	int err = 0;

	pad(wr, wr->at.infos);
	for (i = 0; !err && i < wr->plan.nr_kept; i++) {
		if (wr->plan.kept[i].merged)
			continue;
		buffer_fixed(&wr->out, at, wr->at.info_size);
		at = ALIGN(at + wr->lengths[i], 4);
		err = flush_chunk(wr);
	}
	return err;
}

static int write_files(struct writer *wr)
{
	bool empty = wr->o->layout != GSYM_PROTOTYPE;
	const struct gsym_plan *plan = &wr->plan;
	uint32_t i;
	int err = 0;

	pad(wr, wr->at.files);
	buffer_fixed(&wr->out, plan->nr_files + empty, 4);
	for (i = !empty; !err && i <= plan->nr_files; i++) {
		const struct gsym_plan_file *f = &plan->files[i];

		buffer_fixed(&wr->out, plan->strings[f->dir_string].at,
				 wr->at.string_size);
		buffer_fixed(&wr->out, plan->strings[f->base_string].at,
				 wr->at.string_size);
		err = flush_chunk(wr);
	}
	return err;
}

static int write_strings(struct writer *wr)
{
	const struct gsym_plan *plan = &wr->plan;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < plan->nr_strings; i++) {
		if (plan->strings[i].shared || plan->strings[i].gone)
			continue;
		buffer_put(&wr->out, plan->strings[i].s, plan->strings[i].len + 1ull);
		err = flush_chunk(wr);
	}
	pad(wr, wr->at.functions);
	return err;
}

static int write_file(struct writer *wr)
{
	int err;

	put_header(wr);
	err = write_addrs(wr);
	if (!err)
		err = write_infos(wr);
	if (!err)
		err = write_files(wr);
	if (!err)
		err = write_strings(wr);
	if (!err)
		err = flush(wr);
	return err ? err : encode_all(wr, wr->fd);
}

static int check_options(const struct gsym_write_options *o, size_t nr_parts,
			 const char *path, struct diag *diag)
{
	if (nr_parts > GSYM_MAX_PARTS)
		return diag_set(diag, EINVAL, path, "more than %u parts", GSYM_MAX_PARTS);
	if (o->merge && o->layout == GSYM_PROTOTYPE)
		return diag_set(diag, EINVAL, path,
				"the prototype's layout has no merged functions");
	return 0;
}

/* Decides what is written and where, and measures all functions. */
static int prepare(struct writer *wr, struct gsym_part *const *parts, size_t nr_parts,
		   struct gsym_write_stats *stats)
{
	int err;

	err = gsym_plan_init(&wr->plan, parts, nr_parts, wr->o, stats);
	if (!err)
		err = gsym_plan_names(&wr->plan);
	if (!err && wr->o->namer.name) {
		err = gsym_plan_rename(&wr->plan, wr->o);
		if (err == -EFBIG)
			return diag_set(wr->diag, EFBIG, wr->path,
					"the names become more than %u times as long",
					GSYM_MAX_NAMES_GROW);
	}
	/* the prototype's reader cannot find a string that starts inside another one */
	if (!err)
		err = gsym_plan_string_table(&wr->plan, wr->o->layout != GSYM_PROTOTYPE);
	if (!err) {
		wr->lengths = calloc(wr->plan.nr_kept + 1, sizeof(*wr->lengths));
		err = wr->lengths ? 0 : -ENOMEM;
	}
	if (err)
		return diag_errno(wr->diag, -err, wr->path);
	err = encode_all(wr, -1);
	if (err)
		return err;
	lay_out(wr);
	return check_limits(wr);
}

int gsym_write(struct gsym_part *const *parts, size_t nr_parts,
	       const struct gsym_write_options *o, int fd, const char *path,
	       struct gsym_write_stats *stats, struct diag *diag)
{
	struct writer wr = { .o = o, .fd = fd, .path = path, .diag = diag };
	struct gsym_write_stats own = { 0 };
	int err;

	err = check_options(o, nr_parts, path, diag);
	if (err)
		return err;
	wr.out.big_endian = o->big_endian;
	wr.uuid_len = o->uuid_len < GSYM_MAX_UUID ? o->uuid_len : GSYM_MAX_UUID;
	err = prepare(&wr, parts, nr_parts, &own);
	if (!err)
		err = write_file(&wr);
	own.functions = wr.plan.nr_functions;
	own.strings = wr.plan.strings_len;
	own.files = wr.plan.nr_files;
	own.bytes = wr.at.end;
	if (!err && stats)
		*stats = own;
	gsym_plan_release(&wr.plan);
	buffer_release(&wr.out);
	free(wr.lengths);
	return err;
}
