// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the segments of a store for store_open(): collects the old ones, repairs the newest one
 * after a crash, and continues in it if it is whole and still has room.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/store/limits.h"
#include "serve/store/writer.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

/* The earliest beginning and the latest end of a segment's windows; 0 if there are none. */
static void span(const struct store_segment *g, uint64_t *first, uint64_t *last)
{
	uint32_t i;

	*first = 0;
	*last = 0;
	for (i = 0; i < g->nr; i++) {
		if (g->heads[i].time_ns && (!*first || g->heads[i].time_ns < *first))
			*first = g->heads[i].time_ns;
		if (store_head_end(&g->heads[i]) > *last)
			*last = store_head_end(&g->heads[i]);
	}
}

/*
 * Adds a file to the list. Its times are those of @g's windows; if there are none, the time at
 * which the file was last changed.
 */
static int add_file(struct store *s, const struct store_name *n, const struct store_segment *g)
{
	struct store_file f = { .name = *n };
	char name[STORE_NAME_BYTES];
	struct stat st;

	if (fstatat(s->dirfd, store_folder_name(n, name), &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	f.bytes = (uint64_t)st.st_size;
	if (g)
		span(g, &f.first_ns, &f.last_ns);
	if (!f.last_ns)
		f.last_ns = (uint64_t)st.st_mtime * 1000000000;
	return store_add_file(s, &f);
}

/* Renames a segment to NAME.bad. */
static int set_aside(struct store *s, const struct store_name *n, const struct diag *why)
{
	struct store_name bad = { .number = n->number, .bad = true };
	char from[STORE_NAME_BYTES], to[STORE_NAME_BYTES];

	store_folder_name(n, from);
	store_folder_name(&bad, to);
	if (renameat(s->dirfd, from, s->dirfd, to)) {
		store_say(s, "%s; it cannot be renamed: %s", why->text, strerror(errno));
		return add_file(s, n, NULL);
	}
	store_say(s, "%s; it was renamed to %s", why->text, to);
	return add_file(s, &bad, NULL);
}

/* Handles a segment that cannot be opened. */
static int met_bad(struct store *s, const struct store_name *n, bool newest, int err,
		   const struct diag *why)
{
	char name[STORE_NAME_BYTES];

	if (err == -ENOMEM)
		return err;
	if (err == -EBADMSG)
		return set_aside(s, n, why);
	store_folder_name(n, name);
	if (err == -ENODATA && newest && !unlinkat(s->dirfd, name, 0)) {
		store_say(s, "%s was removed: its writer died before it wrote the header", name);
		return 0;
	}
	store_say(s, "%s; it stays as it is", why->text);
	return add_file(s, n, NULL);
}

static int add_old(struct store *s, const struct store_name *n)
{
	struct store_segment *g;
	struct diag diag;
	int err = store_segment_open(s->dirfd, s->dir, n->number, O_RDONLY, &g, &diag);

	if (err)
		return met_bad(s, n, false, err, &diag);
	/* readers report its errors when they get there */
	store_segment_scan(g, NULL);
	err = add_file(s, n, g);
	store_segment_free(g);
	return err;
}

/**
 * struct look - the state of the newest segment
 * @torn: the last record is not whole
 * @kept: the segment must stay as it is
 * @why: the reason for either
 */
struct look {
	bool torn;
	bool kept;
	struct diag why;
};

/* Checks the bytes of all records; the segment ends before the first bad one. */
static int check_records(struct store_segment *g, struct look *l)
{
	uint32_t i, nr = g->nr;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = store_segment_check(g, i, &l->why);
	if (!err)
		return 0;
	i--;
	g->nr = i;
	g->end = g->heads[i].offset;
	l->torn = err == -EBADMSG && i + 1 == nr;
	l->kept = !l->torn;
	return err == -ENOMEM ? err : 0;
}

static int look_at(struct store_segment *g, struct look *l)
{
	int err = store_segment_scan(g, &l->why);
	int64_t later;

	if (err == -ENOMEM)
		return err;
	if (err == STORE_SHORT)
		diag_set(&l->why, EBADMSG, g->dir, "%s: the last record is not whole", g->name);
	l->torn = err == STORE_SHORT || err == -EBADMSG;
	l->kept = err < 0 && err != -EBADMSG;
	/* a fault found here comes before the one that the scan found */
	err = check_records(g, l);
	if (err || !l->torn)
		return err;
	later = store_segment_later(g);
	if (later < 0 && later != -EIO)
		return (int)later;
	/* -EIO: a later record may be there but cannot be read */
	l->kept = l->kept || later;
	return 0;
}

/* Cuts off the bytes after the last whole record. Return: whether that worked. */
static bool cut(struct store *s, struct store_segment *g, const struct look *l)
{
	struct stat st;
	uint64_t bytes;

	if (fstat(g->fd, &st))
		return false;
	bytes = (uint64_t)st.st_size - g->end;
	if (ftruncate(g->fd, (off_t)g->end)) {
		store_say(s, "%s; the rest cannot be cut off: %s", l->why.text, strerror(errno));
		return false;
	}
	store_say(s, "%s: %" PRIu64 " bytes after offset 0x%" PRIx64 " were cut off", l->why.text,
		  bytes, g->end);
	return true;
}

/* Whether the segment can be read to its end, was made by this host, and may still grow. */
static int can_continue(struct store *s, struct store_segment *g, bool *ret)
{
	uint64_t now = clock_ns(CLOCK_REALTIME);
	struct diag diag;
	int err = store_segment_load(g, &diag);

	*ret = false;
	if (store_is_bad(err)) {
		store_say(s, "%s; it stays as it is", diag.text);
		return 0;
	}
	if (err)
		return err;
	*ret = !strcmp(g->host, s->host) && g->end < store_segment_bytes(s) &&
	       now >= g->created_ns && now - g->created_ns < store_segment_ns(s) &&
	       !store_segment_is_rich(s, g);
	return 0;
}

/* Cuts off an unfinished record. @whole: whether the segment may be continued. */
static int repair(struct store *s, struct store_segment *g, bool *whole)
{
	struct look l = { .torn = false };
	int err = look_at(g, &l);

	*whole = false;
	if (err)
		return err;
	if (l.kept)
		store_say(s, "%s: the bytes after offset 0x%" PRIx64
			     " cannot be read; the segment stays as it is", l.why.text, g->end);
	else
		*whole = !l.torn || cut(s, g, &l);
	return 0;
}

static int open_newest(struct store *s, const struct store_name *n)
{
	struct store_segment *g;
	struct diag diag;
	bool go_on = false;
	int err = store_segment_open(s->dirfd, s->dir, n->number, O_RDWR, &g, &diag);

	if (err)
		return met_bad(s, n, true, err, &diag);
	err = repair(s, g, &go_on);
	if (!err && go_on)
		err = can_continue(s, g, &go_on);
	if (!err && go_on) {
		err = store_continue(s, g);
		if (!err) {
			span(g, &s->open_first_ns, &s->open_last_ns);
			return 0;
		}
	}
	if (!err)
		err = add_file(s, n, g);
	store_segment_free(g);
	return err;
}

int store_recover(struct store *s, struct diag *diag)
{
	_cleanup_(cleanup_free) struct store_name *names = NULL;
	size_t nr, i;
	int err = store_folder_list(s->dirfd, s->dir, &names, &nr, diag);

	if (err)
		return err;
	for (i = 0; i < nr && !err; i++) {
		s->newest = names[i].number;
		if (names[i].bad)
			err = add_file(s, &names[i], NULL);
		else if (i + 1 < nr)
			err = add_old(s, &names[i]);
		else
			err = open_newest(s, &names[i]);
	}
	return err ? diag_errno(diag, -err, s->dir) : 0;
}
