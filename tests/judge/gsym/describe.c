// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what DWARF says about addresses, with elfutils' libdw and without code of ustack.
 * For each address on standard input it prints one line for each function of each unit that
 * contains it,
 *
 *	0xADDR TAB LINKAGE-NAME TAB NAME TAB FILE TAB LINE ...
 *
 * with the last four fields again for each function that it is inlined into, innermost
 * first. A file is "" if there is no row or no call site; an address outside all functions
 * is not printed.
 *
 * usage: describe FILE <ADDRESSES
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_DEPTH 256

static uint64_t *addrs;
static size_t nr_addrs;

struct chain {
	Dwarf_Die dies[MAX_DEPTH];	/* the function comes first */
	int nr;
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void read_addrs(void)
{
	size_t room = 0, i;
	uint64_t addr;

	while (scanf("%" SCNx64, &addr) == 1) {
		if (nr_addrs == room) {
			room = room ? 2 * room : 1024;
			addrs = realloc(addrs, room * sizeof(*addrs));
			if (!addrs)
				exit(1);
		}
		addrs[nr_addrs++] = addr;
	}
	qsort(addrs, nr_addrs, sizeof(*addrs), by_value);
	for (i = 1, room = nr_addrs != 0; i < nr_addrs; i++)
		if (addrs[i] != addrs[room - 1])
			addrs[room++] = addrs[i];
	nr_addrs = room;
}

static size_t first_from(uint64_t addr)
{
	size_t low = 0, high = nr_addrs, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (addrs[mid] < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

/* Finds the inlined calls in @die that contain @addr, and those inside them. */
static void descend(Dwarf_Die *die, uint64_t addr, struct chain *c)
{
	Dwarf_Die child;
	int tag;

	if (dwarf_child(die, &child))
		return;
	do {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
			continue;
		if (has_code(&child) && dwarf_haspc(&child, addr) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine && has_code(&child)) {
			if (c->nr == MAX_DEPTH)
				exit(1);
			c->dies[c->nr++] = child;
		}
		descend(&child, addr, c);
		if (tag == DW_TAG_inlined_subroutine)
			return;
	} while (!dwarf_siblingof(&child, &child));
}

static const char *text(Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	const char *ret = dwarf_formstring(dwarf_attr_integrate(die, attr, &a));

	return ret ? ret : "";
}

static void print_frame(Dwarf_Die *die, const char *file, int line)
{
	const char *linkage = text(die, DW_AT_linkage_name);

	if (!*linkage)
		linkage = text(die, DW_AT_MIPS_linkage_name);
	printf("\t%s\t%s\t%s\t%d", linkage, text(die, DW_AT_name), file ? file : "", line);
}

static Dwarf_Word number(Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	Dwarf_Word ret;

	return dwarf_formudata(dwarf_attr(die, attr, &a), &ret) ? 0 : ret;
}

static void print_chain(Dwarf_Die *unit, struct chain *c, uint64_t addr)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, addr);
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	Dwarf_Files *files = NULL;
	int line = 0;
	size_t nr;

	if (row)
		dwarf_lineno(row, &line);
	dwarf_getsrcfiles(unit, &files, &nr);
	printf("0x%" PRIx64, addr);
	while (c->nr-- > 0) {
		print_frame(&c->dies[c->nr], file, line);
		file = files ? dwarf_filesrc(files, number(&c->dies[c->nr], DW_AT_call_file),
					     NULL, NULL) : NULL;
		line = (int)number(&c->dies[c->nr], DW_AT_call_line);
	}
	printf("\n");
}

static void function(Dwarf_Die *unit, Dwarf_Die *die)
{
	static struct chain c;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	size_t i;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		for (i = first_from(start); i < nr_addrs && addrs[i] < end; i++) {
			c.dies[0] = *die;
			c.nr = 1;
			descend(die, addrs[i], &c);
			print_chain(unit, &c, addrs[i]);
		}
	}
}

static void walk(Dwarf_Die *unit, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram && has_code(&child))
			function(unit, &child);
		if (dwarf_tag(&child) != DW_TAG_inlined_subroutine)
			walk(unit, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	if (!dwarf) {
		fprintf(stderr, "describe: %s\n", argc == 2 ? argv[1] : "usage: describe FILE <ADDRESSES");
		return 1;
	}
	read_addrs();
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL))
		walk(&die, &die, 0);
	return 0;
}
