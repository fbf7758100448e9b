// SPDX-License-Identifier: GPL-2.0-only
/* ELF headers, "System V ABI, chapters 4 and 5", 64-bit little-endian only. */
#include "elf.h"

#include "cursor.h"
#include "sframe_format.h"

#define EHDR_LEN 64u
#define PHDR_LEN 56u
#define SHDR_LEN 64u
#define PT_LOAD_ 1u
#define PT_NOTE_ 4u
#define PF_X_ 1u
#define SHT_NOBITS_ 8u
#define NT_GNU_BUILD_ID_ 3u

static enum ustack_reason read_at(const struct ustack_file *file, u64 off,
				  void *buf, u32 len)
{
	if (off > file->size || len > file->size - off)
		return USTACK_ELF_BROKEN;
	return file->read(file, off, buf, len) ? USTACK_OK : USTACK_READ_ERROR;
}

struct ehdr {
	u64 phoff;
	u64 shoff;
	u16 phnum;
	u16 shnum;
	u16 shstrndx;
};

static enum ustack_reason read_ehdr(const struct ustack_file *file,
				    struct ustack_elf *elf, struct ehdr *ret)
{
	static const u8 ident[4] = { 0x7f, 'E', 'L', 'F' };
	enum ustack_reason reason;
	u8 b[EHDR_LEN];

	if (file->size < EHDR_LEN)
		return USTACK_NOT_ELF;
	reason = read_at(file, 0, b, sizeof(b));
	if (reason)
		return reason;
	if (memcmp(b, ident, sizeof(ident)))
		return USTACK_NOT_ELF;
	if (b[4] != 2 || b[5] != 1)
		return USTACK_ELF_CLASS;
	elf->arch = ustack_arch_by_machine(ustack_le16(b + 18));
	if (!elf->arch)
		return USTACK_ELF_MACHINE;
	ret->phoff = ustack_le64(b + 32);
	ret->shoff = ustack_le64(b + 40);
	ret->phnum = ustack_le16(b + 56);
	ret->shnum = ustack_le16(b + 60);
	ret->shstrndx = ustack_le16(b + 62);
	if (ret->phnum > USTACK_MAX_PHNUM ||
	    (ret->phnum && ustack_le16(b + 54) != PHDR_LEN))
		return USTACK_ELF_BROKEN;
	/* Section headers are optional: broken ones count as missing. */
	if (ret->shnum > USTACK_MAX_SHNUM || ustack_le16(b + 58) != SHDR_LEN ||
	    ret->shstrndx >= ret->shnum)
		ret->shnum = 0;
	return USTACK_OK;
}

struct phdr {
	u32 type;
	u32 flags;
	u64 off;
	u64 vaddr;
	u64 filesz;
	u64 memsz;
};

static enum ustack_reason read_phdr(const struct ustack_file *file, u64 off,
				    struct phdr *ret)
{
	enum ustack_reason reason;
	u8 b[PHDR_LEN];

	reason = read_at(file, off, b, sizeof(b));
	if (reason)
		return reason;
	ret->type = ustack_le32(b);
	ret->flags = ustack_le32(b + 4);
	ret->off = ustack_le64(b + 8);
	ret->vaddr = ustack_le64(b + 16);
	ret->filesz = ustack_le64(b + 32);
	ret->memsz = ustack_le64(b + 40);
	return USTACK_OK;
}

static enum ustack_reason add_load(struct ustack_elf *elf,
				   const struct phdr *ph)
{
	struct ustack_segment *seg;
	u64 end;

	if (elf->nr_segments == USTACK_MAX_SEGMENTS)
		return USTACK_ELF_BROKEN;
	if (__builtin_add_overflow(ph->vaddr, ph->filesz, &end) ||
	    __builtin_add_overflow(ph->off, ph->filesz, &end) ||
	    ph->filesz > ph->memsz)
		return USTACK_ELF_BROKEN;
	seg = &elf->segments[elf->nr_segments++];
	seg->off = ph->off;
	seg->vaddr = ph->vaddr;
	seg->filesz = ph->filesz;
	seg->memsz = ph->memsz;
	seg->exec = ph->flags & PF_X_;
	if (seg->exec) {
		elf->text[elf->nr_text].start = ph->vaddr;
		elf->text[elf->nr_text++].end = ph->vaddr + ph->filesz;
	}
	return USTACK_OK;
}

/*
 * Searches one note segment: {u32 namesz, u32 descsz, u32 type, name, desc},
 * 4-aligned.
 */
static void find_build_id(const struct ustack_file *file, const struct phdr *ph,
			  struct ustack_elf *elf)
{
	u64 off = ph->off, end = ph->off + ph->filesz;
	u32 namesz, descsz;
	u8 b[16];

	if (elf->build_id_len || ph->filesz > USTACK_MAX_NOTES || end < ph->off)
		return;
	/* Each note takes at least 12 bytes: at most 341 rounds. */
	while (end - off >= sizeof(b)) {
		if (read_at(file, off, b, sizeof(b)))
			return;
		namesz = ustack_le32(b);
		descsz = ustack_le32(b + 4);
		if (namesz > USTACK_MAX_NOTES || descsz > USTACK_MAX_NOTES)
			return;
		if (ustack_le32(b + 8) == NT_GNU_BUILD_ID_ && namesz == 4 &&
		    !memcmp(b + 12, "GNU", 4)) {
			if (descsz && descsz <= USTACK_MAX_BUILD_ID &&
			    end - off - 16 >= descsz &&
			    !read_at(file, off + 16, elf->build_id, descsz))
				elf->build_id_len = (u8)descsz;
			return;
		}
		off += 12 + ((namesz + 3) & ~3u) + ((descsz + 3) & ~3u);
		if (off > end)
			return;
	}
}

/*
 * The section's own header gives its length. The segment's size does not: ld
 * counts parts that it has merged, and up to 2.44 leaves a complete section of
 * a single PLT function after the section, which would count as a second part.
 * Linkers that write this segment merge, so there is one part.
 */
static void sframe_from_segment(const struct ustack_file *file,
				const struct phdr *ph, struct ustack_elf *elf)
{
	u64 len, room = 0;
	unsigned int i;
	u8 b[SFRAME_HEADER_LEN];

	for (i = 0; i < elf->nr_segments; i++) {
		const struct ustack_segment *seg = &elf->segments[i];

		if (ph->off >= seg->off && ph->off - seg->off < seg->filesz &&
		    ph->vaddr - seg->vaddr == ph->off - seg->off)
			room = seg->filesz - (ph->off - seg->off);
	}
	/*
	 * The ELF header is at 0, and sframe_off 0 means that there is no
	 * section.
	 */
	if (!ph->off || room < sizeof(b) || read_at(file, ph->off, b, sizeof(b)))
		return;
	len = (u64)sizeof(b) + b[7] + ustack_le32(b + 24) + ustack_le32(b + 16);
	if (len > room)
		len = room;
	if (len > file->size - ph->off)
		len = file->size - ph->off;
	elf->sframe_off = ph->off;
	elf->sframe_vaddr = ph->vaddr;
	elf->sframe_len = len <= USTACK_MAX_SECTION ? (u32)len :
						     USTACK_MAX_SECTION + 1;
}

/*
 * Finds the section by its type, or by name if an old linker wrote PROGBITS.
 * This is exact, and the only way if the linker writes no PT_GNU_SFRAME.
 */
static void sframe_from_sections(const struct ustack_file *file,
				 const struct ehdr *eh, struct ustack_elf *elf)
{
	static const char name[8] = ".sframe";
	u8 sh[SHDR_LEN], str[8];
	u64 stroff, strsize, at, len;
	u32 i, type;

	if (!eh->shnum ||
	    read_at(file, eh->shoff + (u64)eh->shstrndx * SHDR_LEN, sh, sizeof(sh)))
		return;
	stroff = ustack_le64(sh + 24);
	strsize = ustack_le64(sh + 32);
	for (i = 1; i < eh->shnum; i++) {
		if (read_at(file, eh->shoff + (u64)i * SHDR_LEN, sh, sizeof(sh)))
			return;
		type = ustack_le32(sh + 4);
		at = ustack_le32(sh);
		if (type == SHT_NOBITS_)
			continue;
		if (type != USTACK_SHT_GNU_SFRAME) {
			if (at > strsize || strsize - at < sizeof(str) ||
			    __builtin_add_overflow(stroff, at, &at) ||
			    read_at(file, at, str, sizeof(str)) ||
			    memcmp(str, name, sizeof(str)))
				continue;
		}
		at = ustack_le64(sh + 24);
		len = ustack_le64(sh + 32);
		if (!at || at > file->size || len > file->size - at)
			return;
		elf->sframe_off = at;
		elf->sframe_vaddr = ustack_le64(sh + 16);
		elf->sframe_len = len <= USTACK_MAX_SECTION ?
					  (u32)len : USTACK_MAX_SECTION + 1;
		return;
	}
}

enum ustack_reason ustack_elf_read(const struct ustack_file *file,
				   struct ustack_elf *ret)
{
	struct phdr ph, sframe = { 0 };
	enum ustack_reason reason;
	struct ehdr eh;
	u32 i;

	memset(ret, 0, sizeof(*ret));
	reason = read_ehdr(file, ret, &eh);
	if (reason)
		return reason;
	for (i = 0; i < eh.phnum; i++) {
		reason = read_phdr(file, eh.phoff + (u64)i * PHDR_LEN, &ph);
		if (!reason && ph.type == PT_LOAD_)
			reason = add_load(ret, &ph);
		if (reason)
			return reason;
		if (ph.type == PT_NOTE_)
			find_build_id(file, &ph, ret);
		else if (ph.type == USTACK_PT_GNU_SFRAME)
			sframe = ph;
	}
	if (!ret->nr_text)
		return USTACK_NOT_EXECUTABLE;
	if (sframe.type)
		sframe_from_segment(file, &sframe, ret);
	if (!ret->sframe_off)
		sframe_from_sections(file, &eh, ret);
	return USTACK_OK;
}

bool ustack_elf_bias(const struct ustack_elf *elf, u64 start, u64 off, u64 len,
		     u64 *ret)
{
	const struct ustack_segment *seg;
	u64 lo, hi, end, most = 0;
	unsigned int i;

	if (__builtin_add_overflow(off, len, &end))
		end = ~0ull;
	/*
	 * The loader maps whole pages: a mapping may start before its segment's
	 * first byte, with the last bytes of the previous segment. It belongs
	 * to the segment of which it has more bytes.
	 */
	for (i = 0; i < elf->nr_segments; i++) {
		seg = &elf->segments[i];
		lo = off > seg->off ? off : seg->off;
		hi = seg->off + seg->filesz;
		hi = end < hi ? end : hi;
		if (!seg->exec || lo >= hi || hi - lo <= most)
			continue;
		most = hi - lo;
		*ret = start - (off - seg->off + seg->vaddr);
	}
	return most;
}
