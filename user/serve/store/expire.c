// SPDX-License-Identifier: GPL-2.0-only
/* Removes the oldest segments so that a store stays within its limits of bytes and age. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/store/writer.h"
#include "util/clock.h"

#include "util/poison.h"

/* How far the time of day may jump before it counts as set; how long it must then run evenly. */
#define SETTLED_NS (10 * 1000000000ull)
#define EVEN_NS (3600 * 1000000000ull)

static uint64_t all_bytes(const struct store *s)
{
	uint64_t bytes = s->open ? s->open->end : 0;
	size_t i;

	for (i = 0; i < s->nr_files; i++)
		bytes += s->files[i].bytes;
	return bytes;
}

/* Return: whether the file is gone. */
static bool remove_file(struct store *s, size_t i)
{
	char name[STORE_NAME_BYTES];

	if (unlinkat(s->dirfd, store_folder_name(&s->files[i].name, name), 0) && errno != ENOENT) {
		store_say(s, "%s cannot be removed: %s", name, strerror(errno));
		return false;
	}
	s->info.removed += !s->files[i].name.bad;
	s->nr_files--;
	memmove(&s->files[i], &s->files[i + 1], (s->nr_files - i) * sizeof(*s->files));
	return true;
}

void store_make_room(struct store *s, uint64_t bytes)
{
	uint64_t all = s->o.max_bytes ? all_bytes(s) : 0;
	size_t i = 0;

	while (s->o.max_bytes && i < s->nr_files && all + bytes > s->o.max_bytes) {
		uint64_t less = s->files[i].bytes;

		if (remove_file(s, i))
			all -= less;
		else
			i++;
	}
}

/*
 * Whether the time of day can be trusted. A clock that is set forward makes all segments old at
 * once, and it may be set back later. So age removes nothing until the clock has run evenly for a
 * while since this store was opened.
 */
static bool is_even(struct store *s, uint64_t now)
{
	uint64_t boot = clock_ns(CLOCK_BOOTTIME), patience = s->o.max_age_ns;
	int64_t offset = (int64_t)(now - boot);

	if (!s->even_ns || llabs(offset - s->clock_offset) > (int64_t)SETTLED_NS)
		s->even_ns = boot;
	s->clock_offset = offset;
	return boot - s->even_ns >= (patience < EVEN_NS ? patience : EVEN_NS);
}

static bool is_old(const struct store *s, const struct store_file *f, uint64_t now)
{
	return s->o.max_age_ns && f->last_ns < now && now - f->last_ns > s->o.max_age_ns;
}

void store_expire(struct store *s)
{
	uint64_t now = clock_ns(CLOCK_REALTIME);
	bool even = is_even(s, now);
	size_t i = 0;

	while (even && i < s->nr_files)
		if (!is_old(s, &s->files[i], now) || !remove_file(s, i))
			i++;
	store_make_room(s, 0);
}

void store_info(const struct store *s, struct store_info *ret)
{
	size_t i;

	*ret = s->info;
	ret->bytes = all_bytes(s);
	ret->segments = !!s->open;
	ret->first_ns = s->open_first_ns;
	for (i = 0; i < s->nr_files; i++) {
		uint64_t first = s->files[i].first_ns;

		ret->segments += !s->files[i].name.bad;
		if (first && (!ret->first_ns || first < ret->first_ns))
			ret->first_ns = first;
	}
}
