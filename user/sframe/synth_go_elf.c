// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds Go's table of functions in a file by section names or by its first bytes, finds the
 * start of the text in the runtime's module data, and reads both. synth_go.c and
 * user/symbols/convert call it.
 */
#include "sframe/synth_go_elf.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/synth_go_image.h"

/* Most places that are tried as the module's description, and as a table. For each table
 * all bytes up to the segment's end are read.
 */
#define TRIES 16
#define TABLE_TRIES 4

/* Words in struct moduledata, since Go 1.16, counted from the table's address, which is the
 * first word. Six slices are between it and these.
 */
#define MODULE_MINPC 20u
#define MODULE_MAXPC 21u
#define MODULE_TEXT 22u

static u32 quantum_of(const struct ustack_elf *elf)
{
	return elf->arch == &ustack_arch_aarch64 ? 4 : 1;
}

/* Reads @size bytes and tries to open them as a table. */
static int take_table(struct go_file *f, const struct go_image *m, u64 vaddr, u64 size,
		      const char **why)
{
	if (size > GOPCLN_MAX) {
		*why = "Go's table is larger than 1 GiB";
		return 0;
	}
	free(f->table_bytes);
	f->table_bytes = malloc(size + !size);
	if (!f->table_bytes)
		return -ENOMEM;
	if (!go_image_read(m, vaddr, f->table_bytes, size)) {
		*why = "Go's table is not in the file";
		return 0;
	}
	*why = gopcln_open(&f->table, f->table_bytes, size, quantum_of(m->elf));
	return !*why;
}

/* Result of a look at the names of the sections. */
enum sections {
	NOT_GO,
	MAY_BE_GO,	/* there are no section headers */
	IS_GO,		/* but its table has no section of its own */
	HAS_TABLE,
};

static enum sections see_name(const char *name, const GElf_Shdr *sh)
{
	if (!name || (sh->sh_type != SHT_PROGBITS && sh->sh_type != SHT_NOTE))
		return NOT_GO;
	if (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab"))
		return HAS_TABLE;
	return !strcmp(name, ".note.go.buildid") || !strcmp(name, ".go.buildinfo") ?
		       IS_GO : NOT_GO;
}

/* C linkers put all that is relocated and read only into one section, so that names differ. */
static enum sections see_sections(int fd, GElf_Shdr *ret)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	enum sections seen = NOT_GO, now;
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf && !elf_getshdrnum(elf, &names) && !names)
		seen = MAY_BE_GO;
	if (elf && !elf_getshdrstrndx(elf, &names))
		while (seen != HAS_TABLE && (scn = elf_nextscn(elf, scn)) &&
		       gelf_getshdr(scn, ret)) {
			now = see_name(elf_strptr(elf, names, ret->sh_name), ret);
			seen = now > seen ? now : seen;
		}
	elf_end(elf);
	return seen;
}

/* Number of bytes from @vaddr to the end of the segment's bytes in the file. */
static u64 bytes_from(const struct ustack_elf *elf, u64 vaddr)
{
	const struct ustack_segment *s = elf->segments;
	unsigned int i;

	for (i = 0; i < elf->nr_segments; i++, s++)
		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->filesz)
			return s->filesz - (vaddr - s->vaddr);
	return 0;
}

static int search_layout(struct go_file *f, const struct go_image *m, u64 *vaddr,
			 u64 start)
{
	const char *why;
	u64 at[TABLE_TRIES];
	int i, nr = go_image_find(m, start, at, TABLE_TRIES), found = nr < 0 ? nr : 0;

	for (i = 0; i < nr && !found; i++) {
		*vaddr = at[i];
		found = take_table(f, m, at[i], bytes_from(m->elf, at[i]), &why);
	}
	return found;
}

static int search_table(struct go_file *f, const struct go_image *m, u64 *vaddr)
{
	static const u32 magics[] = { 0xfffffff1, 0xfffffff0, 0xfffffffa, 0xfffffffb };
	u64 behind = (u64)quantum_of(m->elf) << 48 | 8ull << 56;
	unsigned int i;
	int found = 0;

	for (i = 0; i < sizeof(magics) / sizeof(*magics) && !found; i++)
		found = search_layout(f, m, vaddr, behind | magics[i]);
	return found;
}

/* Return: 1, 0 if there is no usable table, or -ENOMEM. */
static int find_table(struct go_file *f, const struct go_image *m, u64 *vaddr,
		      const char **why)
{
	GElf_Shdr sh;
	enum sections seen = see_sections(m->fd, &sh);
	int found = 0;

	if (seen == HAS_TABLE) {
		*vaddr = sh.sh_addr;
		return take_table(f, m, sh.sh_addr, sh.sh_size, why);
	}
	if (seen != NOT_GO)
		found = search_table(f, m, vaddr);
	if (!found && seen == IS_GO)
		*why = "it is Go's, but has no table of functions";
	return found;
}

static bool is_text(const struct go_file *f, const struct ustack_elf *elf, u64 bias)
{
	u64 start = bias + gopcln_first(&f->table), end = bias + gopcln_end(&f->table);
	unsigned int i;

	for (i = 0; i < elf->nr_text; i++)
		if (start >= elf->text[i].start && start <= end &&
		    end <= elf->text[i].end)
			return true;
	return false;
}

/* Whether the module's description is at @at, checked by its contents; @ret: start of text. */
static bool module_text(const struct go_file *f, const struct go_image *m, u64 at,
			u64 *ret)
{
	u64 min, max, text;

	if (!go_image_word(m, at + 8 * MODULE_MINPC, &min) ||
	    !go_image_word(m, at + 8 * MODULE_MAXPC, &max) ||
	    !go_image_word(m, at + 8 * MODULE_TEXT, &text) ||
	    min - text != gopcln_first(&f->table) ||
	    max - text != gopcln_end(&f->table))
		return false;
	*ret = text;
	return true;
}

static int search_module(const struct go_file *f, const struct go_image *m, u64 vaddr,
			 u64 *ret)
{
	u64 at[TRIES];
	int i, nr = go_image_find(m, vaddr, at, TRIES);

	for (i = 0; i < nr; i++)
		if (module_text(f, m, at[i], ret))
			return 1;
	return nr < 0 ? nr : 0;
}

/* Return: as find_table(). */
static int find_text(struct go_file *f, const struct go_image *m, u64 vaddr,
		     const char **why)
{
	int found = 1;

	if (f->table.layout >= GOPCLN_1_18 &&
	    (!go_image_word(m, vaddr + GOPCLN_START + 8 * 2, &f->bias) || !f->bias))
		found = search_module(f, m, vaddr, &f->bias);
	if (found < 0)
		return found;
	if (!found)
		*why = "the start of the text of Go's table is unknown";
	else if (!is_text(f, m->elf, f->bias))
		*why = "the text of Go's table is not executable";
	return !*why;
}

static int read_code(struct go_file *f, const struct go_image *m, const char **why)
{
	u64 len;

	f->text.start = f->bias + gopcln_first(&f->table);
	f->text.end = f->bias + gopcln_end(&f->table);
	len = f->text.end - f->text.start;
	if (len > GOPCLN_MAX) {
		*why = "the text of Go's table is larger than 1 GiB";
		return 0;
	}
	f->code_bytes = malloc(len + !len);
	if (!f->code_bytes)
		return -ENOMEM;
	f->code = f->code_bytes;
	if (go_image_read(m, f->text.start, f->code_bytes, len))
		return 1;
	*why = "the text of Go's table is not in the file";
	return 0;
}

int go_file_open(struct go_file *f, int fd, const struct ustack_elf *elf,
		 const char **why)
{
	struct go_image m = { .fd = fd, .elf = elf };
	u64 vaddr = 0;
	int found;

	*why = NULL;
	*f = (struct go_file){ .bias = 0 };
	elf_version(EV_CURRENT);
	found = find_table(f, &m, &vaddr, why);
	if (found > 0 && go_image_relocate(&m))
		found = -ENOMEM;
	if (found > 0)
		found = find_text(f, &m, vaddr, why);
	if (found > 0)
		found = read_code(f, &m, why);
	go_image_release(&m);
	return found;
}

void go_file_release(struct go_file *f)
{
	free(f->table_bytes);
	free(f->code_bytes);
	*f = (struct go_file){ .bias = 0 };
}
