// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out what a file given by the user is, and where its debug information is, see
 * input.h. The commands call it before gsym_convert().
 */
#include "symbols/convert/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/macho/file.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

#define BREAKPAD "MODULE "
#define BSYM "BSYM"
#define IN_BUNDLE "Contents/Resources/DWARF"

void gsym_inputs_release(struct gsym_inputs *in)
{
	size_t i;

	for (i = 0; i < in->nr; i++)
		free(in->p[i].path);
	free(in->p);
	*in = (struct gsym_inputs){ 0 };
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * Finds the only file in @dir. Its name in @ret belongs to the caller, also after a
 * failure.
 */
static int only_file(const char *dir, const char *path, char **ret, struct diag *diag)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int nr = 0;

	if (!d)
		return diag_set(diag, EISDIR, path, "a folder, but no dSYM bundle");
	*ret = NULL;
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		nr++;
		if (!*ret)
			*ret = strdup(e->d_name);
	}
	closedir(d);
	if (nr == 1 && *ret)
		return 0;
	if (nr > 1)
		return diag_set(diag, EINVAL, path, "%d files in " IN_BUNDLE ": which of them?",
				nr);
	return nr ? diag_errno(diag, ENOMEM, path) :
		    diag_set(diag, ENOENT, path, "no file in " IN_BUNDLE);
}

/* Finds the path of the file in a bundle. */
static int open_bundle(const char *path, char **ret, struct diag *diag)
{
	_cleanup_(cleanup_free) char *dir = NULL;
	_cleanup_(cleanup_free) char *name = NULL;
	int err;

	if (asprintf(&dir, "%s/" IN_BUNDLE, path) < 0) {
		dir = NULL;
		return diag_errno(diag, ENOMEM, path);
	}
	err = only_file(dir, path, &name, diag);
	if (err)
		return err;
	if (asprintf(ret, "%s/%s", dir, name) < 0)
		return diag_errno(diag, ENOMEM, path);
	return 0;
}

/*
 * Looks for a file of the same name in the bundle beside @path. Return: NULL if there is
 * none.
 */
static char *beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *ret;

	if (asprintf(&ret, "%s.dSYM/" IN_BUNDLE "/%s", path, slash ? slash + 1 : path) < 0)
		return NULL;
	if (!access(ret, R_OK) && !is_folder(ret))
		return ret;
	free(ret);
	return NULL;
}

/* Replaces @in by the slice of @dsym with the same UUID, if there is one. Takes @dsym. */
static int replace(struct gsym_input *in, char *dsym, const uint8_t *uuid, struct diag *diag)
{
	struct macho_file f __attribute__((__cleanup__(macho_file_release)));
	struct macho m;
	int found = macho_file_open(dsym, NULL, &f, diag);

	while (!found && (found = macho_file_next(&f, &m, diag)) > 0) {
		if (m.uuid && !memcmp(m.uuid, uuid, MACHO_UUID))
			break;
		found = 0;
	}
	in->other_dsym = !found;
	if (found > 0) {
		free(in->path);
		in->path = dsym;
		in->off = f.slice.off;
		in->len = f.slice.len;
		return 0;
	}
	/* the path is freed below */
	if (found && diag)
		diag->file = in->path;
	free(dsym);
	return found;
}

static int find_dsym(struct gsym_input *in, const struct macho *m, struct diag *diag)
{
	struct macho_section s;
	char *dsym;

	if (m->filetype == MACHO_OBJECT || m->filetype == MACHO_DSYM || !m->uuid ||
	    macho_find_section(m, "__DWARF", "__debug_info", &s) ||
	    macho_find_section(m, "__DWARF", "__zdebug_info", &s))
		return 0;
	dsym = beside(in->path);
	return dsym ? replace(in, dsym, m->uuid, diag) : 0;
}

static int add_input(struct gsym_inputs *ret, size_t *room, const struct gsym_input *in)
{
	struct gsym_input *p;

	if (!array_has_room(ret->p, ret->nr, *room))
		return -ENOMEM;
	p = &ret->p[ret->nr];
	*p = *in;
	p->path = strdup(in->path);
	if (!p->path)
		return -ENOMEM;
	ret->nr++;
	return 0;
}

static int add_macho(const struct macho_file *f, const struct macho *m,
		     struct gsym_inputs *ret, size_t *room, struct diag *diag)
{
	struct gsym_input in = {
		.path = (char *)f->path, .kind = GSYM_INPUT_MACHO, .off = f->slice.off,
		.len = f->slice.len,
	};

	macho_arch_text(m, in.arch);
	if (add_input(ret, room, &in))
		return diag_errno(diag, ENOMEM, f->path);
	return find_dsym(&ret->p[ret->nr - 1], m, diag);
}

static int find_macho(const char *path, const char *arch, struct gsym_inputs *ret,
		      struct diag *diag)
{
	struct macho_file f __attribute__((__cleanup__(macho_file_release)));
	struct macho m;
	size_t room = 0;
	int err = macho_file_open(path, arch, &f, diag);

	while (!err && (err = macho_file_next(&f, &m, diag)) > 0)
		err = add_macho(&f, &m, ret, &room, diag);
	if (!err && !ret->nr)
		err = diag_set(diag, ENOENT, path, "nothing of %s in it", arch);
	return err;
}

/* Finds the kind from the first bytes; a fat Mach-O file counts as Mach-O, too. */
static int identify(const char *path, enum gsym_input_kind *ret, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	uint8_t start[8] = { 0 };
	int err;

	*ret = GSYM_INPUT_ELF;
	err = file_open(&file, path, diag);
	if (err || file.size < sizeof(start))
		return err;
	err = file_read(&file, 0, start, sizeof(start), diag);
	if (!err && !memcmp(start, BREAKPAD, sizeof(BREAKPAD) - 1))
		*ret = GSYM_INPUT_BREAKPAD;
	else if (!err && !memcmp(start, BSYM, sizeof(BSYM) - 1))
		*ret = GSYM_INPUT_BSYM;
	else if (!err && macho_identify(start, sizeof(start)) != MACHO_NONE)
		*ret = GSYM_INPUT_MACHO;
	return err;
}

static int find(const char *path, const char *arch, struct gsym_inputs *ret, struct diag *diag)
{
	struct gsym_input in = { .path = (char *)path };
	size_t room = 0;
	int err;

	err = identify(path, &in.kind, diag);
	if (err)
		return err;
	if (in.kind == GSYM_INPUT_MACHO)
		return find_macho(path, arch, ret, diag);
	if (arch)
		return diag_set(diag, EINVAL, path, "not a Mach-O file: it has no slice for %s", arch);
	return add_input(ret, &room, &in) ? diag_errno(diag, ENOMEM, path) : 0;
}

int gsym_inputs_find(const char *path, const char *arch, struct gsym_inputs *ret,
		     struct diag *diag)
{
	_cleanup_(cleanup_free) char *inner = NULL;
	int err;

	*ret = (struct gsym_inputs){ 0 };
	if (is_folder(path)) {
		err = open_bundle(path, &inner, diag);
		if (err)
			return err;
	}
	err = find(inner ? inner : path, arch, ret, diag);
	if (!err)
		return 0;
	/* the path in @diag may have been freed with @ret */
	if (diag)
		diag->file = path;
	gsym_inputs_release(ret);
	return err;
}
