// SPDX-License-Identifier: GPL-2.0-only
/* Keeps a list of mappings for each process (maps.h), searched from its youngest end. */
#include <stdlib.h>
#include <string.h>

#include "maps.h"

#define BUCKETS 1024

struct process {
	struct process *next;
	int pid;
	struct map *maps;
	size_t count;
	struct map *before;	/* time of its last exec */
	size_t count_before;
};

static struct process *table[BUCKETS];

static struct process *process(int pid)
{
	struct process **bucket = &table[(unsigned int)pid % BUCKETS], *p;

	for (p = *bucket; p; p = p->next)
		if (p->pid == pid)
			return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		die("out of memory");
	p->pid = pid;
	p->next = *bucket;
	*bucket = p;
	return p;
}

void maps_add(int pid, const struct map *map)
{
	struct process *p = process(pid);

	GROW(p->maps, p->count);
	p->maps[p->count++] = *map;
}

void maps_exec(int pid)
{
	struct process *p = process(pid);

	free(p->before);
	p->before = p->maps;
	p->count_before = p->count;
	p->maps = NULL;
	p->count = 0;
}

bool maps_before_exec(int pid, u64 ip)
{
	struct process *p = process(pid);
	size_t i;

	for (i = 0; i < p->count_before; i++)
		if (ip - p->before[i].start < p->before[i].length)
			return true;
	return false;
}

void maps_fork(int pid, int parent)
{
	struct process *from = process(parent);
	size_t i;

	if (pid == parent)
		return;		/* a new thread */
	maps_exec(pid);
	for (i = 0; i < from->count; i++)
		maps_add(pid, &from->maps[i]);
}

const struct map *maps_find(int pid, u64 ip)
{
	struct process *p = process(pid);
	size_t i = p->count;

	while (i--)
		if (ip - p->maps[i].start < p->maps[i].length)
			return &p->maps[i];
	return NULL;
}

bool maps_path(int pid, const char *path)
{
	struct process *p = process(pid);
	size_t i;

	for (i = 0; i < p->count; i++)
		if (!strcmp(p->maps[i].path, path))
			return true;
	return false;
}

bool maps_any(int pid, bool (*fits)(const char *path))
{
	struct process *p = process(pid);
	size_t i;

	for (i = 0; i < p->count; i++)
		if (fits(p->maps[i].path))
			return true;
	return false;
}
