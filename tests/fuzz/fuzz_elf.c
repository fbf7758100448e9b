// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any file as ELF: its headers, and its .sframe up to verification.
 */
#include "fuzz.h"

struct memory_file {
	struct ustack_file file;
	const u8 *bytes;
	unsigned int reads;
};

static bool memory_read(const struct ustack_file *file, u64 off, void *buf, u32 len)
{
	struct memory_file *m = (struct memory_file *)file;

	must(off <= file->size && len <= file->size - off);
	m->reads++;
	memcpy(buf, m->bytes + off, len);
	return true;
}

static void check(const struct ustack_elf *elf, u64 size)
{
	unsigned int i;

	must(elf->arch);
	must(elf->nr_segments <= USTACK_MAX_SEGMENTS);
	must(elf->nr_text && elf->nr_text <= elf->nr_segments);
	for (i = 0; i < elf->nr_text; i++)
		must(elf->text[i].start <= elf->text[i].end);
	must(elf->build_id_len <= USTACK_MAX_BUILD_ID);
	must(elf->sframe_off <= size);
	must(elf->sframe_len > USTACK_MAX_SECTION ||
	     elf->sframe_len <= size - elf->sframe_off);
	must(elf->sframe_off || !elf->sframe_len);
}

static void verify(const struct ustack_elf *elf, const u8 *data)
{
	struct ustack_section sec = {
		.len = elf->sframe_len, .vaddr = elf->sframe_vaddr,
		.arch = elf->arch, .text = elf->text, .nr_text = elf->nr_text,
	};
	u8 *bytes = malloc(sec.len + !sec.len);
	void *scratch;

	memcpy(bytes, data + elf->sframe_off, sec.len);
	sec.bytes = bytes;
	if (!ustack_section_open(&sec, NULL)) {
		scratch = malloc(ustack_section_scratch(&sec));
		ustack_verify(&sec, scratch);
		free(scratch);
	}
	free(bytes);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct memory_file m = { { size, memory_read }, data, 0 };
	static const u64 offs[] = { 0, 0x1000, 0x1234, 1ull << 63, ~0xfffull };
	struct ustack_elf elf;
	unsigned int i;
	u64 bias;

	if (ustack_elf_read(&m.file, &elf))
		return 0;
	check(&elf, size);
	/* header, segments, notes, and sections with a name each */
	must(m.reads <= 2 + USTACK_MAX_PHNUM * 345 + 2 * USTACK_MAX_SHNUM);
	for (i = 0; i < sizeof(offs) / sizeof(*offs); i++) {
		(void)ustack_elf_bias(&elf, 0x555500000000, offs[i], 0x1000, &bias);
		(void)ustack_elf_bias(&elf, 0, offs[i], ~0ull, &bias);
	}
	if (elf.sframe_off && elf.sframe_len <= USTACK_MAX_SECTION)
		verify(&elf, data);
	return 0;
}
