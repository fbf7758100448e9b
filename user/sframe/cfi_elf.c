// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens an ELF file from a path, a descriptor or memory with libelf, and finds and
 * unpacks its .eh_frame and .debug_frame. cfi.c calls it.
 */
#include "sframe/cfi_elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sframe/cfi.h"
#include "sframe/cfi_hdr.h"

static int refuse(const struct cfi_elf *e, u64 off, struct diag *diag,
		  const char *why)
{
	diag_set(diag, EBADMSG, e->name, "%s", why);
	if (diag)
		diag->offset = off;
	return -EBADMSG;
}

static int refuse_libelf(const struct cfi_elf *e, u64 off, struct diag *diag)
{
	return refuse(e, off, diag, elf_errmsg(-1));
}

static int check_header(struct cfi_elf *e, struct diag *diag)
{
	GElf_Ehdr eh;

	if (elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &eh))
		return refuse(e, 0, diag, "not an ELF file");
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return refuse(e, EI_CLASS, diag, "not a 64-bit little-endian ELF file");
	if (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)
		return refuse(e, offsetof(Elf64_Ehdr, e_type), diag,
			      "neither an executable nor a shared library");
	e->arch = ustack_arch_by_machine(eh.e_machine);
	if (!e->arch)
		return refuse(e, offsetof(Elf64_Ehdr, e_machine), diag,
			      "neither for x86-64 nor for AArch64");
	return 0;
}

int cfi_elf_open(struct cfi_elf *e, const char *path, struct diag *diag)
{
	int err;

	*e = (struct cfi_elf){ .name = path, .file = FILE_INIT };
	err = file_open(&e->file, path, diag);
	if (err)
		return err;
	elf_version(EV_CURRENT);
		/* read and not mapped: see file.h */
	if (e->file.pipe)
		e->elf = elf_memory((char *)e->file.pipe, e->file.size);
	else
		e->elf = elf_begin(e->file.fd, ELF_C_READ, NULL);
	return check_header(e, diag);
}

int cfi_elf_fd(struct cfi_elf *e, int fd, const char *name, struct diag *diag)
{
	struct stat st;

	*e = (struct cfi_elf){ .name = name, .file = FILE_INIT };
	e->file.path = name;
	e->file.fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (e->file.fd < 0 || fstat(fd, &st))
		return diag_errno(diag, errno, name);
	e->file.size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	e->elf = elf_begin(e->file.fd, ELF_C_READ, NULL);
	return check_header(e, diag);
}

int cfi_elf_memory(struct cfi_elf *e, const char *name, const void *image,
		   size_t len, struct diag *diag)
{
	*e = (struct cfi_elf){ .name = name, .file = FILE_INIT };
	e->image = malloc(len + !len);
	if (!e->image)
		return diag_errno(diag, ENOMEM, name);
	memcpy(e->image, image, len);
	elf_version(EV_CURRENT);
	e->elf = elf_memory((char *)e->image, len);
	return check_header(e, diag);
}

void cfi_elf_release(struct cfi_elf *e)
{
	elf_end(e->elf);
	free(e->image);
	file_release(&e->file);
	*e = (struct cfi_elf){ .file = FILE_INIT };
}

/* Refuses too large sections. Compressed ones are checked before they are unpacked. */
static int check_size(struct cfi_elf *e, u64 off, u64 size, struct diag *diag)
{
	if (size <= CFI_MAX_SECTION)
		return 0;
	return refuse(e, off, diag, "the section is larger than 1 GiB");
}

static int unpack(struct cfi_elf *e, Elf_Scn *scn, const GElf_Shdr *sh,
		  struct diag *diag)
{
	GElf_Chdr ch;
	int err;

	if (!gelf_getchdr(scn, &ch))
		return refuse_libelf(e, sh->sh_offset, diag);
	err = check_size(e, sh->sh_offset, ch.ch_size, diag);
	if (err)
		return err;
	return elf_compress(scn, 0, 0) < 0 ?
		       refuse_libelf(e, sh->sh_offset, diag) : 0;
}

/* The compressed form before SHF_COMPRESSED: "ZLIB", then 8 bytes of length, the
 * highest byte first.
 */
static int unpack_gnu(struct cfi_elf *e, Elf_Scn *scn, const GElf_Shdr *sh,
		      struct diag *diag)
{
	const Elf_Data *data = elf_rawdata(scn, NULL);
	u64 size;
	int err;

	if (!data || data->d_size < 12)
		return refuse(e, sh->sh_offset, diag, "the section is cut");
	memcpy(&size, (const u8 *)data->d_buf + 4, 8);
	err = check_size(e, sh->sh_offset, __builtin_bswap64(size), diag);
	if (err)
		return err;
	return elf_compress_gnu(scn, 0, 0) < 0 ?
		       refuse_libelf(e, sh->sh_offset, diag) : 0;
}

static int read_section(struct cfi_elf *e, Elf_Scn *scn, const GElf_Shdr *sh,
			const char *name, struct cfi_section *ret,
			struct diag *diag)
{
	const Elf_Data *data;
	int err;

	err = check_size(e, sh->sh_offset, sh->sh_size, diag);
	if (!err && sh->sh_flags & SHF_COMPRESSED)
		err = unpack(e, scn, sh, diag);
	else if (!err && name[1] == 'z')
		err = unpack_gnu(e, scn, sh, diag);
	if (err)
		return err;
	data = elf_getdata(scn, NULL);
	if (!data)
		return refuse_libelf(e, sh->sh_offset, diag);
	ret->bytes = data->d_buf;
	ret->len = data->d_buf ? (u32)data->d_size : 0;
	ret->vaddr = sh->sh_addr;
	return 1;
}

/* NULL if there is none. A section of type SHT_NOBITS has its bytes in another
 * file; it is found too, as it has a header.
 */
static Elf_Scn *find_section(struct cfi_elf *e, const char *const names[2],
			     GElf_Shdr *ret_sh, const char **ret_name)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t strings;

	if (elf_getshdrstrndx(e->elf, &strings) < 0)
		return NULL;
	while ((scn = elf_nextscn(e->elf, scn))) {
		if (!gelf_getshdr(scn, ret_sh))
			return NULL;
		name = elf_strptr(e->elf, strings, ret_sh->sh_name);
		if (!name || (strcmp(name, names[0]) && strcmp(name, names[1])))
			continue;
		*ret_name = name;
		return scn;
	}
	return NULL;
}

static int by_section(struct cfi_elf *e, const char *const names[2],
		      struct cfi_section *ret, struct diag *diag)
{
	const char *name;
	GElf_Shdr sh;
	Elf_Scn *scn = find_section(e, names, &sh, &name);

	if (!scn)
		return -ENOENT;
	return sh.sh_type == SHT_NOBITS ?
		       0 : read_section(e, scn, &sh, name, ret, diag);
}

static bool find_segment(struct cfi_elf *e, u32 type, u64 vaddr, GElf_Phdr *ret)
{
	size_t i, n;

	if (elf_getphdrnum(e->elf, &n) < 0)
		return false;
	for (i = 0; i < n && i < INT32_MAX; i++)
		if (gelf_getphdr(e->elf, (int)i, ret) && ret->p_type == type &&
		    (type != PT_LOAD || (vaddr >= ret->p_vaddr &&
		     vaddr - ret->p_vaddr < ret->p_filesz)))
			return true;
	return false;
}

static int read_range(struct cfi_elf *e, u64 off, u64 vaddr, u64 len,
		      struct cfi_section *ret, struct diag *diag)
{
	const Elf_Data *data;
	int err;

	err = check_size(e, off, len, diag);
	if (err)
		return err;
	data = elf_getdata_rawchunk(e->elf, (int64_t)off, len, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return refuse(e, off, diag, "the file ends within a segment");
	ret->bytes = data->d_buf;
	ret->len = (u32)len;
	ret->vaddr = vaddr;
	return 0;
}

/* Reads .eh_frame from the segment that .eh_frame_hdr points into. */
static int by_header(struct cfi_elf *e, struct cfi_section *ret,
		     struct diag *diag)
{
	struct cfi_section bytes = { .has_base = true };
	struct cfi_hdr hdr;
	const char *why;
	GElf_Phdr ph;
	u64 skip;
	int err;

	if (!find_segment(e, PT_GNU_EH_FRAME, 0, &ph))
		return 0;
	err = read_range(e, ph.p_offset, ph.p_vaddr, ph.p_filesz, &bytes, diag);
	if (err)
		return err;
	why = cfi_hdr_read(&bytes, &hdr);
	if (why)
		return refuse(e, ph.p_offset, diag, why);
	if (!find_segment(e, PT_LOAD, hdr.eh_frame, &ph))
		return refuse(e, ph.p_offset, diag, ".eh_frame is in no segment");
	skip = hdr.eh_frame - ph.p_vaddr;
	err = read_range(e, ph.p_offset + skip, hdr.eh_frame, ph.p_filesz - skip,
			 ret, diag);
	if (err)
		return err;
	ret->len = cfi_hdr_extent(ret->bytes, ret->len, ret->vaddr, &hdr);
	return 1;
}

int cfi_elf_eh_frame(struct cfi_elf *e, struct cfi_section *ret,
		     struct diag *diag)
{
	static const char *const names[2] = { ".eh_frame", ".eh_frame" };
	int err;

	*ret = (struct cfi_section){ .name = ".eh_frame" };
	err = by_section(e, names, ret, diag);
	return err == -ENOENT ? by_header(e, ret, diag) : err;
}

int cfi_elf_debug_frame(struct cfi_elf *e, struct cfi_section *ret,
			struct diag *diag)
{
	static const char *const names[2] = { ".debug_frame", ".zdebug_frame" };
	int err;

	*ret = (struct cfi_section){ .name = ".debug_frame", .debug = true };
	err = by_section(e, names, ret, diag);
	return err == -ENOENT ? 0 : err;
}
