// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads perf script's text, sample by sample, into a profile. Names are those
 * in the text. See import.h; import.c calls it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/perfimport/import.h"
#include "capture/perfimport/script_line.h"
#include "symbols/symstore/lines.h"

#define LINE_MAX_BYTES (64u << 10)
#define MAX_INLINED 64u

/**
 * struct lines - splits a text into lines
 * @file: the text
 * @offset: offset in @file to read next
 * @buf: buffer
 * @at: bytes in @buf that were handed out
 * @have: bytes in @buf
 * @number: number of the line that was handed out last, from 1 on
 * @ended: the end of @file was reached
 */
struct lines {
	struct file_stream *file;
	uint64_t offset;
	char *buf;
	size_t at;
	size_t have;
	uint64_t number;
	bool ended;
};

/**
 * struct script - the text that is being read
 * @in_sample: lines belong to a sample that is taken
 * @head: head of that sample; its texts are copied to @comm and @event
 * @frames: locations of that sample, innermost first
 * @inlined: functions inlined into the next frame, innermost first
 * @value: index of the value of event @value_of, 0 if none yet
 * @has_default: the profile's default value is set
 * @too_many: the profile has no room for the value of an event
 * @met: a sample was taken
 * @no_memory: adding a moment failed
 */
struct script {
	const struct perfimport_options *options;
	struct lines lines;
	struct profile *p;
	struct names *names;
	bool in_sample;
	struct script_head head;
	char comm[64];
	char event[256];
	uint32_t frames[IMPORT_MAX_FRAMES];
	size_t nr_frames;
	struct profile_line inlined[MAX_INLINED];
	uint32_t nr_inlined;
	uint32_t value;
	char value_of[256];
	bool has_default;
	bool too_many;
	bool met;
	bool no_memory;
	uint64_t first_ns;
	uint64_t last_ns;
};

static int refill(struct lines *l)
{
	ssize_t n;

	memmove(l->buf, l->buf + l->at, l->have - l->at);
	l->have -= l->at;
	l->at = 0;
	do {
		n = l->file->regular ? pread(l->file->fd, l->buf + l->have, LINE_MAX_BYTES,
					     (off_t)l->offset) :
				       read(l->file->fd, l->buf + l->have, LINE_MAX_BYTES);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	l->ended = !n;
	l->offset += (uint64_t)n;
	l->have += (size_t)n;
	return 0;
}

/* Return: 1 with a line without its newline, 0 at the end, a negative errno. */
static int next_line(struct lines *l, const char **line, size_t *len)
{
	char *end;
	int err;

	for (;;) {
		end = memchr(l->buf + l->at, '\n', l->have - l->at);
		if (end || (l->ended && l->have > l->at))
			break;
		if (l->ended)
			return 0;
		if (l->have - l->at > LINE_MAX_BYTES)
			return -EBADMSG;
		err = refill(l);
		if (err)
			return err;
	}
	*line = l->buf + l->at;
	*len = end ? (size_t)(end - *line) : l->have - l->at;
	l->at += *len + !!end;
	l->number++;
	return 1;
}

static void copy(char *to, size_t room, const struct script_text *t)
{
	size_t len = t->len < room ? t->len : room - 1;

	if (len)
		memcpy(to, t->at, len);
	to[len] = '\0';
}

static uint32_t text_string(struct script *s, const struct script_text *t)
{
	return profile_string_bytes(s->p, t->at, t->len);
}

/* Makes a line with a function as perf has named it. */
static struct profile_line line_of(struct script *s, const struct script_text *name)
{
	char text[4096];

	copy(text, sizeof(text), name);
	return symstore_line(s->p, s->names, text, 0, 0);
}

static void add_frame(struct script *s, const struct script_frame *f)
{
	struct profile_line lines[MAX_INLINED + 1];
	struct profile_mapping m = { 0 };
	uint32_t mapping = 0, nr = s->nr_inlined;

	if (f->inlined) {
		if (f->name.len && nr < MAX_INLINED)
			s->inlined[s->nr_inlined++] = line_of(s, &f->name);
		return;
	}
	memcpy(lines, s->inlined, nr * sizeof(lines[0]));
	s->nr_inlined = 0;
	if (f->name.len)
		lines[nr++] = line_of(s, &f->name);
	if (f->file.len) {
		m.file = text_string(s, &f->file);
		mapping = profile_mapping(s->p, &m);
	}
	if (s->nr_frames < IMPORT_MAX_FRAMES)
		s->frames[s->nr_frames++] = profile_location_named(s->p, mapping, f->address, lines, nr);
}

/* Adds the line of the source to the last frame. */
static void add_source(struct script *s, const struct script_text *file, uint32_t line)
{
	const struct profile_location *l;
	struct profile_line own;
	struct profile_function f;

	if (!s->nr_frames || s->nr_inlined)
		return;
	l = &s->p->locations[s->frames[s->nr_frames - 1]];
	if (l->nr_lines != 1)
		return;
	own = s->p->lines[l->first_line];
	f = s->p->functions[own.function];
	f.file = text_string(s, file);
	own = (struct profile_line){ profile_function(s->p, &f), line };
	profile_location_lines(s->p, s->frames[s->nr_frames - 1], &own, 1);
}

static uint32_t labels_of(struct script *s)
{
	struct profile *p = s->p;
	struct profile_label l[5];
	uint32_t nr = 0;

	if (s->head.pid)
		l[nr++] = (struct profile_label){ .key = profile_string(p, PROFILE_LABEL_PID),
						  .num = s->head.pid };
	if (s->head.tid)
		l[nr++] = (struct profile_label){ .key = profile_string(p, PROFILE_LABEL_TID),
						  .num = s->head.tid };
	if (*s->comm) {
		l[nr++] = (struct profile_label){ .key = profile_string(p, PROFILE_LABEL_THREAD),
						  .str = profile_string(p, s->comm) };
		l[nr++] = (struct profile_label){ .key = profile_string(p, PROFILE_LABEL_COMMAND),
						  .str = profile_string(p, s->comm) };
	}
	if (*s->event)
		l[nr++] = (struct profile_label){ .key = profile_string(p, PROFILE_LABEL_EVENT),
						  .str = profile_string(p, s->event) };
	return profile_labels(p, l, nr);
}

/*
 * Samples of the same event mostly follow one another, so the last result is
 * kept.
 */
static uint32_t value_of(struct script *s)
{
	if (s->value && !strcmp(s->value_of, s->event))
		return s->value;
	if (!import_value(s->p, s->event, false, &s->value))
		s->too_many = true;
	memcpy(s->value_of, s->event, sizeof(s->value_of));
	if (!s->has_default) {
		s->p->period_type = s->p->value_types[s->value];
		s->p->default_type = s->p->period_type.type;
		s->p->period = 1;
		s->has_default = true;
	}
	return s->value;
}

static void end_sample(struct script *s)
{
	int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t stack = 0, which = 0;

	if (!s->in_sample)
		return;
	s->in_sample = false;
	s->nr_inlined = 0;
	while (s->nr_frames)
		stack = profile_stack(s->p, stack, s->frames[--s->nr_frames]);
	value[0] = 1;
	if (s->head.has_period) {
		which = value_of(s);
		value[which] = (int64_t)(s->head.period & INT64_MAX);
	}
	if (profile_error(s->p))
		return;
	profile_add(s->p, stack, labels_of(s), value);
	if (s->head.time_ns && moments_add(s->options->moments, s->p, s->head.time_ns, which, value[which]))
		s->no_memory = true;
}

static void begin_sample(struct script *s, const struct script_head *h)
{
	const char *list = s->options->event;
	struct script_frame f;

	s->head = *h;
	copy(s->comm, sizeof(s->comm), &h->comm);
	copy(s->event, sizeof(s->event), &h->event);
	if (list && !import_listed(list, s->event))
		return;
	s->met = true;
	s->in_sample = true;
	s->nr_frames = 0;
	if (h->time_ns && (!s->first_ns || h->time_ns < s->first_ns))
		s->first_ns = h->time_ns;
	if (h->time_ns > s->last_ns)
		s->last_ns = h->time_ns;
	if (script_frame(h->rest.at, h->rest.len, &f))
		add_frame(s, &f);
}

static bool is_blank(const char *line, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
			return false;
	return true;
}

/* Return: what is wrong with the line, or NULL. */
static const char *take_line(struct script *s, const char *line, size_t len)
{
	struct script_text file;
	struct script_frame f;
	struct script_head h;
	uint32_t number;

	if (is_blank(line, len)) {
		end_sample(s);
		return NULL;
	}
	if (line[0] == '#')
		return NULL;
	if (line[0] == '\t' && script_frame(line, len, &f)) {
		if (s->in_sample)
			add_frame(s, &f);
		return NULL;
	}
	if (script_head(line, len, &h)) {
		end_sample(s);
		begin_sample(s, &h);
		return NULL;
	}
	if (script_source(line, len, &file, &number)) {
		if (s->in_sample)
			add_source(s, &file, number);
		return NULL;
	}
	return line[0] == '\t' ? "is no frame of perf script's: ADDRESS FUNCTION (FILE)" :
				 "is no sample of perf script's: NAME TID TIME: EVENT:";
}

static int refuse(const struct script *s, const char *why, struct diag *diag)
{
	return diag_set(diag, EBADMSG, s->lines.file->path, "line %llu %s",
			(unsigned long long)s->lines.number, why);
}

static int read_all(struct script *s, struct diag *diag)
{
	const char *line = NULL, *why;
	size_t len = 0;
	int r;

	while ((r = next_line(&s->lines, &line, &len)) > 0) {
		why = take_line(s, line, len);
		if (why)
			return refuse(s, why, diag);
	}
	if (r == -EBADMSG) {
		s->lines.number++;
		return refuse(s, "has more than 64 KiB", diag);
	}
	if (r)
		return diag_errno(diag, -r, s->lines.file->path);
	end_sample(s);
	if (s->no_memory)
		return diag_errno(diag, ENOMEM, s->lines.file->path);
	if (s->too_many)
		return diag_set(diag, E2BIG, s->lines.file->path, IMPORT_TOO_MANY);
	if (s->options->event && !s->met)
		return diag_set(diag, ENODATA, s->lines.file->path, "has no event '%.60s'",
				s->options->event);
	s->p->duration_ns = s->last_ns - s->first_ns;
	profile_comment(s->p, "stacks: perf script");
	return 0;
}

int import_script(struct file_stream *stream, const struct perfimport_options *options,
		  struct profile *p, struct diag *diag)
{
	struct script *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return diag_errno(diag, ENOMEM, stream->path);
	s->options = options;
	s->p = p;
	s->names = symstore_names();
	s->lines = (struct lines){ .file = stream, .buf = malloc(3 * LINE_MAX_BYTES) };
	profile_value_type(p, "samples", "count");
	if (s->names && s->lines.buf) {
		s->lines.have = stream->nr_start;
		s->lines.offset = stream->nr_start;
		memcpy(s->lines.buf, stream->start, stream->nr_start);
		err = read_all(s, diag);
	} else {
		diag_errno(diag, ENOMEM, stream->path);
	}
	names_free(s->names);
	free(s->lines.buf);
	free(s);
	return err;
}

bool import_is_script(const char *text, size_t len)
{
	const char *line = text, *end;
	struct script_frame f;
	struct script_head h;

	/*
	 * after comments comes a sample, and a frame after or inside its first
	 * line
	 */
	for (; (end = memchr(line, '\n', len - (size_t)(line - text))); line = end + 1)
		if (line[0] != '#' && !is_blank(line, (size_t)(end - line)))
			break;
	if (!end || !script_head(line, (size_t)(end - line), &h))
		return false;
	if (script_frame(h.rest.at, h.rest.len, &f))
		return true;
	line = end + 1;
	end = memchr(line, '\n', len - (size_t)(line - text));
	return end && line[0] == '\t' && script_frame(line, (size_t)(end - line), &f);
}
