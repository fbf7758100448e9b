// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives processes larger windows in BPF maps of their own, refuses them, and takes them back
 * when the process is gone. answer.c and collect.c call it, in the maker's thread.
 */
#include "supply/tables/wides.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/cleanup.h"

#include "util/poison.h"

/**
 * struct class - limits of a class of windows
 * @windows: number of windows of one process
 * @max: number of processes that may have them
 */
static const struct class {
	uint32_t windows;
	unsigned int max;
} classes[WIDE_CLASSES] = {
	[WIDE] = { TABLES_WIDE_WINDOWS, TABLES_WIDES },
	[HUGE] = { TABLES_HUGE_WINDOWS, TABLES_HUGES },
};

/* Part of each class that one user who is not root may have, see struct tables_shares. */
#define PART_OF_PAYER 4

/* Attempts to copy windows; if mappings change only now and then, the second one succeeds. */
#define MAX_READS 20u

static size_t bytes_of(enum wide_class class)
{
	return TABLES_WIDE_BYTES(classes[class].windows);
}

/* Copies the space of a process, or of the process whose memory it shares. */
static bool find_space(const struct wides *w, uint32_t *tgid, struct tables_space *ret)
{
	if (bpf_map_lookup_elem(w->spaces, tgid, ret))
		return false;
	if (!ret->same_as)
		return true;
	*tgid = ret->same_as;
	return !bpf_map_lookup_elem(w->spaces, tgid, ret);
}

static void drop(struct wides *w, unsigned int i)
{
	struct wide *wide = &w->wide[i];

	if (wide->at != w->refused) {
		munmap(wide->at, bytes_of(wide->class));
		w->given[wide->class]--;
	}
	bpf_map_delete_elem(w->outer[wide->class], &wide->id);
	*wide = w->wide[--w->nr];
}

/* Drops windows whose process is gone or runs another program. @space: a buffer. */
static void drop_unused(struct wides *w, struct tables_space *space)
{
	unsigned int i = w->nr;

	while (i--)
		if (bpf_map_lookup_elem(w->spaces, &w->wide[i].tgid, space) ||
		    space->id != w->wide[i].id)
			drop(w, i);
}

static bool may_have(const struct wides *w, uint32_t payer, enum wide_class class)
{
	const unsigned int max = classes[class].max;
	unsigned int i, has = 0;

	for (i = 0; i < w->nr; i++)
		has += w->wide[i].payer == payer && w->wide[i].class == class &&
		       w->wide[i].at != w->refused;
	return w->given[class] < max && (!payer || has < max / PART_OF_PAYER);
}

/* Whether an answer may be stored. A refusal takes a place, too. */
static bool may_be_answered(const struct wides *w, uint32_t payer)
{
	unsigned int i, has = 0;

	for (i = 0; i < w->nr; i++)
		has += w->wide[i].payer == payer;
	return w->nr < TABLES_FULL_SPACES && (!payer || has < TABLES_FULL_SPACES / PART_OF_PAYER);
}

/* Makes a map of windows. Return: its descriptor, or a negative errno. */
static int make_map(enum wide_class class, enum tables_wide_state state, struct tables_wide **ret)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	const size_t len = bytes_of(class);
	struct tables_wide *at;
	unsigned int i;
	int fd, err;

	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ustack_wide", sizeof(uint32_t), (uint32_t)len, 1, &o);
	if (fd < 0)
		return fd;
	at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	for (i = 0; i < classes[class].windows; i++)
		at->window[i].start = ~0ull;
	at->state = state;
	*ret = at;
	return fd;
}

int wides_open(struct wides *w, int spaces, int wides, int huges)
{
	w->spaces = spaces;
	w->outer[WIDE] = wides;
	w->outer[HUGE] = huges;
	w->refused_fd = make_map(WIDE, TABLES_WIDE_REFUSED, &w->refused);
	return w->refused_fd < 0 ? w->refused_fd : 0;
}

static struct wide *find(const struct wides *w, uint64_t id, enum wide_class class)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		if (w->wide[i].id == id && w->wide[i].class == class)
			return (struct wide *)&w->wide[i];
	return NULL;
}

/* Stores an answer for the programs. Return: the answer; NULL if there is no room for it. */
static struct wide *answer(struct wides *w, const struct wide *new, int fd)
{
	if (bpf_map_update_elem(w->outer[new->class], &new->id, &fd, BPF_NOEXIST))
		return NULL;
	w->given[new->class] += new->at != w->refused;
	w->wide[w->nr] = *new;
	return &w->wide[w->nr++];
}

/* Return: NULL if the process may have none of this class, or if there is no memory. */
static struct wide *give(struct wides *w, struct wide *new, enum wide_class class)
{
	struct wide *ret;
	int fd;

	if (!may_have(w, new->payer, class))
		return NULL;
	new->class = class;
	fd = make_map(class, TABLES_WIDE_FILLING, &new->at);
	if (fd < 0)
		return NULL;
	ret = answer(w, new, fd);
	close(fd);
	if (!ret)
		munmap(new->at, bytes_of(class));
	return ret;
}

/* The process keeps the class that it has, and gets no larger one. */
static void refuse_more(struct wides *w, struct wide *has)
{
	has->last = true;
	w->refusals++;
	__atomic_store_n(&has->at->state, TABLES_WIDE_LAST, __ATOMIC_RELEASE);
}

static const struct wide *make_first(struct wides *w, struct wide *new)
{
	struct wide *ret;

	if (!may_be_answered(w, new->payer)) {
		w->refusals++;
		return NULL;
	}
	ret = give(w, new, WIDE);
	if (ret) {
		w->refusals += ret->last;
		return ret;
	}
	new->class = WIDE;
	new->at = w->refused;
	w->refusals++;
	answer(w, new, w->refused_fd);
	return NULL;
}

const struct wide *wides_make(struct wides *w, uint32_t tgid)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	struct wide new, *has, *ret = NULL;
	bool huge;

	if (!space || !find_space(w, &tgid, space) || !(space->flags & TABLES_FULL))
		return NULL;
	new = (struct wide){ .id = space->id, .tgid = tgid, .payer = space->payer };
	huge = space->flags & TABLES_HUGE;
	has = find(w, new.id, WIDE);
	if (find(w, new.id, HUGE) || (has && (!huge || has->last || has->at == w->refused)))
		return NULL;
	drop_unused(w, space);
	has = find(w, new.id, WIDE);
	if (huge && (has || may_be_answered(w, new.payer)))
		ret = give(w, &new, HUGE);
	if (ret)
		return ret;
	if (has) {
		refuse_more(w, has);
		return NULL;
	}
	new.last = huge;
	return make_first(w, &new);
}

uint32_t wides_payer(const struct wides *w, uint32_t tgid)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));

	return space && find_space(w, &tgid, space) ? space->payer : 0;
}

void wides_ready(const struct wide *wide)
{
	__atomic_store_n(&wide->at->state, wide->last ? TABLES_WIDE_LAST : TABLES_WIDE_READY,
			 __ATOMIC_RELEASE);
}

bool wides_has_answered(const struct wides *w, const struct tables_space *space)
{
	return find(w, space->id, WIDE) || find(w, space->id, HUGE);
}

void wides_drop(struct wides *w, unsigned int i)
{
	w->refusals++;
	drop(w, i);
}

void wides_drop_fewer(struct wides *w, uint64_t id)
{
	const struct wide *wide = find(w, id, WIDE);

	if (wide && find(w, id, HUGE))
		drop(w, (unsigned int)(wide - w->wide));
}

const struct tables_window *wides_of(const struct wides *w, const struct tables_space *space,
				     uint32_t *nr)
{
	const struct wide *wide = NULL;

	if (space->flags & TABLES_HUGE)
		wide = find(w, space->id, HUGE);
	if (!wide && space->flags & TABLES_FULL)
		wide = find(w, space->id, WIDE);
	if (!wide || wide->at == w->refused) {
		*nr = TABLES_WINDOWS;
		return space->window;
	}
	*nr = classes[wide->class].windows;
	return wide->at->window;
}

bool wides_read(const struct wides *w, unsigned int i, struct tables_window *ret, uint32_t *nr)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	const struct wide *wide = &w->wide[i];
	uint32_t tgid = wide->tgid;
	unsigned int tries;
	uint64_t seq = 1;

	*nr = classes[wide->class].windows;
	for (tries = 0; space && tries < MAX_READS; tries++) {
		if (bpf_map_lookup_elem(w->spaces, &tgid, space) || space->id != wide->id) {
			ret[0].start = ~0ull;
			return true;
		}
		if (!(space->seq & 1) && space->seq == seq)
			return true;
		seq = space->seq;
		memcpy(ret, wide->at->window, *nr * sizeof(*ret));
	}
	return false;
}

uint64_t wides_bytes(const struct wides *w)
{
	return w->given[WIDE] * bytes_of(WIDE) + w->given[HUGE] * bytes_of(HUGE);
}

void wides_close(struct wides *w)
{
	while (w->nr)
		drop(w, w->nr - 1);
	if (w->refused_fd >= 0) {
		munmap(w->refused, bytes_of(WIDE));
		close(w->refused_fd);
	}
	*w = (struct wides)WIDES_INIT;
}
