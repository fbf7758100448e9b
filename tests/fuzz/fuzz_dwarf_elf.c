// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files with DWARF: finding sections, unpacking, relocations, and reading all units.
 */
#include "dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct dwarf_object *o;
	struct dwarf_section s;
	uint8_t *copy;
	int err;

	if (!size)
		return 0;
	copy = malloc(size);
	memcpy(copy, data, size);
	err = dwarf_object_open_bytes(copy, size, "fuzz", &o, &diag);
	must(!err || err == -EBADMSG);
	must(!err || diag.text[0]);
	if (!err) {
		convert_object(o);
		err = dwarf_object_section(o, ".sframe", &s, &diag);
		must(!err || (err == -EBADMSG && diag.text[0]));
		dwarf_section_release(&s);
		dwarf_object_close(o);
	}
	free(copy);
	return 0;
}
