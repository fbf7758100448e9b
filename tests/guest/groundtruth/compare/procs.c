// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the mappings of each process up to date from the chunks of a record (procs.h). */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "procs.h"
#include "util.h"

#define BUCKETS 1024

struct proc {
	struct proc *next;
	uint32_t pid;
	char comm[16];
	struct mapping *maps;
	unsigned int count;
	struct space *space;	/* the space of these mappings; NULL: not made since they changed */
};

static struct proc *procs[BUCKETS];
static struct space *spaces[BUCKETS];

static struct proc **slot_of(uint32_t pid)
{
	struct proc **p = &procs[pid % BUCKETS];

	while (*p && (*p)->pid != pid)
		p = &(*p)->next;
	return p;
}

static struct proc *proc_get(uint32_t pid)
{
	struct proc **slot = slot_of(pid);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->pid = pid;
	}
	return *slot;
}

static void changed(struct proc *p)
{
	if (p->space)
		space_put(p->space);
	p->space = NULL;
}

static void append(struct proc *p, uint64_t start, uint64_t end, uint64_t bias,
		   struct file *file)
{
	if (p->count % 32 == 0)
		p->maps = xrealloc(p->maps, (p->count + 32) * sizeof(*p->maps));
	p->maps[p->count++] = (struct mapping){ start, end, bias, file };
}

/* remove [start, end) from the mappings */
static void cut(struct proc *p, uint64_t start, uint64_t end)
{
	struct mapping *old = p->maps;
	unsigned int i, count = p->count;

	p->maps = NULL;
	p->count = 0;
	for (i = 0; i < count; i++) {
		const struct mapping *m = &old[i];
		uint64_t low_end = m->end < start ? m->end : start;
		uint64_t high_start = m->start > end ? m->start : end;

		if (m->start < low_end)
			append(p, m->start, low_end, m->bias, m->file);
		if (high_start < m->end)
			append(p, high_start, m->end, m->bias, m->file);
	}
	free(old);
}

void procs_map(const struct gt_map *m)
{
	struct proc *p = proc_get(m->pid);
	struct file *file;
	uint64_t bias = 0, pgoff = strcmp(m->path, "[vdso]") ? m->pgoff : 0;

	if (!(m->prot & PROT_EXEC))
		return;
	changed(p);
	cut(p, m->start, m->start + m->len);
	file = files_find(&m->id, m->path);
	if (file && !file_bias(file, m->start, pgoff, &bias) && file->phnum)
		file = NULL;
	append(p, m->start, m->start + m->len, bias, file);
}

void procs_fork(const struct gt_task *m)
{
	struct proc *child, *parent;

	if (m->pid == m->ppid)
		return;
	parent = proc_get(m->ppid);
	child = proc_get(m->pid);
	changed(child);
	free(child->maps);
	child->maps = NULL;
	child->count = 0;
	if (parent->count) {
		size_t room = (parent->count + 31) / 32 * 32;

		child->maps = xcalloc(room, sizeof(*child->maps));
		memcpy(child->maps, parent->maps, parent->count * sizeof(*child->maps));
		child->count = parent->count;
	}
	memcpy(child->comm, parent->comm, sizeof(child->comm));
}

static void proc_free(struct proc **slot)
{
	struct proc *p = *slot;

	*slot = p->next;
	changed(p);
	free(p->maps);
	free(p);
}

void procs_comm(const struct gt_comm *m)
{
	struct proc *p = proc_get(m->pid);

	if (m->exec) {
		changed(p);
		p->count = 0;
		free(p->maps);
		p->maps = NULL;
	}
	if (m->pid == m->tid)
		memcpy(p->comm, m->comm, sizeof(p->comm) - 1);
}

void procs_release(void)
{
	unsigned int i;

	for (i = 0; i < BUCKETS; i++)
		while (procs[i])
			proc_free(&procs[i]);
}

const char *procs_name(uint32_t pid)
{
	struct proc *p = *slot_of(pid);

	return p && p->comm[0] ? p->comm : "?";
}

static struct space *space_make(const struct mapping *maps, unsigned int count)
{
	size_t size = count * sizeof(*maps);
	struct space *s;
	uint64_t hash = 0;
	unsigned int i;

	for (i = 0; i < count; i++)
		hash = mix(mix(mix(hash, maps[i].start), maps[i].end),
			   (uintptr_t)maps[i].file);
	for (s = spaces[hash % BUCKETS]; s; s = s->next)
		if (s->hash == hash && s->count == count && !memcmp(s->maps, maps, size)) {
			space_get(s);
			return s;
		}
	s = xcalloc(1, sizeof(*s) + size);
	s->refs = 1;
	s->hash = hash;
	s->count = count;
	memcpy(s->maps, maps, size);
	s->next = spaces[hash % BUCKETS];
	spaces[hash % BUCKETS] = s;
	return s;
}

struct space *procs_space(uint32_t pid)
{
	struct proc *p = *slot_of(pid);

	if (!p || !p->count)
		return NULL;
	if (!p->space)
		p->space = space_make(p->maps, p->count);
	return p->space;
}

const struct mapping *space_find(const struct space *s, uint64_t addr)
{
	unsigned int i;

	for (i = 0; i < s->count; i++)
		if (addr >= s->maps[i].start && addr < s->maps[i].end)
			return &s->maps[i];
	return NULL;
}

void space_get(struct space *s)
{
	s->refs++;
}

void space_put(struct space *s)
{
	struct space **p = &spaces[s->hash % BUCKETS];

	if (--s->refs)
		return;
	while (*p != s)
		p = &(*p)->next;
	*p = s->next;
	free(s);
}
