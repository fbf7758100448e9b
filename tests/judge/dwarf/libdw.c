// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what elfutils' libdw reads in a file, in the form of say.h. Only
 * entries without code are left out: the comparing program knows what else
 * ustack leaves out.
 *
 * Sections with code of a relocatable file are placed as
 * Documentation/formats/gsym.md says: .text at 0, the others after it.
 *
 * usage: libdw FILE
 */
#include "say.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#define MAX_SECTIONS 65536
static Dwarf_Addr place[MAX_SECTIONS];
static const char *path;

static void fail(const char *why)
{
	fprintf(stderr, "libdw: %s: %s\n", path, why);
	exit(2);
}

static void place_code(Elf *elf)
{
	Elf_Scn *s;
	GElf_Shdr h;
	Dwarf_Addr at = 0;
	size_t names;
	int first;

	if (elf_getshdrstrndx(elf, &names))
		fail("no names of sections");
	for (first = 1; first >= 0; first--) {
		for (s = NULL; (s = elf_nextscn(elf, s));) {
			const char *name;

			if (!gelf_getshdr(s, &h) || !(h.sh_flags & SHF_ALLOC) ||
			    !(h.sh_flags & SHF_EXECINSTR) || elf_ndxscn(s) >= MAX_SECTIONS)
				continue;
			name = elf_strptr(elf, names, h.sh_name);
			if ((name && !strcmp(name, ".text")) != first)
				continue;
			if (h.sh_addralign)
				at = (at + h.sh_addralign - 1) / h.sh_addralign * h.sh_addralign;
			place[elf_ndxscn(s)] = at;
			at += h.sh_size;
		}
	}
}

static int section_address(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
			   const char *section, GElf_Word index, const GElf_Shdr *h,
			   Dwarf_Addr *addr)
{
	*addr = index < MAX_SECTIONS ? place[index] : 0;
	return 0;
}

static int find_elf(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
		    char **file, Elf **elf)
{
	int fd = open(path, O_RDONLY);

	*file = strdup(path);
	*elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	return fd;
}

static int find_debuginfo(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **ret)
{
	return -1;
}

static Dwarf *open_relocatable(Elf *elf)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf, .find_debuginfo = find_debuginfo,
		.section_address = section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *m;
	Dwarf_Addr bias;
	Dwarf *ret;

	place_code(elf);
	dwfl_report_begin(dwfl);
	m = dwfl_report_module(dwfl, "file", 0, 1ull << 40);
	dwfl_report_end(dwfl, NULL, NULL);
	ret = dwfl_module_getdwarf(m, &bias);
	if (!ret || bias)
		fail(ret ? "a bias" : dwfl_errmsg(-1));
	return ret;
}

static const char *string(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &a));
}

static const char *name_of(Dwarf_Die *die)
{
	const char *s = string(die, DW_AT_linkage_name);

	if (!s)
		s = string(die, DW_AT_MIPS_linkage_name);
	if (!s)
		s = string(die, DW_AT_name);
	return s ? s : "";
}

static uint64_t number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return dwarf_formudata(dwarf_attr(die, name, &a), &v) ? 0 : v;
}

struct unit {
	const char *comp_dir;
	Dwarf_Files *files;
	Dwarf_Lines *lines;
	size_t nr_files, nr_lines;
};

static void say_file(const struct unit *u, uint64_t i)
{
	const char *s = i < u->nr_files ? dwarf_filesrc(u->files, i, NULL, NULL) : NULL;

	/* in version 4, 0 is no file; libdw has this name for it */
	if (s && !strcmp(s, "???"))
		s = NULL;
	if (s && *s != '/' && u->comp_dir)
		printf("%s/", u->comp_dir);
	printf("%s", s ? s : "");
}

static bool is_end(const struct unit *u, size_t i)
{
	bool end;

	return dwarf_lineendsequence(dwarf_onesrcline(u->lines, i), &end) || end;
}

/*
 * Whether it is in doubt if row @i belongs to a sequence. libdw sorts rows by
 * address: if a sequence ends at an address, it is not known whether other rows
 * with the same address are in it, or start another one.
 */
static bool in_doubt(const struct unit *u, size_t i)
{
	Dwarf_Addr at, addr;

	dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &at);
	for (; !dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &addr) && addr == at; i--)
		if (is_end(u, i) || !i)
			return is_end(u, i);
	return false;
}

/* Prints rows from the one that contains @start. */
static void say_rows(const struct unit *u, uint64_t start, uint64_t end)
{
	size_t i, first = u->nr_lines;
	Dwarf_Addr addr;

	for (i = 0; i < u->nr_lines; i++) {
		dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &addr);
		if (addr >= end)
			break;
		if (addr <= start || first == u->nr_lines)
			first = i;
	}
	end = i;
	if (first < end && in_doubt(u, first))
		return;
	for (i = first; i < end; i++) {
		Dwarf_Line *l = dwarf_onesrcline(u->lines, i);
		const char *src = dwarf_linesrc(l, NULL, NULL);
		int line = 0;

		dwarf_lineaddr(l, &addr);
		dwarf_lineno(l, &line);
		if (is_end(u, i))
			return;
		say_row('R', addr < start ? start : addr,
			src && *src == '/' ? "" : u->comp_dir, "", src, (unsigned int)line);
	}
}

static void say_ranges(Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	const char *comma = "";
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		printf("%s%" PRIx64 "-%" PRIx64, comma, (uint64_t)start, (uint64_t)end);
		comma = ",";
	}
	if (at < 0)
		fail(dwarf_errmsg(-1));
}

/* Prints calls and sites, also those in blocks, but not those of nested functions. */
static void say_inside(Dwarf_Die *parent, const struct unit *u, unsigned int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, origin;
	Dwarf_Addr pc;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		switch (tag) {
		case DW_TAG_inlined_subroutine:
			printf("C\t%u\t", depth);
			say_ranges(&die);
			putchar('\t');
			say_file(u, number(&die, DW_AT_call_file));
			printf("\t%" PRIu64 "\t%s\n", number(&die, DW_AT_call_line),
			       name_of(&die));
			say_inside(&die, u, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			say_inside(&die, u, depth);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			if (dwarf_formaddr(dwarf_attr(&die, tag == DW_TAG_call_site ?
						      DW_AT_call_return_pc : DW_AT_low_pc,
						      &attr), &pc) ||
			    dwarf_hasattr(&die, DW_AT_call_tail_call) ||
			    dwarf_hasattr(&die, DW_AT_GNU_tail_call))
				break;
			printf("S\t%" PRIx64 "\t%s\n", (uint64_t)pc,
			       dwarf_formref_die(dwarf_attr(&die, tag == DW_TAG_call_site ?
							    DW_AT_call_origin :
							    DW_AT_abstract_origin, &attr),
						 &origin) ? name_of(&origin) : "");
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

/* Prints a function once for each of its ranges. */
static void say_function(Dwarf_Die *die, const struct unit *u)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		printf("F\t%" PRIx64 "\t%" PRIx64 "\t%s\n", (uint64_t)start, (uint64_t)end,
		       name_of(die));
		say_inside(die, u, 1);
		say_rows(u, start, end);
	}
}

static void say_functions(Dwarf_Die *parent, const struct unit *u)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram &&
		    (dwarf_hasattr(&die, DW_AT_low_pc) || dwarf_hasattr(&die, DW_AT_ranges)))
			say_function(&die, u);
		say_functions(&die, u);
	} while (!dwarf_siblingof(&die, &die));
}

int main(int argc, char **argv)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split, *of;
	Dwarf_Attribute attr;
	struct unit u;
	GElf_Ehdr h;
	Dwarf *dw;
	Elf *elf;

	if (argc != 2)
		return 2;
	path = argv[1];
	elf_version(EV_CURRENT);
	elf = elf_begin(open(path, O_RDONLY), ELF_C_READ_MMAP, NULL);
	if (!gelf_getehdr(elf, &h))
		return 2;
	dw = h.e_type == ET_REL ? open_relocatable(elf) :
				  dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	while (!dwarf_get_units(dw, cu, &cu, NULL, NULL, &die, &split)) {
		of = split.addr ? &split : &die;
		u = (struct unit){ .comp_dir = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir,
									   &attr)) };
		if (dwarf_getsrcfiles(of, &u.files, &u.nr_files))
			u.nr_files = 0;
		if (dwarf_getsrclines(of, &u.lines, &u.nr_lines))
			u.nr_lines = 0;
		printf("U\t%" PRIx64 "\n", number(&die, DW_AT_stmt_list));
		say_functions(of, &u);
	}
	return 0;
}
