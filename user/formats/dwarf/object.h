/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF or Mach-O file with DWARF: its sections, mapped, of either class and byte
 * order. Compressed sections are unpacked into an unlinked temporary file, so that these
 * can be dropped from memory as well; those of a relocatable file are copied and
 * relocated. Of an ELF file, .text is at address 0 then, other sections with code one
 * behind the other; of a Mach-O file, they are where they say.
 *
 * Context: read-only once open, by any number of threads. Who truncates the file while
 * it is open kills its readers (SIGBUS).
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
	DWARF_SUP,	/* file of dwz -5 */
	DWARF_ALTLINK,	/* .gnu_debugaltlink: file of dwz */
	DWARF_NR_SECTIONS,
};

/**
 * struct dwarf_section - one of them
 * @name: as the file has it
 * @index: its number in the file
 * @data: NULL if there is none
 * @size: bytes of @data
 * @addr: its address; of dwarf_object_section() alone, 0 in a relocatable file
 * @file_off: where it is in the file, DIAG_NO_OFFSET if @data is not what is there
 * @own: mapping made for it, NULL if it is a part of the file's
 * @own_len: bytes of @own
 * @in_file: @own is of a file: its pages can be dropped
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
 * @path: copied
 * @map: its bytes
 * @map_len: number of them
 * @map_off: where they are in the file at @path, for messages
 * @file: what @map is in; not mapped if @map is the caller's
 * @swap: its byte order is not ours
 * @elf64: its class; of a Mach-O file, its addresses have 64 bits
 * @machine: EM_*; of ELF files alone
 * @type: ET_*; of ELF files alone
 * @dwo: it has sections .debug_*.dwo: these are in @section
 * @base: address of its first PT_LOAD or segment __TEXT, 0 without any
 * @uuid: build id or LC_UUID, in @map
 * @uuid_len: bytes of @uuid
 * @text: ranges of executable sections, ascending, apart
 * @nr_text: number of @text
 * @section: the sections
 * @alt: what dwz put common entries into; borrowed, NULL if there is none
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
 * @path: copied
 * @ret: on success: released by dwarf_object_close()
 * @diag: may be NULL
 *
 * A file without DWARF is a success.
 *
 * Return: 0; -EBADMSG if it is neither an ELF nor a thin Mach-O file, or damaged, with
 * offset and reason; another negative errno.
 */
int dwarf_object_open(const char *path, struct dwarf_object **ret, struct diag *diag);
/* NULL is fine. */
void dwarf_object_close(struct dwarf_object *o);

/**
 * dwarf_object_section() - a section of an ELF file that is not DWARF's, as linking would make it
 * @o: open; of a relocatable file, its code is where @o->text says, and the section at address 0; relocations that a linked file has kept
 *     are done already
 * @name: of the section, borrowed
 * @ret: on success: released by dwarf_section_release(), before @o is closed; its @data is NULL
 *       if the file has no such section
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if the section or its relocations are damaged, or there are two; -ENOMEM.
 */
int dwarf_object_section(struct dwarf_object *o, const char *name, struct dwarf_section *ret,
			 struct diag *diag);
void dwarf_section_release(struct dwarf_section *s);

/**
 * dwarf_object_open_part() - the same of a part of a file, such as one of fat Mach-O's
 * @path: copied
 * @off: where the part starts
 * @len: bytes of it; 0 for all of the file
 * @ret: see above
 * @diag: may be NULL
 *
 * Return: see above.
 */
int dwarf_object_open_part(const char *path, uint64_t off, uint64_t len,
			   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_object_open_bytes() - the same of a file in memory
 * @bytes: borrowed until dwarf_object_close()
 * @len: of @bytes
 * @path: for messages; copied
 * @ret: see above
 * @diag: may be NULL
 *
 * Return: see above.
 */
int dwarf_object_open_bytes(const void *bytes, size_t len, const char *path,
			    struct dwarf_object **ret, struct diag *diag);

/* Give pages back: they are read again when they are used again. */
void dwarf_object_drop(const struct dwarf_object *o);
/* Who goes through a section does so whenever that many bytes more are behind it: the
 * kernel maps 64 KiB or more for one byte that is read.
 */
#define DWARF_DROP_EVERY (8u << 20)

/* Whether an executable section has @addr; of a file without any, whether it is no
 * address that linkers give to code that they left out.
 */
bool dwarf_object_has_text(const struct dwarf_object *o, uint64_t addr);

/* From @off on; an empty bad one if @off is behind the end. */
static inline struct cursor dwarf_object_at(const struct dwarf_object *o,
					    enum dwarf_section_id id, uint64_t off)
{
	const struct dwarf_section *s = &o->section[id];

	if (!s->data || off > s->size)
		return cursor_none();
	return (struct cursor){ s->data + off, s->data + s->size, o->swap, false };
}

/* A string of .debug_str or .debug_line_str. Return: NULL if there is none. */
const char *dwarf_object_string(const struct dwarf_object *o, enum dwarf_section_id id,
				uint64_t off);

/* -EBADMSG, and where: "SECTION+0x..: sentence" */
__attribute__((__format__(__printf__, 5, 6)))
int dwarf_bad(const struct dwarf_object *o, enum dwarf_section_id id, uint64_t off,
	      struct diag *diag, const char *fmt, ...);

#endif /* USTACK_USER_DWARF_OBJECT_H */
