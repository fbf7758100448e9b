// SPDX-License-Identifier: GPL-2.0-only
/* Opens a program with libdw and walks its units for functions. */
#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/convert/verify_dwarf.h"
#include "formats/macho/macho.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/poison.h"

/* Limit for the nesting of entries. */
#define MAX_DEPTH 512u
/*
 * Limit for entries, ranges and addresses. Real programs have fewer of them than bytes,
 * even if their sections are compressed.
 */
#define WORK_PER_BYTE 64u
#define WORK_AT_LEAST (1u << 24)

static int read_text(struct verify_dwarf *d)
{
	Elf_Scn *s = NULL;
	GElf_Shdr h;

	while ((s = elf_nextscn(d->elf, s))) {
		if (!gelf_getshdr(s, &h))
			continue;
		if (elf_ndxscn(s) < d->nr_places)
			h.sh_addr = d->places[elf_ndxscn(s)];
		if (!(h.sh_flags & SHF_EXECINSTR) || !(h.sh_flags & SHF_ALLOC) ||
		    h.sh_addr + h.sh_size <= h.sh_addr)
			continue;
		if (!array_has_room(d->text, d->nr_text, d->room_text))
			return -ENOMEM;
		d->text[d->nr_text++] =
			(struct range){ h.sh_addr, h.sh_addr + h.sh_size };
	}
	d->nr_text = ranges_join(d->text, d->nr_text);
	return 0;
}

static bool has_text(const struct verify_dwarf *d, uint64_t addr)
{
	return ranges_find(d->text, d->nr_text, addr);
}

/* libdw does not read Mach-O files. */
static bool is_macho(const char *path)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	uint8_t start[8];

	return !file_open(&file, path, NULL) && file.size >= sizeof(start) &&
	       !file_read(&file, 0, start, sizeof(start), NULL) &&
	       macho_identify(start, sizeof(start)) != MACHO_NONE;
}

static int open_elf(struct verify_dwarf *d, struct diag *diag)
{
	GElf_Ehdr h;
	size_t size;
	int err;

	elf_version(EV_CURRENT);
	d->fd = file_descriptor(d->path, 0, diag);
	if (d->fd < 0)
		return d->fd;
	if (is_macho(d->path))
		return diag_set(diag, EINVAL, d->path,
				"a Mach-O file: libdw, which compares, cannot read it");
	d->elf = elf_begin(d->fd, ELF_C_READ_MMAP, NULL);
	if (!d->elf || elf_kind(d->elf) != ELF_K_ELF || !gelf_getehdr(d->elf, &h))
		return diag_set(diag, EBADMSG, d->path, "not an ELF file, or a damaged one");
	if (elf_rawfile(d->elf, &size))
		d->work = WORK_AT_LEAST + size * (uint64_t)WORK_PER_BYTE;
	if (h.e_type == ET_REL)
		return verify_relocatable_open(d, diag);
	d->dw = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (d->dw)
		return 0;
	/* dwarf_errno() also clears the error */
	err = dwarf_errno();
	return diag_set(diag, ENODATA, d->path,
			"%s: use the file from before it was stripped, or its debug file",
			err ? dwarf_errmsg(err) : "no DWARF information");
}

int verify_dwarf_open(struct verify_dwarf *d, const char *path, struct diag *diag)
{
	int err;

	*d = (struct verify_dwarf){ .path = path, .fd = -1 };
	err = open_elf(d, diag);
	if (!err && read_text(d))
		err = diag_errno(diag, ENOMEM, path);
	if (err)
		verify_dwarf_release(d);
	return err;
}

void verify_dwarf_release(struct verify_dwarf *d)
{
	/* libdwfl closes what it has opened */
	if (d->dwfl)
		dwfl_end(d->dwfl);
	else
		dwarf_end(d->dw);
	free(d->places);
	elf_end(d->elf);
	if (d->fd >= 0)
		close(d->fd);
	free(d->text);
	free(d->units);
	free(d->functions);
	*d = (struct verify_dwarf){ .fd = -1 };
}

bool verify_dwarf_spend(struct verify_dwarf *d, uint64_t work)
{
	if (work > d->work)
		return false;
	d->work -= work;
	return true;
}

static int add_function(struct verify_dwarf *d, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (!verify_dwarf_spend(d, 1))
			return -EBADMSG;
		if (start >= end || !has_text(d, start))
			continue;
		if (!array_has_room(d->functions, d->nr_functions, d->room_functions))
			return -ENOMEM;
		d->functions[d->nr_functions++] = (struct verify_function){
			.range = { start, end }, .unit = d->nr_units - 1, .die = *die,
		};
	}
	return at < 0 ? -EBADMSG : 0;
}

static bool may_have_functions(int tag)
{
	switch (tag) {
	case DW_TAG_catch_block:
	case DW_TAG_class_type:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_interface_type:
	case DW_TAG_lexical_block:
	case DW_TAG_module:
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_subprogram:
	case DW_TAG_try_block:
	case DW_TAG_union_type:
		return true;
	}
	return false;
}

/*
 * Walks the children of an entry. Each must come after all entries seen so far: damage
 * could lead to endless loops. Return: 0; -EBADMSG; -ENOMEM.
 */
static int walk(struct verify_dwarf *d, Dwarf_Die *parent, unsigned int depth,
		Dwarf_Off *seen)
{
	Dwarf_Die die;
	int more, err = 0;

	if (depth > MAX_DEPTH)
		return -EBADMSG;
	for (more = dwarf_child(parent, &die); !more; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (dwarf_dieoffset(&die) <= *seen)
			return -EBADMSG;
		*seen = dwarf_dieoffset(&die);
		if (tag == DW_TAG_subprogram)
			err = add_function(d, &die);
		if (!err && may_have_functions(tag))
			err = walk(d, &die, depth + 1, seen);
		if (err)
			return err;
	}
	return more < 0 ? -EBADMSG : 0;
}

/* A split unit is in its own file and uses the addresses of its skeleton. */
static int walk_unit(struct verify_dwarf *d, Dwarf_Die *die, Dwarf_Die *split)
{
	size_t had = d->nr_functions;
	struct verify_unit *u;
	Dwarf_Attribute attr;
	Dwarf_Off seen;
	int err;

	if (!array_has_room(d->units, d->nr_units, d->room_units))
		return -ENOMEM;
	u = &d->units[d->nr_units++];
	*u = (struct verify_unit){ .die = split ? *split : *die };
	u->comp_dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	seen = dwarf_dieoffset(&u->die);
	err = walk(d, &u->die, 0, &seen);
	if (d->nr_functions == had)
		d->nr_units--;
	return err;
}

static int by_address(const void *a, const void *b)
{
	const struct verify_function *x = a, *y = b;

	if (x->range.start != y->range.start)
		return x->range.start < y->range.start ? -1 : 1;
	if (x->range.end != y->range.end)
		return x->range.end < y->range.end ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

int verify_dwarf_walk(struct verify_dwarf *d)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	int more, err;

	for (;;) {
		more = dwarf_get_units(d->dw, cu, &cu, NULL, NULL, &die, &split);
		if (more)
			break;
		d->nr_all_units++;
		err = walk_unit(d, &die, split.addr ? &split : NULL);
		if (err == -EBADMSG)
			d->nr_damaged++;
		else if (err)
			return err;
	}
	/* no unit after this one can be found */
	if (more < 0)
		d->nr_damaged++;
	if (d->nr_functions)
		qsort(d->functions, d->nr_functions, sizeof(*d->functions), by_address);
	return 0;
}
