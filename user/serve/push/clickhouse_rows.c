// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a part of a window into rows of a fleet's tables, in RowBinary: a row for each sample, a
 * mark, and rows of things that samples refer to, if the server was not sent them before.
 */
#include "serve/push/clickhouse_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "serve/clickhouse/siphash.h"
#include "profile/imagemaps.h"
#include "serve/push/clickhouse_numbers.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/hex.h"

#include "util/poison.h"

#define NSEC_PER_SEC 1000000000ull
#define SECONDS_PER_DAY 86400u
#define RELEASE "release"

const char *const clickhouse_columns = "incoming (day, time, host, machine, service, release, "
	"outcome, labels, stack, leaf, binary, ended, count, cpu, more, part)";

const char *const clickhouse_inserts[CLICKHOUSE_NR_KINDS] = {
	[CLICKHOUSE_BINARIES] = "binaries (day, id, build_id, file)",
	[CLICKHOUSE_FRAMES] = "frames (day, id, binary, address)",
	[CLICKHOUSE_NAMES] = "names (day, frame, rank, functions, systems, files, starts, lines)",
	[CLICKHOUSE_STACKS] = "stacks (day, id, frames)",
	[CLICKHOUSE_LABELS] = "labels (day, id, keys, texts, numbers, units)",
	[CLICKHOUSE_MAPS] = "maps (day, id, map)",
	[CLICKHOUSE_PROCESSES] = "processes (day, host, pid, map, time)",
	[CLICKHOUSE_WINDOWS] = "windows (day, host, segment, record, time_ns, duration_ns, "
		"machine, types, units, default_type, period, period_type, period_unit, "
		"comments, rows, count, cpu)",
};

/* Column rank of the table names, see Documentation/clickhouse.md. */
enum rank { RANK_NAMES = 1, RANK_LINES = 2 };

/**
 * struct adding - a part that is being turned into rows
 * @b: the batch that gets the rows
 * @sent: numbers of things that the server has been sent
 * @part: the part
 * @w: window of @part
 * @n: numbers of things of @w in the tables
 * @host: name of the host, from the machine's labels
 * @count: index of the type "samples" in the values, PROFILE_MAX_VALUES if there is none
 * @cpu: index of the type "cpu" in the values, PROFILE_MAX_VALUES if there is none
 * @machine: number of the machine's labels
 * @locations: 1 for each location that was visited; owns the memory of @visited, too
 * @visited: 1 for each stack that was visited
 */
struct adding {
	struct clickhouse_batch *b;
	struct clickhouse_number_set *sent;
	const struct push_part *part;
	const struct profile *w;
	struct clickhouse_numbers n;
	const char *host;
	uint32_t count;
	uint32_t cpu;
	uint64_t machine;
	uint8_t *locations;
	uint8_t *visited;
};

void clickhouse_batch_release(struct clickhouse_batch *b)
{
	int i;

	for (i = 0; i < CLICKHOUSE_NR_KINDS; i++)
		buffer_release(&b->kinds[i]);
	free(b->parts);
	*b = (struct clickhouse_batch){ 0 };
}

size_t clickhouse_batch_bytes(const struct clickhouse_batch *b)
{
	size_t bytes = 0;
	int i;

	for (i = 0; i < CLICKHOUSE_NR_KINDS; i++)
		bytes += b->kinds[i].len;
	return bytes;
}

uint32_t clickhouse_seconds(uint64_t time_ns)
{
	uint64_t s = time_ns / NSEC_PER_SEC;

	return s < UINT32_MAX ? (uint32_t)s : UINT32_MAX;
}

uint32_t clickhouse_day(uint64_t time_ns)
{
	return clickhouse_seconds(time_ns) / SECONDS_PER_DAY;
}

uint64_t clickhouse_part_number(const char *identity)
{
	uint64_t n = siphash(identity, strlen(identity));

	return n ? n : 1;
}

/*
 * Begin a row of @kind with its day. Return: the buffer for the other columns; NULL if the server
 * has been sent the thing with this number already.
 */
static struct buffer *begin_row(struct adding *a, enum clickhouse_kind kind, uint64_t number)
{
	struct buffer *b = &a->b->kinds[kind];

	if (!clickhouse_number_set_add(a->sent, siphash_two(number, kind)))
		return NULL;
	buffer_fixed(b, a->b->day, 2);
	return b;
}

static void put_binary(struct adding *a, uint32_t mapping)
{
	const struct profile_mapping *m = &a->w->mappings[mapping];
	struct buffer *b = NULL;

	if (mapping)
		b = begin_row(a, CLICKHOUSE_BINARIES, a->n.binaries[mapping]);
	if (!b)
		return;
	buffer_fixed(b, a->n.binaries[mapping], 8);
	buffer_counted_text(b, profile_text(a->w, m->build_id));
	buffer_counted_text(b, profile_text(a->w, m->file));
}

/* Append an array: a text of each function at a location. */
#define put_texts(b, w, l, field)						\
({										\
	uint32_t i_;								\
										\
	buffer_uleb((b), (l)->nr_lines);					\
	for (i_ = 0; i_ < (l)->nr_lines; i_++)					\
		buffer_counted_text((b), profile_text((w), (w)->functions[		\
			(w)->lines[(l)->first_line + i_].function].field));	\
})

static void put_names(struct adding *a, uint32_t location)
{
	const struct profile *w = a->w;
	const struct profile_location *l = &w->locations[location];
	uint64_t number = a->n.frames[location];
	enum rank rank = RANK_NAMES;
	struct buffer *b;
	uint32_t i;

	/* names of a frame may differ in another window: the same frame is sent again then */
	for (i = 0; i < l->nr_lines; i++) {
		const struct profile_line *line = &w->lines[l->first_line + i];
		const char *name = profile_text(w, w->functions[line->function].name);

		number = siphash_two(number, siphash(name, strlen(name)) + line->line);
		if (line->line)
			rank = RANK_LINES;
	}
	b = l->nr_lines ? begin_row(a, CLICKHOUSE_NAMES, number) : NULL;
	if (!b)
		return;
	buffer_fixed(b, a->n.frames[location], 8);
	buffer_fixed(b, rank, 1);
	put_texts(b, w, l, name);
	put_texts(b, w, l, system_name);
	put_texts(b, w, l, file);
	buffer_uleb(b, l->nr_lines);
	for (i = 0; i < l->nr_lines; i++)
		buffer_fixed(b, w->functions[w->lines[l->first_line + i].function].start_line, 4);
	buffer_uleb(b, l->nr_lines);
	for (i = 0; i < l->nr_lines; i++)
		buffer_fixed(b, w->lines[l->first_line + i].line, 4);
}

static void put_frame(struct adding *a, uint32_t location)
{
	const struct profile_location *l = &a->w->locations[location];
	const bool shared = clickhouse_is_shared(a->w, l->mapping);
	struct buffer *b;

	if (a->locations[location])
		return;
	a->locations[location] = 1;
	put_binary(a, l->mapping);
	put_names(a, location);
	b = begin_row(a, CLICKHOUSE_FRAMES, a->n.frames[location]);
	if (!b)
		return;
	buffer_fixed(b, a->n.frames[location], 8);
	buffer_fixed(b, a->n.binaries[l->mapping], 8);
	buffer_fixed(b, shared || !l->nr_lines ? l->address : 0, 8);
}

static void put_stack(struct adding *a, uint32_t stack)
{
	const struct profile_frame *frames = a->w->stacks;
	struct buffer *b;
	uint32_t s;

	for (s = stack; s && !a->visited[s]; s = frames[s].parent) {
		a->visited[s] = 1;
		put_frame(a, frames[s].location);
	}
	b = stack ? begin_row(a, CLICKHOUSE_STACKS, a->n.stacks[stack]) : NULL;
	if (!b)
		return;
	buffer_fixed(b, a->n.stacks[stack], 8);
	buffer_uleb(b, frames[stack].depth);
	for (s = stack; s; s = frames[s].parent)
		buffer_fixed(b, a->n.frames[frames[s].location], 8);
}

/* Append an array: a text of each label. */
#define put_label_texts(b, w, at, nr, field)					\
({										\
	uint32_t i_;								\
										\
	buffer_uleb((b), (nr));							\
	for (i_ = 0; i_ < (nr); i_++)						\
		buffer_counted_text((b), profile_text((w), (w)->label[(at)[i_]].field));	\
})

static void put_labels(struct adding *a, uint32_t labels)
{
	struct buffer *b = labels ? begin_row(a, CLICKHOUSE_LABELS, a->n.labels[labels]) : NULL;
	uint32_t at[PROFILE_MAX_LABELS], nr, i;

	if (!b)
		return;
	nr = clickhouse_labels(a->w, labels, at);
	buffer_fixed(b, a->n.labels[labels], 8);
	put_label_texts(b, a->w, at, nr, key);
	put_label_texts(b, a->w, at, nr, str);
	buffer_uleb(b, nr);
	for (i = 0; i < nr; i++)
		buffer_fixed(b, (uint64_t)a->w->label[at[i]].num, 8);
	put_label_texts(b, a->w, at, nr, unit);
}

/* The same number that a sample's set of these labels would have, see label_number(). */
static uint64_t machine_number(struct adding *a)
{
	const struct push_machine_labels *m = a->part->machine;
	struct buffer *scratch = &a->n.scratch;
	uint32_t i;

	buffer_clear(scratch);
	for (i = 0; i < m->nr; i++) {
		buffer_put(scratch, m->name[i], strlen(m->name[i]) + 1);
		buffer_put(scratch, m->value[i], strlen(m->value[i]) + 1);
		buffer_fixed(scratch, 0, 8);
		buffer_fixed(scratch, 0, 1);
	}
	return siphash(scratch->at, scratch->len);
}

static void put_machine(struct adding *a)
{
	const struct push_machine_labels *m = a->part->machine;
	struct buffer *b;
	uint32_t i;

	a->machine = machine_number(a);
	b = begin_row(a, CLICKHOUSE_LABELS, a->machine);
	if (!b)
		return;
	buffer_fixed(b, a->machine, 8);
	buffer_uleb(b, m->nr);
	for (i = 0; i < m->nr; i++)
		buffer_counted_text(b, m->name[i]);
	buffer_uleb(b, m->nr);
	for (i = 0; i < m->nr; i++)
		buffer_counted_text(b, m->value[i]);
	buffer_uleb(b, m->nr);
	for (i = 0; i < m->nr; i++)
		buffer_fixed(b, 0, 8);
	buffer_uleb(b, m->nr);
	for (i = 0; i < m->nr; i++)
		buffer_counted_text(b, "");
}

static void put_process(struct adding *a, uint32_t pid, uint64_t map)
{
	struct buffer *b = begin_row(a, CLICKHOUSE_PROCESSES, siphash_two(map, pid));

	if (!b)
		return;
	buffer_counted_text(b, a->host);
	buffer_fixed(b, pid, 4);
	buffer_fixed(b, map, 8);
	buffer_fixed(b, clickhouse_seconds(a->w->time_ns), 4);
}

static int put_map(struct adding *a, uint32_t comment)
{
	const uint32_t pid = profile_imagemap_pid(a->w, comment);
	const char *text = pid ? strrchr(profile_text(a->w, a->w->comments[comment]), ' ') + 1 : "";
	_cleanup_(cleanup_free) uint8_t *map = NULL;
	struct buffer *b;
	uint64_t number;
	size_t len;

	if (!*text)
		return 0;
	map = malloc(strlen(text) / 4 * 3 + 3);
	if (!map)
		return -ENOMEM;
	/* a map that was cut is of no use */
	if (!base64_read(text, strlen(text), map, &len))
		return 0;
	number = siphash(map, len);
	put_process(a, pid, number);
	b = begin_row(a, CLICKHOUSE_MAPS, number);
	if (!b)
		return 0;
	buffer_fixed(b, number, 8);
	buffer_counted(b, map, len);
	return 0;
}

static bool is_type(const struct profile *w, uint32_t i, const char *type, const char *unit)
{
	return !strcmp(profile_text(w, w->value_types[i].type), type) &&
	       !strcmp(profile_text(w, w->value_types[i].unit), unit);
}

static uint32_t find_type(const struct profile *w, const char *type, const char *unit)
{
	uint32_t i;

	for (i = 0; i < w->nr_value_types; i++)
		if (is_type(w, i, type, unit))
			return i;
	return PROFILE_MAX_VALUES;
}

static int64_t value_of(const struct profile_sample *s, uint32_t type)
{
	return type < PROFILE_MAX_VALUES ? s->value[type] : 0;
}

static bool is_plain(const struct profile *w, uint32_t comment)
{
	return !push_is_machine_labels(w, comment) && !profile_is_imagemap(w, comment);
}

static void put_comments(struct buffer *b, const struct profile *w)
{
	uint32_t i, nr = 0;

	for (i = 0; i < w->nr_comments; i++)
		nr += is_plain(w, i);
	buffer_uleb(b, nr);
	for (i = 0; i < w->nr_comments; i++)
		if (is_plain(w, i))
			buffer_counted_text(b, profile_text(w, w->comments[i]));
}

static void put_types(struct buffer *b, const struct profile *w)
{
	uint32_t i;

	buffer_uleb(b, w->nr_value_types);
	for (i = 0; i < w->nr_value_types; i++)
		buffer_counted_text(b, profile_text(w, w->value_types[i].type));
	buffer_uleb(b, w->nr_value_types);
	for (i = 0; i < w->nr_value_types; i++)
		buffer_counted_text(b, profile_text(w, w->value_types[i].unit));
	buffer_counted_text(b, profile_text(w, w->default_type));
}

/* The row of a window has totals of all its samples; it is sent with the first part. */
static void put_window(struct adding *a)
{
	const struct profile *w = a->w;
	struct buffer *b = &a->b->kinds[CLICKHOUSE_WINDOWS];
	uint64_t count = 0, cpu = 0;
	uint32_t i;

	for (i = 0; i < w->nr_samples; i++) {
		count += (uint64_t)value_of(&w->samples[i], a->count);
		cpu += (uint64_t)value_of(&w->samples[i], a->cpu);
	}
	buffer_fixed(b, a->b->day, 2);
	buffer_counted_text(b, a->host);
	buffer_fixed(b, a->part->at.segment, 8);
	buffer_fixed(b, a->part->at.record, 8);
	buffer_fixed(b, w->time_ns, 8);
	buffer_fixed(b, w->duration_ns, 8);
	buffer_fixed(b, a->machine, 8);
	put_types(b, w);
	buffer_fixed(b, (uint64_t)w->period, 8);
	buffer_counted_text(b, profile_text(w, w->period_type.type));
	buffer_counted_text(b, profile_text(w, w->period_type.unit));
	put_comments(b, w);
	buffer_fixed(b, w->nr_samples, 4);
	buffer_fixed(b, count, 8);
	buffer_fixed(b, cpu, 8);
}

static const char *label(const struct adding *a, uint32_t labels, const char *key)
{
	const char *text = profile_label_text(a->w, labels, key);

	return text ? text : "";
}

static const char *service_of(const struct adding *a, uint32_t labels)
{
	const char *const *key = a->part->services, *service = "";

	for (; *key && !*service; key++)
		service = label(a, labels, *key);
	return *service ? service : PUSH_NO_SERVICE;
}

static void put_more(struct adding *a, struct buffer *b, const struct profile_sample *s)
{
	const uint32_t nr = a->w->nr_value_types;
	uint32_t i;

	buffer_uleb(b, nr - (a->count < nr) - (a->cpu < nr));
	for (i = 0; i < nr; i++)
		if (i != a->count && i != a->cpu)
			buffer_fixed(b, (uint64_t)s->value[i], 8);
}

static void put_when(const struct adding *a, struct buffer *b)
{
	buffer_fixed(b, a->b->day, 2);
	buffer_fixed(b, clickhouse_seconds(a->w->time_ns), 4);
	buffer_counted_text(b, a->host);
}

static void put_sample(struct adding *a, struct buffer *b, const struct profile_sample *s)
{
	const char *release = label(a, s->labels, RELEASE);

	put_when(a, b);
	buffer_fixed(b, a->machine, 8);
	buffer_counted_text(b, service_of(a, s->labels));
	buffer_counted_text(b, *release ? release : push_machine_label(a->part->machine, RELEASE));
	buffer_counted_text(b, label(a, s->labels, PROFILE_LABEL_STACK));
	buffer_fixed(b, a->n.labels[s->labels], 8);
	buffer_fixed(b, a->n.stacks[s->stack], 8);
	buffer_fixed(b, a->n.frames[a->w->stacks[s->stack].location], 8);
	buffer_fixed(b, a->n.inner[s->stack] ? a->n.inner[s->stack] : a->n.ended[s->stack], 8);
	buffer_fixed(b, a->n.ended[s->stack], 8);
	buffer_fixed(b, (uint64_t)value_of(s, a->count), 8);
	buffer_fixed(b, (uint64_t)value_of(s, a->cpu), 8);
	put_more(a, b, s);
	buffer_fixed(b, 0, 8);
}

/* The mark: a row that shows that the table has the part's samples. */
static void put_mark(const struct adding *a, struct buffer *b, const struct clickhouse_part *p)
{
	put_when(a, b);
	buffer_fixed(b, 0, 8);
	buffer_counted_text(b, "");
	buffer_counted_text(b, "");
	buffer_counted_text(b, "");
	buffer_fixed(b, p->end, 8);
	buffer_fixed(b, p->first, 8);
	buffer_fixed(b, 0, 8);
	buffer_fixed(b, 0, 8);
	buffer_fixed(b, 0, 8);
	buffer_fixed(b, 0, 8);
	buffer_fixed(b, 0, 8);
	buffer_uleb(b, 0);
	buffer_fixed(b, p->number, 8);
}

static int add_part(struct adding *a, struct buffer *samples)
{
	const struct push_part *part = a->part;
	struct clickhouse_part *p;

	if (!array_has_room(a->b->parts, a->b->nr_parts, a->b->parts_room))
		return -ENOMEM;
	p = &a->b->parts[a->b->nr_parts++];
	*p = (struct clickhouse_part){
		.number = clickhouse_part_number(part->identity),
		.at = part->at,
		.time_ns = a->w->time_ns,
		.first = part->first,
		.end = part->first + part->nr,
	};
	put_mark(a, samples, p);
	return 0;
}

static int add_all(struct adding *a, struct buffer *samples)
{
	uint32_t i;
	int err = 0;

	put_machine(a);
	if (!a->part->first) {
		put_window(a);
		for (i = 0; i < a->w->nr_comments && !err; i++)
			err = put_map(a, i);
	}
	for (i = 0; i < a->part->nr; i++) {
		const struct profile_sample *s = &a->w->samples[a->part->samples[i]];

		put_stack(a, s->stack);
		put_labels(a, s->labels);
		put_sample(a, samples, s);
	}
	return err ? err : add_part(a, samples);
}

static bool has_failed(const struct clickhouse_batch *b, const struct buffer *samples)
{
	bool failed = samples->failed;
	int i;

	for (i = 0; i < CLICKHOUSE_NR_KINDS; i++)
		failed |= b->kinds[i].failed;
	return failed;
}

int clickhouse_add(struct clickhouse_batch *b, struct buffer *samples,
		   struct clickhouse_number_set *sent, const struct push_part *part)
{
	const struct profile *w = part->window;
	struct adding a = {
		.b = b,
		.sent = sent,
		.part = part,
		.w = w,
		.host = push_machine_label(part->machine, PUSH_HOST),
		.count = find_type(w, "samples", "count"),
		.cpu = find_type(w, "cpu", "nanoseconds"),
	};
	int err;

	b->day = clickhouse_day(w->time_ns);
	snprintf(b->host, sizeof(b->host), "%s", a.host);
	a.locations = calloc((size_t)w->nr_locations + w->nr_stacks, 1);
	if (!a.locations)
		return -ENOMEM;
	a.visited = a.locations + w->nr_locations;
	err = clickhouse_numbers_init(&a.n, w);
	if (!err)
		err = add_all(&a, samples);
	if (!err && has_failed(b, samples))
		err = -ENOMEM;
	clickhouse_numbers_release(&a.n);
	free(a.locations);
	return err;
}
