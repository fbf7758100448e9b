// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packs a profile as pprof's messages and compresses them. Protocol buffers
 * that follow one another form one message, so each element is packed as a
 * Profile of its own and goes to zlib at once. See pprof_pack.h; pprof_write.c
 * and pprof_spool.c call it.
 */
#include "profile/pprof_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/imagemaps.h"
#include "profile/index.h"
#include "profile/main_mapping.h"
#include "profile/pprof.pb-c.h"
#include "util/file.h"
#include "util/utf8.h"

#include "util/poison.h"

/* window bits for zlib: a gzip header, and the largest window */
#define GZIP_BITS (15 + 16)
#define GZIP_LEVEL 6
#define GZIP_MEMORY 8

/*
 * Makes room for @nr elements in @array; may drop its contents. Return: whether
 * there is room.
 */
#define room_for(wr, array, nr, room)						\
({										\
	size_t want_ = (nr);							\
										\
	if (want_ > (room)) {							\
		want_ += want_ / 2;						\
		free(array);							\
		(array) = reallocarray(NULL, want_, sizeof(*(array)));		\
		(room) = (array) ? want_ : 0;					\
		if (!(array) && !(wr)->err)					\
			(wr)->err = -ENOMEM;					\
	}									\
	!(wr)->err;								\
})

static void deflate_all(struct pprof_pack *wr, const uint8_t *bytes, size_t len, int flush)
{
	int r;

	wr->z.next_in = (uint8_t *)bytes;
	wr->z.avail_in = (uInt)len;
	do {
		wr->z.next_out = wr->out;
		wr->z.avail_out = PPROF_PACK_CHUNK;
		r = deflate(&wr->z, flush);
		if (PPROF_PACK_CHUNK - wr->z.avail_out && !wr->err && wr->fd >= 0)
			wr->err = file_write_all(wr->fd, wr->out, PPROF_PACK_CHUNK - wr->z.avail_out);
	} while (!wr->err && (flush == Z_FINISH ? r == Z_OK : !wr->z.avail_out));
}

static void put(struct pprof_pack *wr, const Pprof__Profile *m)
{
	size_t len = pprof__profile__get_packed_size(m);

	if (wr->err || !room_for(wr, wr->packed, len, wr->packed_room))
		return;
	if (len > UINT32_MAX) {
		wr->err = -EFBIG;
		return;
	}
	pprof__profile__pack(m, wr->packed);
	deflate_all(wr, wr->packed, len, Z_NO_FLUSH);
}

static int64_t clamp(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

void pprof_pack_value_types(struct pprof_pack *wr, const struct profile *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++) {
		Pprof__ValueType v = PPROF__VALUE_TYPE__INIT, *list = &v;
		Pprof__Profile m = PPROF__PROFILE__INIT;

		v.type = p->value_types[i].type;
		v.unit = p->value_types[i].unit;
		m.n_sample_type = 1;
		m.sample_type = &list;
		put(wr, &m);
	}
}

static void put_sample(struct pprof_pack *wr, const struct profile *p,
		       const struct profile_sample *from)
{
	Pprof__Label labels[PROFILE_MAX_LABELS], *label[PROFILE_MAX_LABELS];
	const struct profile_labels *set = &p->labels[from->labels];
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *list = &sample;
	Pprof__Profile m = PPROF__PROFILE__INIT;
	uint32_t i, s;

	if (!room_for(wr, wr->ids, p->stacks[from->stack].depth, wr->ids_room))
		return;
	for (s = from->stack; s; s = p->stacks[s].parent)
		wr->ids[sample.n_location_id++] = p->stacks[s].location;
	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		pprof__label__init(&labels[i]);
		labels[i].key = l->key;
		labels[i].str = l->str;
		labels[i].num = l->num;
		labels[i].num_unit = l->unit;
		label[i] = &labels[i];
	}
	sample.location_id = wr->ids;
	sample.n_value = p->nr_value_types;
	sample.value = (int64_t *)from->value;
	sample.n_label = set->nr;
	sample.label = label;
	m.n_sample = 1;
	m.sample = &list;
	put(wr, &m);
}

void pprof_pack_samples(struct pprof_pack *wr, const struct profile *p)
{
	uint32_t i;

	for (i = 0; !wr->err && i < p->nr_samples; i++)
		put_sample(wr, p, &p->samples[i]);
}

/* Makes the mappings, with flags from their locations. */
static Pprof__Mapping *mappings_new(const struct profile *p)
{
	Pprof__Mapping *maps = calloc(p->nr_mappings, sizeof(*maps));
	uint32_t i, k;

	for (i = 0; maps && i < p->nr_mappings; i++)
		pprof__mapping__init(&maps[i]);
	for (i = 0; maps && i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];
		Pprof__Mapping *m = &maps[l->mapping];

		m->has_functions |= l->nr_lines > 0;
		m->has_inline_frames |= l->nr_lines > 1;
		for (k = 0; k < l->nr_lines; k++) {
			const struct profile_line *line = &p->lines[l->first_line + k];

			m->has_filenames |= p->functions[line->function].file != 0;
			m->has_line_numbers |= line->line != 0;
		}
	}
	return maps;
}

static void put_mapping(struct pprof_pack *wr, const struct profile *p, uint32_t i,
			Pprof__Mapping *map)
{
	const struct profile_mapping *from = &p->mappings[i];
	Pprof__Profile m = PPROF__PROFILE__INIT;

	map->id = i;
	map->memory_start = from->start;
	map->memory_limit = from->limit;
	map->file_offset = from->offset;
	map->filename = from->file;
	map->build_id = from->build_id;
	m.n_mapping = 1;
	m.mapping = &map;
	put(wr, &m);
}

/*
 * Writes the program's mapping first, because readers take the first one for
 * the program.
 */
static void put_mappings(struct pprof_pack *wr, const struct profile *p)
{
	Pprof__Mapping *maps = mappings_new(p);
	uint32_t first = profile_main_mapping(p), i;

	if (!maps || (!first && p->nr_mappings > 1))
		wr->err = wr->err ? wr->err : -ENOMEM;
	if (!wr->err && first)
		put_mapping(wr, p, first, &maps[first]);
	for (i = 1; !wr->err && i < p->nr_mappings; i++)
		if (i != first)
			put_mapping(wr, p, i, &maps[i]);
	free(maps);
}

static void put_locations(struct pprof_pack *wr, const struct profile *p)
{
	size_t pointers = 0;
	uint32_t i, k;

	for (i = 1; !wr->err && i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];
		Pprof__Location location = PPROF__LOCATION__INIT, *list = &location;
		Pprof__Profile m = PPROF__PROFILE__INIT;

		if (!room_for(wr, wr->lines, l->nr_lines, wr->lines_room) ||
		    !room_for(wr, wr->line, l->nr_lines, pointers))
			return;
		for (k = 0; k < l->nr_lines; k++) {
			pprof__line__init(&wr->lines[k]);
			wr->lines[k].function_id = p->lines[l->first_line + k].function;
			wr->lines[k].line = p->lines[l->first_line + k].line;
			wr->line[k] = &wr->lines[k];
		}
		location.id = i;
		location.mapping_id = l->mapping;
		location.address = l->address;
		location.n_line = l->nr_lines;
		location.line = wr->line;
		m.n_location = 1;
		m.location = &list;
		put(wr, &m);
	}
}

static void put_functions(struct pprof_pack *wr, const struct profile *p)
{
	uint32_t i;

	for (i = 1; !wr->err && i < p->nr_functions; i++) {
		const struct profile_function *f = &p->functions[i];
		Pprof__Function function = PPROF__FUNCTION__INIT, *list = &function;
		Pprof__Profile m = PPROF__PROFILE__INIT;

		function.id = i;
		function.name = f->name;
		function.system_name = f->system_name;
		function.filename = f->file;
		function.start_line = f->start_line;
		m.n_function = 1;
		m.function = &list;
		put(wr, &m);
	}
}

static void put_string(struct pprof_pack *wr, const char *s, size_t len)
{
	ProtobufCBinaryData list = { len, (uint8_t *)s };
	Pprof__Profile m = PPROF__PROFILE__INIT;

	m.n_string_table = 1;
	m.string_table = &list;
	put(wr, &m);
}

static void put_strings(struct pprof_pack *wr, const struct profile *p)
{
	const struct strings *strings = &p->index->strings;
	uint32_t i;

	for (i = 0; !wr->err && i < strings->nr; i++) {
		const struct strings_entry *e = &strings->entries[i];
		char *mended;

		if (utf8_valid(e->s)) {
			put_string(wr, e->s, e->len);
			continue;
		}
		mended = malloc(UTF8_REPAIR_BYTES(e->len));
		if (mended)
			put_string(wr, mended, utf8_repair(e->s, mended));
		else
			wr->err = -ENOMEM;
		free(mended);
	}
}

static void put_head(struct pprof_pack *wr, const struct profile *p)
{
	Pprof__ValueType period = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile m = PPROF__PROFILE__INIT;
	uint32_t i;

	m.time_nanos = clamp(p->time_ns);
	m.duration_nanos = clamp(p->duration_ns);
	m.period = p->period;
	m.default_sample_type = p->default_type;
	period.type = p->period_type.type;
	period.unit = p->period_type.unit;
	if (period.type || period.unit)
		m.period_type = &period;
	put(wr, &m);
	for (i = 0; i < p->nr_comments; i++) {
		int64_t comment = p->comments[i];
		Pprof__Profile one = PPROF__PROFILE__INIT;

		if (profile_is_imagemap(p, i)) {
			one.n_ustack_imagemap = 1;
			one.ustack_imagemap = &comment;
		} else {
			one.n_comment = 1;
			one.comment = &comment;
		}
		put(wr, &one);
	}
}

void pprof_pack_rest(struct pprof_pack *wr, const struct profile *p)
{
	put_mappings(wr, p);
	put_locations(wr, p);
	put_functions(wr, p);
	put_strings(wr, p);
	put_head(wr, p);
	if (!wr->err)
		deflate_all(wr, NULL, 0, Z_FINISH);
}

int pprof_pack_init(struct pprof_pack *wr, int fd)
{
	*wr = (struct pprof_pack){ .fd = fd };
	if (deflateInit2(&wr->z, GZIP_LEVEL, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	return 0;
}

void pprof_pack_release(struct pprof_pack *wr)
{
	deflateEnd(&wr->z);
	free(wr->packed);
	free(wr->ids);
	free(wr->lines);
	free(wr->line);
}
