// SPDX-License-Identifier: GPL-2.0
#include "dwarf/companion.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/poison.h"
#include "util/text.h"

/* The link of dwz: a path, and the build id of what is there. */
struct link {
	const char *path;
	const uint8_t *id;
	size_t len;
};

static bool read_link(const struct dwarf_object *o, struct link *ret)
{
	struct dwarf_cursor c = dwarf_object_at(o, DWARF_ALTLINK, 0);

	*ret = (struct link){ .path = c.bad ? NULL : dwarf_string(&c) };
	ret->id = c.p;
	ret->len = dwarf_left(&c);
	return ret->path && *ret->path && ret->len && ret->len <= 64;
}

/* "DIR/NAME" for the folder of a file. Return: NULL if there is no memory. */
static char *beside(const char *path, const char *name)
{
	_cleanup_(cleanup_free) char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char *ret;

	if (*name == '/' || !slash)
		return strdup(name);
	if (asprintf(&ret, "%.*s/%s", (int)(slash - real), real, name) < 0)
		return NULL;
	return ret;
}

static char *below(const char *dir, const char *name)
{
	char *ret;

	return asprintf(&ret, "%s/%s", dir, name) < 0 ? NULL : ret;
}

static char *by_id(const char *dir, const struct link *l)
{
	char hex[2 * 64 + 1], *ret;

	text_hex(l->id, l->len, hex, sizeof(hex));
	return asprintf(&ret, "%s/.build-id/%.2s/%s.debug", dir, hex, hex + 2) < 0 ?
		       NULL : ret;
}

/* Takes @path. Return: 1 if it is the right file. */
static int try_alt(char *path, const struct link *l, struct dwarf_object **ret,
		   struct diag *diag)
{
	_cleanup_(cleanup_free) char *p = path;
	int err;

	if (!p)
		return -ENOMEM;
	if (access(p, R_OK))
		return 0;
	err = dwarf_object_open(p, ret, diag);
	if (err) {
		if (diag && diag->file == p)
			diag->file = NULL;
		return err;
	}
	if ((*ret)->uuid_len == l->len && !memcmp((*ret)->uuid, l->id, l->len))
		return 1;
	dwarf_object_close(*ret);
	*ret = NULL;
	return 0;
}

int dwarf_open_alt(const struct dwarf_object *o, const char *debug_dir,
		   struct dwarf_object **ret, struct diag *diag)
{
	struct link l;
	int r;

	*ret = NULL;
	if (!o->section[DWARF_ALTLINK].data)
		return 0;
	if (!read_link(o, &l))
		return dwarf_bad(o, DWARF_ALTLINK, 0, diag, "no path and build id");
	r = try_alt(beside(o->path, l.path), &l, ret, diag);
	if (!r)
		r = try_alt(below(debug_dir, l.path), &l, ret, diag);
	if (!r)
		r = try_alt(by_id(debug_dir, &l), &l, ret, diag);
	if (r < 0)
		return r == -ENOMEM ? diag_errno(diag, ENOMEM, o->path) : r;
	if (!r)
		return diag_set(diag, ENOENT, o->path, "%s, which dwz made, is not there",
				l.path);
	r = dwarf_object_index(*ret, diag);
	if (r) {
		if (diag)
			diag->file = NULL;
		dwarf_object_close(*ret);
		*ret = NULL;
	}
	return r;
}

/* Takes @path. Return: 1 if there is such a file. */
static int try_dwo(char *path, struct dwarf_object **ret, struct diag *diag)
{
	_cleanup_(cleanup_free) char *p = path;
	int err;

	if (!p)
		return diag_errno(diag, ENOMEM, NULL);
	if (access(p, R_OK))
		return 0;
	err = dwarf_object_open(p, ret, diag);
	if (!err)
		err = dwarf_object_index(*ret, diag);
	if (!err)
		return 1;
	if (diag)
		diag->file = NULL;
	if (*ret)
		dwarf_object_close(*ret);
	*ret = NULL;
	return err;
}

int dwarf_open_dwo(const struct dwarf_unit *skeleton, const char *dwo_dir,
		   struct dwarf_object **ret, struct diag *diag)
{
	const char *name = skeleton->dwo_name, *base = strrchr(name, '/');
	int r = 0;

	*ret = NULL;
	base = base ? base + 1 : name;
	if (*name == '/')
		r = try_dwo(strdup(name), ret, diag);
	else if (skeleton->comp_dir)
		r = try_dwo(below(skeleton->comp_dir, name), ret, diag);
	if (!r && *name != '/')
		r = try_dwo(beside(skeleton->o->path, name), ret, diag);
	if (!r)
		r = try_dwo(beside(skeleton->o->path, base), ret, diag);
	if (!r && dwo_dir)
		r = try_dwo(below(dwo_dir, base), ret, diag);
	if (r)
		return r < 0 ? r : 0;
	return diag_set(diag, ENOENT, skeleton->o->path, "%s is not there", name);
}

int64_t dwarf_find_split(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			 struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			 struct diag *diag)
{
	int64_t n, sum = 0;
	size_t i;
	int err;

	for (i = 0; i < o->nr_units; i++) {
		err = dwarf_unit_header(o, o->units[i], ret, diag);
		if (err)
			return err < 0 ? err : -ENOENT;
		ret->skeleton = skeleton;
		n = dwarf_unit_open(ret, cache, diag);
		if (n < 0)
			return n;
		sum += n;
		if (!skeleton->has_dwo_id || !ret->has_dwo_id ||
		    ret->dwo_id == skeleton->dwo_id)
			return sum;
		dwarf_unit_close(ret);
	}
	return diag_set(diag, ENOENT, skeleton->o->path,
			"%s is of another build", skeleton->dwo_name);
}
