// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens relocatable files, which libdwfl relocates. As their sections have no addresses
 * yet, code is placed as Documentation/formats/gsym.md says. This is written a second
 * time on purpose: dwarf_place() of the converter is what is being checked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/convert/verify_dwarf.h"
#include "util/poison.h"

/* More than the size of any file; two of them can be added without overflow. */
#define ALL_CODE (1ull << 62)

static bool has_code(const GElf_Shdr *h)
{
	return h->sh_flags & SHF_ALLOC && h->sh_flags & SHF_EXECINSTR && h->sh_size;
}

static bool place(struct verify_dwarf *d, size_t i, const GElf_Shdr *h, uint64_t *at)
{
	uint64_t align = h->sh_addralign;

	if (!align || align & (align - 1))
		align = 1;
	if (align > ALL_CODE || h->sh_size > ALL_CODE || *at > ALL_CODE)
		return false;
	d->places[i] = (*at + align - 1) & ~(align - 1);
	*at = d->places[i] + h->sh_size;
	return true;
}

/* Places .text if @text, else all other sections with code. */
static bool place_some(struct verify_dwarf *d, size_t names, bool text, uint64_t *at)
{
	Elf_Scn *s = NULL;
	const char *name;
	GElf_Shdr h;

	while ((s = elf_nextscn(d->elf, s))) {
		if (!gelf_getshdr(s, &h) || !has_code(&h) || elf_ndxscn(s) >= d->nr_places)
			continue;
		name = elf_strptr(d->elf, names, h.sh_name);
		if ((name && !strcmp(name, ".text")) == text &&
		    !place(d, elf_ndxscn(s), &h, at))
			return false;
	}
	return true;
}

static int place_code(struct verify_dwarf *d)
{
	uint64_t at = 0;
	size_t names;

	if (elf_getshdrnum(d->elf, &d->nr_places) || elf_getshdrstrndx(d->elf, &names))
		return -EBADMSG;
	d->places = calloc(d->nr_places + 1, sizeof(*d->places));
	if (!d->places)
		return -ENOMEM;
	return place_some(d, names, true, &at) && place_some(d, names, false, &at) ?
		       0 : -EBADMSG;
}

static int section_address(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
			   const char *section, GElf_Word index, const GElf_Shdr *h,
			   Dwarf_Addr *ret)
{
	const struct verify_dwarf *d = *user;

	*ret = index < d->nr_places ? d->places[index] : 0;
	return 0;
}

/* Opens the file a second time: libdwfl writes to its copy. */
static int find_elf(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	const struct verify_dwarf *d = *user;
	int fd = dup(d->fd);

	*path = strdup(d->path);
	*elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	return fd;
}

static int find_no_other(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
			 const char *path, const char *link, GElf_Word crc, char **ret)
{
	return -1;
}

static Dwarf *relocated(struct verify_dwarf *d)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf,
		.find_debuginfo = find_no_other,
		.section_address = section_address,
	};
	Dwfl_Module *m;
	Dwarf_Addr bias = 0;
	Dwarf *dw;
	void **user;

	d->dwfl = dwfl_begin(&callbacks);
	if (!d->dwfl)
		return NULL;
	dwfl_report_begin(d->dwfl);
	m = dwfl_report_module(d->dwfl, d->path, 0, ALL_CODE);
	if (!m || dwfl_report_end(d->dwfl, NULL, NULL))
		return NULL;
	dwfl_module_info(m, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	*user = d;
	dw = dwfl_module_getdwarf(m, &bias);
	return bias ? NULL : dw;
}

int verify_relocatable_open(struct verify_dwarf *d, struct diag *diag)
{
	int err = place_code(d);

	if (err == -EBADMSG)
		return diag_set(diag, EBADMSG, d->path, "damaged section headers");
	if (err)
		return diag_errno(diag, ENOMEM, d->path);
	d->dw = relocated(d);
	if (d->dw)
		return 0;
	return diag_set(diag, ENODATA, d->path, "no DWARF that can be read: %s",
			dwfl_errmsg(-1));
}
