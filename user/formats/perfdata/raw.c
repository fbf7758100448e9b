// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads whole records in the file's order. Records that belong to the head of
 * the file (pipe mode), and those that contain packed records, are handled here
 * and not returned.
 */
#include <errno.h>

#include "formats/perfdata/private.h"

#include "util/poison.h"

static int refuse(const struct perfdata *d, uint64_t offset, struct diag *diag, const char *what)
{
	return perfdata_refuse(d->in.file->path, offset, EBADMSG, diag, "%s", what);
}

/* A file that perf did not complete may be cut anywhere, which is no error. */
static int cut(const struct perfdata *d, uint64_t offset, struct diag *diag)
{
	return d->head.truncated ? 0 : refuse(d, offset, diag, "ends within a record");
}

static int skip(struct perfdata *d, uint64_t len, uint64_t offset, struct diag *diag)
{
	int r = len ? perfdata_stream_read(&d->in, NULL, len) : 1;

	if (r > 0)
		return 1;
	return !r || r == -ENODATA ? cut(d, offset, diag) : diag_errno(diag, -r, d->in.file->path);
}

/* Return: 1; 0 at the end; a negative errno. */
static int read_record(struct perfdata *d, struct perfdata_raw *ret, struct diag *diag)
{
	struct perf_event_header *h = (void *)d->record;
	uint64_t offset = d->in.at;
	int r = perfdata_stream_read(&d->in, h, sizeof(*h));

	*ret = (struct perfdata_raw){ h, offset };
	if (!r)
		return 0;
	if (r > 0 && h->size < sizeof(*h)) {
		/* zeros: space that was reserved and never written */
		if (d->head.truncated && !h->type && !h->misc && !h->size)
			return 0;
		return refuse(d, offset, diag, "a record is shorter than its header");
	}
	if (r > 0 && h->size > sizeof(*h)) {
		r = perfdata_stream_read(&d->in, h + 1, h->size - sizeof(*h));
		r = r ? r : -ENODATA;
	}
	if (r == -ENODATA)
		return cut(d, offset, diag);
	return r < 0 ? diag_errno(diag, -r, d->in.file->path) : 1;
}

static struct cursor body_of(const struct perfdata_raw *r)
{
	return cursor_over(r->header + 1, r->header->size - sizeof(*r->header));
}

/* Reads a record with an event, followed by its ids. */
static int take_attr(struct perfdata *d, const struct perfdata_raw *r)
{
	struct cursor b = body_of(r), look = b;
	uint32_t len, event = d->events.nr;
	const uint8_t *attr;
	int err;

	cursor_u32(&look);	/* type */
	len = cursor_u32(&look);
	/* the first version does not store its size */
	len = len ? len : FORMAT_ATTR_LEAST;
	attr = look.bad ? NULL : cursor_take(&b, len);
	if (!attr || cursor_left(&b) % sizeof(uint64_t))
		return -EBADMSG;
	err = perfdata_events_add(&d->events, attr, len);
	while (!err && cursor_left(&b))
		err = perfdata_events_id(&d->events, event, cursor_u64(&b));
	return err;
}

static int take_update(struct perfdata *d, const struct perfdata_raw *r)
{
	struct cursor b = body_of(r);
	uint64_t type = cursor_u64(&b), id = cursor_u64(&b);
	const char *name;

	if (b.bad)
		return -EBADMSG;
	if (type != FORMAT_EVENT_UPDATE_NAME)
		return 0;
	name = perfdata_string(&b);
	return name ? perfdata_events_name(&d->events, id, name, strlen(name)) : -EBADMSG;
}

static int take_feature(struct perfdata *d, const struct perfdata_raw *r, struct diag *diag)
{
	struct perfdata_feature f = { .bytes = body_of(r), .offset = r->offset };
	uint64_t number = cursor_u64(&f.bytes);

	if (f.bytes.bad)
		return refuse(d, r->offset, diag, "a record of a feature is cut");
	if (number > UINT32_MAX)
		return 0;
	f.number = (uint32_t)number;
	/* a feature ends where its record ends, which is padded to a multiple of 8 */
	return perfdata_feature(d, &f, diag);
}

static int take_packed(struct perfdata *d, const struct perfdata_raw *r)
{
	struct cursor b = body_of(r);
	uint64_t len = cursor_left(&b);
	const uint8_t *at;
	int err;

	if (r->header->type == FORMAT_RECORD_COMPRESSED2)
		len = cursor_u64(&b);
	at = cursor_take(&b, len);
	if (!at)
		return -EBADMSG;
	err = perfdata_unpack_put(&d->unpack, at, (size_t)len);
	d->unpacking = !err;
	d->packed_at = r->offset;
	return err;
}

/* Skips bytes that follow a record without being part of it. */
static int take_behind(struct perfdata *d, const struct perfdata_raw *r, struct diag *diag)
{
	struct cursor b = body_of(r);
	uint64_t len = r->header->type == FORMAT_RECORD_AUXTRACE ? cursor_u64(&b) : cursor_u32(&b);

	if (b.bad)
		return -EBADMSG;
	if (r->header->type == FORMAT_RECORD_TRACING_DATA)
		len = (len + 7) & ~7ull;
	return skip(d, len, r->offset, diag);
}

/*
 * Handles a record that is not returned. @mine: set to whether it is one.
 * Return: 0 or 1; a negative errno. With @mine set, 0 can also mean that the
 * file ends within bytes that follow the record.
 */
static int take(struct perfdata *d, const struct perfdata_raw *r, bool *mine, struct diag *diag)
{
	struct cursor b = body_of(r);

	*mine = true;
	switch (r->header->type) {
	case FORMAT_RECORD_ATTR:
		return take_attr(d, r);
	case FORMAT_RECORD_EVENT_UPDATE:
		return take_update(d, r);
	case FORMAT_RECORD_FEATURE:
		return take_feature(d, r, diag);
	case FORMAT_RECORD_BUILD_ID:
		return perfdata_build_id(d, r->header, &b);
	case FORMAT_RECORD_COMPRESSED:
	case FORMAT_RECORD_COMPRESSED2:
		return take_packed(d, r);
	case FORMAT_RECORD_AUXTRACE:
	case FORMAT_RECORD_TRACING_DATA:
		return take_behind(d, r, diag);
	}
	*mine = false;
	return 0;
}

static int say(const struct perfdata *d, int err, const struct perfdata_raw *r, struct diag *diag)
{
	const char *file = d->in.file->path;

	switch (-err) {
	case EBADMSG:
		/* the reader of the feature has reported more details */
		if (r->header->type == FORMAT_RECORD_FEATURE)
			return err;
		return perfdata_refuse(file, r->offset, EBADMSG, diag,
				       "a record of type %u is cut or contradicts itself",
				       r->header->type);
	case E2BIG:
		return perfdata_refuse(file, r->offset, EBADMSG, diag,
				       "there are more than %u events, or %u ids of them",
				       PERFDATA_MAX_EVENTS, PERFDATA_MAX_IDS);
	case ENOMEM:
		return diag_errno(diag, ENOMEM, file);
	}
	return err;
}

/* Return: 1 with a record; 0 if there is no packed one; a negative errno. */
static int next_unpacked(struct perfdata *d, struct perfdata_raw *ret, struct diag *diag)
{
	const char *why;
	int r;

	if (!d->unpacking)
		return 0;
	r = perfdata_unpack_next(d->unpack, (uint8_t *)d->record, &why);
	if (r < 0)
		return perfdata_refuse(d->in.file->path, d->packed_at, EBADMSG, diag,
				       "packed records: %s", why);
	d->unpacking = r;
	*ret = (struct perfdata_raw){ (void *)d->record, d->packed_at };
	return r;
}

static int at_end(struct perfdata *d, struct diag *diag)
{
	if (d->ended)
		return 0;
	d->ended = true;
	if (perfdata_unpack_rest(d->unpack))
		return cut(d, d->packed_at, diag);
	return 0;
}

int perfdata_raw_next(struct perfdata *d, struct perfdata_raw *ret, struct diag *diag)
{
	bool packed, mine;
	int r;

	for (;;) {
		r = next_unpacked(d, ret, diag);
		packed = r > 0;
		if (!r)
			r = d->ended ? 0 : read_record(d, ret, diag);
		if (r <= 0)
			return r ? r : at_end(d, diag);
		d->counts.records++;
		if (packed && ret->header->type >= FORMAT_RECORD_KERNEL_END &&
		    ret->header->type != FORMAT_RECORD_ROUND)
			return refuse(d, ret->offset, diag,
				      "packed records: one is not a record of the kernel");
		r = take(d, ret, &mine, diag);
		if (r < 0)
			return say(d, r, ret, diag);
		if (!mine)
			return 1;
		/*
		 * in a file that was not completed, the bytes after an AUX
		 * record may be cut
		 */
		if (!r && (ret->header->type == FORMAT_RECORD_AUXTRACE ||
			   ret->header->type == FORMAT_RECORD_TRACING_DATA))
			return at_end(d, diag);
	}
}
