// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process number has several lives: each begins with a fork, an exec or a scan. A life
 * has the mappings at its beginning, and the changes since, in order. The mappings at a
 * moment are computed from these when they are needed, and kept, as the next question is
 * mostly for the same or a later moment.
 */
#include "host/process/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/poison.h"

#define NAME_MAX_LEN 16		/* TASK_COMM_LEN */

struct change {
	uint64_t time;
	struct process_map map;
};

/**
 * struct life - a program in a process
 * @from: time at which it begins
 * @scanned: the life began with a scan
 * @base: mappings at @from
 * @now: @base with the first @applied changes: the mappings that were asked for last
 * @applied: number of changes in @now
 * @changes: changes, in the order of time
 * @nr_changes: number of @changes
 * @room: allocated entries of @changes
 * @name: name of the program, "" if not known
 */
struct life {
	uint64_t from;
	bool scanned;
	struct process_maps *base;
	struct process_maps *now;
	uint32_t applied;
	struct change *changes;
	uint32_t nr_changes;
	uint32_t room;
	char name[NAME_MAX_LEN];
};

struct process {
	uint32_t pid;
	struct life *lives;
	uint32_t nr_lives;
	uint32_t room;
	bool gone;
	uint64_t gone_at;
};

struct processes {
	struct process **places;	/* hash table by pid, with open addressing */
	size_t room;
	size_t nr;
	struct process_files files;
	processes_seen *seen;
	void *arg;
};

struct processes *processes_new(processes_seen *seen, void *arg)
{
	struct processes *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->room = 256;
	all->places = calloc(all->room, sizeof(struct process *));
	all->seen = seen;
	all->arg = arg;
	if (all->places)
		return all;
	free(all);
	return NULL;
}

static void life_release(struct processes *all, struct life *l)
{
	uint32_t i;

	for (i = 0; i < l->nr_changes; i++)
		process_file_put(&all->files, l->changes[i].map.file);
	free(l->changes);
	process_maps_put(&all->files, l->base);
	process_maps_put(&all->files, l->now);
}

static void process_free(struct processes *all, struct process *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_lives; i++)
		life_release(all, &p->lives[i]);
	free(p->lives);
	free(p);
}

void processes_on_gone(struct processes *all,
		       void (*gone)(struct process_file *file, void *arg), void *arg)
{
	all->files.gone = gone;
	all->files.gone_arg = arg;
}

void processes_free(struct processes *all)
{
	size_t i;

	if (!all)
		return;
	for (i = 0; i < all->room; i++)
		if (all->places[i])
			process_free(all, all->places[i]);
	free(all->places);
	process_files_release(&all->files);
	free(all);
}

/*
 * Process numbers are small and dense. An odd factor gives each its own place, with gaps
 * between consecutive numbers, so that few entries follow one that is removed.
 */
static struct process **place(const struct processes *all, uint32_t pid)
{
	size_t i = (pid * 2654435769u) & (all->room - 1);

	while (all->places[i] && all->places[i]->pid != pid)
		i = (i + 1) & (all->room - 1);
	return &all->places[i];
}

static int grow(struct processes *all)
{
	struct process **old = all->places;
	size_t i, room = all->room;

	all->places = calloc(2 * room, sizeof(struct process *));
	if (!all->places) {
		all->places = old;
		return -ENOMEM;
	}
	all->room = 2 * room;
	for (i = 0; i < room; i++)
		if (old[i])
			*place(all, old[i]->pid) = old[i];
	free(old);
	return 0;
}

static struct process *process_get(struct processes *all, uint32_t pid)
{
	struct process **p;

	if (4 * (all->nr + 1) > 3 * all->room && grow(all))
		return NULL;
	p = place(all, pid);
	if (*p)
		return *p;
	*p = calloc(1, sizeof(**p));
	if (!*p)
		return NULL;
	(*p)->pid = pid;
	all->nr++;
	return *p;
}

static void process_remove(struct processes *all, struct process **gap)
{
	size_t i = gap - all->places;
	struct process *p;

	process_free(all, *gap);
	*gap = NULL;
	all->nr--;
	/* entries that were put further back because this place was taken move up */
	for (i = (i + 1) & (all->room - 1); all->places[i]; i = (i + 1) & (all->room - 1)) {
		p = all->places[i];
		all->places[i] = NULL;
		*place(all, p->pid) = p;
	}
}

static void set_name(struct life *l, const char *name)
{
	strncpy(l->name, name ? name : "", sizeof(l->name) - 1);
}

/* @base: a reference that is taken over, also on failure. */
static struct life *life_begin(struct processes *all, uint32_t pid, uint64_t time,
			       struct process_maps *base, const char *name)
{
	struct process *p = process_get(all, pid);
	struct life *l;

	if (!base || !p || !array_has_room(p->lives, p->nr_lives, p->room)) {
		process_maps_put(&all->files, base);
		return NULL;
	}
	p->gone = false;
	l = &p->lives[p->nr_lives++];
	*l = (struct life){ .from = time, .base = base, .now = process_maps_ref(base) };
	set_name(l, name);
	return l;
}

static struct life *last_life(const struct process *p)
{
	return p && p->nr_lives ? &p->lives[p->nr_lives - 1] : NULL;
}

/* Makes @l->now the mappings after the first @nr changes. */
static int life_at(struct processes *all, struct life *l, uint32_t nr)
{
	if (nr < l->applied) {
		process_maps_put(&all->files, l->now);
		l->now = process_maps_ref(l->base);
		l->applied = 0;
	}
	if (nr > l->applied && process_maps_unshare(&all->files, &l->now))
		return -ENOMEM;
	for (; l->applied < nr; l->applied++)
		if (process_maps_add(&all->files, l->now,
				     &l->changes[l->applied].map))
			return -ENOMEM;
	return 0;
}

int processes_fork(struct processes *all, uint32_t parent, uint32_t pid, uint64_t time)
{
	struct life *l = last_life(*place(all, parent));

	if (!l)
		return life_begin(all, pid, time, process_maps_new(), NULL) ? 0 : -ENOMEM;
	if (life_at(all, l, l->nr_changes))
		return -ENOMEM;
	return life_begin(all, pid, time, process_maps_ref(l->now), l->name) ? 0 : -ENOMEM;
}

int processes_exec(struct processes *all, uint32_t pid, uint64_t time, const char *name)
{
	return life_begin(all, pid, time, process_maps_new(), name) ? 0 : -ENOMEM;
}

int processes_scan(struct processes *all, uint32_t pid, uint64_t time, const char *name)
{
	struct life *l = life_begin(all, pid, time, process_maps_new(), name);

	if (!l)
		return -ENOMEM;
	l->scanned = true;
	return 0;
}

int processes_map(struct processes *all, uint32_t pid, uint64_t time, uint64_t start,
		  uint64_t len, uint64_t offset, const struct process_file_id *id)
{
	struct process_map map = { start, start + len, offset, NULL };
	struct process *p = process_get(all, pid);
	struct life *l = last_life(p);
	bool fresh;

	if (!l)
		l = life_begin(all, pid, time, process_maps_new(), NULL);
	if (!l || !array_has_room(l->changes, l->nr_changes, l->room))
		return -ENOMEM;
	map.file = process_files_get(&all->files, id, &fresh);
	if (!map.file)
		return -ENOMEM;
	l->changes[l->nr_changes++] = (struct change){ time, map };
	if (fresh && all->seen)
		all->seen(map.file, pid, &map, all->arg);
	return 0;
}

int processes_name(struct processes *all, uint32_t pid, const char *name)
{
	struct life *l = last_life(*place(all, pid));

	if (!l)
		return processes_exec(all, pid, 0, name);
	set_name(l, name);
	return 0;
}

void processes_exit(struct processes *all, uint32_t pid, uint64_t time)
{
	struct process *p = *place(all, pid);

	if (!p)
		return;
	p->gone = true;
	p->gone_at = time;
}

/* Moves changes before @before into the mappings at @base. */
static int life_forget(struct processes *all, struct life *l, uint64_t before)
{
	uint32_t nr = 0, i;

	while (nr < l->nr_changes && l->changes[nr].time < before)
		nr++;
	if (!nr)
		return 0;
	if (life_at(all, l, nr))
		return -ENOMEM;
	process_maps_put(&all->files, l->base);
	l->base = process_maps_ref(l->now);
	for (i = 0; i < nr; i++)
		process_file_put(&all->files, l->changes[i].map.file);
	l->nr_changes -= nr;
	memmove(l->changes, l->changes + nr, l->nr_changes * sizeof(*l->changes));
	l->applied = 0;
	return 0;
}

static int process_forget(struct processes *all, struct process *p, uint64_t before)
{
	uint32_t nr = 0, i;

	/* a life has ended when the next one has begun */
	while (nr + 1 < p->nr_lives && p->lives[nr + 1].from < before)
		nr++;
	for (i = 0; i < nr; i++)
		life_release(all, &p->lives[i]);
	p->nr_lives -= nr;
	memmove(p->lives, p->lives + nr, p->nr_lives * sizeof(*p->lives));
	return p->nr_lives ? life_forget(all, &p->lives[0], before) : 0;
}

int processes_expire(struct processes *all, uint64_t before)
{
	int err = 0;
	size_t i = 0;

	while (i < all->room) {
		struct process *p = all->places[i];

		if (p && p->gone && p->gone_at < before) {
			/* another entry may have moved to this place: check it again */
			process_remove(all, &all->places[i]);
			continue;
		}
		if (p && process_forget(all, p, before))
			err = -ENOMEM;
		i++;
	}
	return err;
}

/* Number of changes up to a moment. */
static uint32_t changes_at(const struct life *l, uint64_t epoch)
{
	uint32_t low = 0, high = l->nr_changes;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (l->changes[mid].time <= epoch)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Before the first change that was seen, a process has the mappings of the first scan. */
static struct life *first_look(const struct process *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_lives; i++)
		if (p->lives[i].scanned)
			return &p->lives[i];
	return &p->lives[0];
}

static struct life *life_of(const struct process *p, uint64_t epoch)
{
	uint32_t i = 0;

	if (!p || !p->nr_lives)
		return NULL;
	if (!epoch)
		return first_look(p);
	while (i + 1 < p->nr_lives && p->lives[i + 1].from <= epoch)
		i++;
	return &p->lives[i];
}

static int life_at_epoch(struct processes *all, struct life *l, uint64_t epoch)
{
	return life_at(all, l, epoch ? changes_at(l, epoch) : l->nr_changes);
}

const struct process_maps *processes_maps(struct processes *all, uint32_t pid,
					  uint64_t epoch)
{
	struct life *l = life_of(*place(all, pid), epoch);

	return l && !life_at_epoch(all, l, epoch) ? l->now : NULL;
}

int processes_find(struct processes *all, uint32_t pid, uint64_t epoch, uint64_t addr,
		   struct process_place *ret)
{
	struct life *l = life_of(*place(all, pid), epoch);
	const struct process_map *map;

	if (!l)
		return 0;
	if (life_at_epoch(all, l, epoch))
		return -ENOMEM;
	map = process_maps_find(l->now, addr);
	if (!map)
		return 0;
	*ret = (struct process_place){ map->file, map->start, map->end,
				       addr - map->start + map->offset };
	return 1;
}

uint64_t processes_epoch(const struct processes *all, uint32_t pid, uint64_t time)
{
	const struct life *l = life_of(*place(all, pid), time);
	uint32_t nr;

	/* nothing is known before the first scan, whose epoch is 0 */
	if (!l || l->from > time)
		return 0;
	nr = changes_at(l, time);
	return nr && l->changes[nr - 1].time > l->from ? l->changes[nr - 1].time : l->from;
}

const char *processes_command(const struct processes *all, uint32_t pid, uint64_t epoch)
{
	const struct life *l = life_of(*place(all, pid), epoch);

	return l && l->name[0] ? l->name : NULL;
}

bool processes_known(const struct processes *all, uint32_t pid)
{
	return last_life(*place(all, pid));
}
