// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds and opens the other files that a file with DWARF refers to
 * (companion.h): the common file of dwz and the .dwo files of split units.
 */
#include "formats/dwarf/companion.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "formats/dwarf/path.h"
#include "util/cleanup.h"
#include "util/poison.h"
#include "util/text.h"

/*
 * Reads .debug_sup (DWARF 5, 7.3.6), which both files have: the one that refers
 * and the one that is referred to.
 */
static bool read_sup(const struct dwarf_object *o, uint8_t *is_sup, struct dwarf_link *ret)
{
	struct cursor c = dwarf_object_at(o, DWARF_SUP, 0);
	uint64_t len;

	*ret = (struct dwarf_link){ .is_sup = true };
	if (cursor_u16(&c) != 5)
		return false;
	*is_sup = cursor_u8(&c);
	ret->path = dwarf_string(&c);
	len = cursor_uleb(&c);
	ret->id = c.p;
	cursor_skip(&c, len);
	ret->len = (size_t)len;
	return !c.bad && len && len <= DWARF_MAX_ID;
}

bool dwarf_link_read(const struct dwarf_object *o, struct dwarf_link *ret)
{
	struct cursor c = dwarf_object_at(o, DWARF_ALTLINK, 0);
	uint8_t is_sup;

	if (c.bad)
		return read_sup(o, &is_sup, ret) && !is_sup && *ret->path;
	*ret = (struct dwarf_link){ .path = dwarf_string(&c) };
	ret->id = c.p;
	ret->len = cursor_left(&c);
	return ret->path && *ret->path && ret->len && ret->len <= DWARF_MAX_ID;
}

/* Return: whether @o is the file that the link refers to. */
static bool is_linked(const struct dwarf_object *o, const struct dwarf_link *l)
{
	struct dwarf_link own = { .id = o->uuid, .len = o->uuid_len };
	uint8_t is_sup = 0;

	if (l->is_sup && (!read_sup(o, &is_sup, &own) || is_sup != 1))
		return false;
	return own.len == l->len && !memcmp(own.id, l->id, l->len);
}

static char *by_id(const char *dir, const struct dwarf_link *l)
{
	char hex[2 * DWARF_MAX_ID + 1], *ret;

	text_hex(l->id, l->len, hex, sizeof(hex));
	return asprintf(&ret, "%s/.build-id/%.2s/%s.debug", dir, hex, hex + 2) < 0 ?
		       NULL : ret;
}

/* @arg: the link to the file. See dwarf_path_open(). */
static int check_alt(struct dwarf_object *o, const void *arg, struct diag *diag)
{
	int err;

	if (!is_linked(o, arg))
		return 0;
	err = dwarf_object_index(o, diag);
	return err ? err : 1;
}

int dwarf_open_alt(const struct dwarf_object *o, const char *debug_dir,
		   struct dwarf_object **ret, struct diag *diag)
{
	struct dwarf_link l;
	int r;

	*ret = NULL;
	if (!o->section[DWARF_ALTLINK].data && !o->section[DWARF_SUP].data)
		return 0;
	if (!dwarf_link_read(o, &l))
		return dwarf_bad(o, o->section[DWARF_ALTLINK].data ? DWARF_ALTLINK : DWARF_SUP,
				 0, diag, "the reference to the file made by dwz is damaged");
	r = dwarf_path_open(dwarf_path_beside(o->path, l.path), check_alt, &l, ret, diag);
	if (!r)
		r = dwarf_path_open(dwarf_path_below(debug_dir, l.path), check_alt, &l, ret,
				    diag);
	if (!r && !l.is_sup)
		r = dwarf_path_open(by_id(debug_dir, &l), check_alt, &l, ret, diag);
	if (!r)
		return diag_set(diag, ENOENT, o->path, "%s, a file made by dwz, was not found (--debug-dir)",
				l.path);
	return r < 0 ? r : 0;
}

static int check_dwo(struct dwarf_object *o, const void *arg, struct diag *diag)
{
	int err = dwarf_object_index(o, diag);

	return err ? err : 1;
}

static int try_dwo(char *path, struct dwarf_object **ret, struct diag *diag)
{
	return dwarf_path_open(path, check_dwo, NULL, ret, diag);
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
		r = try_dwo(dwarf_path_below(skeleton->comp_dir, name), ret, diag);
	if (!r && *name != '/')
		r = try_dwo(dwarf_path_beside(skeleton->o->path, name), ret, diag);
	if (!r)
		r = try_dwo(dwarf_path_beside(skeleton->o->path, base), ret, diag);
	if (!r && dwo_dir)
		r = try_dwo(dwarf_path_below(dwo_dir, base), ret, diag);
	if (r)
		return r < 0 ? r : 0;
	return diag_set(diag, ENOENT, skeleton->o->path, "%s was not found", name);
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
			"%s belongs to another build", skeleton->dwo_name);
}
