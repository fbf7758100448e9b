// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the features of a file, which describe the file and the machine; in
 * pipe mode they come as records.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfdata/private.h"
#include "util/array.h"

#include "util/poison.h"

/* Reads a string: its room, and that many bytes, which contain a NUL. */
static const char *take_string(struct cursor *b, size_t *len)
{
	uint32_t room = cursor_u32(b);
	const char *at = (const char *)cursor_take(b, room);

	*len = at ? strnlen(at, room) : 0;
	if (at && *len < room)
		return at;
	b->bad = true;
	return NULL;
}

static int replace(const char **to, const char *s, size_t len)
{
	char *copy = strndup(s, len);

	if (!copy)
		return -ENOMEM;
	free((char *)*to);
	*to = copy;
	return 0;
}

static int take_text(struct cursor *b, const char **to)
{
	size_t len;
	const char *s = take_string(b, &len);

	return s ? replace(to, s, len) : -EBADMSG;
}

/* Reads a number of words, and joins them with blanks. */
static int take_command(struct cursor *b, const char **to)
{
	uint32_t nr = cursor_u32(b), i;
	char *line = calloc(1, cursor_left(b) + 1);
	size_t at = 0, len;
	const char *word;
	int err;

	if (!line)
		return -ENOMEM;
	for (i = 0; i < nr && !b->bad; i++) {
		word = take_string(b, &len);
		if (!word)
			break;
		if (at)
			line[at++] = ' ';
		memcpy(line + at, word, len);
		at += len;
	}
	err = b->bad ? -EBADMSG : replace(to, line, at);
	free(line);
	return err;
}

/* Reads attributes, name and ids of each event. Only the names are not known yet. */
static int take_events(struct perfdata *d, struct cursor *b)
{
	uint32_t nr = cursor_u32(b), attr_size = cursor_u32(b), i, k, nr_ids;
	const char *name;
	size_t len;
	int err = 0;

	for (i = 0; i < nr && !b->bad && !err; i++) {
		cursor_take(b, attr_size);
		nr_ids = cursor_u32(b);
		name = take_string(b, &len);
		for (k = 0; k < nr_ids && !b->bad && !err; k++) {
			uint64_t id = cursor_u64(b);

			if (!b->bad)
				err = perfdata_events_name(&d->events, id, name, len);
		}
		/* the samples of a single event have no ids */
		if (!b->bad && !err && nr == 1 && d->events.nr == 1)
			err = replace(&d->events.event[0].name, name, len);
	}
	return b->bad ? -EBADMSG : err;
}

int perfdata_build_id(struct perfdata *d, const struct perf_event_header *h, struct cursor *b)
{
	struct perfdata_build_id id = { .len = FORMAT_BUILD_ID_BYTES };
	uint16_t mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const uint8_t *bytes;
	const char *path;

	cursor_u32(b);	/* number of the process, for a guest's kernel */
	bytes = cursor_take(b, FORMAT_BUILD_ID_ROOM);
	path = perfdata_string(b);
	if (b->bad)
		return -EBADMSG;
	if (h->misc & FORMAT_MISC_BUILD_ID_SIZE)
		id.len = bytes[FORMAT_BUILD_ID_BYTES];
	if (id.len > FORMAT_BUILD_ID_BYTES)
		return -EBADMSG;
	memcpy(id.build_id, bytes, id.len);
	id.kernel = mode == PERF_RECORD_MISC_KERNEL;
	if (!array_has_room(d->build_ids, d->head.nr_build_ids, d->build_ids_room))
		return -ENOMEM;
	id.path = strdup(path);
	if (!id.path)
		return -ENOMEM;
	d->build_ids[d->head.nr_build_ids++] = id;
	d->head.build_ids = d->build_ids;
	return 0;
}

static int take_build_ids(struct perfdata *d, struct cursor *b)
{
	int err = 0;

	while (cursor_left(b) && !err) {
		struct perf_event_header h = { 0 };
		const uint8_t *at = cursor_take(b, sizeof(h));
		struct cursor body;

		if (!at)
			return -EBADMSG;
		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h))
			return -EBADMSG;
		body = cursor_over(b->p, h.size - sizeof(h));
		cursor_skip(b, h.size - sizeof(h));
		if (b->bad)
			return -EBADMSG;
		err = perfdata_build_id(d, &h, &body);
	}
	return err;
}

static int take_clock(struct perfdata *d, struct cursor *b)
{
	uint32_t version = cursor_u32(b);
	uint64_t wall, clock;

	cursor_u32(b);	/* clockid */
	wall = cursor_u64(b);
	clock = cursor_u64(b);
	if (b->bad)
		return -EBADMSG;
	if (version == 1) {
		d->head.wall_ns = wall;
		d->head.clock_ns = clock;
	}
	return 0;
}

static int take(struct perfdata *d, uint32_t number, struct cursor *b)
{
	switch (number) {
	case FORMAT_BUILD_ID:
		return take_build_ids(d, b);
	case FORMAT_HOSTNAME:
		return take_text(b, &d->head.hostname);
	case FORMAT_OSRELEASE:
		return take_text(b, &d->head.os_release);
	case FORMAT_VERSION:
		return take_text(b, &d->head.version);
	case FORMAT_ARCH:
		return take_text(b, &d->head.arch);
	case FORMAT_CMDLINE:
		return take_command(b, &d->head.command);
	case FORMAT_EVENT_DESC:
		return take_events(d, b);
	case FORMAT_CLOCK_DATA:
		return take_clock(d, b);
	case FORMAT_DIR_FORMAT:
		return -ENOTSUP;
	}
	return 0;
}

int perfdata_feature(struct perfdata *d, const struct perfdata_feature *f, struct diag *diag)
{
	const char *file = d->in.file->path;
	struct cursor b = f->bytes;
	int err = take(d, f->number, &b);

	if (err == -EBADMSG)
		return perfdata_refuse(file, f->offset, EBADMSG, diag,
				       "feature %u of the file is cut or contradicts itself",
				       f->number);
	if (err == -ENOTSUP)
		return perfdata_refuse(file, f->offset, ENOTSUP, diag,
				       "is part of a directory of perf record --threads, which is "
				       "not read: record without --threads");
	return err ? diag_errno(diag, -err, file) : 0;
}

int perfdata_head_init(struct perfdata *d)
{
	const char **const text[] = { &d->head.hostname, &d->head.os_release, &d->head.version,
				      &d->head.arch, &d->head.command };
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		err |= replace(text[i], "", 0);
	return err;
}

void perfdata_head_release(struct perfdata *d)
{
	size_t i;

	for (i = 0; i < d->head.nr_build_ids; i++)
		free((char *)d->build_ids[i].path);
	free(d->build_ids);
	free((char *)d->head.hostname);
	free((char *)d->head.os_release);
	free((char *)d->head.version);
	free((char *)d->head.arch);
	free((char *)d->head.command);
}
