// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads all files in folders and remembers the UUID of each Mach-O and GSYM file. process.c
 * looks images up.
 */
#include "darwin/find.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gsym/reader.h"
#include "util/array.h"
#include "util/map.h"

#include "util/poison.h"

static int add(struct macho_files *files, const struct macho_find_file *f, const char *path)
{
	struct macho_find_file copy = *f;

	if (!array_has_room(files->p, files->nr, files->room))
		return -ENOMEM;
	copy.path = strdup(path);
	if (!copy.path)
		return -ENOMEM;
	files->p[files->nr++] = copy;
	return 0;
}

/* Adds a slice, or a whole file. A file without UUID is ignored: nobody can ask for it. */
static int look_at_slice(struct macho_files *files, const struct map *map, const char *path,
			 uint64_t off, uint64_t len)
{
	struct macho_find_file f = { .kind = MACHO_FOUND_IMAGE, .off = off, .len = len };
	const char *name;
	struct macho m;

	if (macho_open(map->bytes + off, len, off, path, &m, NULL)) {
		files->damaged++;
		return 0;
	}
	if (!m.uuid || !unwind_arch_of(m.cputype, &f.arch) || m.filetype == MACHO_OBJECT)
		return 0;
	if (m.filetype == MACHO_DSYM)
		f.kind = MACHO_FOUND_DSYM;
	memcpy(f.uuid, m.uuid, MACHO_UUID);
	name = macho_arch_name(m.cputype, m.cpusubtype);
	snprintf(f.arch_name, sizeof(f.arch_name), "%s", name ? name : "");
	return add(files, &f, path);
}

static int look_at_fat(struct macho_files *files, const struct map *map, const char *path)
{
	struct macho_slice s;
	struct macho_fat fat;
	uint32_t i;
	int err = 0;

	if (macho_fat_open(map->bytes, map->len, path, &fat, NULL)) {
		files->damaged++;
		return 0;
	}
	for (i = 0; !err && i < fat.nr; i++) {
		macho_fat_get(&fat, i, &s);
		err = look_at_slice(files, map, path, s.off, s.len);
	}
	return err;
}

static int look_at_gsym(struct macho_files *files, const struct map *map, const char *path)
{
	struct macho_find_file f = { .kind = MACHO_FOUND_GSYM, .len = map->len };
	struct gsym_info info;
	struct gsym *g;

	if (gsym_open_bytes(map->bytes, map->len, path, &g, NULL)) {
		files->damaged++;
		return 0;
	}
	gsym_identify(g, &info);
	gsym_close(g);
	if (info.uuid_len != MACHO_UUID)
		return 0;
	memcpy(f.uuid, info.uuid, MACHO_UUID);
	return add(files, &f, path);
}

static bool is_gsym(const struct map *map)
{
	return map->len >= 4 && (!memcmp(map->bytes, "GSYM", 4) || !memcmp(map->bytes, "MYSG", 4));
}

static int look_at(struct macho_files *files, const char *path)
{
	struct map map = { .len = 0 };
	int err = 0;

	/* unreadable and empty files are ignored */
	if (map_open(&map, path, NULL))
		return 0;
	files->looked++;
	if (is_gsym(&map))
		err = look_at_gsym(files, &map, path);
	else if (macho_identify(map.bytes, map.len) == MACHO_FAT)
		err = look_at_fat(files, &map, path);
	else if (macho_identify(map.bytes, map.len) == MACHO_THIN)
		err = look_at_slice(files, &map, path, 0, map.len);
	map_release(&map);
	return err;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int walk(struct macho_files *files, FTS *fts, const char *path, struct diag *diag)
{
	size_t nr = 0;
	FTSENT *e;
	int err = 0;

	while (!err && (e = fts_read(fts))) {
		if ((e->fts_info == FTS_NS || e->fts_info == FTS_DNR) && !e->fts_level)
			return diag_errno(diag, e->fts_errno, path);
		if (e->fts_info != FTS_F)
			continue;
		if (++nr > MACHO_FIND_MAX)
			return diag_set(diag, E2BIG, path, "too many files");
		err = look_at(files, e->fts_path);
	}
	return err ? diag_errno(diag, -err, path) : 0;
}

int macho_find_add(struct macho_files *files, const char *path, struct diag *diag)
{
	char *paths[] = { (char *)path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	int err;

	if (!fts)
		return diag_errno(diag, errno, path);
	err = walk(files, fts, path, diag);
	fts_close(fts);
	return err;
}

void macho_find_release(struct macho_files *files)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		free(files->p[i].path);
	free(files->p);
	*files = (struct macho_files){ .nr = 0 };
}

const struct macho_find_file *macho_find_get(const struct macho_files *files,
					     enum macho_found kind,
					     const uint8_t uuid[MACHO_UUID],
					     enum unwind_arch arch)
{
	const struct macho_find_file *f;

	for (f = files->p; f < files->p + files->nr; f++)
		if (f->kind == kind && !memcmp(f->uuid, uuid, MACHO_UUID) &&
		    (kind == MACHO_FOUND_GSYM || f->arch == arch))
			return f;
	return NULL;
}
