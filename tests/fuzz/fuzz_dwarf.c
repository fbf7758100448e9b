// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF sections, each in an allocation of its exact size. They are preceded by
 * a byte of flags (1: other byte order, 2: sections of a split unit, 4: the
 * file has no text sections, 8: the sections are also the common file of dwz),
 * a byte for the address of text, and a length of two bytes for every section
 * except .debug_info, which gets the rest.
 */
#include "dwarf.h"

static void give(struct dwarf_section *s, const uint8_t *p, size_t len)
{
	uint8_t *copy = malloc(len + !len);

	memcpy(copy, p, len);
	s->data = copy;
	s->size = len;
	s->file_off = DIAG_NO_OFFSET;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct range text = { .end = 1ull << 40 };
	struct dwarf_object o = { .path = "fuzz", .elf64 = true };
	size_t head = 2 * DWARF_CU_INDEX, len;
	const uint8_t *p = data + head;
	unsigned int id;

	if (size < head)
		return 0;
	o.swap = data[0] & 1;
	o.dwo = data[0] & 2;
	o.map_len = size;
	text.start = (uint64_t)data[1] << 12;
	o.text = &text;
	o.nr_text = !(data[0] & 4);
	if (data[0] & 8)
		o.alt = &o;
	for (id = DWARF_ABBREV; id < DWARF_CU_INDEX; id++) {
		len = data[2 * id] | data[2 * id + 1] << 8;
		if (len > (size_t)(data + size - p))
			len = (size_t)(data + size - p);
		give(&o.section[id], p, len);
		p += len;
	}
	give(&o.section[DWARF_INFO], p, (size_t)(data + size - p));
	convert_object(&o);
	for (id = 0; id < DWARF_CU_INDEX; id++)
		free((void *)o.section[id].data);
	free(o.units);
	return 0;
}
