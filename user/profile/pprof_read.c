// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads pprof's messages into a profile: pprof_load() and so on of pprof.h. An
 * element may come before those that it refers to, so the file is read once for
 * each kind of elements; nothing but the profile is kept.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/foreign.h"
#include "profile/index.h"
#include "profile/moments.h"
#include "profile/pprof.h"
#include "profile/pprof.pb-c.h"
#include "profile/pprof_ids.h"
#include "profile/pprof_source.h"
#include "util/cleanup.h"
#include "util/cursor.h"
#include "util/file.h"
#include "util/utf8.h"

#include "util/poison.h"

/* Field numbers of Profile. */
enum {
	SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING_TABLE, DROP_FRAMES,
	KEEP_FRAMES, TIME_NANOS, DURATION_NANOS, PERIOD_TYPE, PERIOD, COMMENT,
	DEFAULT_SAMPLE_TYPE,
	USTACK_IMAGEMAP = 1000,
};

static const char *const kinds[] = {
	[SAMPLE_TYPE] = "type of values", [SAMPLE] = "sample", [MAPPING] = "mapping",
	[LOCATION] = "location", [FUNCTION] = "function", [STRING_TABLE] = "string",
	[TIME_NANOS] = "time", [DURATION_NANOS] = "duration", [PERIOD_TYPE] = "type of period",
	[PERIOD] = "period", [COMMENT] = "comment", [DEFAULT_SAMPLE_TYPE] = "default type",
};

/**
 * struct reader - reads a file into a profile
 * @source: fields of the file
 * @field: the current field
 * @nth: for each kind, number of elements met before in this pass
 * @strings: by index in the file, number of the string in the profile
 * @mappings: number by id; the same for @functions and @locations
 * @lines: buffer for the lines of a location
 * @mended: buffer for a string whose bytes that are not UTF-8 were replaced
 * @no_memory: protobuf-c failed to allocate
 * @merged: take the time out of labels, see pprof_load_merged()
 */
struct reader {
	struct pprof_source source;
	struct diag *diag;
	const char *name;
	struct profile *p;
	struct pprof_field field;
	uint32_t nth[DEFAULT_SAMPLE_TYPE + 1];
	uint32_t *strings;
	uint32_t nr_strings;
	size_t strings_room;
	struct pprof_ids mappings;
	struct pprof_ids functions;
	struct pprof_ids locations;
	struct profile_line *lines;
	size_t lines_room;
	char *mended;
	size_t mended_room;
	bool no_memory;
	bool merged;
	struct moments *moments;
	ProtobufCAllocator allocator;
};

/* Reports what is wrong with the current element. */
__attribute__((__format__(__printf__, 2, 3)))
static void say(struct reader *r, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(r->diag, EBADMSG, r->name, "%s %" PRIu32 " %s", kinds[r->field.number],
		 r->nth[r->field.number], text);
	if (r->diag)
		r->diag->offset = r->field.offset;
}
#define bad(r, ...) (say(r, __VA_ARGS__), -EBADMSG)

/* Checks whether the profile took the element. */
static int check(struct reader *r)
{
	int err = profile_error(r->p);

	if (!err)
		return 0;
	if (err != -E2BIG)
		return diag_errno(r->diag, -err, r->name);
	return diag_set(r->diag, EFBIG, r->name, "has more than %u of something",
			PPROF_MAX_ELEMENTS);
}

static void *take(void *arg, size_t n)
{
	struct reader *r = arg;
	void *p = reallocarray(NULL, 1, n);

	r->no_memory |= !p;
	return p;
}

static void give(void *arg, void *p)
{
	free(p);
}

/* Unpacks the field; unpacked_free() releases it. */
static int unpack(struct reader *r, const ProtobufCMessageDescriptor *type, void *ret)
{
	ProtobufCMessage *m;

	if (r->field.type != PPROF_BYTES)
		return bad(r, "is no message");
	m = protobuf_c_message_unpack(type, &r->allocator, r->field.len, r->field.bytes);
	*(ProtobufCMessage **)ret = m;
	if (m)
		return 0;
	return r->no_memory ? diag_errno(r->diag, ENOMEM, r->name) : bad(r, "is damaged");
}

static void unpacked_free(struct reader *r, void *message)
{
	protobuf_c_message_free_unpacked(message, &r->allocator);
}

static int add_string(struct reader *r)
{
	const char *s = (const char *)r->field.bytes;

	if (r->field.type != PPROF_BYTES)
		return bad(r, "is no text");
	if (!r->nr_strings && r->field.len)
		return bad(r, "is not empty, as the first has to be");
	if (r->nr_strings == PPROF_MAX_ELEMENTS)
		return diag_set(r->diag, EFBIG, r->name, "has more than %u strings",
				PPROF_MAX_ELEMENTS);
	if (!array_has_room(r->strings, r->nr_strings, r->strings_room))
		return diag_errno(r->diag, ENOMEM, r->name);
	if (!utf8_valid(s)) {
		size_t room = UTF8_REPAIR_BYTES(r->field.len);

		if (room > r->mended_room) {
			free(r->mended);
			r->mended = reallocarray(NULL, 1, room);
			r->mended_room = r->mended ? room : 0;
			if (!r->mended)
				return diag_errno(r->diag, ENOMEM, r->name);
		}
		utf8_repair(s, r->mended);
		s = r->mended;
	}
	r->strings[r->nr_strings++] = profile_string(r->p, s);
	return check(r);
}

static int string(struct reader *r, const char *what, int64_t index, uint32_t *ret)
{
	if (index < 0 || index >= r->nr_strings)
		return bad(r, "has string %" PRId64 " of %" PRIu32 " as %s", index, r->nr_strings,
			   what);
	*ret = r->strings[index];
	return 0;
}

static int read_value_type(struct reader *r, struct profile_value_type *ret)
{
	Pprof__ValueType *m;
	int err;

	err = unpack(r, &pprof__value_type__descriptor, &m);
	if (err)
		return err;
	err = string(r, "type", m->type, &ret->type);
	if (!err)
		err = string(r, "unit", m->unit, &ret->unit);
	unpacked_free(r, m);
	return err;
}

static int add_value_type(struct reader *r)
{
	uint32_t nr = r->p->nr_value_types;
	struct profile_value_type v;
	int err;

	err = read_value_type(r, &v);
	if (err)
		return err;
	if (nr == PROFILE_MAX_VALUES)
		return bad(r, "is one too many: the limit is %u", PROFILE_MAX_VALUES);
	if (profile_value_type(r->p, profile_text(r->p, v.type), profile_text(r->p, v.unit)) != nr)
		return check(r) ? -ENOMEM : bad(r, "is there twice");
	return 0;
}

static int add_comment(struct reader *r, uint64_t index)
{
	uint32_t s;
	int err;

	err = string(r, "text", (int64_t)index, &s);
	if (err)
		return err;
	profile_comment(r->p, profile_text(r->p, s));
	return check(r);
}

/* Adds the comments of a packed field. */
static int add_comments(struct reader *r)
{
	struct cursor c = cursor_over(r->field.bytes, r->field.len);
	int err = 0;

	while (!err && cursor_left(&c)) {
		uint64_t v = cursor_varint(&c);

		err = c.bad ? bad(r, "is damaged") : add_comment(r, v);
	}
	return err;
}

static int number(struct reader *r, int64_t *ret)
{
	if (r->field.type != PPROF_VARINT)
		return bad(r, "is no number");
	*ret = (int64_t)r->field.value;
	return 0;
}

/* Takes a field that exists once. */
static int set_head(struct reader *r)
{
	struct profile *p = r->p;
	int64_t v = 0;
	int err;

	if (r->field.number == PERIOD_TYPE)
		return read_value_type(r, &p->period_type);
	err = number(r, &v);
	if (err)
		return err;
	switch (r->field.number) {
	case TIME_NANOS:
		/* some producers have a zero time that is before 1970 */
		p->time_ns = v > 0 ? (uint64_t)v : 0;
		return 0;
	case DURATION_NANOS:
		p->duration_ns = (uint64_t)v;
		return v < 0 ? bad(r, "is negative: %" PRId64, v) : 0;
	case PERIOD:
		p->period = v;
		return v < 0 ? bad(r, "is negative: %" PRId64, v) : 0;
	}
	return string(r, "default type", v, &p->default_type);
}

static int new_id(struct reader *r, struct pprof_ids *ids, uint64_t id, uint32_t n)
{
	int err;

	err = check(r);
	if (err)
		return err;
	if (!id)
		return bad(r, "has no id");
	if (ids->nr == PPROF_MAX_ELEMENTS)
		return diag_set(r->diag, EFBIG, r->name, "has more than %u of something",
				PPROF_MAX_ELEMENTS);
	err = pprof_ids_add(ids, id, n);
	if (err == -EEXIST)
		return bad(r, "has id %" PRIu64 ", which another has", id);
	return err ? diag_errno(r->diag, -err, r->name) : 0;
}

/* @ret: number of an id; 0 if the id is 0 or the file has no such table. */
static int find_id(struct reader *r, const struct pprof_ids *ids, uint64_t id, const char *kind,
		   uint32_t *ret)
{
	*ret = 0;
	if (!id || ids->nr == 1 || pprof_ids_find(ids, id, ret))
		return 0;
	return bad(r, "refers to %s %" PRIu64 ", which does not exist", kind, id);
}

/* Return: a build id in lower case, if it is hexadecimal. */
static uint32_t build_id(struct profile *p, uint32_t string)
{
	char text[129];
	size_t i;

	if (strlen(profile_text(p, string)) >= sizeof(text))
		return string;
	strcpy(text, profile_text(p, string));
	for (i = 0; text[i]; i++)
		if (text[i] >= 'A' && text[i] <= 'F')
			text[i] += 'a' - 'A';
		else if (!strchr("0123456789abcdef", text[i]))
			return string;
	return profile_string(p, text);
}

static int add_mapping(struct reader *r)
{
	struct profile_mapping map;
	Pprof__Mapping *m;
	int err;

	err = unpack(r, &pprof__mapping__descriptor, &m);
	if (err)
		return err;
	map = (struct profile_mapping){ .start = m->memory_start, .limit = m->memory_limit,
					.offset = m->file_offset };
	err = string(r, "file", m->filename, &map.file);
	if (!err)
		err = string(r, "build id", m->build_id, &map.build_id);
	if (!err) {
		map.build_id = build_id(r->p, map.build_id);
		err = new_id(r, &r->mappings, m->id, profile_mapping(r->p, &map));
	}
	unpacked_free(r, m);
	return err;
}

/* Return: a line of the source; 0 for a number that cannot be one. */
static uint32_t line_number(int64_t line)
{
	return line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
}

static int add_function(struct reader *r)
{
	struct profile_function f;
	Pprof__Function *m;
	int err;

	err = unpack(r, &pprof__function__descriptor, &m);
	if (err)
		return err;
	f.start_line = line_number(m->start_line);
	err = string(r, "name", m->name, &f.name);
	if (!err)
		err = string(r, "system name", m->system_name, &f.system_name);
	if (!err)
		err = string(r, "file", m->filename, &f.file);
	if (!err)
		err = new_id(r, &r->functions, m->id, profile_function(r->p, &f));
	unpacked_free(r, m);
	return err;
}

/* Takes the lines whose function is known. */
static int read_lines(struct reader *r, const Pprof__Location *m, uint32_t *nr)
{
	uint32_t function;
	size_t i;
	int err;

	*nr = 0;
	for (i = 0; i < m->n_line; i++) {
		err = find_id(r, &r->functions, m->line[i]->function_id, "function", &function);
		if (err)
			return err;
		if (!function)
			continue;
		if (!array_has_room(r->lines, *nr, r->lines_room))
			return diag_errno(r->diag, ENOMEM, r->name);
		r->lines[(*nr)++] = (struct profile_line){ function,
							   line_number(m->line[i]->line) };
	}
	return 0;
}

static int add_location(struct reader *r)
{
	uint32_t mapping, nr, n;
	Pprof__Location *m;
	int err;

	err = unpack(r, &pprof__location__descriptor, &m);
	if (err)
		return err;
	err = find_id(r, &r->mappings, m->mapping_id, "mapping", &mapping);
	if (!err)
		err = read_lines(r, m, &nr);
	if (!err) {
		n = profile_location_named(r->p, mapping, m->address, r->lines, nr);
		err = new_id(r, &r->locations, m->id, n);
	}
	unpacked_free(r, m);
	return err;
}

/*
 * Takes the time out of a set of labels. Return: nanoseconds, 0 if there is
 * none.
 */
static uint64_t take_time(const struct profile *p, struct profile_label *set, size_t *nr)
{
	uint64_t time = 0;
	size_t i, kept = 0;

	for (i = 0; i < *nr; i++)
		if (!set[i].str && set[i].num > 0 &&
		    !strcmp(profile_text(p, set[i].key), PROFILE_LABEL_TIME))
			time = (uint64_t)set[i].num;
		else
			set[kept++] = set[i];
	*nr = kept;
	return time;
}

static int read_labels(struct reader *r, const Pprof__Sample *m, uint32_t *ret, uint64_t *time)
{
	struct profile_label set[PROFILE_MAX_LABELS];
	size_t i, nr = m->n_label < PROFILE_MAX_LABELS ? m->n_label : PROFILE_MAX_LABELS;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		const Pprof__Label *l = m->label[i];

		set[i].num = l->num;
		err = string(r, "key of a label", l->key, &set[i].key);
		if (!err)
			err = string(r, "text of a label", l->str, &set[i].str);
		if (!err)
			err = string(r, "unit of a label", l->num_unit, &set[i].unit);
	}
	if (err)
		return err;
	*time = r->merged ? take_time(r->p, set, &nr) : 0;
	*ret = profile_labels(r->p, set, (uint32_t)nr);
	return 0;
}

static bool is_number(const struct profile *p, uint32_t type)
{
	return !strcmp(profile_text(p, p->value_types[type].type), "samples") &&
	       !strcmp(profile_text(p, p->value_types[type].unit), "count");
}

/*
 * Limit for equal samples at one time that become moments each; a larger count
 * means something else.
 */
#define SAME_TIME 256

/*
 * Adds the moments of a sample: one for each time that it was counted; the last
 * one also gets the remainder of its value. A negative value has none.
 */
static int add_moments(struct reader *r, uint64_t time, const int64_t *value)
{
	uint32_t type = 0, number = PROFILE_MAX_VALUES, i;
	int64_t nr, k;
	int err = 0;

	for (i = r->p->nr_value_types; i--;)
		if (is_number(r->p, i))
			number = i;
		else if (value[i])
			type = i;
	if (!value[type] && number < PROFILE_MAX_VALUES)
		type = number;
	nr = number < PROFILE_MAX_VALUES && value[number] > 1 && value[number] <= SAME_TIME ?
		     value[number] : 1;
	if (!time || value[type] <= 0)
		return 0;
	for (k = 0; k < nr && !err; k++)
		err = moments_add(r->moments, r->p, time, type,
				  value[type] / nr + (k == nr - 1 ? value[type] % nr : 0));
	return err ? diag_errno(r->diag, -err, r->name) : 0;
}

static int read_stack(struct reader *r, const Pprof__Sample *m, uint32_t *ret)
{
	uint32_t s = 0, location;
	size_t i;

	for (i = m->n_location_id; i--;) {
		if (!pprof_ids_find(&r->locations, m->location_id[i], &location) || !location)
			return bad(r, "refers to location %" PRIu64 ", which does not exist",
				   m->location_id[i]);
		s = profile_stack(r->p, s, location);
	}
	*ret = s;
	return 0;
}

static int add_sample(struct reader *r)
{
	uint32_t stack, labels;
	Pprof__Sample *m;
	uint64_t time;
	int err;

	err = unpack(r, &pprof__sample__descriptor, &m);
	if (err)
		return err;
	if (m->n_value != r->p->nr_value_types || !m->n_value)
		err = bad(r, "has %zu values where there are %" PRIu32 " types",
			  m->n_value, r->p->nr_value_types);
	if (!err)
		err = read_stack(r, m, &stack);
	if (!err)
		err = read_labels(r, m, &labels, &time);
	if (!err) {
		profile_add(r->p, stack, labels, m->value);
		err = check(r);
	}
	if (!err)
		err = add_moments(r, time, m->value);
	unpacked_free(r, m);
	return err;
}

static int add_field(struct reader *r)
{
	switch (r->field.number) {
	case STRING_TABLE:
		return add_string(r);
	case SAMPLE_TYPE:
		return add_value_type(r);
	case MAPPING:
		return add_mapping(r);
	case FUNCTION:
		return add_function(r);
	case LOCATION:
		return add_location(r);
	case SAMPLE:
		return add_sample(r);
	case COMMENT:
		return r->field.type == PPROF_BYTES ? add_comments(r) :
						      add_comment(r, r->field.value);
	}
	return set_head(r);
}

/* @wanted: bits of the fields of this pass. */
static int read_pass(struct reader *r, uint32_t wanted)
{
	int err;

	pprof_source_rewind(&r->source);
	for (;;) {
		err = pprof_source_next(&r->source, wanted, &r->field);
		if (err <= 0)
			return err;
		/*
		 * ustack writes one number for each; other types are another
		 * producer's field
		 */
		if (r->field.number == USTACK_IMAGEMAP && r->field.type == PPROF_VARINT)
			r->field.number = COMMENT;
		if (r->field.number > DEFAULT_SAMPLE_TYPE || !(wanted >> r->field.number & 1))
			continue;
		err = add_field(r);
		if (err)
			return err;
		r->nth[r->field.number]++;
	}
}

static int read_all(struct reader *r)
{
	static const uint32_t passes[] = {
		1u << STRING_TABLE,
		1u << SAMPLE_TYPE | 1u << MAPPING | 1u << FUNCTION | 1u << TIME_NANOS |
			1u << DURATION_NANOS | 1u << PERIOD_TYPE | 1u << PERIOD |
			1u << COMMENT | 1u << DEFAULT_SAMPLE_TYPE,
		1u << LOCATION,
		1u << SAMPLE,
	};
	size_t i;
	int err;

	for (i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
		err = read_pass(r, passes[i]);
		if (err)
			return err;
		if (!r->nr_strings)
			return diag_set(r->diag, EBADMSG, r->name,
					"is not a pprof profile: it has no strings");
	}
	return 0;
}

static void release(struct reader *r)
{
	pprof_source_release(&r->source);
	pprof_ids_release(&r->mappings);
	pprof_ids_release(&r->functions);
	pprof_ids_release(&r->locations);
	free(r->strings);
	free(r->lines);
	free(r->mended);
}

static int parse(const void *bytes, size_t len, const char *name, bool merged,
		 struct moments *moments, struct profile **ret, struct diag *diag)
{
	struct reader r = { .diag = diag, .name = name, .p = profile_new(), .merged = merged,
			    .moments = moments };
	const char *foreign;
	int err;

	if (!r.p)
		return diag_errno(diag, ENOMEM, name);
	r.allocator = (ProtobufCAllocator){ take, give, &r };
	r.p->index->limit = PPROF_MAX_ELEMENTS;
	pprof_ids_init(&r.mappings);
	pprof_ids_init(&r.functions);
	pprof_ids_init(&r.locations);
	err = pprof_source_init(&r.source, bytes, len, name, diag);
	if (!err && len > PPROF_MAX_BYTES)
		err = diag_errno(diag, EFBIG, name);
	if (!err)
		err = read_all(&r);
	if (!err && moments)
		moments_sort(moments);
	release(&r);
	r.p->index->limit = UINT32_MAX;
	if (err == -EBADMSG && (foreign = foreign_format(bytes, len)))
		diag_set(diag, EBADMSG, name, "%s", foreign);
	if (err)
		profile_free(r.p);
	else
		*ret = r.p;
	return err;
}

int pprof_parse(const void *bytes, size_t len, const char *name, struct profile **ret,
		struct diag *diag)
{
	return parse(bytes, len, name, false, NULL, ret, diag);
}

int pprof_parse_merged(const void *bytes, size_t len, const char *name, struct moments *moments,
		       struct profile **ret, struct diag *diag)
{
	return parse(bytes, len, name, true, moments, ret, diag);
}

static int load(const char *path, bool merged, struct moments *moments, struct profile **ret,
		struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	int err;

	if (!strcmp(path, "-"))
		path = "/dev/stdin";
	err = file_open(&file, path, diag);
	if (err)
		return err;
	if (file.size > PPROF_MAX_BYTES)
		return diag_errno(diag, EFBIG, path);
	err = file_read_new(&file, 0, (size_t)file.size, &bytes, diag);
	if (err)
		return err;
	return parse(bytes, (size_t)file.size, path, merged, moments, ret, diag);
}

int pprof_load(const char *path, struct profile **ret, struct diag *diag)
{
	return load(path, false, NULL, ret, diag);
}

int pprof_load_merged(const char *path, struct moments *moments, struct profile **ret,
		      struct diag *diag)
{
	return load(path, true, moments, ret, diag);
}
