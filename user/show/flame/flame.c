// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the page of a flame graph: the built page, with the data between its
 * parts. See flame.h.
 */
#include "show/flame/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/flame/data.h"
#include "show/flame/page.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

struct save {
	const struct profile *p;
	const struct profile *before;
	const struct flame_options *o;
	const char *path;
};

static int make_tree(const struct save *s, struct calltree **ret)
{
	static const char *const roots[] = { PROFILE_LABEL_COMMAND, NULL };
	const struct calltree_options options = {
		.value = { s->o->value[0], s->o->value[1] },
		.lines = s->o->lines, .no_inlines = s->o->no_inlines,
		.roots = s->o->roots ? s->o->roots : roots, .ends = true, .keep = s->o->keep, .arg = s->o->arg,
	};

	return calltree_new(s->p, s->before, &options, ret);
}

/* Return: 0 or a negative errno; @ret is freed by the caller in either case. */
static int make_data(const struct save *s, char **ret, size_t *len)
{
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	int err = make_tree(s, &t);
	FILE *out;

	if (err)
		return err;
	out = open_memstream(ret, len);
	if (!out)
		return -errno;
	err = flame_data(s->p, s->before, s->o, t, out);
	if (ferror(out))
		err = -ENOMEM;
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/*
 * Writes the data. In a page "</script>" and "<!--" have a meaning even inside
 * data. In JSON '<' occurs only in strings, where it can be written as an
 * escape.
 */
static int write_data(int fd, const char *data, size_t len)
{
	static const char less[] = "\\u003c";
	const char *end;
	int err;

	while ((end = memchr(data, '<', len))) {
		err = file_write_all(fd, data, (size_t)(end - data));
		if (!err)
			err = file_write_all(fd, less, sizeof(less) - 1);
		if (err)
			return err;
		len -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	return file_write_all(fd, data, len);
}

static int write_page(int fd, void *arg, struct diag *diag)
{
	_cleanup_(cleanup_free) char *data = NULL;
	const struct save *s = arg;
	size_t len = 0;
	int err = make_data(s, &data, &len);

	if (!err)
		err = file_write_all(fd, flame_page_head, flame_page_head_len);
	if (!err)
		err = write_data(fd, data, len);
	if (!err)
		err = file_write_all(fd, flame_page_tail, flame_page_tail_len);
	return err ? diag_errno(diag, -err, s->path) : 0;
}

static int check_positive(const struct profile *p, const struct flame_options *o,
			  unsigned int which, struct diag *diag)
{
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++)
		if (p->samples[i].value[o->value[which]] < 0)
			return diag_set(diag, ERANGE, o->file[which],
					"sample %u is negative, which has no width", i);
	return 0;
}

static int check_both(const struct save *s, struct diag *diag)
{
	int err = check_positive(s->p, s->o, 0, diag);

	return err || !s->before ? err : check_positive(s->before, s->o, 1, diag);
}

int flame_save(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const char *path, struct diag *diag)
{
	struct save s = { p, before, o, path };
	int err = check_both(&s, diag);

	return err ? err : file_replace(path, write_page, &s, diag);
}

int flame_write(const struct profile *p, const struct profile *before,
		const struct flame_options *o, int fd, struct diag *diag)
{
	struct save s = { p, before, o, "page" };
	int err = check_both(&s, diag);

	return err ? err : write_page(fd, &s, diag);
}

int flame_write_data(const struct profile *p, const struct profile *before,
		     const struct flame_options *o, int fd, struct diag *diag)
{
	struct save s = { p, before, o, "page" };
	_cleanup_(cleanup_free) char *data = NULL;
	size_t len = 0;
	int err = check_both(&s, diag);

	if (err)
		return err;
	err = make_data(&s, &data, &len);
	if (!err)
		err = file_write_all(fd, data, len);
	return err ? diag_errno(diag, -err, s.path) : 0;
}
