// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens an ELF or Mach-O file with DWARF (object.h): finds its sections, has
 * them unpacked and relocated, and finds the ranges of its code.
 */
#include "formats/dwarf/object.h"

#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/elf.h"
#include "formats/dwarf/load.h"
#include "util/array.h"
#include "util/poison.h"

/* Names of sections after ".debug_", except that of DWARF_ALTLINK, which is whole. */
static const char *const names[DWARF_NR_SECTIONS] = {
	[DWARF_INFO] = "info",		    [DWARF_ABBREV] = "abbrev",
	[DWARF_STR] = "str",		    [DWARF_LINE_STR] = "line_str",
	[DWARF_STR_OFFSETS] = "str_offsets", [DWARF_ADDR] = "addr",
	[DWARF_LINE] = "line",		    [DWARF_RANGES] = "ranges",
	[DWARF_RNGLISTS] = "rnglists",	    [DWARF_CU_INDEX] = "cu_index",
	[DWARF_SUP] = "sup",		    [DWARF_ALTLINK] = ".gnu_debugaltlink",
};

int dwarf_bad(const struct dwarf_object *o, enum dwarf_section_id id, uint64_t off,
	      struct diag *diag, const char *fmt, ...)
{
	const struct dwarf_section *s = &o->section[id];
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_set(diag, EBADMSG, o->path, "%s+0x%llx: %s", s->name ? s->name : names[id],
		 (unsigned long long)off, text);
	if (diag && s->file_off != DIAG_NO_OFFSET)
		diag->offset = s->file_off + off;
	return -EBADMSG;
}

const char *dwarf_object_string(const struct dwarf_object *o, enum dwarf_section_id id,
				uint64_t off)
{
	struct cursor c = dwarf_object_at(o, id, off);

	return c.bad ? NULL : dwarf_string(&c);
}

/* Return: the number of a section; DWARF_NR_SECTIONS if it is not needed. */
static enum dwarf_section_id identify(const char *name, bool *gnu, bool *dwo)
{
	unsigned int i;
	size_t len;

	*gnu = *dwo = false;
	if (!strcmp(name, names[DWARF_ALTLINK]))
		return DWARF_ALTLINK;
	if (!strncmp(name, ".zdebug_", 8))
		*gnu = true;
	else if (strncmp(name, ".debug_", 7))
		return DWARF_NR_SECTIONS;
	name += *gnu ? 8 : 7;
	for (i = 0; i < DWARF_ALTLINK; i++) {
		len = strlen(names[i]);
		if (strncmp(name, names[i], len))
			continue;
		*dwo = !strcmp(name + len, ".dwo");
		if (*dwo || !name[len])
			return i;
	}
	return DWARF_NR_SECTIONS;
}

/*
 * Whether a .debug_info has a type unit. Relocatable files have one such
 * section for each type, so that the linker can keep one copy.
 */
static bool is_of_type(const struct dwarf_object *o, const struct dwarf_shdr *h)
{
	struct cursor c = dwarf_elf_at(o, h->off, h->size);
	uint8_t offset_size;

	dwarf_length(&c, &offset_size);
	return cursor_u16(&c) == 5 && cursor_u8(&c) == DW_UT_type;
}

static int add_section(struct dwarf_object *o, const char *name, uint32_t i,
		       const struct dwarf_shdr *h, struct diag *diag)
{
	enum dwarf_section_id id;
	struct dwarf_section *s;
	bool gnu, dwo;

	id = identify(name, &gnu, &dwo);
	if (id == DWARF_NR_SECTIONS || h->type == SHT_NOBITS)
		return 0;
	s = &o->section[id];
	if (o->type == ET_REL && id == DWARF_INFO && is_of_type(o, h))
		return 0;
	/*
	 * an object file may have both the skeleton's sections and its own .dwo
	 * sections: the plain ones are used
	 */
	if (s->data && dwo)
		return 0;
	if (s->data && !(o->dwo && !dwo))
		return diag_set(diag, EBADMSG, o->path, "two sections %s", name);
	if (!dwarf_elf_has(o, h))
		return diag_set(diag, EBADMSG, o->path,
				"section %s ends after the end of the file", name);
	*s = (struct dwarf_section){
		.name = name, .index = i, .data = o->map + h->off,
		.size = h->size, .file_off = h->off,
	};
	if (id == DWARF_INFO)
		o->dwo = dwo;
	if (h->flags & SHF_COMPRESSED || gnu)
		return dwarf_unpack(o, s, gnu, diag);
	return 0;
}

static void find_build_id(struct dwarf_object *o, const struct dwarf_shdr *h)
{
	struct cursor c = dwarf_elf_at(o, h->off, h->size);
	uint32_t name, desc, type;

	while (!c.bad && cursor_left(&c) >= 12) {
		name = cursor_u32(&c);
		desc = cursor_u32(&c);
		type = cursor_u32(&c);
		if (type == NT_GNU_BUILD_ID && name == 4 && cursor_left(&c) >= 4 &&
		    !memcmp(c.p, "GNU", 4)) {
			cursor_skip(&c, 4);
			if (desc <= cursor_left(&c)) {
				o->uuid = c.p;
				o->uuid_len = desc;
			}
			return;
		}
		cursor_skip(&c, ((uint64_t)name + 3) & ~3ull);
		cursor_skip(&c, ((uint64_t)desc + 3) & ~3ull);
	}
}

static bool is_text(const struct dwarf_shdr *h)
{
	return h->flags & SHF_ALLOC && h->flags & SHF_EXECINSTR && h->size;
}

int dwarf_place_text(const struct dwarf_object *o, struct dwarf_ehdr *e, struct diag *diag)
{
	struct dwarf_shdr h;
	uint32_t i;

	if (o->type != ET_REL || !e->shnum)
		return 0;
	e->place = calloc(e->shnum, sizeof(*e->place));
	if (!e->place)
		return diag_errno(diag, ENOMEM, o->path);
	for (i = 0; i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		e->place[i] = (struct dwarf_place){
			.flags = h.flags, .size = h.size, .align = h.align,
			.is_dot_text = !strcmp(dwarf_elf_name(o, e, &h), ".text"),
		};
	}
	if (!dwarf_place(e->place, e->shnum))
		return diag_set(diag, EBADMSG, o->path, DWARF_NO_PLACE);
	return 0;
}

int dwarf_add_text(struct dwarf_object *o, uint64_t addr, uint64_t size, size_t *room)
{
	uint64_t end;

	if (__builtin_add_overflow(addr, size, &end))
		end = UINT64_MAX;
	if (!array_has_room(o->text, o->nr_text, *room))
		return -ENOMEM;
	o->text[o->nr_text++] = (struct range){ addr, end };
	return 0;
}

bool dwarf_object_has_text(const struct dwarf_object *o, uint64_t addr)
{
	if (!o->nr_text)
		return addr && addr < UINT64_MAX - 1 &&
		       (o->elf64 || addr < UINT32_MAX - 1);
	return ranges_find(o->text, o->nr_text, addr);
}

static int read_sections(struct dwarf_object *o, const struct dwarf_ehdr *e,
			 struct diag *diag)
{
	struct dwarf_shdr h;
	size_t room = 0;
	uint32_t i;
	int err;

	for (i = 0; i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		if (h.type == SHT_NOTE && !o->uuid)
			find_build_id(o, &h);
		if (e->place)
			h.addr = e->place[i].addr;
		if (is_text(&h) && dwarf_add_text(o, h.addr, h.size, &room))
			return diag_errno(diag, ENOMEM, o->path);
		err = add_section(o, dwarf_elf_name(o, e, &h), i, &h, diag);
		if (err)
			return err;
	}
	o->nr_text = ranges_join(o->text, o->nr_text);
	return 0;
}

/*
 * Applies relocations to the sections of a relocatable file. In a linked file
 * they are applied already, if it has kept them at all (ld --emit-relocs).
 */
static int relocate(struct dwarf_object *o, const struct dwarf_ehdr *e,
		    struct diag *diag)
{
	struct dwarf_shdr h, of;
	uint32_t i, id;
	bool gnu, dwo;
	int err;

	if (o->type != ET_REL)
		return 0;
	for (i = 0; i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		if ((h.type != SHT_REL && h.type != SHT_RELA) || h.info >= e->shnum)
			continue;
		dwarf_elf_section(o, e, h.info, &of);
		id = identify(dwarf_elf_name(o, e, &of), &gnu, &dwo);
		if (id == DWARF_NR_SECTIONS || o->section[id].index != h.info ||
		    !o->section[id].data)
			continue;
		err = dwarf_relocate(o, e, &h, &o->section[id], diag);
		if (err)
			return err;
	}
	return 0;
}

static int load_elf(struct dwarf_object *o, struct diag *diag)
{
	struct dwarf_ehdr e;
	int err;

	err = dwarf_elf_header(o, &e, diag);
	if (err)
		return err;
	dwarf_elf_base(o, &e);
	err = dwarf_place_text(o, &e, diag);
	if (!err)
		err = read_sections(o, &e, diag);
	if (!err)
		err = relocate(o, &e, diag);
	free(e.place);
	return err;
}

static int load(struct dwarf_object *o, struct diag *diag)
{
	switch (macho_identify(o->map, o->map_len)) {
	case MACHO_THIN:
		return dwarf_load_macho(o, diag);
	case MACHO_FAT:
		return diag_set(diag, EBADMSG, o->path,
				"several Mach-O files in one, and none was chosen");
	case MACHO_NONE:
		break;
	}
	return load_elf(o, diag);
}

/* Restricts the object to [off, off + len) of the file; @len 0 means the whole file. */
static int take_part(struct dwarf_object *o, uint64_t off, uint64_t len, struct diag *diag)
{
	o->map = o->file.bytes;
	o->map_len = o->file.len;
	if (!len)
		return 0;
	if (off > o->file.len || len > o->file.len - off)
		return diag_set(diag, EBADMSG, o->path, "it ends before the selected slice");
	o->map += off;
	o->map_len = len;
	o->map_off = off;
	return 0;
}

static int open_object(const char *path, const void *bytes, uint64_t off, uint64_t len,
		       struct dwarf_object **ret, struct diag *diag)
{
	struct dwarf_object *o = calloc(1, sizeof(*o));
	int err = 0;

	if (o)
		o->path = strdup(path);
	if (!o || !o->path) {
		free(o);
		return diag_errno(diag, ENOMEM, path);
	}
	if (bytes) {
		o->map = bytes;
		o->map_len = len;
	} else {
		err = map_open(&o->file, o->path, diag);
		if (!err)
			err = take_part(o, off, len, diag);
	}
	err = err ? err : load(o, diag);
	if (err) {
		/* a message must not point to the path of an object that is freed */
		if (diag && diag->file == o->path)
			diag->file = path;
		dwarf_object_close(o);
		return err;
	}
	*ret = o;
	return 0;
}

int dwarf_object_open(const char *path, struct dwarf_object **ret, struct diag *diag)
{
	return open_object(path, NULL, 0, 0, ret, diag);
}

int dwarf_object_open_part(const char *path, uint64_t off, uint64_t len,
			   struct dwarf_object **ret, struct diag *diag)
{
	return open_object(path, NULL, off, len, ret, diag);
}

int dwarf_object_open_bytes(const void *bytes, size_t len, const char *path,
			    struct dwarf_object **ret, struct diag *diag)
{
	return open_object(path, bytes, 0, len, ret, diag);
}

void dwarf_object_close(struct dwarf_object *o)
{
	unsigned int i;

	if (!o)
		return;
	for (i = 0; i < DWARF_NR_SECTIONS; i++)
		if (o->section[i].own)
			munmap(o->section[i].own, o->section[i].own_len);
	map_release(&o->file);
	free(o->units);
	free(o->text);
	free(o->path);
	free(o);
}

void dwarf_object_drop(const struct dwarf_object *o)
{
	const struct dwarf_section *s;

	map_drop(&o->file);
	for (s = o->section; s < o->section + DWARF_NR_SECTIONS; s++)
		if (s->own && s->in_file)
			madvise(s->own, s->own_len, MADV_DONTNEED);
}
