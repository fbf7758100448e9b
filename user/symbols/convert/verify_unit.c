// SPDX-License-Identifier: GPL-2.0-only
/* Names, line rows and files of a unit, read with libdw. */
#include <dwarf.h>

#include "symbols/convert/verify_dwarf.h"
#include "util/poison.h"

static const char *find_string(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	const char *s = dwarf_formstring(dwarf_attr_integrate(die, name, &attr));

	return s && *s ? s : NULL;
}

const char *verify_name(Dwarf_Die *die)
{
	const char *s = find_string(die, DW_AT_linkage_name);

	if (!s)
		s = find_string(die, DW_AT_MIPS_linkage_name);
	return s ? s : find_string(die, DW_AT_name);
}

uint64_t verify_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dwarf_formudata(dwarf_attr(die, name, &attr), &v) ? 0 : v;
}

void verify_unit_read(struct verify_unit *u)
{
	if (u->is_read)
		return;
	u->is_read = true;
	if (dwarf_getsrclines(&u->die, &u->lines, &u->nr_lines))
		u->nr_lines = 0;
	if (dwarf_getsrcfiles(&u->die, &u->files, &u->nr_files))
		u->nr_files = 0;
}

static uint64_t row_addr(const struct verify_unit *u, size_t i)
{
	Dwarf_Addr addr;

	return dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &addr) ? 0 : addr;
}

size_t verify_unit_above(const struct verify_unit *u, uint64_t addr)
{
	size_t lo = 0, hi = u->nr_lines, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (row_addr(u, mid) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_end(const struct verify_unit *u, size_t i)
{
	bool end;

	return dwarf_lineendsequence(dwarf_onesrcline(u->lines, i), &end) || end;
}

/*
 * libdw sorts the end of a sequence before other rows of the same address, and does not
 * tell the sequence of a row. So where one sequence ends and another starts, the last row
 * may belong to the former and have no code.
 */
size_t verify_unit_rows(const struct verify_unit *u, uint64_t addr, size_t *first)
{
	size_t end = verify_unit_above(u, addr), i;
	uint64_t at;

	*first = end;
	if (!end || is_end(u, end - 1))
		return 0;
	*first = end - 1;
	at = row_addr(u, *first);
	for (i = end - 1; i && row_addr(u, i - 1) == at; i--) {
		if (is_end(u, i - 1)) {
			*first = i;
			break;
		}
	}
	return end - *first;
}

bool verify_unit_may_end(const struct verify_unit *u, size_t first)
{
	uint64_t at = row_addr(u, first);

	for (; first && row_addr(u, first - 1) == at; first--)
		if (is_end(u, first - 1))
			return true;
	return false;
}

void verify_unit_path(const struct verify_unit *u, const char *path, struct gsym_frame *ret)
{
	bool relative = path && *path != '/';

	ret->dir = relative && u->comp_dir ? u->comp_dir : "";
	ret->file = path ? path : "";
}

void verify_unit_file(const struct verify_unit *u, uint64_t index, struct gsym_frame *ret)
{
	const char *path = NULL;

	if (index < u->nr_files)
		path = dwarf_filesrc(u->files, index, NULL, NULL);
	/* up to version 4 there is no file 0; libdw names it "???" */
	if (!index && path && *path == '?')
		path = NULL;
	verify_unit_path(u, path, ret);
}
