// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes an OTLP request: numbers attributes and stacks, then writes parts and dictionary as
 * protocol buffers. Numbers of fields are those of opentelemetry-proto 1.10.0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/push/otlp.h"
#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* ExportProfilesServiceRequest */
#define REQUEST_RESOURCE_PROFILES 1u
#define REQUEST_DICTIONARY 2u
/* ResourceProfiles */
#define RESOURCE 1u
#define SCOPE_PROFILES 2u
/* ScopeProfiles */
#define SCOPE 1u
#define PROFILES 2u
/* InstrumentationScope */
#define SCOPE_NAME 1u
/* Profile */
#define PROFILE_SAMPLE_TYPE 1u
#define PROFILE_SAMPLES 2u
#define PROFILE_TIME 3u
#define PROFILE_DURATION 4u
#define PROFILE_PERIOD_TYPE 5u
#define PROFILE_PERIOD 6u
#define PROFILE_ID 7u
#define PROFILE_ATTRIBUTES 11u
/* Sample */
#define SAMPLE_STACK 1u
#define SAMPLE_ATTRIBUTES 2u
#define SAMPLE_VALUES 4u
/* ProfilesDictionary */
#define DICT_MAPPINGS 1u
#define DICT_LOCATIONS 2u
#define DICT_FUNCTIONS 3u
#define DICT_LINKS 4u
#define DICT_STRINGS 5u
#define DICT_ATTRIBUTES 6u
#define DICT_STACKS 7u

/* An attribute of the dictionary; its value is the string @str, or @num if @str is 0. */
struct attribute {
	uint32_t key;
	uint32_t unit;
	uint32_t str;
	int64_t num;
};

/*
 * Types of frames, by their OpenTelemetry names. Frames of a language are recognized by the file
 * of their mapping.
 */
static const struct {
	const char *name;
	const char *file;
} frame_types[] = {
	{ "native", NULL },
	{ "kernel", NULL },
	{ "cpython", PROFILE_FILE_CPYTHON },
	{ "php", PROFILE_FILE_PHP },
	{ "ruby", PROFILE_FILE_RUBY },
	{ "perl", PROFILE_FILE_PERL },
	{ "beam", PROFILE_FILE_BEAM },
};

#define NR_FRAME_TYPES (sizeof(frame_types) / sizeof(frame_types[0]))

/**
 * struct encoder - state of the encoder, with the tables that struct profile does not have
 * @o: the request
 * @d: dictionary of @o
 * @b: buffer that gets the bytes
 * @packed: elements of the packed field that is being written
 * @attributes: table of attributes; number 0 stands for "no attribute"
 * @nr_attributes: number of entries in @attributes
 * @attributes_room: number of entries that @attributes has room for
 * @label_attribute: number of the attribute for each entry of @d->label
 * @build_id: number of the attribute with the build id of each mapping, 0 if it has none
 * @frame_type: number of the attribute for each entry of frame_types, 0 if no frame has the type
 * @identity: number of the attribute with the name of each part
 * @stack: number in @stacks of each stack of @d, 0 if no sample has it
 * @stacks: stacks of samples, in the order of their numbers
 * @nr_stacks: number of entries in @stacks; entry 0 stands for "no stack"
 * @failed: there was no memory
 */
struct encoder {
	const struct otlp *o;
	struct profile *d;
	struct buffer *b;
	struct buffer packed;
	struct attribute *attributes;
	size_t nr_attributes;
	size_t attributes_room;
	uint32_t *label_attribute;
	uint32_t *build_id;
	uint32_t frame_type[NR_FRAME_TYPES];
	uint32_t *identity;
	uint32_t *stack;
	uint32_t *stacks;
	uint32_t nr_stacks;
	bool failed;
};

static bool has_label(const struct profile *d, const struct profile_labels *set,
		      enum push_place_label label)
{
	uint32_t i;

	for (i = 0; i < set->nr; i++)
		if (!strcmp(profile_text(d, d->label[set->first + i].key), push_place_labels[label]))
			return true;
	return false;
}

/*
 * Return: the name of a label's attribute, from OpenTelemetry's semantic conventions; the label's
 * own name if there is none.
 */
static const char *key_of(const struct profile *d, const struct profile_labels *set,
			  const char *label)
{
	static const char *const keys[][2] = {
		{ PROFILE_LABEL_PID, "process.pid" },
		{ PROFILE_LABEL_TID, "thread.id" },
		{ PROFILE_LABEL_THREAD, "thread.name" },
		{ PROFILE_LABEL_COMMAND, "process.executable.name" },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(keys[i][0], label))
			return keys[i][1];
	for (i = 0; i < PUSH_NR_PLACE_LABELS; i++)
		if (!strcmp(push_place_labels[i], label))
			return push_place_attribute(i, has_label(d, set, push_place_id(i)));
	return label;
}

static uint32_t add_attribute(struct encoder *e, const struct attribute *a)
{
	size_t i;

	if (!array_has_room(e->attributes, e->nr_attributes, e->attributes_room)) {
		e->failed = true;
		return 0;
	}
	i = e->nr_attributes++;
	e->attributes[i] = *a;
	return (uint32_t)i;
}

/**
 * struct sorting - argument of compare_attributes()
 * @label: all labels of the dictionary
 * @key: name of the attribute of each label, as a string of the dictionary
 */
struct sorting {
	const struct profile_label *label;
	uint32_t *key;
};

static int compare_attributes(const void *x, const void *y, void *arg)
{
	const struct sorting *s = arg;
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	const struct profile_label *a = &s->label[i], *b = &s->label[k];

	if (s->key[i] != s->key[k])
		return s->key[i] < s->key[k] ? -1 : 1;
	if (a->str != b->str)
		return a->str < b->str ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->num < b->num ? -1 : a->num > b->num;
}

/* Find the attribute's name of each label. It may depend on the other labels of the set. */
static void name_labels(struct encoder *e, uint32_t *key)
{
	struct profile *d = e->d;
	uint32_t i, k;

	for (i = 0; i < d->nr_labels; i++)
		for (k = 0; k < d->labels[i].nr; k++) {
			const struct profile_label *l = &d->label[d->labels[i].first + k];

			key[d->labels[i].first + k] =
				profile_string(d, key_of(d, &d->labels[i],
							 profile_text(d, l->key)));
		}
}

/* Many sets have the same label: the table has its attribute once. */
static void number_labels(struct encoder *e)
{
	struct profile *d = e->d;
	_cleanup_(cleanup_free) uint32_t *order = NULL, *key = NULL;
	struct sorting sorting;
	uint32_t i;

	order = reallocarray(NULL, (size_t)d->nr_label + 1, sizeof(*order));
	key = calloc((size_t)d->nr_label + 1, sizeof(*key));
	if (!order || !key) {
		e->failed = true;
		return;
	}
	name_labels(e, key);
	sorting = (struct sorting){ d->label, key };
	for (i = 0; i < d->nr_label; i++)
		order[i] = i;
	qsort_r(order, d->nr_label, sizeof(*order), compare_attributes, &sorting);
	for (i = 0; i < d->nr_label; i++) {
		const struct profile_label *l = &d->label[order[i]];

		if (i && !compare_attributes(&order[i - 1], &order[i], &sorting))
			e->label_attribute[order[i]] = e->label_attribute[order[i - 1]];
		else
			e->label_attribute[order[i]] = add_attribute(e, &(struct attribute){
				.key = key[order[i]], .unit = l->unit, .str = l->str,
				.num = l->num });
	}
}

static bool has_file(const struct profile *d, const char *file)
{
	uint32_t i;

	for (i = 1; i < d->nr_mappings; i++)
		if (!strcmp(profile_text(d, d->mappings[i].file), file))
			return true;
	return false;
}

static void number_others(struct encoder *e)
{
	struct profile *d = e->d;
	uint32_t key, i;

	key = profile_string(d, "process.executable.build_id.gnu");
	for (i = 1; i < d->nr_mappings; i++)
		if (d->mappings[i].build_id)
			e->build_id[i] = add_attribute(e, &(struct attribute){
				.key = key, .str = d->mappings[i].build_id });
	key = profile_string(d, "profile.frame.type");
	for (i = 0; i < NR_FRAME_TYPES; i++)
		if (!frame_types[i].file || has_file(d, frame_types[i].file))
			e->frame_type[i] = add_attribute(e, &(struct attribute){
				.key = key, .str = profile_string(d, frame_types[i].name) });
	key = profile_string(d, "ustack.window");
	for (i = 0; i < e->o->nr_parts; i++)
		e->identity[i] = add_attribute(e, &(struct attribute){
			.key = key, .str = e->o->parts[i].identity });
}

/* Number the stacks of samples; stacks that are only callers of others get no number. */
static void number_stacks(struct encoder *e)
{
	size_t i;

	e->nr_stacks = 1;
	for (i = 0; i < e->o->nr_samples; i++) {
		uint32_t stack = e->o->samples[i].stack;

		if (!stack || e->stack[stack])
			continue;
		e->stacks[e->nr_stacks] = stack;
		e->stack[stack] = e->nr_stacks++;
	}
}

static void put_packed(struct encoder *e, uint32_t field)
{
	if (e->packed.len)
		push_put_field(e->b, field, e->packed.at, e->packed.len);
	e->failed |= e->packed.failed;
	e->packed.len = 0;
}

/* Write one value of a sample. A negative one takes ten bytes in protocol buffers. */
static void put_sample(struct encoder *e, const struct profile_sample *s, uint32_t type)
{
	const struct profile_labels *set = &e->d->labels[s->labels];
	size_t m = push_message(e->b, PROFILE_SAMPLES);
	uint32_t i;

	push_put_number(e->b, SAMPLE_STACK, e->stack[s->stack]);
	for (i = 0; i < set->nr; i++)
		buffer_uleb(&e->packed, e->label_attribute[set->first + i]);
	put_packed(e, SAMPLE_ATTRIBUTES);
	buffer_uleb(&e->packed, (uint64_t)s->value[type]);
	put_packed(e, SAMPLE_VALUES);
	push_message_end(e->b, m);
}

static void put_type(struct encoder *e, uint32_t field, const struct profile_value_type *t)
{
	size_t m = push_message(e->b, field);

	push_put_number(e->b, 1, t->type);
	push_put_number(e->b, 2, t->unit);
	push_message_end(e->b, m);
}

static void put_profile(struct encoder *e, size_t part, uint32_t type)
{
	const struct otlp_part *p = &e->o->parts[part];
	size_t m = push_message(e->b, PROFILES), i;

	put_type(e, PROFILE_SAMPLE_TYPE, &p->types[type]);
	for (i = p->first; i < p->end; i++)
		put_sample(e, &e->o->samples[i], type);
	push_put_fixed64(e->b, PROFILE_TIME, p->time_ns);
	push_put_number(e->b, PROFILE_DURATION, p->duration_ns);
	if (p->period_type.type)
		put_type(e, PROFILE_PERIOD_TYPE, &p->period_type);
	push_put_number(e->b, PROFILE_PERIOD, (uint64_t)p->period);
	push_put_field(e->b, PROFILE_ID, p->id[type], sizeof(p->id[type]));
	buffer_uleb(&e->packed, e->identity[part]);
	put_packed(e, PROFILE_ATTRIBUTES);
	push_message_end(e->b, m);
}

static void put_part(struct encoder *e, size_t part)
{
	const struct otlp_part *p = &e->o->parts[part];
	size_t resource = push_message(e->b, REQUEST_RESOURCE_PROFILES), m, scope;
	uint32_t i;

	push_put_field(e->b, RESOURCE, p->resource.at, p->resource.len);
	m = push_message(e->b, SCOPE_PROFILES);
	scope = push_message(e->b, SCOPE);
	push_put_string(e->b, SCOPE_NAME, "ustack");
	push_message_end(e->b, scope);
	for (i = 0; i < p->nr_types; i++)
		put_profile(e, part, i);
	push_message_end(e->b, m);
	push_message_end(e->b, resource);
}

static void put_mappings(struct encoder *e)
{
	const struct profile_mapping *map;
	uint32_t i;
	size_t m;

	for (i = 0; i < e->d->nr_mappings; i++) {
		map = &e->d->mappings[i];
		m = push_message(e->b, DICT_MAPPINGS);
		push_put_number(e->b, 1, map->start);
		push_put_number(e->b, 2, map->limit);
		push_put_number(e->b, 3, map->offset);
		push_put_number(e->b, 4, map->file);
		if (e->build_id[i])
			buffer_uleb(&e->packed, e->build_id[i]);
		put_packed(e, 5);
		push_message_end(e->b, m);
	}
}

/* Return: the number of the attribute with the type of a location's frames; 0 if it has none. */
static uint32_t frame_type(const struct encoder *e, const struct profile_location *l)
{
	const char *file = profile_text(e->d, e->d->mappings[l->mapping].file);
	uint32_t i;

	for (i = 0; i < NR_FRAME_TYPES; i++)
		if (frame_types[i].file && !strcmp(file, frame_types[i].file))
			return e->frame_type[i];

	if (!strncmp(file, "[kernel", 7) || !strncmp(file, "[guest.kernel", 13))
		return e->frame_type[1];
	return *file && (*file != '[' || !strcmp(file, "[vdso]")) ? e->frame_type[0] : 0;
}

static void put_location(struct encoder *e, uint32_t location)
{
	const struct profile_location *l = &e->d->locations[location];
	size_t m = push_message(e->b, DICT_LOCATIONS), line;
	uint32_t i;

	push_put_number(e->b, 1, l->mapping);
	push_put_number(e->b, 2, l->address);
	for (i = 0; i < l->nr_lines; i++) {
		line = push_message(e->b, 3);
		push_put_number(e->b, 1, e->d->lines[l->first_line + i].function);
		push_put_number(e->b, 2, e->d->lines[l->first_line + i].line);
		push_message_end(e->b, line);
	}
	if (location && frame_type(e, l))
		buffer_uleb(&e->packed, frame_type(e, l));
	put_packed(e, 4);
	push_message_end(e->b, m);
}

static void put_functions(struct encoder *e)
{
	const struct profile_function *f;
	uint32_t i;
	size_t m;

	for (i = 0; i < e->d->nr_functions; i++) {
		f = &e->d->functions[i];
		m = push_message(e->b, DICT_FUNCTIONS);
		push_put_number(e->b, 1, f->name);
		push_put_number(e->b, 2, f->system_name);
		push_put_number(e->b, 3, f->file);
		push_put_number(e->b, 4, f->start_line);
		push_message_end(e->b, m);
	}
}

static void put_attributes(struct encoder *e)
{
	size_t i, m, value;

	for (i = 0; i < e->nr_attributes; i++) {
		const struct attribute *a = &e->attributes[i];

		m = push_message(e->b, DICT_ATTRIBUTES);
		push_put_number(e->b, 1, a->key);
		if (i) {
			value = push_message(e->b, 2);
			if (a->str)
				push_put_string(e->b, 1, profile_text(e->d, a->str));
			else
				push_put_number_always(e->b, 3, (uint64_t)a->num);
			push_message_end(e->b, value);
		}
		push_put_number(e->b, 3, a->unit);
		push_message_end(e->b, m);
	}
}

static void put_stacks(struct encoder *e)
{
	uint32_t i, s;
	size_t m;

	for (i = 0; i < e->nr_stacks; i++) {
		m = push_message(e->b, DICT_STACKS);
		for (s = e->stacks[i]; s; s = e->d->stacks[s].parent)
			buffer_uleb(&e->packed, e->d->stacks[s].location);
		put_packed(e, 1);
		push_message_end(e->b, m);
	}
}

static void put_strings(struct encoder *e)
{
	const char *text;
	uint32_t i;

	for (i = 0; i < e->d->nr_strings; i++) {
		text = profile_text(e->d, i);
		/* the first is empty and must be there */
		if (*text)
			push_put_string(e->b, DICT_STRINGS, text);
		else
			push_put_field(e->b, DICT_STRINGS, "", 0);
	}
}

static void put_dictionary(struct encoder *e)
{
	static const uint8_t zeros[16];
	size_t m = push_message(e->b, REQUEST_DICTIONARY), link;
	uint32_t i;

	put_mappings(e);
	for (i = 0; i < e->d->nr_locations; i++)
		put_location(e, i);
	put_functions(e);
	/* link 0 stands for "no link"; some servers check that its ids have the right length */
	link = push_message(e->b, DICT_LINKS);
	push_put_field(e->b, 1, zeros, 16);
	push_put_field(e->b, 2, zeros, 8);
	push_message_end(e->b, link);
	put_strings(e);
	put_attributes(e);
	put_stacks(e);
	push_message_end(e->b, m);
}

static bool init(struct encoder *e)
{
	const struct profile *d = e->d;

	e->label_attribute = calloc((size_t)d->nr_label + 1, sizeof(uint32_t));
	e->build_id = calloc(d->nr_mappings, sizeof(uint32_t));
	e->identity = calloc(e->o->nr_parts, sizeof(uint32_t));
	e->stack = calloc(d->nr_stacks, sizeof(uint32_t));
	e->stacks = calloc((size_t)d->nr_stacks + 1, sizeof(uint32_t));
	add_attribute(e, &(struct attribute){ 0 });
	return e->label_attribute && e->build_id && e->identity && e->stack && e->stacks;
}

int otlp_encode(struct otlp *o, struct buffer *ret)
{
	struct encoder e = { .o = o, .d = o->dict, .b = ret };
	size_t i;

	e.failed = !init(&e);
	if (!e.failed) {
		number_labels(&e);
		number_others(&e);
		number_stacks(&e);
	}
	/* OTLP's indexes are int32 */
	if (!e.failed && !profile_error(o->dict) && o->dict->nr_strings <= INT32_MAX) {
		for (i = 0; i < o->nr_parts; i++)
			put_part(&e, i);
		put_dictionary(&e);
	}
	buffer_release(&e.packed);
	free(e.attributes);
	free(e.label_attribute);
	free(e.build_id);
	free(e.identity);
	free(e.stack);
	free(e.stacks);
	if (profile_error(o->dict))
		return profile_error(o->dict);
	return e.failed || ret->failed ? -ENOMEM : 0;
}
