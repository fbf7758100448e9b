// SPDX-License-Identifier: GPL-2.0-only
/*
 * A package of split units, or any other sections. The input: a byte of flags
 * (1: other byte order, 2: the skeleton has version 5), eight bytes for the id
 * that is searched for, a length of two bytes for each section except
 * .debug_info, which gets the rest; then the sections. The skeleton uses the
 * same sections.
 */
#include "dwarf.h"

#include "formats/dwarf/companion.h"
#include "formats/dwarf/package.h"

static void give(struct dwarf_section *s, const uint8_t *p, size_t len)
{
	uint8_t *copy = malloc(len + !len);

	memcpy(copy, p, len);
	s->data = copy;
	s->size = len;
	s->file_off = DIAG_NO_OFFSET;
}

static void convert_packed(struct dwarf_object *o, uint64_t id, uint16_t version)
{
	struct dwarf_object main_file = *o;
	struct dwarf_unit u, skeleton = {
		.o = &main_file, .has_dwo_id = true, .dwo_id = id, .version = version,
		.sizes = { 8, 4, 4 }, .has_lines = true,
	};
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { .text = "" };
	struct dwarf_budget budget;
	struct from_dwarf t;
	int64_t n;
	int err;

	dwarf_budget_init(&budget, o);
	must(part && !from_dwarf_init(&t, &main_file, &budget, part));
	t.call_sites = true;
	n = dwarf_find_packed(o, &skeleton, &t.cache, &u, &diag);
	must(n >= 0 || n == -ENOENT || (n == -EBADMSG && diag.text[0]));
	if (n >= 0) {
		err = from_dwarf_unit(&t, &u, 0, &diag);
		must(!err || (err == -EBADMSG && diag.text[0]));
		dwarf_unit_close(&u);
	}
	from_dwarf_release(&t);
	gsym_part_free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct range text = { .end = 1ull << 40 };
	struct dwarf_object o = {
		.path = "fuzz", .elf64 = true, .dwo = true, .text = &text, .nr_text = 1,
	};
	const uint8_t *p = data + 9 + 2 * DWARF_ALTLINK;
	struct dwarf_link link;
	struct diag diag;
	unsigned int id;
	uint64_t dwo_id;
	size_t len;

	if (size < 9 + 2 * DWARF_ALTLINK)
		return 0;
	o.swap = data[0] & 1;
	o.map_len = size;
	memcpy(&dwo_id, data + 1, 8);
	for (id = DWARF_ABBREV; id <= DWARF_ALTLINK; id++) {
		len = data[7 + 2 * id] | data[8 + 2 * id] << 8;
		if (len > (size_t)(data + size - p))
			len = (size_t)(data + size - p);
		give(&o.section[id], p, len);
		p += len;
	}
	give(&o.section[DWARF_INFO], p, (size_t)(data + size - p));
	if (dwarf_link_read(&o, &link))
		must(link.path && *link.path && link.len && link.len <= DWARF_MAX_ID);
	if (!dwarf_check_package(&o, &diag))
		convert_packed(&o, dwo_id, data[0] & 2 ? 5 : 4);
	for (id = 0; id < DWARF_NR_SECTIONS; id++)
		free((void *)o.section[id].data);
	return 0;
}
