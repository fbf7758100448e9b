// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a GSYM file: reads the source with the reader of its kind, then writes all that
 * was found. The commands and the symbol store call gsym_convert(), the latter in a jail.
 */
#include "symbols/convert/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/convert/symbol_ends.h"
#include "symbols/convert/from_cfi.h"
#include "symbols/convert/from_go.h"
#include "symbols/convert/from_macho.h"
#include "util/file.h"

#include "util/poison.h"

/**
 * struct conversion - state of one conversion
 * @parts: the parts of @dwarf and, as the last one, a part for symbols
 */
struct conversion {
	const struct gsym_convert_options *o;
	const struct gsym_input *in;
	const char *path;	/* path of @in */
	struct gsym_dwarf dwarf;
	struct gsym_symtab symtab;
	struct gsym_part **parts;
	size_t nr_parts;
	struct gsym_write_options write;
	struct gsym_converted done;
};

static void set_uuid(struct gsym_write_options *w, const uint8_t *uuid, uint8_t len)
{
	memcpy(w->uuid, uuid, len);
	w->uuid_len = len;
}

/* Allocates @c->parts: DWARF's parts and one more for symbols. */
static int add_part(struct conversion *c, struct diag *diag)
{
	size_t nr = c->dwarf.nr_parts;

	c->parts = calloc(nr + 1, sizeof(*c->parts));
	if (!c->parts)
		return diag_errno(diag, ENOMEM, c->path);
	if (nr)
		memcpy(c->parts, c->dwarf.parts, nr * sizeof(*c->parts));
	c->parts[nr] = gsym_part_new();
	c->nr_parts = nr + 1;
	return c->parts[nr] ? 0 : diag_errno(diag, ENOMEM, c->path);
}

static int read_breakpad(struct conversion *c, struct diag *diag)
{
	struct gsym_breakpad *b = &c->done.breakpad;
	int err;

	c->done.is_breakpad = true;
	err = add_part(c, diag);
	if (!err)
		err = gsym_from_breakpad(c->path, c->parts[0], b, diag);
	if (!err)
		set_uuid(&c->write, b->uuid, b->uuid_len);
	return err;
}

static int read_bsym(struct conversion *c, struct diag *diag)
{
	int err;

	c->done.is_bsym = true;
	err = add_part(c, diag);
	return err ? err : gsym_from_bsym(c->path, false, c->parts[0], &c->done.bsym, diag);
}

static int read_symbols(struct conversion *c, struct gsym_part *part, struct diag *diag)
{
	int err;

	if (c->in->kind == GSYM_INPUT_MACHO)
		return gsym_from_macho(c->path, c->in->off, c->in->len, part, &c->symtab, diag);
	err = gsym_from_symtab(c->path, part, &c->symtab, diag);
	return err ? err : gsym_symtab_ends(c->o->linked ? c->o->linked : c->path, part,
					    &c->symtab, diag);
}

/* Symbols name what DWARF does not name; without DWARF they are the only source. */
static int read_object(struct conversion *c, struct diag *diag)
{
	struct gsym_dwarf_options dwarf = c->o->dwarf;
	int err = -ENODATA;

	dwarf.threads = c->o->threads;
	dwarf.off = c->in->off;
	dwarf.len = c->in->len;
	if (!c->o->symbols_only)
		err = gsym_from_dwarf(c->path, &dwarf, &c->dwarf, diag);
	if (err && err != -ENODATA)
		return err;
	c->done.has_dwarf = !err;
	c->done.dwarf = c->dwarf.stats;
	err = add_part(c, diag);
	if (!err)
		err = read_symbols(c, c->parts[c->nr_parts - 1], diag);
	if (!err && c->o->bsym)
		err = gsym_from_bsym(c->o->bsym, true, c->parts[c->nr_parts - 1],
				     &c->done.bsym, diag);
	if (!err && !c->done.has_dwarf && c->in->kind == GSYM_INPUT_ELF)
		err = gsym_from_go(c->path, c->parts[c->nr_parts - 1], &c->done.go, diag);
	if (!err && c->o->unnamed && !c->done.has_dwarf && c->in->kind == GSYM_INPUT_ELF)
		err = gsym_from_cfi(c->path, c->parts[c->nr_parts - 1], &c->done.unnamed, diag);
	if (err)
		return err;
	c->done.symbols = c->symtab.symbols + c->symtab.dynamic + c->symtab.packed;
	c->done.symtab_whole = c->symtab.symbols || c->symtab.packed || c->done.go;
	set_uuid(&c->write, c->symtab.uuid, c->symtab.uuid_len);
	c->write.base = c->symtab.base;
	c->write.big_endian = c->symtab.big_endian;
	c->write.text = c->symtab.text;
	c->write.nr_text = c->symtab.nr_text;
	c->write.starts = c->symtab.starts;
	c->write.nr_starts = c->symtab.nr_starts;
	return 0;
}

static void *start_names(const void *style)
{
	return names_new(style);
}

static const char *write_name(void *names, const char *name)
{
	return names_text(names, name);
}

static void end_names(void *names)
{
	names_free(names);
}

static void set_namer(struct gsym_write_options *w, const struct names_style *style)
{
	if (style->demangle || style->shorten_stl)
		w->namer = (struct gsym_namer){
			.arg = style, .start = start_names, .name = write_name,
			.end = end_names,
		};
}

/* Argument of write_to(); @path is for messages. */
struct output {
	struct conversion *c;
	const char *path;
};

static int write_to(int fd, void *arg, struct diag *diag)
{
	const struct output *o = arg;
	struct conversion *c = o->c;

	return gsym_write(c->parts, c->nr_parts, &c->write, fd, o->path, &c->done.written, diag);
}

static int convert(struct conversion *c, const char *out, struct diag *diag)
{
	struct output output = { c, out ? out : "stdout" };
	int err;

	if (c->in->kind == GSYM_INPUT_BREAKPAD)
		err = read_breakpad(c, diag);
	else if (c->in->kind == GSYM_INPUT_BSYM)
		err = read_bsym(c, diag);
	else
		err = read_object(c, diag);
	if (err)
		return err;
	if (!c->done.dwarf.functions && !c->done.symbols && !c->done.breakpad.functions &&
	    !c->done.breakpad.symbols && !c->done.bsym.symbols && !c->done.go && !c->done.unnamed)
		return diag_set(diag, ENODATA, c->path, "nothing in it names a function");
	/* Other processes may have the old file mapped: replace it as a whole. */
	return file_replace(out ? out : "-", write_to, &output, diag);
}

int gsym_convert(const struct gsym_input *in, const char *out,
		 const struct gsym_convert_options *o, struct gsym_converted *ret,
		 struct diag *diag)
{
	struct conversion c = {
		.o = o,
		.in = in,
		.path = in->path,
		.write = {
			.layout = o->layout, .merge = o->merge, .threads = o->threads,
		},
	};
	int err;

	set_namer(&c.write, &o->names);
	err = convert(&c, out, diag);
	if (!err)
		*ret = c.done;
	if (c.nr_parts)
		gsym_part_free(c.parts[c.nr_parts - 1]);
	free(c.parts);
	gsym_dwarf_release(&c.dwarf);
	gsym_symtab_release(&c.symtab);
	return err;
}
