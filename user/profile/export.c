// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of export formats, and export_save(), which makes the call tree
 * where a format needs one and writes the file. See export.h; the formats are
 * in export_*.c.
 */
#include "profile/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/export_text.h"
#include "profile/pprof.h"
#include "util/array.h"
#include "util/file.h"

#include "util/poison.h"

static const struct {
	const char *name;
	const char *file;
	bool json;
	bool times;	/* else it is written from a call tree, or is pprof */
	export_writer *write;
} formats[EXPORT_NR] = {
	[EXPORT_FOLDED] = { "folded", "ustack.folded", false, false, export_folded },
	[EXPORT_SPEEDSCOPE] = { "speedscope", "ustack.speedscope.json", true, false, export_speedscope },
	[EXPORT_PERF] = { "perf", "ustack.perf", false, true, export_perf },
	[EXPORT_FIREFOX] = { "firefox", "ustack.firefox.json", true, true, export_firefox },
	[EXPORT_CHROME] = { "chrome", "ustack.trace.json", true, true, export_chrome },
	[EXPORT_PPROF] = { "pprof", "ustack.pb.gz", false, false, NULL },
};

const char *export_format_word(unsigned int i)
{
	return i < EXPORT_NR ? formats[i].name : NULL;
}

bool export_format_find(const char *name, enum export_format *ret)
{
	int i;

	/* the command that prints this text has this name */
	if (!strcmp(name, "perf-script"))
		name = formats[EXPORT_PERF].name;
	for (i = 0; i < EXPORT_NR; i++)
		if (!strcmp(formats[i].name, name)) {
			*ret = (enum export_format)i;
			return true;
		}
	return false;
}

const char *export_format_file(enum export_format format)
{
	return formats[format].file;
}

bool export_format_has_times(enum export_format format)
{
	return formats[format].times;
}

bool export_format_is_json(enum export_format format)
{
	return formats[format].json;
}

bool export_path_to(struct export_path *path, const struct calltree *t, uint32_t node)
{
	uint32_t *a, *b, n;

	path->nr = 0;
	for (; node; node = t->nodes[node].parent) {
		if (!array_has_room(path->nodes, path->nr, path->room))
			return false;
		path->nodes[path->nr++] = node;
	}
	for (a = path->nodes, b = a + path->nr; a < b; a++) {
		n = *a;
		*a = *--b;
		*b = n;
	}
	return true;
}

struct save {
	const struct profile *p;
	const struct export_options *o;
	const char *path;
};

static int write_text(const struct save *s, const struct calltree *t, int fd)
{
	int copy = dup(fd), err;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out) {
		err = -errno;
		if (copy >= 0)
			close(copy);
		return err;
	}
	errno = 0;
	err = formats[s->o->format].write(s->p, t, s->o, out);
	if (!err && (fflush(out) || ferror(out)))
		err = errno ? -errno : -EIO;
	fclose(out);
	return err;
}

static int write_to(int fd, void *arg, struct diag *diag)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	const struct save *s = arg;
	const struct calltree_options o = { .value = { s->o->value }, .roots = roots };
	struct calltree *t = NULL;
	int err = 0;

	if (s->o->format == EXPORT_PPROF)
		return pprof_write(s->p, fd, diag);
	if (!formats[s->o->format].times)
		err = calltree_new(s->p, NULL, &o, &t);
	if (!err)
		err = write_text(s, t, fd);
	calltree_free(t);
	return err ? diag_errno(diag, -err, s->path) : 0;
}

static int check_positive(const struct profile *p, const struct export_options *o, struct diag *diag)
{
	uint32_t i;

	for (i = 0; o->format != EXPORT_PPROF && i < p->nr_samples; i++)
		if (p->samples[i].value[o->value] < 0)
			return diag_set(diag, ERANGE, "profile",
					"sample %u has a negative value, which only the pprof format can have", i);
	return 0;
}

int export_write(const struct profile *p, const struct export_options *o, int fd,
		 struct diag *diag)
{
	struct save s = { p, o, "profile" };
	int err = check_positive(p, o, diag);

	return err ? err : write_to(fd, &s, diag);
}

int export_save(const struct profile *p, const struct export_options *o, const char *path,
		struct diag *diag)
{
	struct save s = { p, o, path };
	int err;

	if (o->format == EXPORT_PPROF)
		return pprof_save(p, path, diag);
	err = check_positive(p, o, diag);
	return err ? err : file_replace(path, write_to, &s, diag);
}
