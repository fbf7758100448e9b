// SPDX-License-Identifier: GPL-2.0-only
#include "tables/wides.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/cleanup.h"

#include "util/poison.h"

/* For who is not root, see struct tables_shares. */
#define MAX_OF_PAYER (TABLES_WIDES / 4)

#define MAX_READS 1000u

/* A copy of the space of a process, or of the one whose memory it shares. */
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
	if (w->wide[i].at != w->refused) {
		munmap(w->wide[i].at, sizeof(*w->wide[i].at));
		w->given--;
	}
	bpf_map_delete_elem(w->outer, &w->wide[i].id);
	w->wide[i] = w->wide[--w->nr];
}

/* Those whose process has gone or runs another program. @space: to read into */
static void drop_unused(struct wides *w, struct tables_space *space)
{
	unsigned int i = w->nr;

	while (i--)
		if (bpf_map_lookup_elem(w->spaces, &w->wide[i].tgid, space) ||
		    space->id != w->wide[i].id)
			drop(w, i);
}

static bool may_have(const struct wides *w, uint32_t payer)
{
	unsigned int i, has = 0;

	for (i = 0; i < w->nr; i++)
		has += w->wide[i].payer == payer && w->wide[i].at != w->refused;
	return w->given < TABLES_WIDES && (!payer || has < MAX_OF_PAYER);
}

/* Return: its descriptor, or a negative errno. */
static int make_map(enum tables_wide_state state, struct tables_wide **ret)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	struct tables_wide *at;
	unsigned int i;
	int fd, err;

	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ustack_wide", sizeof(uint32_t), sizeof(*at), 1, &o);
	if (fd < 0)
		return fd;
	at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	for (i = 0; i < TABLES_WIDE_WINDOWS; i++)
		at->window[i].start = ~0ull;
	at->state = state;
	*ret = at;
	return fd;
}

int wides_open(struct wides *w, int spaces, int outer)
{
	w->spaces = spaces;
	w->outer = outer;
	w->refused_fd = make_map(TABLES_WIDE_REFUSED, &w->refused);
	return w->refused_fd < 0 ? w->refused_fd : 0;
}

static const struct wide *find(const struct wides *w, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		if (w->wide[i].id == id)
			return &w->wide[i];
	return NULL;
}

/* Return: whether programs have the answer. */
static bool answer(struct wides *w, struct wide *new, int fd)
{
	if (w->nr == TABLES_FULL_SPACES || bpf_map_update_elem(w->outer, &new->id, &fd, BPF_NOEXIST))
		return false;
	w->given += new->at != w->refused;
	w->wide[w->nr++] = *new;
	return true;
}

/* Who may have none, or where there is no memory for any. */
static void refuse(struct wides *w, struct wide *new)
{
	new->at = w->refused;
	answer(w, new, w->refused_fd);
}

const struct wide *wides_make(struct wides *w, uint32_t tgid)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	struct wide new;
	bool given;
	int fd;

	if (!space || !find_space(w, &tgid, space) || !(space->flags & TABLES_FULL) ||
	    find(w, space->id))
		return NULL;
	new = (struct wide){ .id = space->id, .tgid = tgid, .payer = space->payer };
	drop_unused(w, space);
	fd = may_have(w, new.payer) ? make_map(TABLES_WIDE_FILLING, &new.at) : -ENOSPC;
	if (fd < 0) {
		refuse(w, &new);
		return NULL;
	}
	given = answer(w, &new, fd);
	close(fd);
	if (given)
		return &w->wide[w->nr - 1];
	munmap(new.at, sizeof(*new.at));
	return NULL;
}

const struct tables_window *wides_of(const struct wides *w, const struct tables_space *space,
				     uint32_t *nr)
{
	const struct wide *wide = space->flags & TABLES_FULL ? find(w, space->id) : NULL;

	if (!wide || wide->at == w->refused) {
		*nr = TABLES_WINDOWS;
		return space->window;
	}
	*nr = TABLES_WIDE_WINDOWS;
	return wide->at->window;
}

bool wides_read(const struct wides *w, unsigned int i, struct tables_window *ret)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	const struct wide *wide = &w->wide[i];
	uint32_t tgid = wide->tgid;
	unsigned int tries;
	uint64_t seq = 1;

	for (tries = 0; space && tries < MAX_READS; tries++) {
		if (bpf_map_lookup_elem(w->spaces, &tgid, space) || space->id != wide->id) {
			ret[0].start = ~0ull;
			return true;
		}
		if (!(space->seq & 1) && space->seq == seq)
			return true;
		seq = space->seq;
		memcpy(ret, wide->at->window, sizeof(wide->at->window));
	}
	return false;
}

void wides_close(struct wides *w)
{
	while (w->nr)
		drop(w, w->nr - 1);
	if (w->refused_fd >= 0) {
		munmap(w->refused, sizeof(*w->refused));
		close(w->refused_fd);
	}
	*w = (struct wides)WIDES_INIT;
}
