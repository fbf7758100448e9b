// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line table. The first byte: 1: other byte order, 2: addresses of four bytes.
 */
#include "dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwarf_object o = { .path = "fuzz", .elf64 = true };
	struct dwarf_unit u = { .o = &o, .has_lines = true, .comp_dir = "/c" };
	struct dwarf_lines l = { 0 };
	struct dwarf_path path;
	struct diag diag;
	uint8_t *copy;
	int64_t n;
	size_t i;

	if (!size)
		return 0;
	copy = malloc(size);
	memcpy(copy, data + 1, size - 1);
	o.swap = data[0] & 1;
	u.version = 4;
	u.sizes = (struct dwarf_sizes){ data[0] & 2 ? 4 : 8, 4, 4 };
	o.section[DWARF_LINE] = (struct dwarf_section){ .data = copy, .size = size - 1 };
	o.section[DWARF_LINE_STR] = o.section[DWARF_STR] = o.section[DWARF_LINE];
	/* twice: nothing of the first pass may remain */
	for (i = 0; i < 2; i++) {
		n = dwarf_lines_read(&l, &u, &diag);
		must(n >= 0 || n == -EBADMSG);
		if (n >= 0)
			check_lines(&l);
	}
	for (i = 0; n >= 0 && i <= l.nr_files + 1; i++)
		if (dwarf_lines_file(&l, i, &path))
			must(path.name);
	dwarf_lines_release(&l);
	free(copy);
	return 0;
}
