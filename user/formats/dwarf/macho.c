// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the DWARF sections of a Mach-O file: the file in a dSYM bundle, or a
 * relocatable file. In a relocatable file every section has an address of its
 * own already, so code needs no new addresses.
 */
#include <errno.h>

#include "formats/dwarf/load.h"
#include "util/poison.h"

/* Names of sections of segment __DWARF, cut to 16 characters: plain and compressed. */
static const char *const names[DWARF_NR_SECTIONS][2] = {
	[DWARF_INFO] = { "__debug_info", "__zdebug_info" },
	[DWARF_ABBREV] = { "__debug_abbrev", "__zdebug_abbrev" },
	[DWARF_STR] = { "__debug_str", "__zdebug_str" },
	[DWARF_LINE_STR] = { "__debug_line_str", "__zdebug_line_st" },
	[DWARF_STR_OFFSETS] = { "__debug_str_offs", "__zdebug_str_off" },
	[DWARF_ADDR] = { "__debug_addr", "__zdebug_addr" },
	[DWARF_LINE] = { "__debug_line", "__zdebug_line" },
	[DWARF_RANGES] = { "__debug_ranges", "__zdebug_ranges" },
	[DWARF_RNGLISTS] = { "__debug_rnglists", "__zdebug_rnglist" },
};

/* Return: the section's number; DWARF_NR_SECTIONS if it is not needed. */
static enum dwarf_section_id identify(const struct macho_section *h, bool *packed)
{
	unsigned int i;

	if (strcmp(h->segment, "__DWARF"))
		return DWARF_NR_SECTIONS;
	for (i = 0; i <= DWARF_RNGLISTS; i++) {
		*packed = !strcmp(h->name, names[i][1]);
		if (*packed || !strcmp(h->name, names[i][0]))
			return i;
	}
	return DWARF_NR_SECTIONS;
}

static int add_section(struct dwarf_object *o, const struct macho *m,
		       const struct macho_section *h, struct diag *diag)
{
	enum dwarf_section_id id;
	struct dwarf_section *s;
	const uint8_t *bytes;
	bool packed;
	int err;

	id = identify(h, &packed);
	if (id == DWARF_NR_SECTIONS)
		return 0;
	s = &o->section[id];
	if (s->data)
		return diag_set(diag, EBADMSG, o->path, "two sections %s", h->name);
	err = macho_section_bytes(m, h, &bytes, diag);
	if (err || !bytes)
		return err;
	*s = (struct dwarf_section){
		.name = names[id][packed], .index = h->number, .data = bytes,
		.size = h->size, .file_off = o->map_off + h->off,
	};
	if (packed) {
		err = dwarf_unpack(o, s, true, diag);
		if (err)
			return err;
	}
	if (m->filetype != MACHO_OBJECT || !h->nr_relocs || !s->data)
		return 0;
	return dwarf_relocate_macho(o, m, h, s, diag);
}

int dwarf_load_macho(struct dwarf_object *o, struct diag *diag)
{
	struct macho_section h = { 0 };
	struct macho m;
	size_t room = 0;
	int err;

	err = macho_open(o->map, o->map_len, o->map_off, o->path, &m, diag);
	if (err)
		return err;
	o->swap = m.swap;
	o->elf64 = m.wide;
	o->base = m.base;
	o->uuid = m.uuid;
	o->uuid_len = m.uuid ? MACHO_UUID : 0;
	while (macho_next_section(&m, &h)) {
		if (macho_is_text(&h) && dwarf_add_text(o, h.addr, h.size, &room))
			return diag_errno(diag, ENOMEM, o->path);
		err = add_section(o, &m, &h, diag);
		if (err)
			return err;
	}
	o->nr_text = ranges_join(o->text, o->nr_text);
	return 0;
}
