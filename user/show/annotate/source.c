// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads source files, each completely when a line of it is first asked for, and
 * keeps them. See source.h.
 */
#include "show/annotate/source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/file/locate.h"
#include "util/array.h"
#include "util/file.h"
#include "util/screen.h"
#include "util/strings.h"

#include "util/poison.h"

/**
 * struct source - a source file
 * @text: contents; NULL if the file was not found
 * @len: number of bytes in @text
 * @line: offset of each line, and the end of the last
 * @nr_lines: number of entries in @line
 * @changed_ns: when it was last written, CLOCK_REALTIME nanoseconds
 * @told: the user was told that it is newer than the program
 */
struct source {
	uint8_t *text;
	size_t len;
	size_t *line;
	size_t nr_lines;
	uint64_t changed_ns;
	bool told;
};

/* @source: files, by number of the path in @paths */
struct sources {
	const char *dir;
	void (*note)(const char *text, void *arg);
	void *arg;
	struct strings paths;
	struct source *source;
	size_t nr;
	size_t room;
};

struct sources *sources_new(const char *dir, void (*note)(const char *text, void *arg), void *arg)
{
	struct sources *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->dir = dir;
	s->note = note;
	s->arg = arg;
	if (!strings_init(&s->paths))
		return s;
	sources_free(s);
	return NULL;
}

void sources_free(struct sources *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		free(s->source[i].text);
		free(s->source[i].line);
	}
	free(s->source);
	strings_release(&s->paths);
	free(s);
}

static void say(const struct sources *s, const char *path, const char *what)
{
	char shown[PATH_MAX], text[PATH_MAX + 200];

	if (!s->note)
		return;
	snprintf(text, sizeof(text), "%s: %s", screen_text(path, shown, sizeof(shown)), what);
	s->note(text, s->arg);
}

static bool open_source(const struct sources *s, const char *path, struct supply_file *f)
{
	const char *slash = strrchr(path, '/');
	char found[PATH_MAX];
	bool open;

	if (path[0] == '/' && !supply_file_open(f, AT_FDCWD, path, false))
		return true;
	if (!s->dir)
		return false;
	snprintf(found, sizeof(found), "%s/%s", s->dir, path);
	open = !supply_file_open(f, AT_FDCWD, found, false);
	if (!open && slash) {
		snprintf(found, sizeof(found), "%s/%s", s->dir, slash + 1);
		open = !supply_file_open(f, AT_FDCWD, found, false);
	}
	/* @found is gone when this returns */
	f->path = path;
	return open;
}

static bool find_lines(struct source *f)
{
	size_t room = 0, at = 0;
	const uint8_t *end;

	for (;;) {
		if (!array_has_room(f->line, f->nr_lines, room))
			return false;
		f->line[f->nr_lines++] = at;
		if (at >= f->len)
			return true;
		end = memchr(f->text + at, '\n', f->len - at);
		at = end ? (size_t)(end - f->text) + 1 : f->len;
	}
}

static bool read_source(const struct sources *s, const char *path, struct source *ret)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	bool read = open_source(s, path, &f) && (uint64_t)f.st.st_size <= SOURCE_MAX_BYTES;
	const struct file file = { .path = path, .fd = f.fd, .size = (uint64_t)f.st.st_size };

	if (read) {
		ret->len = (size_t)f.st.st_size;
		ret->changed_ns = (uint64_t)f.st.st_mtim.tv_sec * 1000000000u +
				  (uint64_t)f.st.st_mtim.tv_nsec;
		read = !file_read_new(&file, 0, ret->len, &ret->text, NULL) && find_lines(ret);
	}
	supply_file_release(&f);
	if (read)
		return true;
	free(ret->text);
	free(ret->line);
	*ret = (struct source){ .text = NULL };
	return false;
}

/*
 * Return: the file of a path; NULL without memory, or if there are too many
 * files.
 */
static struct source *source_of(struct sources *s, const char *path)
{
	uint32_t n = strings_find(&s->paths, path, strlen(path));

	if (!n && (s->paths.nr > SOURCE_MAX_FILES ||
		   strings_add(&s->paths, path, strlen(path), &n)))
		return NULL;
	while (s->nr <= n) {
		if (!array_has_room(s->source, s->nr, s->room))
			return NULL;
		s->source[s->nr++] = (struct source){ .text = NULL };
		if (s->nr == (size_t)n + 1 && !read_source(s, path, &s->source[n]))
			say(s, path, "the source was not found: --source-dir DIR says where it is");
	}
	return &s->source[n];
}

const char *sources_line(struct sources *s, const char *path, uint32_t line, uint64_t newer_than,
			 size_t *len)
{
	struct source *f = *path && line ? source_of(s, path) : NULL;
	size_t end;

	if (!f || !f->text || line >= f->nr_lines)
		return NULL;
	if (newer_than && f->changed_ns > newer_than && !f->told) {
		f->told = true;
		say(s, path, "was changed after the program was built: its lines may have moved");
	}
	end = f->line[line];
	if (end > f->line[line - 1] && f->text[end - 1] == '\n')
		end--;
	*len = end - f->line[line - 1];
	return (const char *)f->text + f->line[line - 1];
}
