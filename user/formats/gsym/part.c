// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects the functions of one thread in a compact form (part.h), for the writer.
 */
#include "formats/gsym/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

/* A slot of a hash table with open addressing; @number 0 is free. */
struct gsym_slot {
	uint32_t hash;
	uint32_t number;
};

#define FIRST_SLOTS 64u

struct gsym_part *gsym_part_new(void)
{
	return calloc(1, sizeof(struct gsym_part));
}

void gsym_part_seal(struct gsym_part *part)
{
	free(part->strings.slots);
	part->strings.slots = NULL;
	part->strings.nr_slots = 0;
	free(part->file_slots);
	part->file_slots = NULL;
	part->nr_file_slots = 0;
	buffer_release(&part->rows);
	free(part->ranges);
	part->ranges = NULL;
	part->ranges_room = 0;
}

void gsym_part_free(struct gsym_part *part)
{
	if (!part)
		return;
	gsym_part_seal(part);
	free(part->strings.bytes);
	free(part->strings.at);
	free(part->files);
	free(part->funcs);
	buffer_release(&part->info);
	free(part);
}

uint32_t gsym_hash(const char *s, size_t len)
{
	uint64_t h = 0x9e3779b97f4a7c15ull ^ len, word;

	for (; len; s += sizeof(word), len -= sizeof(word)) {
		word = 0;
		memcpy(&word, s, len < sizeof(word) ? len : sizeof(word));
		h = (h ^ word) * 0xd6e8feb86659fd93ull;
		h ^= h >> 32;
		if (len < sizeof(word))
			break;
	}
	return (uint32_t)h;
}

/* Makes room for one more than @nr entries; at most three quarters of the slots are used. */
static bool slots_have_room(struct gsym_slot **slots, uint32_t *nr_slots, uint32_t nr)
{
	uint32_t more = *nr_slots ? 2 * *nr_slots : FIRST_SLOTS, i, at;
	struct gsym_slot *new;

	if (nr < *nr_slots / 4 * 3)
		return true;
	new = more ? calloc(more, sizeof(*new)) : NULL;
	if (!new)
		return false;
	for (i = 0; i < *nr_slots; i++) {
		if (!(*slots)[i].number)
			continue;
		at = (*slots)[i].hash & (more - 1);
		while (new[at].number)
			at = (at + 1) & (more - 1);
		new[at] = (*slots)[i];
	}
	free(*slots);
	*slots = new;
	*nr_slots = more;
	return true;
}

/* Appends a copy of a string. */
static bool strings_append(struct gsym_strings *all, const char *s, size_t len)
{
	uint64_t room = all->room ? all->room : 4096;
	char *bytes;

	while (room - all->len <= len)
		room *= 2;
	if (room > UINT32_MAX)
		room = UINT32_MAX;
	if (room - all->len <= len)
		return false;
	if (room != all->room) {
		bytes = realloc(all->bytes, room);
		if (!bytes)
			return false;
		all->bytes = bytes;
		all->room = (uint32_t)room;
	}
	if (!array_has_room(all->at, all->nr, all->nr_room))
		return false;
	all->at[all->nr++] = all->len;
	memcpy(all->bytes + all->len, s, len);
	all->bytes[all->len + len] = '\0';
	all->len += (uint32_t)len + 1;
	return true;
}

int gsym_part_string(struct gsym_part *part, const char *s, size_t len, uint32_t *ret)
{
	struct gsym_strings *all = &part->strings;
	uint32_t hash, i;

	*ret = 0;
	if (!len)
		return 0;
	if (memchr(s, '\0', len))
		return -EINVAL;
	if (len >= UINT32_MAX || !slots_have_room(&all->slots, &all->nr_slots, all->nr))
		return -ENOMEM;
	hash = gsym_hash(s, len);
	for (i = hash & (all->nr_slots - 1); all->slots[i].number;
	     i = (i + 1) & (all->nr_slots - 1)) {
		uint32_t number = all->slots[i].number;
		uint32_t at = all->at[number - 1];

		if (all->slots[i].hash == hash && all->len - at > len &&
		    !memcmp(all->bytes + at, s, len) && !all->bytes[at + len]) {
			*ret = number;
			return 0;
		}
	}
	if (!strings_append(all, s, len))
		return -ENOMEM;
	all->slots[i] = (struct gsym_slot){ hash, all->nr };
	*ret = all->nr;
	return 0;
}

int gsym_part_file(struct gsym_part *part, uint32_t dir, uint32_t base, uint32_t *ret)
{
	struct gsym_part_file file = { dir, base };
	uint32_t hash = gsym_hash((const char *)&file, sizeof(file)), i;

	*ret = 0;
	if (!dir && !base)
		return 0;
	if (!slots_have_room(&part->file_slots, &part->nr_file_slots, part->nr_files) ||
	    !array_has_room(part->files, part->nr_files, part->files_room))
		return -ENOMEM;
	for (i = hash & (part->nr_file_slots - 1); part->file_slots[i].number;
	     i = (i + 1) & (part->nr_file_slots - 1)) {
		uint32_t number = part->file_slots[i].number;

		if (part->files[number - 1].dir == dir &&
		    part->files[number - 1].base == base) {
			*ret = number;
			return 0;
		}
	}
	part->files[part->nr_files++] = file;
	part->file_slots[i] = (struct gsym_slot){ hash, part->nr_files };
	*ret = part->nr_files;
	return 0;
}

/*
 * Encodes rows. A row that changes nothing is left out; of several rows at one
 * address the last one is kept. Return: number of rows that were encoded;
 * -EINVAL.
 */
static int64_t add_rows(const struct gsym_part *part, const struct gsym_new_function *f,
			struct buffer *b)
{
	struct gsym_row at = { f->range.start, 0, 0 };
	int64_t n = 0;
	size_t i;

	for (i = 0; i < f->nr_lines; i++) {
		const struct gsym_new_line *l = &f->lines[i];

		if (l->file > part->nr_files || (i && l->addr < l[-1].addr))
			return -EINVAL;
		if (l->addr < f->range.start || l->addr >= f->range.end ||
		    (i + 1 < f->nr_lines && l[1].addr == l->addr) ||
		    (n && l->file == at.file && l->line == at.line))
			continue;
		gsym_rows_step(b, GSYM_PART_WINDOW, &at,
			       &(struct gsym_row){ l->addr, l->file, l->line });
		at = (struct gsym_row){ l->addr, l->file, l->line };
		n++;
	}
	return n;
}

/*
 * The ranges of the present callers, in part->ranges: those of depth n are from
 * first[n] to before first[n + 1]; the function itself has depth 0.
 */
struct callers {
	size_t first[GSYM_MAX_DEPTH + 2];
	uint32_t depth;
};

static bool is_inside(const struct gsym_part *part, const struct callers *c,
		      const struct range *r)
{
	size_t low = c->first[c->depth - 1], high = c->first[c->depth];

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (part->ranges[middle].start <= r->start)
			low = middle;
		else
			high = middle;
	}
	return part->ranges[low].start <= r->start && part->ranges[low].end >= r->end;
}

/* Checks the ranges of a call, and joins those that touch. Return: 0 or a negative errno. */
static int take_ranges(struct gsym_part *part, struct callers *c,
		       const struct gsym_new_call *call)
{
	size_t nr = c->first[call->depth], first = nr;
	uint32_t i;

	for (i = 0; i < call->nr_ranges; i++) {
		const struct range *r = &call->ranges[i];

		if (r->start >= r->end || (i && r->start < r[-1].end))
			return -EINVAL;
		if (nr > first && part->ranges[nr - 1].end == r->start) {
			part->ranges[nr - 1].end = r->end;
			continue;
		}
		if (!array_has_room(part->ranges, nr, part->ranges_room))
			return -ENOMEM;
		part->ranges[nr++] = *r;
	}
	c->depth = call->depth;
	c->first[call->depth + 1] = nr;
	for (; first < nr; first++)
		if (!is_inside(part, c, &part->ranges[first]))
			return -EINVAL;
	return 0;
}

static int add_call(struct gsym_part *part, struct callers *c,
		    const struct gsym_new_call *call)
{
	struct buffer *b = &part->info;
	uint64_t base;
	size_t i;
	int err;

	if (!call->nr_ranges || !call->depth || call->depth > c->depth + 1 ||
	    call->depth > GSYM_MAX_DEPTH || call->name > part->strings.nr ||
	    call->call_file > part->nr_files)
		return -EINVAL;
	err = take_ranges(part, c, call);
	if (err)
		return err;
	base = part->ranges[c->first[c->depth - 1]].start;
	buffer_uleb(b, call->depth);
	buffer_uleb(b, c->first[c->depth + 1] - c->first[c->depth]);
	for (i = c->first[c->depth]; i < c->first[c->depth + 1]; i++) {
		buffer_uleb(b, part->ranges[i].start - base);
		buffer_uleb(b, part->ranges[i].end - part->ranges[i].start);
	}
	buffer_uleb(b, call->name);
	buffer_uleb(b, call->call_file);
	buffer_uleb(b, call->call_line);
	return 0;
}

static int add_calls(struct gsym_part *part, const struct gsym_new_function *f)
{
	struct callers c = { .first = { 0, 1 } };
	size_t i;
	int err;

	buffer_uleb(&part->info, f->nr_calls);
	if (!f->nr_calls)
		return 0;
	if (!array_has_room(part->ranges, 0, part->ranges_room))
		return -ENOMEM;
	part->ranges[0] = f->range;
	for (i = 0; i < f->nr_calls; i++) {
		err = add_call(part, &c, &f->calls[i]);
		if (err)
			return err;
	}
	return 0;
}

static int add_sites(struct gsym_part *part, const struct gsym_new_function *f)
{
	struct buffer *b = &part->info;
	uint32_t m;
	size_t i;

	buffer_uleb(b, f->nr_sites);
	for (i = 0; i < f->nr_sites; i++) {
		const struct gsym_new_site *s = &f->sites[i];

		buffer_uleb(b, s->offset);
		buffer_fixed(b, s->flags, 1);
		buffer_uleb(b, s->nr_match);
		for (m = 0; m < s->nr_match; m++) {
			if (s->match[m] > part->strings.nr)
				return -EINVAL;
			buffer_uleb(b, s->match[m]);
			part->funcs[part->nr_funcs].called++;
		}
	}
	return 0;
}

static int add_info(struct gsym_part *part, const struct gsym_new_function *f)
{
	struct buffer *b = &part->info;
	int64_t nr;
	int err;

	part->rows.len = 0;
	nr = add_rows(part, f, &part->rows);
	if (nr < 0)
		return (int)nr;
	if (!nr && !f->nr_calls && !f->nr_sites)
		return 0;
	/* offset 0 means that a function has no information */
	if (!b->len)
		buffer_fixed(b, 0, 1);
	part->funcs[part->nr_funcs].info = b->len;
	buffer_uleb(b, (uint64_t)nr);
	buffer_counted(b, part->rows.at, part->rows.len);
	err = add_calls(part, f);
	if (!err)
		err = add_sites(part, f);
	return !err && (b->failed || part->rows.failed) ? -ENOMEM : err;
}

int gsym_part_add(struct gsym_part *part, const struct gsym_new_function *f)
{
	size_t len = part->info.len;
	int err;

	if (!f->name || f->name > part->strings.nr || f->range.start > f->range.end)
		return -EINVAL;
	if (!array_has_room(part->funcs, part->nr_funcs, part->funcs_room))
		return -ENOMEM;
	part->funcs[part->nr_funcs] = (struct gsym_added){
		.start = f->range.start,
		.end = f->range.end,
		.order = f->order,
		.name = f->name,
	};
	err = add_info(part, f);
	if (err) {
		part->info.len = len;
		part->info.failed = false;
		part->rows.failed = false;
		return err;
	}
	part->nr_funcs++;
	return 0;
}

void gsym_info_start(struct gsym_info_walk *w, const struct gsym_part *part,
		     const struct gsym_added *f)
{
	/* no rows, no bytes of rows, no calls, no sites */
	static const uint8_t nothing[4];
	uint64_t len;

	w->p = f->info ? part->info.at + f->info : nothing;
	w->rows = uleb_take(&w->p);
	len = uleb_take(&w->p);
	w->program = w->p;
	w->p += len;
}

uint64_t gsym_info_calls(struct gsym_info_walk *w)
{
	w->calls = uleb_take(&w->p);
	return w->calls;
}

void gsym_info_call(struct gsym_info_walk *w, struct gsym_kept_call *ret)
{
	uint64_t i;

	ret->depth = (uint32_t)uleb_take(&w->p);
	ret->nr_ranges = (uint32_t)uleb_take(&w->p);
	ret->ranges = w->p;
	for (i = 0; i < 2 * (uint64_t)ret->nr_ranges; i++)
		uleb_take(&w->p);
	ret->ranges_len = (size_t)(w->p - ret->ranges);
	ret->name = (uint32_t)uleb_take(&w->p);
	ret->file = (uint32_t)uleb_take(&w->p);
	ret->line = (uint32_t)uleb_take(&w->p);
}

uint64_t gsym_info_sites(struct gsym_info_walk *w)
{
	w->sites = uleb_take(&w->p);
	return w->sites;
}

void gsym_info_site(struct gsym_info_walk *w, struct gsym_kept_site *ret)
{
	uint32_t i;

	ret->offset = uleb_take(&w->p);
	ret->flags = *w->p++;
	ret->nr_match = (uint32_t)uleb_take(&w->p);
	ret->match = w->p;
	for (i = 0; i < ret->nr_match; i++)
		uleb_take(&w->p);
}
