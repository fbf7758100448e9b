// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the files of a captured process's images when they are first needed, and makes their
 * tables and names. The walks call it through callbacks.
 */
#include "darwin/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/convert/convert.h"
#include "darwin/table.h"
#include "util/file.h"

#include "util/poison.h"

/* Link addresses of programs, of 64 and of 32 bits; all other images start at 0. */
#define EXECUTABLE_64 0x100000000ull
#define EXECUTABLE_32 0x1000ull

int macho_process_init(struct macho_process *p, const struct imagemap *map,
		       enum unwind_arch arch, const struct macho_files *files)
{
	*p = (struct macho_process){ .map = map, .arch = arch, .files = files };
	p->images = calloc(map->nr + 1, sizeof(*p->images));
	return p->images ? 0 : -ENOMEM;
}

void macho_process_release(struct macho_process *p)
{
	struct macho_loaded *l;
	uint32_t i;

	for (i = 0; p->images && i < p->map->nr; i++) {
		l = &p->images[i];
		gsym_close(l->gsym);
		macho_table_free(l->table);
		eh_frame_free(l->eh);
		macho_image_release(&l->file);
		map_release(&l->map);
	}
	free(p->images);
	*p = (struct macho_process){ .map = NULL };
}

static void say(struct macho_loaded *l, const struct diag *d)
{
	diag_format(d, l->why, sizeof(l->why));
}

static const struct macho_find_file *find_file(const struct macho_process *p, uint32_t i,
					  enum macho_found kind)
{
	const struct imagemap_image *image = &p->map->images[i];

	if (image->build_id_len != MACHO_UUID)
		return NULL;
	return macho_find_get(p->files, kind, imagemap_build_id(p->map, image), p->arch);
}

static int open_file(struct macho_loaded *l, const struct macho_find_file *f, struct diag *diag)
{
	struct macho m;
	int err;

	err = map_open(&l->map, f->path, diag);
	/* the file was checked by find.c, but it may have changed */
	if (!err && (f->off > l->map.len || f->len > l->map.len - f->off))
		err = diag_set(diag, ESTALE, f->path, "it has become shorter");
	if (!err)
		err = macho_open(l->map.bytes + f->off, f->len, f->off, f->path, &m, diag);
	if (!err)
		err = macho_image_init(&l->file, &m, diag);
	l->has_file = !err;
	if (!err)
		err = eh_frame_new(&l->file, &l->eh, diag);
	return err == -ENOENT ? 0 : err;
}

static void open_image(struct macho_process *p, uint32_t i)
{
	const struct macho_find_file *f = find_file(p, i, MACHO_FOUND_IMAGE);
	struct macho_loaded *l = &p->images[i];
	struct diag diag = { .offset = DIAG_NO_OFFSET };

	if (l->opened)
		return;
	l->opened = true;
	if (!f)
		snprintf(l->why, sizeof(l->why), "%s", p->map->images[i].build_id_len ?
			 "no Mach-O file with its UUID was found" :
			 "it has no UUID, so its file is unknown");
	else if (open_file(l, f, &diag))
		say(l, &diag);
}

struct macho_loaded *macho_process_image(struct macho_process *p, uint64_t addr)
{
	const struct imagemap_image *image = imagemap_find(p->map, addr);
	uint32_t i;

	if (!image)
		return NULL;
	i = (uint32_t)(image - p->map->images);
	open_image(p, i);
	return &p->images[i];
}

bool macho_process_find(struct macho_process *p, uint64_t addr, struct macho_place *ret)
{
	struct macho_loaded *l = macho_process_image(p, addr);

	*ret = (struct macho_place){ .image = NULL };
	if (!l)
		return false;
	ret->base = p->map->images[l - p->images].base;
	if (l->has_file) {
		ret->image = &l->file;
		ret->eh = l->eh;
	}
	return true;
}

const struct ustack_table *macho_process_table(struct macho_process *p, uint64_t addr,
					       uint64_t *bias)
{
	struct macho_loaded *l = macho_process_image(p, addr);
	struct diag diag = { .offset = DIAG_NO_OFFSET };

	if (!l || !l->has_file)
		return NULL;
	if (!l->converted && macho_table_new(&l->file, l->eh, &l->table, &diag))
		say(l, &diag);
	l->converted = true;
	*bias = p->map->images[l - p->images].base - l->file.m.base;
	return l->table ? macho_table_get(l->table) : NULL;
}

/* Makes a GSYM file in the temporary folder, opens it and removes it. */
static int make_gsym(const struct macho_find_file *f, struct gsym **ret, struct diag *diag)
{
	const struct gsym_convert_options o = {
		.layout = GSYM_LLVM_1, .threads = 1, .dwarf = { .lenient = true },
	};
	struct gsym_input in = {
		.path = f->path, .kind = GSYM_INPUT_MACHO, .off = f->off, .len = f->len,
	};
	const char *dir = getenv("TMPDIR");
	struct gsym_converted done;
	char path[4096];
	int fd, err;

	snprintf(in.arch, sizeof(in.arch), "%s", f->arch_name);
	snprintf(path, sizeof(path), "%s/ustack-XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return diag_set(diag, errno, NULL, "no place for names of %s", f->path);
	close(fd);
	err = gsym_convert(&in, path, &o, &done, diag);
	if (!err)
		err = gsym_open(path, ret, diag);
	unlink(path);
	/* the message must not name the removed file */
	if (err && diag->file == path)
		diag->file = f->path;
	return err;
}

static uint64_t base_of_gsym(const struct macho_process *p, const struct gsym *g)
{
	struct gsym_info info;

	gsym_identify(g, &info);
	if (p->arch == UNWIND_X86)
		return info.base >= EXECUTABLE_32 && info.base < 2 * EXECUTABLE_32 ?
			       EXECUTABLE_32 : 0;
	return info.base >= EXECUTABLE_64 && info.base < 2 * EXECUTABLE_64 ? EXECUTABLE_64 : 0;
}

/* Reads the link address of the image, which GSYM files do not have. */
static int link_base(const struct macho_find_file *f, uint64_t *ret)
{
	struct map map = { .len = 0 };
	struct macho m;
	int err = map_open(&map, f->path, NULL);

	if (!err && (f->off > map.len || f->len > map.len - f->off))
		err = -ESTALE;
	if (!err)
		err = macho_open(map.bytes + f->off, f->len, f->off, f->path, &m, NULL);
	if (!err)
		*ret = m.base;
	map_release(&map);
	return err;
}

static void open_names(struct macho_process *p, uint32_t i)
{
	const struct macho_find_file *gsym = find_file(p, i, MACHO_FOUND_GSYM),
				*file = find_file(p, i, MACHO_FOUND_DSYM);
	struct macho_loaded *l = &p->images[i];
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err = -ENOENT;

	if (l->named)
		return;
	l->named = true;
	if (!file)
		file = find_file(p, i, MACHO_FOUND_IMAGE);
	if (gsym)
		err = gsym_open(gsym->path, &l->gsym, &diag);
	else if (file)
		err = make_gsym(file, &l->gsym, &diag);
	if (err) {
		if (err != -ENOENT && !l->why[0])
			say(l, &diag);
		return;
	}
	if (!file || link_base(file, &l->link_base))
		l->link_base = base_of_gsym(p, l->gsym);
}

unsigned int macho_process_names(struct macho_process *p, uint64_t addr, struct gsym_frame *ret,
				 unsigned int room)
{
	struct macho_loaded *l = macho_process_image(p, addr);
	uint32_t i;
	int nr;

	if (!l)
		return 0;
	i = (uint32_t)(l - p->images);
	open_names(p, i);
	if (!l->gsym)
		return 0;
	nr = gsym_lookup(l->gsym, addr - p->map->images[i].base + l->link_base, ret, room);
	if (nr < 0)
		return 0;
	return (unsigned int)nr < room ? (unsigned int)nr : room;
}
