// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads packages of split units (package.h): finds the file, and a unit's parts
 * of its sections by the index.
 */
#include "formats/dwarf/package.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/path.h"
#include "util/cleanup.h"
#include "util/poison.h"

/* The sections that a unit has a share of, as far as they are needed. */
enum share {
	INFO,
	ABBREV,
	STR_OFFSETS,
	RNGLISTS,
	NR_SHARES,
};

/* The index: a hash table from ids to rows, and for each row its share of each section. */
struct index {
	bool gnu;
	uint32_t columns, units, slots;
	/* offsets of the index's tables */
	uint64_t ids, rows, kinds, offsets, sizes;
};

static int read_index(const struct dwarf_object *o, struct index *x, struct diag *diag)
{
	struct cursor c = dwarf_object_at(o, DWARF_CU_INDEX, 0);
	uint64_t cells, size = o->section[DWARF_CU_INDEX].size;
	uint32_t version;

	if (c.bad)
		return diag_set(diag, EBADMSG, o->path, "no package: it has no .debug_cu_index");
	/*
	 * GNU's version has four bytes; the standard's has two, followed by two
	 * bytes of padding
	 */
	version = cursor_u32(&c);
	x->gnu = version == 2;
	if (c.swap ? version == 5u << 16 : version == 5)
		version = 5;
	x->columns = cursor_u32(&c);
	x->units = cursor_u32(&c);
	x->slots = cursor_u32(&c);
	if (c.bad || (version != 2 && version != 5))
		return dwarf_bad(o, DWARF_CU_INDEX, 0, diag,
				 "an index of an unknown version, %u", version);
	cells = (uint64_t)x->columns * x->units;
	if (x->columns > DWARF_MAX_COLUMNS || x->units > x->slots ||
	    (x->slots & (x->slots - 1)))
		return dwarf_bad(o, DWARF_CU_INDEX, 4, diag, "damaged index");
	x->ids = 16;
	x->rows = x->ids + 8ull * x->slots;
	x->kinds = x->rows + 4ull * x->slots;
	x->offsets = x->kinds + 4ull * x->columns;
	x->sizes = x->offsets + 4 * cells;
	if (x->sizes + 4 * cells > size)
		return dwarf_bad(o, DWARF_CU_INDEX, 4, diag,
				 "the index reaches beyond the end of the section");
	return 0;
}

int dwarf_check_package(const struct dwarf_object *o, struct diag *diag)
{
	struct index x;

	return read_index(o, &x, diag);
}

static uint32_t word(const struct dwarf_object *o, uint64_t table, uint64_t i)
{
	struct cursor c = dwarf_object_at(o, DWARF_CU_INDEX, table + 4 * i);

	return cursor_u32(&c);
}

/* Return: number of the row, from 1 on; 0 if there is none. */
static uint32_t find_row(const struct dwarf_object *o, const struct index *x, uint64_t id)
{
	uint64_t mask = (uint64_t)x->slots - 1, at = id & mask, step = (id >> 32 & mask) | 1;
	struct cursor c;
	uint32_t i, row;

	for (i = 0; i < x->slots; i++) {
		row = word(o, x->rows, at);
		if (!row)
			return 0;
		c = dwarf_object_at(o, DWARF_CU_INDEX, x->ids + 8 * at);
		if (cursor_u64(&c) == id)
			return row <= x->units ? row : 0;
		at = (at + step) & mask;
	}
	return 0;
}

struct part_range {
	uint64_t off;
	uint64_t size;
};

/* Return: the section of a column; NR_SHARES if it is not needed. */
static enum share share_of(const struct index *x, uint32_t kind)
{
	switch (kind) {
	case DW_SECT_INFO:
		return INFO;
	case DW_SECT_ABBREV:
		return ABBREV;
	case DW_SECT_STR_OFFSETS:
		return STR_OFFSETS;
	case DW_SECT_RNGLISTS:
		return x->gnu ? NR_SHARES : RNGLISTS;
	}
	return NR_SHARES;
}

static int read_shares(const struct dwarf_object *o, const struct index *x, uint32_t row,
		       struct part_range *ret, struct diag *diag)
{
	static const enum dwarf_section_id ids[] = {
		[INFO] = DWARF_INFO, [ABBREV] = DWARF_ABBREV,
		[STR_OFFSETS] = DWARF_STR_OFFSETS, [RNGLISTS] = DWARF_RNGLISTS,
	};
	uint64_t cell, first = (uint64_t)(row - 1) * x->columns;
	struct part_range *r;
	enum share s;
	uint32_t i;

	for (i = 0; i < x->columns; i++) {
		s = share_of(x, word(o, x->kinds, i));
		if (s == NR_SHARES)
			continue;
		cell = first + i;
		r = &ret[s];
		r->off = word(o, x->offsets, cell);
		r->size = word(o, x->sizes, cell);
		if (r->off > o->section[ids[s]].size ||
		    r->size > o->section[ids[s]].size - r->off)
			return dwarf_bad(o, DWARF_CU_INDEX, x->offsets + 4 * cell, diag,
					 "a unit's share is beyond the end of its section");
	}
	return 0;
}

int64_t dwarf_find_packed(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			  struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			  struct diag *diag)
{
	struct part_range shares[NR_SHARES] = { 0 };
	struct index x;
	uint32_t row;
	int64_t n;
	int err;

	err = read_index(o, &x, diag);
	if (err)
		return err;
	row = skeleton->has_dwo_id ? find_row(o, &x, skeleton->dwo_id) : 0;
	if (!row)
		return -ENOENT;
	err = read_shares(o, &x, row, shares, diag);
	if (!err)
		err = dwarf_unit_header(o, shares[INFO].off, ret, diag);
	if (err < 0)
		return err;
	if (err || ret->end - ret->off > shares[INFO].size ||
	    ret->abbrev_off >= shares[ABBREV].size)
		return dwarf_bad(o, DWARF_INFO, shares[INFO].off, diag,
				 "a unit is not in its share of the package");
	ret->packed = true;
	ret->abbrev_off += shares[ABBREV].off;
	ret->str_offsets_share = shares[STR_OFFSETS].off;
	ret->rnglists_share = shares[RNGLISTS].off;
	ret->skeleton = skeleton;
	n = dwarf_unit_open(ret, cache, diag);
	if (n < 0 || (ret->has_dwo_id && ret->dwo_id == skeleton->dwo_id))
		return n;
	dwarf_unit_close(ret);
	return dwarf_bad(o, DWARF_INFO, shares[INFO].off, diag,
			 "a unit has another id than the index says");
}

static int check_package(struct dwarf_object *o, const void *arg, struct diag *diag)
{
	int err = dwarf_check_package(o, diag);

	return err ? err : 1;
}

static int try_package(char *path, struct dwarf_object **ret, struct diag *diag)
{
	return dwarf_path_open(path, check_package, NULL, ret, diag);
}

/* Return: "NAME.dwp", where NAME is the last part of @path without its last @cut bytes. */
static char *package_name(const char *path, size_t cut)
{
	const char *slash = strrchr(path, '/');
	char *ret;

	path = slash ? slash + 1 : path;
	return asprintf(&ret, "%.*s.dwp", (int)(strlen(path) - cut), path) < 0 ? NULL : ret;
}

int dwarf_open_package(const struct dwarf_object *main, const char *dwo_dir,
		       struct dwarf_object **ret, struct diag *diag)
{
	static const char ending[] = ".debug";
	size_t len = strlen(main->path), cut = sizeof(ending) - 1, i;
	int r = 0;

	*ret = NULL;
	for (i = 0; !r && i < 2; i++) {
		_cleanup_(cleanup_free) char *name = NULL;

		if (i && (len <= cut || strcmp(main->path + len - cut, ending)))
			break;
		name = package_name(main->path, i ? cut : 0);
		if (!name)
			return diag_errno(diag, ENOMEM, main->path);
		r = try_package(dwarf_path_beside(main->path, name), ret, diag);
		if (!r && dwo_dir)
			r = try_package(dwarf_path_below(dwo_dir, name), ret, diag);
	}
	return r < 0 ? r : 0;
}
