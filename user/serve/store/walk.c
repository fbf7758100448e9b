// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over the windows of a store, from segment to segment, also while a writer appends to it or
 * removes segments. reader.c and ask.c use it.
 */
#include "serve/store/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/store/folder.h"
#include "util/cleanup.h"

#include "util/poison.h"

int store_walk_init(struct store_walk *w, const char *dir, const struct store_position *from,
		    struct diag *diag)
{
	*w = (struct store_walk){ .dirfd = -1, .dir = strdup(dir) };
	if (from)
		w->at = *from;
	if (!w->dir)
		return diag_errno(diag, ENOMEM, dir);
	w->dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return w->dirfd < 0 ? diag_errno(diag, errno, dir) : 0;
}

void store_walk_release(struct store_walk *w)
{
	store_segment_free(w->open);
	store_samples_release(&w->samples);
	if (w->dirfd >= 0)
		close(w->dirfd);
	free(w->dir);
	*w = (struct store_walk){ .dirfd = -1 };
}

/* Finds the first segment whose number is at least @from, and whether there is a newer one. */
static int find_segment(struct store_walk *w, uint64_t from, uint64_t *number, bool *newer,
			struct diag *diag)
{
	_cleanup_(cleanup_free) struct store_name *names = NULL;
	size_t nr, i;
	int err = store_folder_list(w->dirfd, w->dir, &names, &nr, diag);

	*number = 0;
	*newer = false;
	for (i = 0; !err && i < nr; i++) {
		if (names[i].bad || names[i].number < from)
			continue;
		*newer = !!*number;
		if (*newer)
			break;
		*number = names[i].number;
	}
	return err;
}

static void leave(struct store_walk *w, uint64_t to)
{
	store_segment_free(w->open);
	w->open = NULL;
	w->failed = 0;
	w->over = false;
	w->at = (struct store_position){ .segment = to };
}

/* Return: 1; 0 if there is none; a negative errno that concerns this segment alone. */
static int open_segment(struct store_walk *w, struct diag *diag)
{
	uint64_t number;
	bool newer;
	int err;

	for (;;) {
		err = find_segment(w, w->at.segment, &number, &newer, diag);
		if (err || !number)
			return err;
		if (number != w->at.segment)
			w->at = (struct store_position){ .segment = number };
		err = store_segment_open(w->dirfd, w->dir, number, O_RDONLY, &w->open, diag);
		w->generation++;
		if (!err)
			return 1;
		/* its writer has not written the header yet */
		if (err == -ENODATA && !newer)
			return 0;
		/* -ENOENT: it has been removed just now */
		if (err != -ENOENT) {
			if (err != -ENOMEM)
				leave(w, number + 1);
			return err == -ENODATA ? -EBADMSG : err;
		}
		leave(w, number + 1);
	}
}

static bool is_wanted(const struct store_walk *w, const struct store_head *h)
{
	return (!w->to_ns || h->time_ns < w->to_ns) && store_head_end(h) > w->from_ns;
}

/* Keeps an error until all windows before it have been returned. */
static void fail(struct store_walk *w, int err, const struct diag *why)
{
	w->failed = err;
	w->failure = *why;
}

/*
 * Looks for new records. A bad record is read twice, because the writer may have been cutting off
 * one that it could not write whole.
 */
static int find_records(struct store_walk *w)
{
	struct diag diag;
	int err = store_segment_scan(w->open, &diag);

	if (err == -EBADMSG) {
		store_segment_unscan(w->open);
		err = store_segment_scan(w->open, &diag);
	}
	if (err < 0)
		fail(w, err, &diag);
	return err;
}

static void load(struct store_walk *w)
{
	struct diag diag;
	int err = store_segment_load(w->open, &diag);

	w->generation++;
	if (err == -EBADMSG) {
		/* read it again: the load has dropped this record and later ones */
		find_records(w);
		err = store_segment_load(w->open, &diag);
	}
	if (err)
		fail(w, err, &diag);
}

static int say_failure(struct store_walk *w, struct diag *diag)
{
	int err = w->failed;

	if (diag)
		*diag = w->failure;
	w->failed = 0;
	/* without memory the next call tries again; other errors end the segment */
	w->over = err != -ENOMEM;
	return err;
}

/* Return: 1 for a window; 0 after the last record that has been found; a negative errno. */
static int next_known(struct store_walk *w, const struct store_head **head, struct diag *diag)
{
	struct store_segment *g = w->open;
	int err;

	while (w->at.record < g->nr) {
		*head = &g->heads[w->at.record];
		if (!is_wanted(w, *head)) {
			w->at.record++;
			continue;
		}
		if (g->loaded < g->nr) {
			load(w);
			if (w->failed && !store_is_bad(w->failed))
				return say_failure(w, diag);
			continue;
		}
		err = store_segment_samples(g, (uint32_t)w->at.record, &w->samples, diag);
		/* a window is not skipped because memory was short */
		w->at.record += err != -ENOMEM;
		return err ? err : 1;
	}
	return 0;
}

/*
 * Looks for more records after the last one that has been found, then for the next segment.
 * Return: 1 to go on; 0 if there is nothing new; a negative errno.
 */
static int at_end(struct store_walk *w, struct diag *diag)
{
	uint64_t number;
	uint32_t before = w->open->nr;
	bool newer;
	int err, found = 0;

	if (!w->over) {
		found = find_records(w);
		if (found < 0 || w->open->nr > before)
			return 1;
	}
	err = find_segment(w, w->open->number + 1, &number, &newer, diag);
	if (err || !number)
		return err;
	/* a newer segment exists, so nothing more is appended to this one: look for a last time */
	if (!w->over) {
		found = find_records(w);
		if (found < 0 || w->open->nr > before)
			return 1;
	}
	if (found == STORE_SHORT) {
		w->over = true;
		diag_set(diag, EBADMSG, w->dir, "%s: the last record is not whole", w->open->name);
		if (diag)
			diag->offset = w->open->end;
		return -EBADMSG;
	}
	leave(w, number);
	return 1;
}

int store_walk_next(struct store_walk *w, const struct store_head **head, struct diag *diag)
{
	int ret;

	for (;;) {
		if (!w->open) {
			ret = open_segment(w, diag);
			if (ret <= 0)
				return ret;
		}
		ret = next_known(w, head, diag);
		if (ret)
			return ret;
		if (w->failed)
			return say_failure(w, diag);
		ret = at_end(w, diag);
		if (ret <= 0)
			return ret;
	}
}
