// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a file and reads its head: events, their ids, features.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

/* Most bytes of an event in file mode, including the section of its ids. */
#define ATTR_MOST 4096u
/* Number of features that can be in a file. */
#define FEATURES (FORMAT_FEATURE_WORDS * 64u)

int perfdata_refuse(const char *file, uint64_t offset, int err, struct diag *diag,
		    const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(diag, err, file, "%s", text);
	if (diag)
		diag->offset = offset;
	return -err;
}

bool perfdata_is(const void *bytes, size_t len)
{
	return len >= FORMAT_MAGIC_LEN && (!memcmp(bytes, FORMAT_MAGIC, FORMAT_MAGIC_LEN) ||
					   !memcmp(bytes, FORMAT_MAGIC_SWAPPED, FORMAT_MAGIC_LEN) ||
					   !memcmp(bytes, FORMAT_MAGIC_OLD, FORMAT_MAGIC_LEN));
}

/*
 * Reads bytes at an offset of a regular file. Return: 0; a negative errno, with
 * @diag filled.
 */
static int read_at(struct perfdata *d, uint64_t offset, void *to, uint64_t len,
		   struct diag *diag)
{
	int r;

	perfdata_stream_seek(&d->in, offset, UINT64_MAX);
	r = perfdata_stream_read(&d->in, to, len);
	if (r > 0)
		return 0;
	if (r && r != -ENODATA)
		return diag_errno(diag, -r, d->in.file->path);
	return perfdata_refuse(d->in.file->path, offset, EBADMSG, diag,
			       "the file ends before %llu bytes that its head refers to",
			       (unsigned long long)len);
}

static int too_many(const struct perfdata *d, uint64_t offset, struct diag *diag)
{
	return perfdata_refuse(d->in.file->path, offset, EBADMSG, diag,
			       "there are more than %u events, or %u ids of them",
			       PERFDATA_MAX_EVENTS, PERFDATA_MAX_IDS);
}

static int read_ids(struct perfdata *d, uint32_t event, const struct format_section *s,
		    struct diag *diag)
{
	uint64_t id, i, nr = s->size / sizeof(id);
	int err = 0;

	if (s->size % sizeof(id))
		return perfdata_refuse(d->in.file->path, s->offset, EBADMSG, diag,
				       "the ids of an event are not a whole number of words");
	if (nr > PERFDATA_MAX_IDS)
		return too_many(d, s->offset, diag);
	perfdata_stream_seek(&d->in, s->offset, UINT64_MAX);
	for (i = 0; i < nr && !err; i++) {
		if (perfdata_stream_read(&d->in, &id, sizeof(id)) <= 0)
			return perfdata_refuse(d->in.file->path, s->offset, EBADMSG, diag,
					       "the file ends before the ids of an event");
		err = perfdata_events_id(&d->events, event, id);
	}
	if (err == -E2BIG)
		return too_many(d, s->offset, diag);
	return err ? diag_errno(diag, -err, d->in.file->path) : 0;
}

static int read_event(struct perfdata *d, uint64_t offset, uint64_t size, struct diag *diag)
{
	uint8_t attr[ATTR_MOST];
	struct format_section ids;
	size_t len = (size_t)size - sizeof(ids);
	uint32_t event = d->events.nr;
	int err = read_at(d, offset, attr, size, diag);

	if (err)
		return err;
	memcpy(&ids, attr + len, sizeof(ids));
	err = perfdata_events_add(&d->events, attr, len);
	if (err == -E2BIG)
		return too_many(d, offset, diag);
	if (err)
		return diag_errno(diag, -err, d->in.file->path);
	return read_ids(d, event, &ids, diag);
}

static int read_events(struct perfdata *d, const struct format_head *h, struct diag *diag)
{
	uint64_t size = h->attr_size, i, nr;
	int err = 0;

	if (size < FORMAT_ATTR_LEAST + sizeof(struct format_section) || size > ATTR_MOST ||
	    h->attrs.size % size)
		return perfdata_refuse(d->in.file->path, offsetof(struct format_head, attr_size),
				       EBADMSG, diag, "an event has %llu bytes, but all events together have %llu",
				       (unsigned long long)size, (unsigned long long)h->attrs.size);
	nr = h->attrs.size / size;
	if (nr > PERFDATA_MAX_EVENTS)
		return too_many(d, h->attrs.offset, diag);
	for (i = 0; i < nr && !err; i++)
		err = read_event(d, h->attrs.offset + i * size, size, diag);
	return err;
}

static int read_feature(struct perfdata *d, uint32_t number, const struct format_section *s,
			struct diag *diag)
{
	struct perfdata_feature f = { .number = number, .offset = s->offset };
	uint8_t *bytes;
	int err;

	if (s->size > PERFDATA_MAX_FEATURE)
		return perfdata_refuse(d->in.file->path, s->offset, EBADMSG, diag,
				       "feature %u has %llu bytes, more than %u", number,
				       (unsigned long long)s->size, PERFDATA_MAX_FEATURE);
	bytes = malloc(s->size ? s->size : 1);
	if (!bytes)
		return diag_errno(diag, ENOMEM, d->in.file->path);
	err = s->size ? read_at(d, s->offset, bytes, s->size, diag) : 0;
	f.bytes = cursor_over(bytes, (size_t)s->size);
	if (!err)
		err = perfdata_feature(d, &f, diag);
	free(bytes);
	return err;
}

/* Whether a feature is needed. Others are skipped, as they may be large. */
static bool is_wanted(uint32_t number)
{
	switch (number) {
	case FORMAT_BUILD_ID:
	case FORMAT_HOSTNAME:
	case FORMAT_OSRELEASE:
	case FORMAT_VERSION:
	case FORMAT_ARCH:
	case FORMAT_CMDLINE:
	case FORMAT_EVENT_DESC:
	case FORMAT_DIR_FORMAT:
	case FORMAT_CLOCK_DATA:
		return true;
	}
	return false;
}

static int read_features(struct perfdata *d, const struct format_head *h, struct diag *diag)
{
	uint64_t at = h->data.offset + h->data.size;
	struct format_section s;
	uint32_t i;
	int err = 0;

	for (i = 0; i < FEATURES && !err; i++) {
		if (!(h->features[i / 64] >> i % 64 & 1))
			continue;
		err = read_at(d, at, &s, sizeof(s), diag);
		at += sizeof(s);
		if (!err && is_wanted(i))
			err = read_feature(d, i, &s, diag);
	}
	return err;
}

static int open_file(struct perfdata *d, struct diag *diag)
{
	const char *file = d->in.file->path;
	struct format_head h;
	uint64_t end;
	int err = file_stream_copy(d->in.file, diag);

	if (!err)
		err = read_at(d, 0, &h, sizeof(h), diag);
	if (err)
		return err;
	d->head.truncated = !h.data.size;
	end = d->head.truncated ? d->in.file->size : h.data.offset + h.data.size;
	if (end < h.data.offset || end > d->in.file->size)
		return perfdata_refuse(file, offsetof(struct format_head, data), EBADMSG, diag,
				       "the file ends before its records do");
	err = read_events(d, &h, diag);
	if (!err && !d->head.truncated)
		err = read_features(d, &h, diag);
	perfdata_stream_seek(&d->in, h.data.offset, end);
	return err;
}

static int open_pipe(struct perfdata *d)
{
	d->pipe = true;
	return perfdata_stream_read(&d->in, NULL, sizeof(struct format_pipe_head)) > 0 ? 0 : -EIO;
}

static int check_magic(const struct perfdata *d, const uint8_t *start, size_t len,
		       struct diag *diag)
{
	const char *file = d->in.file->path;

	if (len < sizeof(struct format_pipe_head) || !perfdata_is(start, len))
		return perfdata_refuse(file, 0, EBADMSG, diag, "is not a file of perf record");
	if (!memcmp(start, FORMAT_MAGIC_SWAPPED, FORMAT_MAGIC_LEN))
		return perfdata_refuse(file, 0, ENOTSUP, diag,
				       "was recorded on a machine of the other byte order, which is not supported");
	if (!memcmp(start, FORMAT_MAGIC_OLD, FORMAT_MAGIC_LEN))
		return perfdata_refuse(file, 0, ENOTSUP, diag,
				       "was recorded by a perf older than 3.x, which is not supported");
	return 0;
}

static int open_any(struct perfdata *d, struct diag *diag)
{
	const uint8_t *start = d->in.file->start;
	uint64_t size;
	int err = check_magic(d, start, d->in.file->nr_start, diag);

	if (err)
		return err;
	memcpy(&size, start + FORMAT_MAGIC_LEN, sizeof(size));
	if (size == sizeof(struct format_pipe_head))
		return open_pipe(d);
	if (size == sizeof(struct format_head))
		return open_file(d, diag);
	return perfdata_refuse(d->in.file->path, FORMAT_MAGIC_LEN, EBADMSG, diag,
			       "its head says that it has %llu bytes: neither 104 (a file) nor 16 (a pipe)",
			       (unsigned long long)size);
}

int perfdata_open(struct file_stream *stream, struct perfdata **ret, struct diag *diag)
{
	struct perfdata *d = calloc(1, sizeof(*d));
	int err = d ? perfdata_stream_init(&d->in, stream) : -ENOMEM;

	if (!err)
		err = perfdata_head_init(d);
	if (!err) {
		d->record = malloc(FORMAT_RECORD_MAX);
		err = d->record ? 0 : -ENOMEM;
	}
	err = err ? diag_errno(diag, ENOMEM, stream->path) : open_any(d, diag);
	if (err) {
		perfdata_close(d);
		return err;
	}
	*ret = d;
	return 0;
}

void perfdata_close(struct perfdata *d)
{
	if (!d)
		return;
	perfdata_stream_release(&d->in);
	perfdata_events_release(&d->events);
	perfdata_head_release(d);
	perfdata_unpack_free(d->unpack);
	perfdata_order_release(&d->order);
	free(d->record);
	free(d);
}
