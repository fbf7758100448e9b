/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF or Mach-O file with DWARF: its sections, mapped, of either class and
 * byte order. Compressed sections are unpacked into an unlinked temporary file,
 * so that their pages can be dropped from memory as well. Sections of a
 * relocatable file are copied and relocated: in an ELF file .text is at address
 * 0 then, and other sections with code follow it; in a Mach-O file sections
 * have the addresses that their headers say.
 *
 * Context: read-only once it is open, for any number of threads. If somebody
 * truncates the file while it is open, its readers are killed by SIGBUS.
 */
#ifndef USTACK_USER_DWARF_OBJECT_H
#define USTACK_USER_DWARF_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/dwarf/cursor.h"
#include "util/diag.h"
#include "util/map.h"
#include "util/range.h"

enum dwarf_section_id {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_LINE,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_CU_INDEX,
	DWARF_SUP,	/* supplementary file, made by dwz -5 */
	DWARF_ALTLINK,	/* .gnu_debugaltlink: file made by dwz */
	DWARF_NR_SECTIONS,
};

/**
 * struct dwarf_section - a section
 * @name: name of the section in the file
 * @index: number of the section in the file
 * @data: contents; NULL if the file has no such section
 * @size: number of bytes in @data
 * @addr: address; set by dwarf_object_section() only, 0 in a relocatable file
 * @file_off: offset in the file, DIAG_NO_OFFSET if @data is not a part of the
 *            file
 * @own: mapping made for this section, NULL if it is a part of the file's
 * @own_len: bytes of @own
 * @in_file: @own is the mapping of a file: its pages can be dropped
 */
struct dwarf_section {
	const char *name;
	uint32_t index;
	const uint8_t *data;
	uint64_t size;
	uint64_t addr;
	uint64_t file_off;
	void *own;
	uint64_t own_len;
	bool in_file;
};

/**
 * struct dwarf_object - an open file
 * @path: path of the file; a copy
 * @map: bytes of the object
 * @map_len: number of bytes in @map
 * @map_off: offset of @map in the file at @path, for messages
 * @file: mapping of the file that contains @map; unused if @map belongs to the
 *        caller
 * @swap: the file does not have the byte order of this machine
 * @elf64: the ELF file is 64-bit; a Mach-O file has 64-bit addresses
 * @machine: EM_*; ELF files only
 * @type: ET_*; ELF files only
 * @dwo: the file has sections .debug_*.dwo, and @section holds these
 * @base: address of the first PT_LOAD or of segment __TEXT, 0 if there is none
 * @uuid: build id or LC_UUID, in @map
 * @uuid_len: bytes of @uuid
 * @text: ranges of executable sections, ascending, without overlaps
 * @nr_text: number of ranges in @text
 * @section: the sections
 * @alt: file that dwz put common entries into; borrowed, NULL if there is none
 * @units: offsets of the units in .debug_info, see dwarf_object_index()
 * @nr_units: number of @units
 */
struct dwarf_object {
	char *path;
	const uint8_t *map;
	size_t map_len;
	uint64_t map_off;
	struct map file;
	bool swap;
	bool elf64;
	uint16_t machine;
	uint16_t type;
	bool dwo;
	uint64_t base;
	const uint8_t *uuid;
	uint32_t uuid_len;
	struct range *text;
	size_t nr_text;
	struct dwarf_section section[DWARF_NR_SECTIONS];
	const struct dwarf_object *alt;
	uint64_t *units;
	size_t nr_units;
};

/**
 * dwarf_object_open() - map a file and find its sections
 * @path: path of the file; copied
 * @ret: the object; released by dwarf_object_close()
 * @diag: may be NULL
 *
 * A file without DWARF is no error.
 *
 * Return: 0; -EBADMSG with offset and reason if the file is damaged, or is
 * neither an ELF nor a thin Mach-O file; another negative errno.
 */
int dwarf_object_open(const char *path, struct dwarf_object **ret, struct diag *diag);
/* @o may be NULL. */
void dwarf_object_close(struct dwarf_object *o);

/**
 * dwarf_object_section() - get a section of an ELF file that is not DWARF's,
 * relocated
 * @o: open. If it is a relocatable file, its code is at the addresses of
 *     @o->text, and the section at address 0. In a linked file relocations are
 *     applied already
 * @name: name of the section, borrowed
 * @ret: the section; released by dwarf_section_release() before @o is closed;
 *       its @data is NULL if the file has no such section
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if the section or its relocations are damaged, or if
 * there are two such sections; -ENOMEM.
 */
int dwarf_object_section(struct dwarf_object *o, const char *name, struct dwarf_section *ret,
			 struct diag *diag);
void dwarf_section_release(struct dwarf_section *s);

/**
 * dwarf_object_open_part() - open a part of a file, such as one slice of a fat
 * Mach-O file
 * @path: path of the file; copied
 * @off: offset of the part in the file
 * @len: bytes of the part; 0 for the whole file
 * @ret: see dwarf_object_open()
 * @diag: may be NULL
 *
 * Return: see dwarf_object_open().
 */
int dwarf_object_open_part(const char *path, uint64_t off, uint64_t len,
			   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_object_open_bytes() - open a file in memory
 * @bytes: contents; borrowed until dwarf_object_close()
 * @len: number of bytes in @bytes
 * @path: name for messages; copied
 * @ret: see dwarf_object_open()
 * @diag: may be NULL
 *
 * Return: see dwarf_object_open().
 */
int dwarf_object_open_bytes(const void *bytes, size_t len, const char *path,
			    struct dwarf_object **ret, struct diag *diag);

/* Drops pages from memory: they are read again when they are used again. */
void dwarf_object_drop(const struct dwarf_object *o);
/*
 * A caller that goes through a section drops its pages each time it has passed
 * this many bytes: the kernel maps 64 KiB or more for each byte that is read.
 */
#define DWARF_DROP_EVERY (8u << 20)

/*
 * Return: whether @addr is in an executable section. For a file without such
 * sections: whether @addr is not one of the addresses that linkers give to code
 * that they removed.
 */
bool dwarf_object_has_text(const struct dwarf_object *o, uint64_t addr);

/* Return: a cursor from @off on; an empty bad one if @off is after the end. */
static inline struct cursor dwarf_object_at(const struct dwarf_object *o,
					    enum dwarf_section_id id, uint64_t off)
{
	const struct dwarf_section *s = &o->section[id];

	if (!s->data || off > s->size)
		return cursor_none();
	return (struct cursor){ s->data + off, s->data + s->size, o->swap, false };
}

/* Reads a string of .debug_str or .debug_line_str. Return: NULL if there is none at @off. */
const char *dwarf_object_string(const struct dwarf_object *o, enum dwarf_section_id id,
				uint64_t off);

/* Fills @diag with the place and a sentence: "SECTION+0x..: sentence". Return: -EBADMSG. */
__attribute__((__format__(__printf__, 5, 6)))
int dwarf_bad(const struct dwarf_object *o, enum dwarf_section_id id, uint64_t off,
	      struct diag *diag, const char *fmt, ...);

#endif /* USTACK_USER_DWARF_OBJECT_H */
