// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of a store: makes a record of each window, appends it to the open segment, and begins
 * a new segment when that one is full. One thread at a time calls it.
 */
#include "serve/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "serve/store/limits.h"
#include "serve/store/writer.h"
#include "serve/store/folder.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

/* Level of zstd. Higher levels take more time and save hardly any bytes: tests/bench/store */
#define LEVEL 3

void store_say(const struct store *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!s->o.note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->o.note(text, s->o.arg);
}

uint64_t store_segment_bytes(const struct store *s)
{
	uint64_t bytes = s->o.segment_bytes ? s->o.segment_bytes : STORE_DEFAULT_SEGMENT_BYTES;

	return s->o.max_bytes && s->o.max_bytes / 4 < bytes ? s->o.max_bytes / 4 : bytes;
}

uint64_t store_segment_ns(const struct store *s)
{
	return s->o.segment_ns ? s->o.segment_ns : STORE_DEFAULT_SEGMENT_NS;
}

bool store_segment_is_rich(const struct store *s, const struct store_segment *g)
{
	uint64_t most = s->o.segment_definitions;

	if (!most)
		most = STORE_DEFAULT_SEGMENT_DEFINITIONS;
	return g->raw >= most || g->raw >= STORE_MAX_DEFINITIONS / 2;
}

int store_add_file(struct store *s, const struct store_file *f)
{
	if (!array_has_room(s->files, s->nr_files, s->files_room))
		return -ENOMEM;
	s->files[s->nr_files++] = *f;
	return 0;
}

int store_continue(struct store *s, struct store_segment *segment)
{
	uint64_t now = clock_ns(CLOCK_REALTIME), age;

	/* end_segment() adds it to the list and must not fail */
	if (!array_has_room(s->files, s->nr_files, s->files_room))
		return -ENOMEM;
	/* if the clock was set back, the segment counts as new */
	age = now > segment->created_ns ? now - segment->created_ns : 0;
	s->open = segment;
	s->marks = store_marks(segment->defs);
	s->copier.nr_named = 0;
	s->ends_ns = clock_ns(CLOCK_MONOTONIC);
	if (age < store_segment_ns(s))
		s->ends_ns += store_segment_ns(s) - age;
	return 0;
}

/* Ends the open segment, and removes it if it has no record. */
static void end_segment(struct store *s)
{
	struct store_segment *g = s->open;
	struct store_file f = { .first_ns = s->open_first_ns, .last_ns = s->open_last_ns };

	f.name.number = g->number;
	f.bytes = g->end;
	if (!g->nr) {
		unlinkat(s->dirfd, g->name, 0);
	} else {
		/* cannot fail: store_continue() made room */
		store_add_file(s, &f);
		if (fdatasync(g->fd))
			store_say(s, "%s: %s", g->name, strerror(errno));
	}
	store_segment_free(g);
	s->open = NULL;
	s->open_first_ns = 0;
	s->open_last_ns = 0;
}

static int write_header(struct store *s, struct store_segment *g, struct diag *diag)
{
	uint8_t header[STORE_HEADER_BYTES];
	ssize_t n;

	store_header_put(g, header);
	n = pwrite(g->fd, header, sizeof(header), 0);
	if (n != sizeof(header))
		return diag_errno(diag, n < 0 ? errno : ENOSPC, s->dir);
	g->end = sizeof(header);
	if (fsync(s->dirfd))
		return diag_errno(diag, errno, s->dir);
	return 0;
}

/* Lets the group of the options read a file. Return: 0, or -1 with errno. */
static int store_share(const struct store *s, int fd)
{
	if (!s->o.shared)
		return 0;
	return fchown(fd, (uid_t)-1, s->o.group) || fchmod(fd, 0640) ? -1 : 0;
}

static int make_segment(struct store *s, struct store_segment *g, struct diag *diag)
{
	const struct store_name name = { .number = g->number };
	int err;

	store_folder_name(&name, g->name);
	memcpy(g->host, s->host, sizeof(g->host));
	g->defs = profile_new();
	if (!g->defs)
		return diag_errno(diag, ENOMEM, s->dir);
	g->fd = openat(s->dirfd, g->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (g->fd < 0)
		return diag_errno(diag, errno, s->dir);
	err = store_share(s, g->fd) ? diag_errno(diag, errno, s->dir) : write_header(s, g, diag);
	if (err)
		unlinkat(s->dirfd, g->name, 0);
	return err;
}

static int begin_segment(struct store *s, struct diag *diag)
{
	struct store_segment *g = reallocarray(NULL, 1, sizeof(*g));
	int err;

	if (!g)
		return diag_errno(diag, ENOMEM, s->dir);
	*g = (struct store_segment){ .dir = s->dir, .fd = -1, .created_ns = clock_ns(CLOCK_REALTIME) };
	store_make_room(s, STORE_HEADER_BYTES);
	err = store_folder_number(s->dirfd, s->dir, s->newest, g->created_ns, &g->number, diag);
	if (!err) {
		s->newest = g->number;
		err = make_segment(s, g, diag);
	}
	if (!err && store_continue(s, g))
		err = diag_errno(diag, ENOMEM, s->dir);
	if (err)
		store_segment_free(g);
	return err;
}

/* Copies the window's definitions to the segment, and its samples to @s->samples. */
static int copy_window(struct store *s, const struct profile *w)
{
	struct store_samples *to = &s->samples;
	struct copier *k = &s->copier;
	uint32_t i;

	copier_begin(k, w, s->open->defs);
	to->nr_samples = 0;
	to->nr_comments = 0;
	to->period = w->period;
	to->period_type.type = copier_string(k, w->period_type.type);
	to->period_type.unit = copier_string(k, w->period_type.unit);
	to->default_type = copier_string(k, w->default_type);
	to->nr_value_types = w->nr_value_types;
	for (i = 0; i < w->nr_value_types; i++) {
		to->value_types[i].type = copier_string(k, w->value_types[i].type);
		to->value_types[i].unit = copier_string(k, w->value_types[i].unit);
	}
	for (i = 0; i < w->nr_comments; i++) {
		if (!array_has_room(to->comments, to->nr_comments, to->comments_room))
			return -ENOMEM;
		to->comments[to->nr_comments++] = copier_string(k, w->comments[i]);
	}
	for (i = 0; i < w->nr_samples; i++) {
		if (!array_has_room(to->samples, to->nr_samples, to->samples_room))
			return -ENOMEM;
		to->samples[i] = w->samples[i];
		to->samples[i].stack = copier_stack(k, w->samples[i].stack);
		to->samples[i].labels = copier_labels(k, w->samples[i].labels);
		to->nr_samples++;
	}
	return copier_error(k);
}

/* Packs a part and appends it to @s->record. */
static int put_part(struct store *s, const struct buffer *part,
		    const struct buffer *prefix, struct store_part *ret)
{
	size_t room = ZSTD_compressBound(part->len), n;
	uint8_t *to = buffer_begin(&s->record, room);

	if (part->failed || !to)
		return -ENOMEM;
	ret->raw = (uint32_t)part->len;
	if (!part->len)
		return 0;
	/* a prefix is valid for one frame only; NULL means none */
	n = ZSTD_CCtx_refPrefix(s->zstd, prefix ? prefix->at : NULL, prefix ? prefix->len : 0);
	if (!ZSTD_isError(n))
		n = ZSTD_compress2(s->zstd, to, room, part->at, part->len);
	if (ZSTD_isError(n))
		return -ENOMEM;
	ret->stored = (uint32_t)n;
	ret->crc = store_crc(to, n);
	s->record.len += n;
	return 0;
}

static bool is_too_many(const struct profile *p, uint32_t limit)
{
	return p->nr_strings > limit || p->nr_mappings > limit || p->nr_functions > limit ||
	       p->nr_locations > limit || p->nr_lines > limit || p->nr_stacks > limit ||
	       p->nr_labels > limit;
}

static bool is_too_deep(const struct profile *p, uint32_t from)
{
	for (; from < p->nr_stacks; from++)
		if (p->stacks[from].depth > STORE_MAX_DEPTH)
			return true;
	return false;
}

/*
 * Makes the window's record in @s->record. Return: 0; -EFBIG if it exceeds the limits of a segment
 * or does not fit into this one; another negative errno.
 */
static int make_record(struct store *s, const struct profile *w, struct store_head *h)
{
	struct store_segment *g = s->open;
	int err = w->nr_samples > STORE_MAX_SAMPLES ? -EFBIG : copy_window(s, w);

	if (err)
		return err;
	if (is_too_many(g->defs, STORE_MAX_ELEMENTS) || is_too_deep(g->defs, s->marks.stacks))
		return -EFBIG;
	*h = (struct store_head){ .offset = g->end, .time_ns = w->time_ns,
				  .duration_ns = w->duration_ns };
	buffer_clear(&s->record);
	buffer_clear(&s->raw);
	buffer_clear(&s->definitions);
	if (!buffer_begin(&s->record, STORE_HEAD_BYTES))
		return -ENOMEM;
	s->record.len = STORE_HEAD_BYTES;
	store_put_definitions(g->defs, &s->marks, s->copier.named, s->copier.nr_named,
			      &s->definitions);
	if (s->definitions.len > STORE_MAX_DEFINITIONS - g->raw)
		return -EFBIG;
	err = put_part(s, &s->definitions, &g->tail, &h->definitions);
	if (err)
		return err;
	store_put_samples(&s->samples, &s->raw);
	if (s->raw.len > STORE_MAX_SAMPLES_BYTES)
		return -EFBIG;
	err = put_part(s, &s->raw, NULL, &h->samples);
	if (err)
		return err;
	store_head_put(g, g->nr, h, s->record.at);
	/* commit() must not fail, so get its memory here */
	if (!buffer_begin(&g->tail, STORE_TAIL_BYTES))
		return -ENOMEM;
	/* the first record fits always, even if it is larger than a segment should be */
	return g->nr && g->end + s->record.len > store_segment_bytes(s) ? -EFBIG : 0;
}

/* Makes the record. If it does not fit into the open segment, it is made again for a new one. */
static int make_record_somewhere(struct store *s, const struct profile *w, struct store_head *h,
				 struct diag *diag)
{
	int err = make_record(s, w, h);

	if (err == -EFBIG && s->open->nr) {
		end_segment(s);
		err = begin_segment(s, diag);
		if (err)
			return err;
		err = make_record(s, w, h);
	}
	if (!err && s->o.max_bytes && STORE_HEADER_BYTES + s->record.len > s->o.max_bytes)
		err = -EFBIG;
	if (err == -EFBIG)
		diag_set(diag, EFBIG, s->dir, "the window is larger than the store allows");
	else if (err)
		diag_errno(diag, -err, s->dir);
	return err;
}

static int write_record(struct store *s, struct diag *diag)
{
	struct store_segment *g = s->open;
	size_t done = 0;
	ssize_t n = 0;
	int err;

	while (done < s->record.len) {
		n = pwrite(g->fd, s->record.at + done, s->record.len - done,
			   (off_t)(g->end + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (done == s->record.len)
		return 0;
	err = n < 0 ? errno : ENOSPC;
	diag_set(diag, err, s->dir, "%s: %s", g->name, strerror(err));
	if (ftruncate(g->fd, (off_t)g->end)) {
		store_say(s, "%s: an incomplete record cannot be cut off: %s",
			  g->name, strerror(errno));
		end_segment(s);
	}
	return -err;
}

/* Counts a record that has been written. */
static void commit(struct store *s, const struct store_head *h)
{
	struct store_segment *g = s->open;

	g->nr++;
	g->loaded = g->nr;
	g->end += s->record.len;
	g->raw += h->definitions.raw;
	store_segment_remember(g, s->definitions.at, s->definitions.len);
	s->marks = store_marks(g->defs);
	s->copier.nr_named = 0;
	if (h->time_ns && (!s->open_first_ns || h->time_ns < s->open_first_ns))
		s->open_first_ns = h->time_ns;
	if (store_head_end(h) > s->open_last_ns)
		s->open_last_ns = store_head_end(h);
	s->info.windows++;
	s->info.appended += s->record.len;
}

static bool is_full(const struct store *s)
{
	const struct store_segment *g = s->open;

	return g->nr && (g->end >= store_segment_bytes(s) || clock_ns(CLOCK_MONOTONIC) >= s->ends_ns ||
			 store_segment_is_rich(s, g) ||
			 is_too_many(g->defs, STORE_MAX_ELEMENTS / 2));
}

int store_append(struct store *s, const struct profile *window, struct store_position *ret,
		 struct diag *diag)
{
	struct store_head h = { 0 };
	int err = profile_error(window);

	if (err)
		return diag_errno(diag, -err, s->dir);
	if (s->open && is_full(s))
		end_segment(s);
	if (!s->open)
		err = begin_segment(s, diag);
	if (err)
		return err;
	err = make_record_somewhere(s, window, &h, diag);
	if (err) {
		/* the segment's profile has definitions of the window that will not be written */
		if (s->open)
			end_segment(s);
		return err;
	}
	store_make_room(s, s->record.len);
	err = write_record(s, diag);
	if (err)
		return err;
	commit(s, &h);
	store_expire(s);
	if (ret)
		*ret = (struct store_position){ s->open->number, s->open->nr };
	return 0;
}

void store_end(const struct store *s, struct store_position *ret)
{
	*ret = (struct store_position){ 0 };
	if (s->open)
		*ret = (struct store_position){ s->open->number, s->open->nr };
	else if (s->newest)
		ret->segment = s->newest + 1;
}

int store_sync(struct store *s, struct diag *diag)
{
	if (s->open && fdatasync(s->open->fd))
		return diag_errno(diag, errno, s->dir);
	return 0;
}

void store_limits(struct store *s, const struct store_options *options)
{
	s->o = *options;
}

/* Lets the group read segments that exist already, which queries read as well. */
static int share_segments(struct store *s, struct diag *diag)
{
	_cleanup_(cleanup_free) struct store_name *names = NULL;
	char name[STORE_NAME_BYTES];
	size_t nr, i;
	int err, fd;

	err = store_folder_list(s->dirfd, s->dir, &names, &nr, diag);
	for (i = 0; !err && i < nr; i++) {
		store_folder_name(&names[i], name);
		fd = openat(s->dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd < 0 || store_share(s, fd))
			err = diag_errno(diag, errno, s->dir);
		if (fd >= 0)
			close(fd);
	}
	return err;
}

/* Shares the folder and its segments. The lock file is not shared: whoever opens it can hold it. */
static int share_folder(struct store *s, struct diag *diag)
{
	if (!s->o.shared)
		return 0;
	if (fchown(s->dirfd, (uid_t)-1, s->o.group) || fchmod(s->dirfd, 0750))
		return diag_set(diag, errno, s->dir, "cannot be given to group %u: %s", s->o.group,
				strerror(errno));
	return share_segments(s, diag);
}

static int open_folder(struct store *s, struct diag *diag)
{
	struct stat st;

	if (mkdir(s->dir, 0700) && errno != EEXIST)
		return diag_errno(diag, errno, s->dir);
	s->dirfd = open(s->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dirfd < 0 || fstat(s->dirfd, &st))
		return diag_errno(diag, errno, s->dir);
	if (st.st_mode & 022)
		return diag_set(diag, EPERM, s->dir, "others may write to the folder");
	s->lock = openat(s->dirfd, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock < 0)
		return diag_errno(diag, errno, s->dir);
	if (!flock(s->lock, LOCK_EX | LOCK_NB))
		return share_folder(s, diag);
	if (errno != EWOULDBLOCK)
		return diag_errno(diag, errno, s->dir);
	return diag_set(diag, EBUSY, s->dir, "another process writes to it");
}

int store_open(const char *dir, const struct store_options *options, struct store **ret,
	       struct diag *diag)
{
	struct store *s = reallocarray(NULL, 1, sizeof(*s));
	int err;

	if (!s)
		return diag_errno(diag, ENOMEM, dir);
	*s = (struct store){ .o = *options, .dirfd = -1, .lock = -1, .dir = strdup(dir),
			     .zstd = ZSTD_createCCtx() };
	gethostname(s->host, STORE_HOST_BYTES);
	if (s->zstd)
		ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, LEVEL);
	err = s->dir && s->zstd ? open_folder(s, diag) : diag_errno(diag, ENOMEM, dir);
	err = err ? err : store_recover(s, diag);
	if (err) {
		if (diag)
			diag->file = dir;
		store_close(s);
		return err;
	}
	store_expire(s);
	*ret = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->open && !s->open->nr)
		end_segment(s);
	store_segment_free(s->open);
	if (s->lock >= 0)
		close(s->lock);
	if (s->dirfd >= 0)
		close(s->dirfd);
	ZSTD_freeCCtx(s->zstd);
	copier_release(&s->copier);
	store_samples_release(&s->samples);
	buffer_release(&s->definitions);
	buffer_release(&s->raw);
	buffer_release(&s->record);
	free(s->files);
	free(s->dir);
	free(s);
}
