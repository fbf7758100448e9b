// SPDX-License-Identifier: GPL-2.0-only
/*
 * The passes of a symbolizer: asks for a batch of frames without names, finds their files in the
 * store of symbols, and inserts rows of names and of files that were not found.
 */
#include "serve/clickhouse/symbolizer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/ids.h"
#include "serve/clickhouse/sql.h"
#include "profile/profile.h"
#include "symbols/symstore/lines.h"
#include "util/array.h"
#include "util/buffer.h"
#include "util/hex.h"

#include "util/poison.h"

#define SECOND 1000000000ull
#define DAY (86400 * SECOND)
/* Number of images of earlier batches that stay open. */
#define KEPT_IMAGES 64

/* A frame without names; @binary is the small number of its file. */
struct job {
	uint64_t frame;
	uint64_t address;
	uint32_t binary;
	uint16_t day;
};

/**
 * struct batch - frames that are looked up together
 * @c: the server
 * @store: finds files and their symbols
 * @o: the options
 * @done: counts of the whole pass
 * @diag: the caller's, or NULL
 * @jobs: the frames, by binary
 * @nr_jobs: number of entries in @jobs
 * @jobs_room: number of entries that @jobs has room for
 * @binaries: numbers of the frames' files
 * @images: image of each file, by its small number; NULL if its build id is not valid
 * @names: rows of the table names, in RowBinary
 * @missing: rows of the table missing, for files that were not found
 */
struct batch {
	struct clickhouse *c;
	struct symstore *store;
	const struct symbolizer_options *o;
	struct symbolizer_done *done;
	struct diag *diag;
	struct job *jobs;
	uint32_t nr_jobs;
	size_t jobs_room;
	struct clickhouse_ids binaries;
	struct symstore_image **images;
	struct buffer names;
	struct buffer missing;
};

static int no_memory(const struct batch *b)
{
	return diag_errno(b->diag, ENOMEM, NULL);
}

static int take_job(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct batch *b = arg;
	uint32_t binary = clickhouse_ids_add(&b->binaries, cells[1].number);

	if (!binary || !array_has_room(b->jobs, b->nr_jobs, b->jobs_room))
		return diag_errno(diag, ENOMEM, NULL);
	b->jobs[b->nr_jobs++] = (struct job){
		.frame = cells[0].number, .binary = binary, .address = cells[2].number,
		.day = (uint16_t)cells[3].number,
	};
	return 0;
}

/*
 * The tables of frames and names have each thing once a week, and weeks are removed separately.
 * So a frame needs a row of names in each week that has the frame.
 */
static void put_jobs(struct sql *s, const struct symbolizer_options *o)
{
	uint64_t day = o->from_ns / DAY, again = o->now_ns - o->again_ns;

	sql_number(s, "FROM frames WHERE day >= toMonday(toDate(", day, "))");
	sql_number(s, " AND (id, toMonday(day)) GLOBAL NOT IN (SELECT frame, toMonday(day) FROM names "
		      "WHERE day >= toMonday(toDate(", day, ")))");
	sql_number(s, " AND binary GLOBAL IN (SELECT id FROM binaries WHERE build_id != '' AND "
		      "day >= toMonday(toDate(", day, ")))");
	sql_number(s, " AND binary GLOBAL NOT IN (SELECT binary FROM missing WHERE time > toDateTime(",
		   again / SECOND, ", 'UTC'))");
	sql_number(s, " GROUP BY id, binary, address, toMonday(day) ORDER BY binary, address LIMIT ",
		   o->batch, "");
}

static int ask_jobs(struct batch *b)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64, CLICKHOUSE_UINT64,
						      CLICKHOUSE_UINT64, CLICKHOUSE_UINT16 };
	const struct clickhouse_question how = { .types = types, .nr_types = 4, .take = take_job,
						 .arg = b };
	struct sql rest;
	int err;

	sql_init(&rest);
	put_jobs(&rest, b->o);
	err = clickhouse_select_sql(b->c, "id, binary, address, toUInt16(max(day))", &rest, &how,
				    b->diag);
	sql_release(&rest);
	return err;
}

/* Take a row of a file: its number, build id and path. A bad build id is skipped. */
static int take_binary(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct batch *b = arg;
	uint32_t n = clickhouse_ids_find(&b->binaries, cells[0].number);
	struct symstore_key key = { .build_id_len = (uint8_t)(cells[1].len / 2) };
	char *path;

	if (!n || b->images[n] || cells[1].len % 2 || !cells[1].len ||
	    cells[1].len / 2 > SYMSTORE_MAX_BUILD_ID ||
	    !hex_bytes((const char *)cells[1].bytes, key.build_id, key.build_id_len))
		return 0;
	path = strndup((const char *)cells[2].bytes, cells[2].len);
	if (!path)
		return diag_errno(diag, ENOMEM, NULL);
	key.path = path;
	b->images[n] = symstore_image(b->store, &key);
	free(path);
	if (!b->images[n])
		return diag_errno(diag, ENOMEM, NULL);
	symstore_want(b->store, b->images[n]);
	return 0;
}

static int ask_binaries(struct batch *b)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64, CLICKHOUSE_STRING,
						      CLICKHOUSE_STRING };
	const struct clickhouse_external external = {
		.name = "ids", .structure = "id UInt64", .rows = b->binaries.id + 1,
		.len = (b->binaries.nr - 1) * sizeof(*b->binaries.id),
	};
	const struct clickhouse_question how = { .types = types, .nr_types = 3, .take = take_binary,
						 .arg = b, .table = &external };
	struct sql rest;
	int err;

	b->images = calloc(b->binaries.nr, sizeof(struct symstore_image *));
	if (!b->images)
		return no_memory(b);
	sql_init(&rest);
	sql_put(&rest, "FROM binaries WHERE id GLOBAL IN ids");
	err = clickhouse_select_sql(b->c, "id, build_id, file", &rest, &how, b->diag);
	sql_release(&rest);
	return err;
}

/* The arrays of a row of names. */
enum which { FUNCTIONS, SYSTEMS, FILES, STARTS, LINES };

/* Append an array: the text or number @which of every line of a location. */
static void put_array(struct buffer *to, const struct profile *p,
		      const struct profile_location *l, enum which which)
{
	const struct profile_line *line = p->lines + l->first_line, *end = line + l->nr_lines;

	buffer_uleb(to, l->nr_lines);
	for (; line < end; line++) {
		const struct profile_function *f = &p->functions[line->function];

		if (which == STARTS)
			buffer_fixed(to, f->start_line, 4);
		else if (which == LINES)
			buffer_fixed(to, line->line, 4);
		else
			buffer_counted_text(to, profile_text(p, which == FUNCTIONS ? f->name :
							     which == SYSTEMS ? f->system_name :
							     f->file));
	}
}

static void put_names(struct buffer *to, const struct job *job, const struct profile *p,
		      uint32_t location)
{
	const struct profile_location *l = &p->locations[location];
	enum which which;

	buffer_fixed(to, job->day, 2);
	buffer_fixed(to, job->frame, 8);
	buffer_fixed(to, l->nr_lines ? SYMBOLIZER_RANK : SYMBOLIZER_RANK_NONE, 1);
	for (which = FUNCTIONS; which <= LINES; which++)
		put_array(to, p, l, which);
}

static void put_missing(struct batch *b, uint32_t binary, uint16_t day)
{
	buffer_fixed(&b->missing, day, 2);
	buffer_fixed(&b->missing, b->binaries.id[binary], 8);
	buffer_fixed(&b->missing, b->o->now_ns / SECOND, 4);
}

/* Name the frames of the file of @job, which follow each other. Return: their number. */
static uint32_t name_binary(struct batch *b, const struct job *job, const struct job *end,
			    struct profile *p, struct names *names)
{
	struct symstore_image *image = b->images[job->binary];
	/* a mapping whose only purpose is to tell the locations of this file from those of others */
	const uint32_t mapping = profile_mapping(p, &(struct profile_mapping){ .start = job->binary });
	const struct job *first = job;

	b->done->binaries++;
	if (!image || symstore_source(image) == SYMSTORE_NOTHING) {
		b->done->missing++;
		put_missing(b, job->binary, job->day);
		for (; job < end && job->binary == first->binary; job++)
			;
		return (uint32_t)(job - first);
	}
	for (; job < end && job->binary == first->binary; job++) {
		uint32_t location = profile_location(p, mapping, job->address);

		b->done->named += symstore_lines(p, names, location, image, job->address);
		put_names(&b->names, job, p, location);
	}
	return (uint32_t)(job - first);
}

static int name_all(struct batch *b)
{
	struct profile *p = profile_new();
	struct names *names = symstore_names();
	uint32_t i;
	int err;

	for (i = 0; p && i < b->nr_jobs;)
		i += name_binary(b, b->jobs + i, b->jobs + b->nr_jobs, p, names);
	err = p ? profile_error(p) : -ENOMEM;
	if (b->names.failed || b->missing.failed)
		err = -ENOMEM;
	b->done->frames += b->nr_jobs;
	names_free(names);
	profile_free(p);
	return err ? diag_errno(b->diag, -err, NULL) : 0;
}

static int insert(struct batch *b)
{
	int err = 0;

	if (b->names.len)
		err = clickhouse_insert(b->c, "names (day, frame, rank, functions, systems, files, "
					"starts, lines)", b->names.at, b->names.len, b->diag);
	if (!err && b->missing.len)
		err = clickhouse_insert(b->c, "missing (day, binary, time)", b->missing.at,
					b->missing.len, b->diag);
	return err;
}

static int do_batch(struct batch *b)
{
	int err = ask_jobs(b);

	if (err || !b->nr_jobs)
		return err;
	err = ask_binaries(b);
	if (!err && symstore_wait(b->store, b->o->progress, b->o->arg))
		err = diag_errno(b->diag, EINTR, NULL);
	err = err ? err : name_all(b);
	return err ? err : insert(b);
}

/* Nothing else here refers to an image that the store closes. */
static void forget(struct symstore_image *image, void *arg)
{
}

static void release(struct batch *b)
{
	uint32_t i;

	for (i = 1; b->images && i < b->binaries.nr; i++)
		if (b->images[i])
			symstore_put(b->store, b->images[i]);
	symstore_trim(b->store, KEPT_IMAGES, forget, NULL);
	free(b->images);
	free(b->jobs);
	clickhouse_ids_release(&b->binaries);
	buffer_release(&b->names);
	buffer_release(&b->missing);
}

int symbolizer_pass(struct clickhouse *c, struct symstore *store,
		    const struct symbolizer_options *options, struct symbolizer_done *ret,
		    struct diag *diag)
{
	uint64_t last = 0;
	bool more;
	int err;

	*ret = (struct symbolizer_done){ 0 };
	if (diag)
		diag->file = NULL;
	do {
		struct batch b = { .c = c, .store = store, .o = options, .done = ret,
				   .diag = diag };

		err = clickhouse_ids_init(&b.binaries) ? no_memory(&b) : do_batch(&b);
		/*
		 * A replica may not have the names of the last batch yet, and answers with the
		 * same frames again. The pass ends then.
		 */
		more = b.nr_jobs == options->batch && b.jobs[0].frame != last;
		last = b.nr_jobs ? b.jobs[0].frame : 0;
		release(&b);
	} while (!err && more);
	return err;
}
