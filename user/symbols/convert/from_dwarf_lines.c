// SPDX-License-Identifier: GPL-2.0-only
/* Source files and line rows of functions, from the line table of their unit. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/convert/from_dwarf_unit.h"
#include "util/array.h"
#include "util/poison.h"

/* Bytes of a path: three strings of DWARF and two slashes. */
#define MAX_PATH (3 * DWARF_MAX_NAME + 3)

/* Reads the line table, once for each unit, when its first function needs it. */
static int read_lines(struct from_dwarf *t, struct diag *diag)
{
	size_t i, n;
	int err;

	if (t->lines_read)
		return 0;
	t->lines_read = true;
	err = dwarf_spend(t->budget, dwarf_lines_read(&t->lines, t->u, diag), diag);
	if (err)
		return err;
	n = t->lines.nr_files + 1;
	if (n > t->nr_files) {
		free(t->files);
		t->nr_files = 0;
		t->files = malloc(n * sizeof(*t->files));
		if (!t->files)
			return diag_errno(diag, ENOMEM, t->main->path);
		t->nr_files = n;
	}
	for (i = 0; i < n; i++)
		t->files[i] = FROM_DWARF_NO_FILE;
	return 0;
}

static char *append(char *at, const char *start, const char *s)
{
	size_t len;

	if (!s || !*s)
		return at;
	if (at > start && at[-1] != '/')
		*at++ = '/';
	len = strlen(s);
	memcpy(at, s, len);
	return at + len;
}

/* Splits the path into folder and file name, as llvm::sys::path does. */
static int add_path(struct from_dwarf *t, const struct dwarf_path *p, uint32_t *ret)
{
	uint32_t dir_string, base_string;
	char *end, *base, *dir_end;
	int err;

	if (!t->path)
		t->path = malloc(MAX_PATH);
	if (!t->path)
		return -ENOMEM;
	end = append(t->path, t->path, p->comp_dir);
	end = append(end, t->path, p->dir);
	end = append(end, t->path, p->name);
	for (base = end; base > t->path && base[-1] != '/'; base--)
		;
	for (dir_end = base; dir_end > t->path + 1 && dir_end[-1] == '/'; dir_end--)
		;
	err = gsym_part_string(t->part, t->path, (size_t)(dir_end - t->path), &dir_string);
	if (!err)
		err = gsym_part_string(t->part, base, (size_t)(end - base), &base_string);
	return err ? err : gsym_part_file(t->part, dir_string, base_string, ret);
}

int from_dwarf_file(struct from_dwarf *t, uint64_t index, uint32_t *ret, struct diag *diag)
{
	struct dwarf_path path;
	int err;

	*ret = 0;
	if (!t->u->has_lines)
		return 0;
	err = read_lines(t, diag);
	if (err || index > t->lines.nr_files)
		return err;
	if (t->files[index] == FROM_DWARF_NO_FILE) {
		t->files[index] = 0;
		if (dwarf_lines_file(&t->lines, index, &path) &&
		    add_path(t, &path, &t->files[index]))
			return diag_errno(diag, ENOMEM, t->main->path);
	}
	*ret = t->files[index];
	return 0;
}

/* A row replaces an earlier one of the same address, which no lookup could find. */
static int add_row(struct from_dwarf *t, uint64_t addr, uint32_t file, uint32_t line)
{
	struct gsym_new_line *last = NULL;

	if (t->nr_new_lines && t->new_lines[t->nr_new_lines - 1].addr == addr)
		t->nr_new_lines--;
	if (t->nr_new_lines)
		last = &t->new_lines[t->nr_new_lines - 1];
	if (last && last->file == file && last->line == line)
		return 0;
	if (!array_has_room(t->new_lines, t->nr_new_lines, t->room_new_lines))
		return -ENOMEM;
	t->new_lines[t->nr_new_lines++] = (struct gsym_new_line){ addr, file, line };
	return 0;
}

/*
 * Adds the rows from @i to the end of the sequence that are below @end.
 * Return: 1 if their addresses are below those added before.
 */
static int add_rows(struct from_dwarf *t, const struct dwarf_sequence *s, size_t i,
		    uint64_t start, uint64_t end, struct diag *diag)
{
	const struct dwarf_row *r = &t->lines.rows[i];
	const struct dwarf_row *stop = &t->lines.rows[s->first + s->nr];
	uint64_t addr, last;
	uint32_t file;
	int err;

	for (; r < stop && r->addr < end; r++) {
		addr = r->addr < start ? start : r->addr;
		last = t->nr_new_lines ? t->new_lines[t->nr_new_lines - 1].addr : 0;
		if (addr < last)
			return 1;
		err = from_dwarf_file(t, r->file, &file, diag);
		if (err)
			return err;
		if (add_row(t, addr, file, r->line))
			return diag_errno(diag, ENOMEM, t->main->path);
	}
	return 0;
}

/*
 * Adds a row with the line of the declaration, as LLVM does, for code that has no rows.
 * If that line is not known and rows follow, the line is 0: a reader that finds no row
 * for an address has no answer at all.
 */
static int add_decl(struct from_dwarf *t, uint64_t start, uint64_t off,
		    const struct dwarf_row *follows, struct diag *diag)
{
	struct dwarf_ref at = { t->u->o, off };
	uint64_t file, line;
	uint32_t number;
	int err;

	err = dwarf_decl(&t->names, at, &file, &line, diag);
	if (err)
		return err;
	err = from_dwarf_file(t, file, &number, diag);
	if (err)
		return err;
	if (!number || !line || line > UINT32_MAX) {
		if (!follows)
			return 0;
		line = 0;
		err = from_dwarf_file(t, follows->file, &number, diag);
		if (err)
			return err;
	}
	return add_row(t, start, number, (uint32_t)line) ?
		       diag_errno(diag, ENOMEM, t->main->path) :
		       0;
}

int from_dwarf_lines(struct from_dwarf *t, uint64_t start, uint64_t end, uint64_t off,
		     struct diag *diag)
{
	const struct dwarf_sequence *first, *s, *stop;
	int err;

	t->nr_new_lines = 0;
	if (!t->u->has_lines)
		return 0;
	err = read_lines(t, diag);
	if (err)
		return err;
	first = s = dwarf_lines_from(&t->lines, start);
	if (!s || s->start >= end)
		return add_decl(t, start, off, NULL, diag);
	stop = t->lines.sequences + t->lines.nr_sequences;
	if (s->start > start)
		err = add_decl(t, start, off, &t->lines.rows[s->first], diag);
	else
		err = add_rows(t, s++, dwarf_lines_row(&t->lines, first, start), start, end, diag);
	for (; !err && s < stop && s->start < end; s++)
		err = add_rows(t, s, s->first, start, end, diag);
	if (err < 0)
		return err;
	/* each of several overlapping functions has its own copy of the rows */
	return dwarf_spend(t->budget, s - first + (int64_t)t->nr_new_lines, diag);
}
