// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the database, one table after the other, for an answer's stacks, their frames, the frames'
 * binaries and names; then makes stacks of a profile of them.
 */
#include "serve/clickhouse/dictionary.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

_Static_assert(__BYTE_ORDER == __LITTLE_ENDIAN, "numbers are sent as they are in memory");

/**
 * struct path - a stack of the answer
 * @first: index of its first frame in @pool of struct dictionary
 * @nr: number of its frames
 * @known: the database has the stack
 */
struct path {
	uint32_t first;
	uint32_t nr;
	bool known;
};

/**
 * struct frame - a frame of the answer
 * @address: address in the binary
 * @binary: small number of the binary, 0 if the database lacks the frame
 * @rank: rank of its names, 0 if it has none
 * @first_line: index of its first line in @lines of struct dictionary
 * @nr_lines: number of its lines
 */
struct frame {
	uint64_t address;
	uint32_t binary;
	uint8_t rank;
	uint32_t first_line;
	uint32_t nr_lines;
};

/**
 * struct dictionary - the stacks of an answer while they are asked for
 * @f: the question
 * @into: profile that gets the stacks
 * @stacks: numbers of the stacks
 * @paths: frames of each stack, by its small number
 * @pool: small numbers of the frames of all stacks
 * @nr_pool: number of entries in @pool
 * @pool_room: number of entries that @pool has room for
 * @frames: numbers of the frames
 * @frame: each frame, by its small number
 * @binaries: numbers of the binaries
 * @mapping: number in @into of each binary, by its small number
 * @lines: lines of all frames that have names
 * @nr_lines: number of entries in @lines
 * @lines_room: number of entries that @lines has room for
 */
struct dictionary {
	const struct fleet *f;
	struct profile *into;
	const struct clickhouse_ids *stacks;
	struct path *paths;
	uint32_t *pool;
	uint32_t nr_pool;
	size_t pool_room;
	struct clickhouse_ids frames;
	struct frame *frame;
	struct clickhouse_ids binaries;
	uint32_t *mapping;
	struct profile_line *lines;
	uint32_t nr_lines;
	size_t lines_room;
};

static int put_frame(struct dictionary *d, uint64_t id, struct diag *diag)
{
	uint32_t n = clickhouse_ids_add(&d->frames, id);

	if (d->nr_pool == DICTIONARY_MAX_FRAMES)
		return diag_set(diag, E2BIG, NULL, "the answer's stacks have more than %u frames",
				DICTIONARY_MAX_FRAMES);
	if (!n || !array_has_room(d->pool, d->nr_pool, d->pool_room))
		return diag_errno(diag, ENOMEM, NULL);
	d->pool[d->nr_pool++] = n;
	return 0;
}

static int take_stack(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct clickhouse_cell frames = cells[1], frame;
	struct dictionary *d = arg;
	uint32_t n = clickhouse_ids_find(d->stacks, cells[0].number);
	int err = 0;

	if (!n || d->paths[n].known)
		return 0;
	d->paths[n] = (struct path){ .first = d->nr_pool, .known = true };
	while (!err && clickhouse_next(&frames, CLICKHOUSE_UINT64, &frame))
		err = put_frame(d, frame.number, diag);
	d->paths[n].nr = d->nr_pool - d->paths[n].first;
	return err;
}

static int take_frame(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct dictionary *d = arg;
	uint32_t n = clickhouse_ids_find(&d->frames, cells[0].number);

	if (!n)
		return 0;
	d->frame[n].address = cells[2].number;
	d->frame[n].binary = clickhouse_ids_add(&d->binaries, cells[1].number);
	return d->frame[n].binary ? 0 : diag_errno(diag, ENOMEM, NULL);
}

static int take_binary(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct dictionary *d = arg;
	uint32_t n = clickhouse_ids_find(&d->binaries, cells[0].number);
	const struct profile_mapping m = { .build_id = fleet_string(d->into, &cells[1]),
					   .file = fleet_string(d->into, &cells[2]) };

	if (n && !d->mapping[n])
		d->mapping[n] = profile_mapping(d->into, &m);
	return 0;
}

/*
 * Take the next line of a row of names. @c: the row's arrays functions, systems, files, starts and
 * lines. Return: whether there was one
 */
static bool take_line(struct profile *p, struct clickhouse_cell *c, struct profile_line *ret)
{
	struct clickhouse_cell name, system, file, start, line;
	struct profile_function function;

	if (!clickhouse_next(&c[0], CLICKHOUSE_STRING, &name) ||
	    !clickhouse_next(&c[1], CLICKHOUSE_STRING, &system) ||
	    !clickhouse_next(&c[2], CLICKHOUSE_STRING, &file) ||
	    !clickhouse_next(&c[3], CLICKHOUSE_UINT32, &start) ||
	    !clickhouse_next(&c[4], CLICKHOUSE_UINT32, &line))
		return false;
	function = (struct profile_function){
		.name = fleet_string(p, &name), .system_name = fleet_string(p, &system),
		.file = fleet_string(p, &file), .start_line = (uint32_t)start.number,
	};
	*ret = (struct profile_line){ profile_function(p, &function), (uint32_t)line.number };
	return true;
}

/* Take a row of names. If a frame has several, the largest rank counts, or else the first row. */
static int take_names(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct clickhouse_cell arrays[5] = { cells[2], cells[3], cells[4], cells[5], cells[6] };
	struct dictionary *d = arg;
	uint32_t n = clickhouse_ids_find(&d->frames, cells[0].number);
	struct profile_line line;

	if (!n || cells[1].number <= d->frame[n].rank)
		return 0;
	d->frame[n].rank = (uint8_t)cells[1].number;
	d->frame[n].first_line = d->nr_lines;
	while (take_line(d->into, arrays, &line)) {
		if (!array_has_room(d->lines, d->nr_lines, d->lines_room))
			return diag_errno(diag, ENOMEM, NULL);
		d->lines[d->nr_lines++] = line;
	}
	d->frame[n].nr_lines = d->nr_lines - d->frame[n].first_line;
	return 0;
}

/* Ask for the rows of @table whose column @key is one of @ids. */
static int ask(struct dictionary *d, const struct clickhouse_ids *ids, const char *table,
	       const char *key, const char *columns, const enum clickhouse_type *types,
	       unsigned int nr_types, clickhouse_row_fn *take)
{
	const struct clickhouse_external external = {
		.name = "ids", .structure = "id UInt64", .rows = ids->id + 1,
		.len = (ids->nr - 1) * sizeof(*ids->id),
	};
	const struct clickhouse_question how = { .types = types, .nr_types = nr_types, .take = take,
						 .arg = d, .table = &external };
	struct sql rest;
	int err;

	if (ids->nr == 1)
		return 0;
	err = sql_init(&rest);
	sql_put(&rest, "FROM ");
	sql_put(&rest, table);
	sql_put(&rest, " WHERE ");
	sql_put(&rest, key);
	sql_put(&rest, " GLOBAL IN ids");
	fleet_put_weeks(&rest, d->f);
	err = err ? fleet_no_memory(d->f) : fleet_select(d->f, columns, &rest, &how);
	sql_release(&rest);
	return err;
}

static int ask_stacks(struct dictionary *d)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64,
						      CLICKHOUSE_ARRAY | CLICKHOUSE_UINT64 };

	d->paths = calloc(d->stacks->nr, sizeof(*d->paths));
	if (!d->paths)
		return fleet_no_memory(d->f);
	return ask(d, d->stacks, "stacks", "id", "id, frames", types, 2, take_stack);
}

static int ask_frames(struct dictionary *d)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64, CLICKHOUSE_UINT64,
						      CLICKHOUSE_UINT64 };

	d->frame = calloc(d->frames.nr, sizeof(*d->frame));
	if (!d->frame)
		return fleet_no_memory(d->f);
	return ask(d, &d->frames, "frames", "id", "id, binary, address", types, 3, take_frame);
}

static int ask_binaries(struct dictionary *d)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64, CLICKHOUSE_STRING,
						      CLICKHOUSE_STRING };

	d->mapping = calloc(d->binaries.nr, sizeof(*d->mapping));
	if (!d->mapping)
		return fleet_no_memory(d->f);
	return ask(d, &d->binaries, "binaries", "id", "id, build_id, file", types, 3, take_binary);
}

static int ask_names(struct dictionary *d)
{
	static const enum clickhouse_type types[] = {
		CLICKHOUSE_UINT64, CLICKHOUSE_UINT8, CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
		CLICKHOUSE_ARRAY | CLICKHOUSE_STRING, CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
		CLICKHOUSE_ARRAY | CLICKHOUSE_UINT32, CLICKHOUSE_ARRAY | CLICKHOUSE_UINT32,
	};

	return ask(d, &d->frames, "names", "frame",
		   "frame, rank, functions, systems, files, starts, lines", types, 7, take_names);
}

static uint32_t location_of(struct dictionary *d, uint32_t frame)
{
	const struct frame *f = &d->frame[frame];

	return profile_location_named(d->into, d->mapping[f->binary], f->address,
				      f->nr_lines ? d->lines + f->first_line : NULL, f->nr_lines);
}

/* Make the stacks. Frames are innermost first. Return: 0 or a negative errno. */
static int make_stacks(struct dictionary *d, uint32_t *ret, uint32_t *missing)
{
	uint32_t *location = calloc(d->frames.nr, sizeof(*location)), i, k, stack;

	if (!location)
		return -ENOMEM;
	for (i = 1; i < d->frames.nr; i++)
		location[i] = location_of(d, i);
	for (i = 1; i < d->stacks->nr; i++) {
		const struct path *p = &d->paths[i];

		/* number 0 stands for a sample without a stack, which no table has */
		*missing += !p->known && d->stacks->id[i];
		for (stack = 0, k = p->nr; k; k--)
			stack = profile_stack(d->into, stack, location[d->pool[p->first + k - 1]]);
		ret[i] = stack;
	}
	free(location);
	return profile_error(d->into);
}

static void release(struct dictionary *d)
{
	clickhouse_ids_release(&d->frames);
	clickhouse_ids_release(&d->binaries);
	free(d->paths);
	free(d->pool);
	free(d->frame);
	free(d->mapping);
	free(d->lines);
}

int dictionary_stacks(const struct fleet *f, const struct clickhouse_ids *ids,
		      struct profile *into, uint32_t **ret, uint32_t *missing)
{
	struct dictionary d = { .f = f, .stacks = ids, .into = into };
	int err = clickhouse_ids_init(&d.frames);

	err = clickhouse_ids_init(&d.binaries) ? -ENOMEM : err;
	*missing = 0;
	*ret = calloc(ids->nr, sizeof(**ret));
	if (err || !*ret)
		err = fleet_no_memory(f);
	err = err ? err : ask_stacks(&d);
	err = err ? err : ask_frames(&d);
	err = err ? err : ask_binaries(&d);
	err = err ? err : ask_names(&d);
	if (!err && make_stacks(&d, *ret, missing))
		err = fleet_no_memory(f);
	release(&d);
	return err;
}
