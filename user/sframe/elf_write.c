// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a section to a file. The parts of the ELF file, in order:
 *
 *   ELF header, program headers
 *   .sframe             its offset equals its address modulo the page size
 *   names, section headers
 *   a hole for every range of text, its offset chosen in the same way
 */
#include "sframe/elf_write.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sframe_format.h"
#include "util/cleanup.h"
#include "util/file.h"

/* Offsets and addresses are equal modulo this: the largest page, AArch64's. */
#define PAGE 0x10000ull

/* One segment for the section, one for each range of text, and PT_GNU_SFRAME. */
#define MAX_PHDRS (USTACK_MAX_SEGMENTS + 1)
/* The null section, .sframe, a .text for each range, and the names. */
#define MAX_SHDRS (USTACK_MAX_SEGMENTS + 2)

static const char names[] = "\0.sframe\0.text\0.shstrtab";
#define NAME_SFRAME 1
#define NAME_TEXT 9
#define NAME_SHSTRTAB 15

/* The headers, and the offset of each part in the file. */
struct layout {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr[MAX_PHDRS];
	Elf64_Shdr shdr[MAX_SHDRS];
	u64 sframe_off;
	u64 names_off;
	u64 end;
};

/* The first offset from @off on that equals @vaddr modulo the page size. */
static u64 place(u64 off, u64 vaddr)
{
	return off + ((vaddr - off) & (PAGE - 1));
}

static u64 text_len(const struct ustack_range *text)
{
	return text->end - text->start;
}

u64 sframe_free_vaddr(const struct ustack_range *text, unsigned int nr_text)
{
	return nr_text ? (text[nr_text - 1].end + PAGE - 1) & ~(PAGE - 1) : 0;
}

/* Ranges must ascend without overlap, and the section must not overlap them. */
static bool addresses_are_right(const struct sframe_image *im)
{
	u64 end = 0, sframe_end = 0;
	unsigned int i;

	if (!im->nr_text || im->nr_text >= USTACK_MAX_SEGMENTS || !im->len ||
	    im->vaddr & 7 ||
	    __builtin_add_overflow(im->vaddr, im->len, &sframe_end))
		return false;
	for (i = 0; i < im->nr_text; i++) {
		if (im->text[i].start < end ||
		    im->text[i].end <= im->text[i].start ||
		    (im->text[i].start < sframe_end &&
		     im->vaddr < im->text[i].end))
			return false;
		end = im->text[i].end;
	}
	return true;
}

/* Text of 2^62 bytes has no offsets in a file; with less, no sum here overflows. */
static bool is_too_long(const struct sframe_image *im)
{
	unsigned int i;
	u64 sum = 0;

	/* ranges do not overlap, so that the sum cannot overflow */
	for (i = 0; i < im->nr_text; i++)
		sum += text_len(&im->text[i]);
	return sum >> 62;
}

static void add_load(struct layout *l, u32 flags, u64 off, u64 vaddr, u64 len)
{
	l->phdr[l->ehdr.e_phnum++] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = flags,
		.p_offset = off,
		.p_vaddr = vaddr,
		.p_paddr = vaddr,
		.p_filesz = len,
		.p_memsz = len,
		.p_align = PAGE,
	};
}

/* PT_LOADs ascend by address: the section's is put at its place among them. */
static void add_segments(struct layout *l, const struct sframe_image *im)
{
	bool done = false;
	unsigned int i;

	for (i = 0; i < im->nr_text; i++) {
		if (!done && im->vaddr < im->text[i].start) {
			add_load(l, PF_R, l->sframe_off, im->vaddr, im->len);
			done = true;
		}
		l->end = place(l->end, im->text[i].start);
		add_load(l, PF_R | PF_X, l->end, im->text[i].start,
			 text_len(&im->text[i]));
		l->end += text_len(&im->text[i]);
	}
	if (!done)
		add_load(l, PF_R, l->sframe_off, im->vaddr, im->len);
	l->phdr[l->ehdr.e_phnum++] = (Elf64_Phdr){
		.p_type = USTACK_PT_GNU_SFRAME,
		.p_flags = PF_R,
		.p_offset = l->sframe_off,
		.p_vaddr = im->vaddr,
		.p_paddr = im->vaddr,
		.p_filesz = im->len,
		.p_memsz = im->len,
		.p_align = 8,
	};
}

static void add_sections(struct layout *l, const struct sframe_image *im)
{
	const Elf64_Phdr *ph;
	Elf64_Shdr *sh = l->shdr + 1;

	*sh++ = (Elf64_Shdr){
		.sh_name = NAME_SFRAME,
		.sh_type = USTACK_SHT_GNU_SFRAME,
		.sh_flags = SHF_ALLOC,
		.sh_addr = im->vaddr,
		.sh_offset = l->sframe_off,
		.sh_size = im->len,
		.sh_addralign = 8,
	};
	for (ph = l->phdr; ph < l->phdr + l->ehdr.e_phnum; ph++)
		if (ph->p_flags & PF_X)
			*sh++ = (Elf64_Shdr){
				.sh_name = NAME_TEXT,
				.sh_type = SHT_NOBITS,
				.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				.sh_addr = ph->p_vaddr,
				.sh_offset = ph->p_offset,
				.sh_size = ph->p_memsz,
				.sh_addralign = 1,
			};
	*sh = (Elf64_Shdr){
		.sh_name = NAME_SHSTRTAB,
		.sh_type = SHT_STRTAB,
		.sh_offset = l->names_off,
		.sh_size = sizeof(names),
		.sh_addralign = 1,
	};
}

static void lay_out(struct layout *l, const struct sframe_image *im)
{
	u16 nr_phdrs = (u16)(im->nr_text + 2), nr_shdrs = (u16)(im->nr_text + 3);

	*l = (struct layout){
		.ehdr = {
			.e_ident = {
				ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				ELFDATA2LSB, EV_CURRENT, ELFOSABI_NONE,
			},
			.e_type = ET_DYN,
			.e_machine = im->arch->elf_machine,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = nr_shdrs,
			.e_shstrndx = (u16)(nr_shdrs - 1),
		},
	};
	l->sframe_off = place(sizeof(Elf64_Ehdr) + nr_phdrs * sizeof(Elf64_Phdr),
			      im->vaddr);
	l->names_off = l->sframe_off + im->len;
	l->ehdr.e_shoff = (l->names_off + sizeof(names) + 7) & ~7ull;
	l->end = l->ehdr.e_shoff + nr_shdrs * sizeof(Elf64_Shdr);
	add_segments(l, im);
	add_sections(l, im);
}

static int write_at(int fd, u64 off, const void *buf, size_t len)
{
	if (lseek(fd, (off_t)off, SEEK_SET) < 0)
		return -errno;
	return file_write_all(fd, buf, len);
}

static int write_image(int fd, const struct layout *l,
		       const struct sframe_image *im)
{
	int err;

	err = write_at(fd, 0, &l->ehdr, sizeof(l->ehdr));
	if (!err)
		err = file_write_all(fd, l->phdr, l->ehdr.e_phnum * sizeof(*l->phdr));
	if (!err)
		err = write_at(fd, l->sframe_off, im->bytes, im->len);
	if (!err)
		err = file_write_all(fd, names, sizeof(names));
	if (!err)
		err = write_at(fd, l->ehdr.e_shoff, l->shdr,
			       l->ehdr.e_shnum * sizeof(*l->shdr));
	if (!err && ftruncate(fd, (off_t)l->end))
		err = -errno;
	return err;
}

static int open_new(const char *path, struct diag *diag, int *ret)
{
	*ret = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return *ret < 0 ? diag_errno(diag, errno, path) : 0;
}

/* Closes the file. An incomplete regular file is removed; a device or pipe is not. */
static int finish(int fd, const char *path, int err, struct diag *diag)
{
	struct stat st;
	bool regular = !fstat(fd, &st) && S_ISREG(st.st_mode);

	if (close(fd) && !err)
		err = -errno;
	if (!err)
		return 0;
	if (regular)
		unlink(path);
	return diag_errno(diag, -err, path);
}

int sframe_write_elf(const char *path, const struct sframe_image *image,
		     struct diag *diag)
{
	_cleanup_(cleanup_free) struct layout *l = NULL;
	int fd, err;

	if (!addresses_are_right(image))
		return diag_set(diag, EINVAL, path,
				"the section's and the text's addresses contradict each other");
	if (is_too_long(image))
		return diag_errno(diag, EFBIG, path);
	l = malloc(sizeof(*l));
	if (!l)
		return diag_errno(diag, ENOMEM, path);
	lay_out(l, image);
	err = open_new(path, diag, &fd);
	if (err)
		return err;
	return finish(fd, path, write_image(fd, l, image), diag);
}

int sframe_write_raw(const char *path, const u8 *bytes, u32 len,
		     struct diag *diag)
{
	int fd, err;

	err = open_new(path, diag, &fd);
	if (err)
		return err;
	return finish(fd, path, file_write_all(fd, bytes, len), diag);
}
