// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mach-O files of any bytes, thin and fat: everything that the reader returns
 * lies in the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/macho/macho.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads all bytes, so that the sanitizer checks their end. */
static void touch(const void *p, size_t len)
{
	volatile uint8_t sum = 0;
	const uint8_t *b = p;

	while (len--)
		sum = (uint8_t)(sum + *b++);
}

static void look_at_section(const struct macho *m, const struct macho_section *s)
{
	struct diag diag = { 0 };
	struct macho_reloc r;
	const uint8_t *bytes;
	uint32_t i;
	int err;

	must(!s->name[16] && !s->segment[16] && macho_has(m, s->at, 68));
	err = macho_section_bytes(m, s, &bytes, &diag);
	must(err ? err == -EBADMSG && diag.text[0] : !bytes || macho_has(m, s->off, s->size));
	if (!err && bytes)
		touch(bytes, s->size);
	for (i = 0; macho_has_relocs(m, s) && i < s->nr_relocs; i++) {
		macho_reloc_get(m, s, i, &r);
		must(r.symbol < 1u << 24 && r.length < 4 && r.type < 16);
		must(!r.scattered || (!m->wide && !r.symbol && !r.external));
	}
}

static void look_at_tables(const struct macho *m)
{
	struct macho_starts starts;
	struct macho_symtab tab;
	struct macho_symbol s;
	uint64_t addr, last = m->base;
	uint32_t i;

	if (!macho_symtab_open(m, &tab, NULL)) {
		for (i = 0; i < tab.nr; i++) {
			macho_symbol_get(&tab, i, &s);
			if (s.name)
				touch(s.name, strlen(s.name) + 1);
		}
	}
	if (macho_starts_open(m, &starts, NULL))
		return;
	while (macho_starts_next(&starts, &addr)) {
		must(addr > last);
		last = addr;
	}
}

static void look_at_thin(const uint8_t *bytes, size_t len)
{
	struct macho_section section = { 0 };
	struct macho_segment segment = { 0 };
	struct macho_command command = { 0 };
	struct diag diag = { 0 };
	struct macho m;
	uint32_t n = 0;
	int err;

	err = macho_open(bytes, len, 0, "fuzz", &m, &diag);
	must(!err || (err == -EBADMSG && diag.text[0]));
	if (err)
		return;
	while (macho_next_command(&m, &command))
		touch(bytes + command.at, command.size);
	must(command.nr == m.nr_commands);
	while (macho_next_segment(&m, &segment))
		n += segment.nr_sections;
	while (macho_next_section(&m, &section))
		look_at_section(&m, &section);
	must(section.number == n);
	if (m.uuid)
		touch(m.uuid, MACHO_UUID);
	look_at_tables(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + !size);
	struct macho_slice s;
	struct macho_fat fat;
	uint32_t i;

	memcpy(copy, data, size);
	if (macho_identify(copy, size) != MACHO_FAT) {
		look_at_thin(copy, size);
	} else if (!macho_fat_open(copy, size, "fuzz", &fat, NULL)) {
		for (i = 0; i < fat.nr; i++) {
			macho_fat_get(&fat, i, &s);
			look_at_thin(copy + s.off, s.len);
		}
	}
	free(copy);
	return 0;
}
