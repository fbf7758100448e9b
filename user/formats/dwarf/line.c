// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the header of a line table, and answers questions about the table.
 * line_program.c runs the program that makes the rows.
 */
#include "formats/dwarf/line.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/limits.h"
#include "formats/dwarf/line_program.h"
#include "util/array.h"
#include "util/poison.h"

static int add_dir(struct dwarf_lines *l, const char *dir)
{
	if (l->nr_dirs >= DWARF_MAX_FILES)
		return -EBADMSG;
	if (!array_has_room(l->dirs, l->nr_dirs, l->room_dirs))
		return -ENOMEM;
	l->dirs[l->nr_dirs++] = dir;
	return 0;
}

int dwarf_lines_add_file(struct dwarf_lines *l, struct dwarf_file f)
{
	if (l->nr_files >= DWARF_MAX_FILES)
		return -EBADMSG;
	if (!array_has_room(l->files, l->nr_files, l->room_files))
		return -ENOMEM;
	l->files[l->nr_files++] = f;
	return 0;
}

/*
 * Reads the names in a header up to version 4: directories up to an empty
 * string; then files, each followed by its numbers, up to an empty string.
 */
static int read_names(struct dwarf_lines *l, struct cursor *c)
{
	const char *s;
	int err;

	while ((s = dwarf_string(c)) && *s) {
		err = add_dir(l, s);
		if (err)
			return err;
	}
	while (!c->bad && (s = dwarf_string(c)) && *s) {
		struct dwarf_file f = { s, cursor_uleb(c) };

		cursor_skip_leb(c);
		cursor_skip_leb(c);
		err = dwarf_lines_add_file(l, f);
		if (err)
			return err;
	}
	return c->bad ? -EBADMSG : 0;
}

#define MAX_FORMATS 255

/* The fields of an entry in a header of version 5. */
struct formats {
	unsigned int nr;
	struct dwarf_spec spec[MAX_FORMATS];
};

static int read_formats(struct cursor *c, struct formats *f)
{
	uint64_t name, form;
	unsigned int i;

	f->nr = cursor_u8(c);
	for (i = 0; i < f->nr; i++) {
		name = cursor_uleb(c);
		form = cursor_uleb(c);
		if (form > UINT16_MAX)
			return -EBADMSG;
		f->spec[i].name = name > UINT16_MAX ? 0 : (uint16_t)name;
		f->spec[i].form = (uint16_t)form;
		f->spec[i].implicit = 0;
	}
	return c->bad ? -EBADMSG : 0;
}

static void read_entry(struct dwarf_lines *l, struct cursor *c,
		       const struct formats *f, struct dwarf_sizes sizes,
		       struct dwarf_file *ret)
{
	struct dwarf_value v;
	unsigned int i;

	*ret = (struct dwarf_file){ 0 };
	for (i = 0; i < f->nr; i++) {
		dwarf_value_read(c, &f->spec[i], sizes, &v);
		if (f->spec[i].name == DW_LNCT_path)
			ret->name = dwarf_value_string(l->u, &v);
		else if (f->spec[i].name == DW_LNCT_directory_index)
			ret->dir = v.u;
	}
	if (ret->name)
		l->name_bytes += strlen(ret->name);
}

/* Reads the directories or the files in a header of version 5. */
static int read_table(struct dwarf_lines *l, struct cursor *c,
		      struct dwarf_sizes sizes, bool dirs)
{
	struct dwarf_file f;
	struct formats formats;
	uint64_t i, n;
	int err;

	err = read_formats(c, &formats);
	n = cursor_uleb(c);
	/*
	 * an entry takes at least one byte: so a large count alone cannot make
	 * millions of entries
	 */
	if (err || c->bad || n > cursor_left(c))
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		read_entry(l, c, &formats, sizes, &f);
		if (c->bad || l->name_bytes > DWARF_MAX_FILE_NAMES)
			return -EBADMSG;
		err = dirs ? add_dir(l, f.name) : dwarf_lines_add_file(l, f);
		if (err)
			return err;
	}
	return 0;
}

static int read_header(struct dwarf_lines *l, struct cursor *c,
		       struct dwarf_line_program *p)
{
	struct dwarf_sizes sizes = l->u->sizes;
	uint64_t len = dwarf_length(c, &sizes.offset);
	struct cursor names;
	int err;

	if (c->bad || len > cursor_left(c))
		return -EBADMSG;
	c->end = c->p + len;
	l->version = cursor_u16(c);
	if (l->version < 2 || l->version > 5)
		return -EBADMSG;
	if (l->version >= 5) {
		sizes.address = cursor_u8(c);
		cursor_u8(c);
	}
	len = dwarf_uint(c, sizes.offset);
	if (c->bad || len > cursor_left(c) || (sizes.address != 4 && sizes.address != 8))
		return -EBADMSG;
	names = *c;
	names.end = c->p + len;
	c->p += len;
	err = dwarf_line_program_header(p, l->version, &names);
	if (err)
		return err;
	if (l->version < 5)
		return read_names(l, &names);
	err = read_table(l, &names, sizes, true);
	return err ? err : read_table(l, &names, sizes, false);
}

static int by_end(const void *a, const void *b)
{
	const struct dwarf_sequence *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

int64_t dwarf_lines_read(struct dwarf_lines *l, const struct dwarf_unit *u,
			 struct diag *diag)
{
	struct dwarf_line_program p;
	struct cursor c;
	const uint8_t *start;
	int err;

	l->u = u->skeleton ? u->skeleton : u;
	l->nr_dirs = l->nr_files = l->nr_rows = l->nr_sequences = 0;
	l->name_bytes = 0;
	c = dwarf_object_at(l->u->o, DWARF_LINE, u->lines);
	start = c.p;
	err = c.bad ? -EBADMSG : read_header(l, &c, &p);
	if (!err)
		err = dwarf_line_program_run(&p, l, &c);
	if (err == -EBADMSG)
		return dwarf_bad(l->u->o, DWARF_LINE, u->lines, diag,
				 "damaged line table, or one of an unknown version");
	if (err)
		return diag_errno(diag, -err, l->u->o->path);
	if (l->nr_sequences)
		qsort(l->sequences, l->nr_sequences, sizeof(*l->sequences), by_end);
	return c.p - start + (int64_t)l->name_bytes;
}

void dwarf_lines_release(struct dwarf_lines *l)
{
	free(l->dirs);
	free(l->files);
	free(l->rows);
	free(l->sequences);
	*l = (struct dwarf_lines){ 0 };
}

bool dwarf_lines_file(const struct dwarf_lines *l, uint64_t index, struct dwarf_path *ret)
{
	const struct dwarf_file *f;
	bool v5 = l->version >= 5;

	*ret = (struct dwarf_path){ 0 };
	if ((!v5 && !index--) || index >= l->nr_files || !l->files[index].name)
		return false;
	f = &l->files[index];
	ret->name = f->name;
	if (*f->name == '/')
		return true;
	/* version 5 lists the unit's own directory first, the others do not list it */
	if (v5 ? f->dir < l->nr_dirs : f->dir && f->dir <= l->nr_dirs)
		ret->dir = l->dirs[v5 ? f->dir : f->dir - 1];
	if (!(v5 && !f->dir) && !(ret->dir && *ret->dir == '/'))
		ret->comp_dir = l->u->comp_dir;
	return true;
}

const struct dwarf_sequence *dwarf_lines_from(const struct dwarf_lines *l, uint64_t addr)
{
	size_t lo = 0, hi = l->nr_sequences, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->sequences[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->nr_sequences ? &l->sequences[lo] : NULL;
}

size_t dwarf_lines_row(const struct dwarf_lines *l, const struct dwarf_sequence *s,
		       uint64_t addr)
{
	size_t lo = s->first, hi = (size_t)s->first + s->nr, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (l->rows[mid].addr <= addr)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}
