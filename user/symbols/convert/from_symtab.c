// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the functions of ELF symbol tables for a GSYM file, and what a GSYM file needs of
 * the ELF headers. The file is read with libelf and not mapped, see the end of this file.
 */
#include "symbols/convert/from_symtab.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/convert/unxz.h"
#include "formats/dwarf/place.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/* Bytes of .gnu_debugdata, unpacked; the largest in distributions have some tens of MB. */
#define MAX_UNPACKED (256u << 20)

/* Added to the order of symbols of .dynsym: after those of other tables. */
#define DYNAMIC_ORDER (1ull << 32)

/* An ELF file being read, or the one unpacked from its .gnu_debugdata. */
struct source {
	Elf *elf;
	GElf_Half machine;
	const char *path;
	struct gsym_part *part;
	struct gsym_symtab *ret;
	size_t *labels_room;
	struct diag *diag;
	struct dwarf_place *place;	/* place of each section; NULL if the file is linked */
	size_t nr_place;
};

static int damaged(const struct source *s, const char *what)
{
	return diag_set(s->diag, EBADMSG, s->path, "%s: %s", what, elf_errmsg(-1));
}

void gsym_symtab_release(struct gsym_symtab *s)
{
	free(s->text);
	free(s->starts);
	free(s->labels);
	*s = (struct gsym_symtab){ 0 };
}

static bool is_function(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF &&
	       sym->st_name;
}

/*
 * Whether a symbol may name a place in code that is not a function. The mapping symbols
 * of assemblers ("$x", "$d.1") are excluded: they tell what kind of bytes follow.
 */
static bool is_label(const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_NOTYPE || type == STT_OBJECT) && name && name[0] &&
	       sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS &&
	       !(name[0] == '$' && name[1] && (!name[2] || name[2] == '.'));
}

static int add_label(const struct source *s, uint64_t addr)
{
	struct gsym_symtab *ret = s->ret;

	if (!ranges_find(ret->text, ret->nr_text, addr))
		return 0;
	if (!array_has_room(ret->labels, ret->nr_labels, *s->labels_room))
		return diag_errno(s->diag, ENOMEM, s->path);
	ret->labels[ret->nr_labels++] = addr;
	return 0;
}

static int add_symbol(const struct source *s, const GElf_Sym *sym, const char *name,
		      uint64_t order)
{
	struct gsym_new_function f = { .order = order };
	int err;

	/* bit 0 of an address says that its code is Thumb */
	f.range.start = s->machine == EM_ARM ? sym->st_value & ~1ull : sym->st_value;
	if (__builtin_add_overflow(f.range.start, sym->st_size, &f.range.end))
		f.range.end = f.range.start;
	err = gsym_part_string(s->part, name, strlen(name), &f.name);
	if (!err && f.name)
		err = gsym_part_add(s->part, &f);
	return err ? diag_errno(s->diag, -err, s->path) : 0;
}

/* Turns an offset in a section into an address. Return: false if it is not in code. */
static bool place_symbol(const struct source *s, GElf_Word section, GElf_Sym *sym)
{
	const struct dwarf_place *p;

	if (section >= s->nr_place)
		return false;
	p = &s->place[section];
	if (!p->has_code || sym->st_value >= p->size)
		return false;
	/* bytes after the section's end belong to another section */
	if (sym->st_size > p->size - sym->st_value)
		sym->st_size = p->size - sym->st_value;
	sym->st_value += p->addr;
	return true;
}

/* The table of section numbers that do not fit a symbol, or NULL. */
static Elf_Data *find_numbers(const struct source *s, Elf_Scn *table)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(s->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB_SHNDX &&
		    sh.sh_link == elf_ndxscn(table))
			return elf_getdata(scn, NULL);
	return NULL;
}

/* @name: NULL if it cannot be read. Return: 1 for a function, 0, or a negative errno. */
static int take_symbol(const struct source *s, const GElf_Sym *sym, const char *name,
		       uint64_t order)
{
	int err;

	if (!is_function(sym))
		return is_label(sym, name) ? add_label(s, sym->st_value) : 0;
	if (!name)
		return damaged(s, "name of a symbol");
	err = add_symbol(s, sym, name, order);
	return err ? err : 1;
}

static int add_table(const struct source *s, Elf_Scn *scn, const GElf_Shdr *sh,
		     uint64_t order, uint64_t *count)
{
	Elf_Data *numbers = s->place ? find_numbers(s, scn) : NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, nr = gelf_fsize(s->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Word number;
	GElf_Sym sym;
	int err;

	if (!data || !nr)
		return damaged(s, "symbol table");
	nr = data->d_size / nr;
	for (i = 1; i < nr; i++) {
		if (!gelf_getsymshndx(data, numbers, (int)i, &sym, &number))
			return damaged(s, "symbol");
		if (sym.st_shndx != SHN_XINDEX)
			number = sym.st_shndx < SHN_LORESERVE ? sym.st_shndx : SHN_UNDEF;
		if (s->place && !place_symbol(s, number, &sym))
			continue;
		err = take_symbol(s, &sym, elf_strptr(s->elf, sh->sh_link, sym.st_name), order + i);
		if (err < 0)
			return err;
		*count += (unsigned int)err;
	}
	return 0;
}

/* Finds the first section of a type. */
static Elf_Scn *find_type(const struct source *s, GElf_Word type, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(s->elf, scn)))
		if (gelf_getshdr(scn, sh) && sh->sh_type == type)
			return scn;
	return NULL;
}

static Elf_Scn *find_name(const struct source *s, const char *want)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;
	size_t names;

	if (elf_getshdrstrndx(s->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(s->elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(s->elf, names, sh.sh_name) : NULL;
		if (name && !strcmp(name, want) && sh.sh_type == SHT_PROGBITS)
			return scn;
	}
	return NULL;
}

/* Adds the functions of the first table of a type. @there: whether there is one. */
static int add_type(const struct source *s, GElf_Word type, uint64_t order,
		    uint64_t *count, bool *there)
{
	Elf_Scn *scn;
	GElf_Shdr sh;

	scn = find_type(s, type, &sh);
	*there = scn;
	return scn ? add_table(s, scn, &sh, order, count) : 0;
}

/* .gnu_debugdata is an xz-compressed ELF file with symbols that .dynsym does not have. */
static int add_packed(const struct source *s, struct gsym_symtab *ret)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	Elf_Scn *scn = find_name(s, ".gnu_debugdata");
	struct source inner = *s;
	Elf_Data *data;
	size_t len;
	bool there;
	int err;

	if (!scn || s->place)
		return 0;
	data = elf_rawdata(scn, NULL);
	if (!data)
		return damaged(s, ".gnu_debugdata");
	err = unxz(data->d_buf, data->d_size, MAX_UNPACKED, &bytes, &len);
	if (err)
		return diag_set(s->diag, -err, s->path, ".gnu_debugdata: %s",
				err == -EBADMSG ? "not what xz packs" : strerror(-err));
	inner.elf = elf_memory((char *)bytes, len);
	if (!inner.elf || elf_kind(inner.elf) != ELF_K_ELF)
		err = damaged(s, ".gnu_debugdata: no ELF file");
	else
		err = add_type(&inner, SHT_SYMTAB, 0, &ret->packed, &there);
	elf_end(inner.elf);
	return err;
}

/* Gives addresses to the sections of a relocatable file. */
static int place_text(struct source *s)
{
	Elf_Scn *scn = NULL;
	struct dwarf_place *p;
	const char *name;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrnum(s->elf, &s->nr_place) || elf_getshdrstrndx(s->elf, &names))
		return damaged(s, "section headers");
	s->place = calloc(s->nr_place + 1, sizeof(*s->place));
	if (!s->place)
		return diag_errno(s->diag, ENOMEM, s->path);
	while ((scn = elf_nextscn(s->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return damaged(s, "section header");
		name = elf_strptr(s->elf, names, sh.sh_name);
		p = &s->place[elf_ndxscn(scn)];
		*p = (struct dwarf_place){
			.flags = sh.sh_flags, .size = sh.sh_size, .align = sh.sh_addralign,
			.is_dot_text = name && !strcmp(name, ".text"),
		};
	}
	if (!dwarf_place(s->place, s->nr_place))
		return diag_set(s->diag, EBADMSG, s->path, DWARF_NO_PLACE);
	return 0;
}

static int take_text(const struct source *s, struct gsym_symtab *ret)
{
	size_t room = 0, ends_room = 0;
	Elf_Scn *scn = NULL;
	struct range r;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(s->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return damaged(s, "section header");
		r.start = s->place ? s->place[elf_ndxscn(scn)].addr : sh.sh_addr;
		r.end = r.start;
		if (!(sh.sh_flags & SHF_ALLOC) || !(sh.sh_flags & SHF_EXECINSTR) ||
		    __builtin_add_overflow(r.start, sh.sh_size, &r.end) || r.start == r.end)
			continue;
		if (!array_has_room(ret->text, ret->nr_text, room) ||
		    !array_has_room(ret->starts, ret->nr_starts, ends_room))
			return diag_errno(s->diag, ENOMEM, s->path);
		ret->text[ret->nr_text++] = r;
		ret->starts[ret->nr_starts++] = r.end;
	}
	ret->nr_text = ranges_join(ret->text, ret->nr_text);
	return 0;
}

static int take_base(const struct source *s, struct gsym_symtab *ret)
{
	size_t i, nr;
	GElf_Phdr ph;

	if (elf_getphdrnum(s->elf, &nr))
		return damaged(s, "program headers");
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(s->elf, (int)i, &ph))
			return damaged(s, "program header");
		if (ph.p_type == PT_LOAD) {
			ret->base = ph.p_vaddr;
			break;
		}
	}
	return 0;
}

static void take_build_id(const struct source *s, struct gsym_symtab *ret)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(s->elf, &id);

	if (len <= 0)
		return;
	ret->uuid_len = len < (ssize_t)GSYM_MAX_UUID ? (uint8_t)len : GSYM_MAX_UUID;
	memcpy(ret->uuid, id, ret->uuid_len);
}

static int read_elf(struct source *s, struct gsym_symtab *ret)
{
	GElf_Ehdr ehdr;
	bool there;
	int err;

	if (elf_kind(s->elf) != ELF_K_ELF || !gelf_getehdr(s->elf, &ehdr))
		return diag_set(s->diag, EBADMSG, s->path, "not an ELF file");
	s->machine = ehdr.e_machine;
	ret->big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	err = ehdr.e_type == ET_REL ? place_text(s) : 0;
	if (!err)
		err = take_text(s, ret);
	if (!err)
		err = take_base(s, ret);
	if (err)
		return err;
	take_build_id(s, ret);
	err = add_type(s, SHT_SYMTAB, 0, &ret->symbols, &there);
	if (err || there)
		return err;
	err = add_type(s, SHT_DYNSYM, DYNAMIC_ORDER, &ret->dynamic, &there);
	return err ? err : add_packed(s, ret);
}

int gsym_from_symtab(const char *path, struct gsym_part *part, struct gsym_symtab *ret,
		     struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	size_t labels_room = 0;
	struct source s = {
		.path = path, .part = part, .ret = ret, .labels_room = &labels_room, .diag = diag,
	};
	int err;

	*ret = (struct gsym_symtab){ 0 };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return diag_set(diag, EINVAL, path, "another version of libelf");
	err = file_open(&file, path, diag);
	if (err)
		return err;
	/* not mapped: truncating a mapped file would kill its reader */
	s.elf = file.pipe ? elf_memory((char *)file.pipe, file.size) :
		elf_begin(file.fd, ELF_C_READ, NULL);
	err = s.elf ? read_elf(&s, ret) :
		diag_set(diag, EBADMSG, path, "not an ELF file: %s", elf_errmsg(-1));
	elf_end(s.elf);
	free(s.place);
	if (err)
		gsym_symtab_release(ret);
	return err;
}
