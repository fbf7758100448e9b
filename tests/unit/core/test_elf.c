// SPDX-License-Identifier: GPL-2.0-only
/* elf.c: real files, files made byte by byte, and damaged files. */
#include "support.h"

#define GOLDEN "tests/golden/sframe/"
#define PT_LOAD 1u
#define PT_NOTE 4u
#define PF_X 1u
#define PF_R 4u

struct memory_file {
	struct ustack_file file;
	u8 *bytes;
	u64 fail_from;	/* reads from this offset on fail */
};

static bool memory_read(const struct ustack_file *file, u64 off, void *buf, u32 len)
{
	const struct memory_file *m = (const struct memory_file *)file;

	/* the contract: no read outside the file */
	assert_true(off <= file->size && len <= file->size - off);
	if (off + len > m->fail_from)
		return false;
	memcpy(buf, m->bytes + off, len);
	return true;
}

/* A file with its headers at 0, room for @phnum segments, sections at the end. */
struct maker {
	struct bytes b;
	u32 phnum;
	u32 shoff;
	u32 shnum;
};

static void set16(struct bytes *b, u32 off, u16 v)
{
	memcpy(b->p + off, &v, 2);
}

static void set64(struct bytes *b, u32 off, u64 v)
{
	memcpy(b->p + off, &v, 8);
}

static void maker_init(struct maker *m, u16 machine, u32 room)
{
	static const u8 ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };

	*m = (struct maker){ 0 };
	bytes_put(&m->b, ident, sizeof(ident));
	bytes_le(&m->b, 3, 2);
	bytes_le(&m->b, machine, 2);
	while (m->b.len < 64 + 56 * 20)
		bytes_le(&m->b, 0, 1);
	set64(&m->b, 32, 64);
	set16(&m->b, 54, 56);
	set16(&m->b, 58, 64);
	while (m->b.len < room)
		bytes_le(&m->b, 0, 1);
}

static void phdr(struct maker *m, u32 type, u32 flags, u64 off, u64 vaddr,
		 u64 filesz, u64 memsz)
{
	u32 at = 64 + 56 * m->phnum;

	memcpy(m->b.p + at, &type, 4);
	memcpy(m->b.p + at + 4, &flags, 4);
	set64(&m->b, at + 8, off);
	set64(&m->b, at + 16, vaddr);
	set64(&m->b, at + 32, filesz);
	set64(&m->b, at + 40, memsz);
	set16(&m->b, 56, (u16)++m->phnum);
}

static void text(struct maker *m)
{
	phdr(m, PT_LOAD, PF_R | PF_X, 0x1000, 0x401000, 0x800, 0x800);
}

/* Section headers: null, names, then those of shdr(). */
static const char names[16] = "\0.sframe\0.sf\0";

static void shdr(struct maker *m, u32 name, u32 type, u64 vaddr, u64 off, u64 size)
{
	if (!m->shnum) {
		u32 at = m->b.len;

		bytes_put(&m->b, names, sizeof(names));
		m->shoff = m->b.len;
		m->shnum = 1;
		set64(&m->b, 40, m->shoff);
		while (m->b.len < m->shoff + 64)
			bytes_le(&m->b, 0, 1);
		shdr(m, 0, 3, 0, at, sizeof(names));
		set16(&m->b, 62, 1);
	}
	bytes_le(&m->b, name, 4);
	bytes_le(&m->b, type, 4);
	bytes_le(&m->b, 2, 8);
	bytes_le(&m->b, vaddr, 8);
	bytes_le(&m->b, off, 8);
	bytes_le(&m->b, size, 8);
	bytes_put(&m->b, (const u8[24]){ 0 }, 24);
	set16(&m->b, 60, (u16)++m->shnum);
}

/* Reads the file, and frees its bytes. */
static enum ustack_reason read_it(struct maker *m, struct ustack_elf *elf)
{
	struct memory_file file = {
		.file = { m->b.len, memory_read },
		.bytes = m->b.p,
		.fail_from = ~0ull,
	};
	enum ustack_reason reason = ustack_elf_read(&file.file, elf);

	free(m->b.p);
	return reason;
}

static void golden_files(void **state)
{
	static const struct { const char *name; u32 len; } files[] = {
		{ GOLDEN "t40.elf", 0xb2 },
		{ GOLDEN "t44.elf", 0xdb },	/* its segment: 0x118 */
		{ GOLDEN "t47.elf", 0xe2 },
	};
	struct ustack_section sec;
	struct ustack_elf elf;
	struct maker m;
	unsigned int i;
	u8 *sframe;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		struct memory_file file;

		bytes_read_file(files[i].name, &m.b);
		file = (struct memory_file){ { m.b.len, memory_read }, m.b.p, ~0ull };
		assert_reason(ustack_elf_read(&file.file, &elf), USTACK_OK);
		assert_ptr_equal(elf.arch, X86);
		assert_int_equal(elf.nr_segments, 4);
		assert_int_equal(elf.nr_text, 1);
		assert_true(elf.text[0].start == 0x1000);
		assert_int_equal(elf.build_id_len, 20);
		assert_true(elf.sframe_vaddr == 0x2148 && elf.sframe_off == 0x2148);
		assert_int_equal(elf.sframe_len, files[i].len);
		sframe = malloc(elf.sframe_len);
		memcpy(sframe, m.b.p + elf.sframe_off, elf.sframe_len);
		sec = (struct ustack_section){ .bytes = sframe, .len = elf.sframe_len,
			.vaddr = elf.sframe_vaddr, .arch = elf.arch,
			.text = elf.text, .nr_text = elf.nr_text };
		assert_reason(ustack_section_open(&sec, NULL), USTACK_OK);
		free(sframe);
		free(m.b.p);
	}
}

static void files_that_are_refused(void **state)
{
	static const struct { u32 off; u8 v; enum ustack_reason want; } cases[] = {
		{ 0, 0x7e, USTACK_NOT_ELF },
		{ 3, 'f', USTACK_NOT_ELF },
		{ 4, 1, USTACK_ELF_CLASS },
		{ 5, 2, USTACK_ELF_CLASS },
		{ 18, 3, USTACK_ELF_MACHINE },		/* i386 */
		{ 19, 1, USTACK_ELF_MACHINE },
		{ 54, 32, USTACK_ELF_BROKEN },		/* e_phentsize */
		{ 57, 0x20, USTACK_ELF_BROKEN },	/* 8,193 segments */
		{ 34, 1, USTACK_ELF_BROKEN },		/* e_phoff */
		{ 39, 0xff, USTACK_ELF_BROKEN },
		{ 56, 0, USTACK_NOT_EXECUTABLE },
		{ 64 + 4, PF_R, USTACK_NOT_EXECUTABLE },
		{ 64 + 40, 0, USTACK_OK },
		{ 64 + 41, 0x07, USTACK_ELF_BROKEN },	/* filesz > memsz */
		{ 64 + 8 + 7, 0xff, USTACK_OK },	/* offset: large, no wrap */
	};
	struct ustack_elf elf;
	unsigned int i;
	struct maker m;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		maker_init(&m, 62, 0x2000);
		text(&m);
		m.b.p[cases[i].off] = cases[i].v;
		assert_reason(read_it(&m, &elf), cases[i].want);
	}
	maker_init(&m, 183, 0x2000);
	text(&m);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_ptr_equal(elf.arch, A64);
}

static void segments_whose_sums_wrap(void **state)
{
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	phdr(&m, PT_LOAD, PF_X, ~0ull - 0xff, 0x401000, 0x100, 0x100);
	assert_reason(read_it(&m, &elf), USTACK_ELF_BROKEN);
	maker_init(&m, 62, 0x2000);
	phdr(&m, PT_LOAD, PF_X, 0x1000, ~0ull - 0xff, 0x100, 0x100);
	assert_reason(read_it(&m, &elf), USTACK_ELF_BROKEN);
	maker_init(&m, 62, 0x2000);
	phdr(&m, PT_LOAD, PF_X, 0x1000, ~0ull - 0x100, 0x100, 0x100);
	assert_reason(read_it(&m, &elf), USTACK_OK);
}

static void as_many_segments_as_are_kept(void **state)
{
	struct ustack_elf elf;
	struct maker m;
	u32 i, n;

	for (n = USTACK_MAX_SEGMENTS; n <= USTACK_MAX_SEGMENTS + 1; n++) {
		maker_init(&m, 62, 0x2000);
		for (i = 0; i < n; i++)
			phdr(&m, PT_LOAD, PF_X, 0x1000 * i, 0x400000 + 0x1000 * i,
			     0x1000, 0x1000);
		assert_reason(read_it(&m, &elf), n > USTACK_MAX_SEGMENTS ?
			      USTACK_ELF_BROKEN : USTACK_OK);
	}
	maker_init(&m, 62, 0x2000);
	for (i = 0; i < USTACK_MAX_SEGMENTS; i++)
		phdr(&m, PT_LOAD, i & 1 ? PF_X : PF_R, 0x1000 * i, 0x400000 + 0x1000 * i,
		     0x1000, 0x2000);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_int_equal(elf.nr_segments, USTACK_MAX_SEGMENTS);
	assert_int_equal(elf.nr_text, USTACK_MAX_SEGMENTS / 2);
	assert_true(elf.text[0].start == 0x401000 && elf.text[0].end == 0x402000);
	assert_true(elf.segments[3].exec && !elf.segments[2].exec);
}

/* Every prefix of a file is refused or read, and no read leaves it (memory_read). */
static void every_prefix(void **state)
{
	struct ustack_elf elf;
	struct maker m;
	struct bytes b;
	u32 len;

	bytes_read_file(GOLDEN "t47.elf", &b);
	for (len = 0; len <= b.len; len += len < 0x400 ? 1 : 97) {
		m.b = (struct bytes){ 0 };
		bytes_put(&m.b, b.p, len);
		if (len < 64)
			assert_reason(read_it(&m, &elf), USTACK_NOT_ELF);
		else if (len < 64 + b.p[56] * 56u)
			assert_reason(read_it(&m, &elf), USTACK_ELF_BROKEN);
		else
			assert_reason(read_it(&m, &elf), USTACK_OK);
	}
	free(b.p);
}

static void reads_that_fail(void **state)
{
	struct memory_file file = { 0 };
	struct ustack_elf elf;
	struct maker m;
	u64 from;

	maker_init(&m, 62, 0x2000);
	text(&m);
	file = (struct memory_file){ { m.b.len, memory_read }, m.b.p, 0 };
	for (from = 0; from < 64 + 56; from++) {
		file.fail_from = from;
		assert_reason(ustack_elf_read(&file.file, &elf), USTACK_READ_ERROR);
	}
	file.fail_from = from;
	assert_reason(ustack_elf_read(&file.file, &elf), USTACK_OK);
	free(m.b.p);
}

static u32 note(struct maker *m, u32 at, u32 type, const char *name, u32 namesz,
		u32 descsz, u8 fill)
{
	memcpy(m->b.p + at, &namesz, 4);
	memcpy(m->b.p + at + 4, &descsz, 4);
	memcpy(m->b.p + at + 8, &type, 4);
	memcpy(m->b.p + at + 12, name, namesz);
	at += 12 + (namesz + 3) / 4 * 4;
	memset(m->b.p + at, fill, descsz);
	return at + (descsz + 3) / 4 * 4;
}

static void build_ids(void **state)
{
	static const u8 lens[] = { 1, 8, 16, 20, 32 };
	struct ustack_elf elf;
	struct maker m;
	unsigned int i;
	u32 end;

	for (i = 0; i < sizeof(lens); i++) {
		maker_init(&m, 62, 0x2000);
		text(&m);
		end = note(&m, 0x600, 5, "GNU", 4, 16, 1);
		/* notes of type 3 with other owners */
		end = note(&m, end, 3, "stapsdt", 8, 5, 2);
		end = note(&m, end, 3, "GNU", 4, lens[i], 0x5a);
		phdr(&m, PT_NOTE, PF_R, 0x600, 0x400600, end - 0x600, end - 0x600);
		assert_reason(read_it(&m, &elf), USTACK_OK);
		assert_int_equal(elf.build_id_len, lens[i]);
		assert_int_equal(elf.build_id[lens[i] - 1], 0x5a);
	}
}

static u8 build_id_of(u32 off, u64 filesz, u32 namesz, u32 descsz)
{
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	text(&m);
	note(&m, 0x600, 3, "GNU", 4, 20, 0x5a);
	memcpy(m.b.p + 0x600, &namesz, 4);
	memcpy(m.b.p + 0x604, &descsz, 4);
	phdr(&m, PT_NOTE, PF_R, off, 0x400600, filesz, filesz);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	return elf.build_id_len;
}

/* Notes are optional: broken notes count as absent. */
static void broken_notes(void **state)
{
	assert_int_equal(build_id_of(0x600, 36, 4, 20), 20);
	assert_int_equal(build_id_of(0x600, 35, 4, 20), 0);	/* cut off */
	assert_int_equal(build_id_of(0x600, 15, 4, 20), 0);
	assert_int_equal(build_id_of(0x600, 36, 4, 33), 0);	/* too long */
	assert_int_equal(build_id_of(0x600, 100, 4, 33), 0);
	assert_int_equal(build_id_of(0x600, 36, 4, 0), 0);
	assert_int_equal(build_id_of(0x600, 36, 0xffffffff, 20), 0);
	assert_int_equal(build_id_of(0x600, 36, 5, 0xffffffff), 0);
	assert_int_equal(build_id_of(0x600, 4096, 4, 20), 20);	/* a page of notes */
	assert_int_equal(build_id_of(0x600, 4097, 4, 20), 0);
	assert_int_equal(build_id_of(0x1ff0, 36, 4, 20), 0);	/* end of file */
	assert_int_equal(build_id_of(0xfffffff0, 36, 4, 20), 0);
}

/* A note with such sizes, and a build id @at bytes after its start; @filesz bytes in all. */
static u8 build_id_behind(u32 namesz, u32 descsz, u32 at, u64 filesz)
{
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	text(&m);
	memcpy(m.b.p + 0x600, &namesz, 4);
	memcpy(m.b.p + 0x604, &descsz, 4);
	note(&m, 0x600 + at, 3, "GNU", 4, 20, 0x5a);
	phdr(&m, PT_NOTE, PF_R, 0x600, 0x400600, filesz, filesz);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	return elf.build_id_len;
}

/* The next note starts after name and description, both padded to 4 bytes. */
static void notes_in_front_of_the_build_id(void **state)
{
	assert_int_equal(build_id_behind(4, 16, 12 + 4 + 16, 68), 20);
	assert_int_equal(build_id_behind(1, 13, 12 + 4 + 16, 68), 20);
	assert_int_equal(build_id_behind(4, 16, 12 + 4 + 16, 67), 0);
	/* sizes of almost 2^32: their sum with the header's 12 bytes would be 8 */
	assert_int_equal(build_id_behind(0xfffffffc, 16, 8 + 16, 100), 0);
	assert_int_equal(build_id_behind(16, 0xfffffffc, 8 + 16, 100), 0);
	/* longer than its segment, after which a build id follows */
	assert_int_equal(build_id_behind(4, 64, 12 + 4 + 64, 40), 0);
}

/* A section of @len bytes at @off, with the size that its segment claims. */
static void put_sframe(struct maker *m, u32 off, u32 freoff, u32 fre_len)
{
	static const u8 head[8] = { 0xe2, 0xde, 3, 5, 3, 0, 0xf8, 0 };

	memcpy(m->b.p + off, head, sizeof(head));
	memcpy(m->b.p + off + 16, &fre_len, 4);
	memcpy(m->b.p + off + 24, &freoff, 4);
}

static void sframe_by_segment(void **state)
{
	static const struct { u64 filesz; u32 freoff, fre_len; u32 want; } cases[] = {
		{ 100, 40, 32, 100 },		/* exact */
		{ 140, 40, 32, 100 },		/* ld: too large */
		{ 60, 40, 32, 100 },		/* too small */
		{ 0, 40, 32, 100 },
		{ ~0ull, 40, 32, 100 },
		{ 100, 0xffffffff, 0xffffffff, 0x300 },	/* no larger than its segment */
	};
	struct ustack_elf elf;
	struct maker m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		maker_init(&m, 62, 0x2000);
		phdr(&m, 0x6474e554, PF_R, 0x900, 0x400900, cases[i].filesz,
		     cases[i].filesz);	/* before its PT_LOAD */
		phdr(&m, PT_LOAD, PF_R, 0x400, 0x400400, 0x800, 0x800);
		text(&m);
		put_sframe(&m, 0x900, cases[i].freoff, cases[i].fre_len);
		assert_reason(read_it(&m, &elf), USTACK_OK);
		assert_true(elf.sframe_off == 0x900 && elf.sframe_vaddr == 0x400900);
		assert_int_equal(elf.sframe_len, cases[i].want);
	}
}

/* A part of @aux bytes and its header, @room bytes before the end of the loaded segment. */
static u32 sframe_len_of(u8 aux, u32 room)
{
	struct ustack_elf elf;
	u32 off = 0xc00 - room;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	text(&m);
	phdr(&m, PT_LOAD, PF_R, 0x400, 0x400400, 0x800, 0x800);
	phdr(&m, 0x6474e554, PF_R, off, 0x400000 + off, 28, 28);
	put_sframe(&m, off, 0, 0);
	m.b.p[off + 7] = aux;
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_true(elf.sframe_off == (elf.sframe_len ? off : 0));
	return elf.sframe_len;
}

static void sframe_of_a_header_alone(void **state)
{
	assert_int_equal(sframe_len_of(0, 27), 0);
	assert_int_equal(sframe_len_of(0, 28), 28);
	assert_int_equal(sframe_len_of(12, 100), 28 + 12);
	assert_int_equal(sframe_len_of(255, 300), 28 + 255);
}

/* In any of the loaded segments. */
static void sframe_in_the_last_segment(void **state)
{
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	text(&m);
	phdr(&m, PT_LOAD, PF_R, 0x1800, 0x403800, 0x100, 0x180);
	phdr(&m, PT_LOAD, PF_R, 0x400, 0x400400, 0x800, 0x800);
	phdr(&m, 0x6474e554, PF_R, 0x900, 0x400900, 100, 100);
	put_sframe(&m, 0x900, 40, 32);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_true(elf.sframe_off == 0x900 && elf.sframe_len == 100);
	assert_int_equal(elf.nr_segments, 3);
	assert_true(elf.segments[1].filesz == 0x100 && elf.segments[1].memsz == 0x180);
}

/* A truncated file: only the existing bytes count. */
static void sframe_up_to_the_end_of_the_file(void **state)
{
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	phdr(&m, PT_LOAD, PF_R, 0x400, 0x400400, 0x8000, 0x8000);
	text(&m);
	phdr(&m, 0x6474e554, PF_R, 0x900, 0x400900, 100, 100);
	put_sframe(&m, 0x900, 0x10000, 0x10000);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_int_equal(elf.sframe_len, 0x2000 - 0x900);
}

/* A segment that is in no loaded one, or has another bias, is not an .sframe section. */
static void sframe_segments_that_lie(void **state)
{
	static const struct { u64 off, vaddr; } cases[] = {
		{ 0x300, 0x400300 }, { 0x900, 0x500900 }, { 0xc00, 0x400c00 },
		{ 0xbf0, 0x400bf0 }, { ~0ull, 0x400900 }, { 0x900, ~0ull },
	};
	struct ustack_elf elf;
	struct maker m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		maker_init(&m, 62, 0x2000);
		phdr(&m, PT_LOAD, PF_R, 0x400, 0x400400, 0x800, 0x800);
		text(&m);
		phdr(&m, 0x6474e554, PF_R, cases[i].off, cases[i].vaddr, 100, 100);
		assert_reason(read_it(&m, &elf), USTACK_OK);
		assert_true(elf.sframe_off == 0 && elf.sframe_len == 0);
	}
}

static void sframe_by_section(void **state)
{
	struct ustack_elf elf;
	struct maker m;

	/* by type, whatever the name; or by name, if the type is PROGBITS */
	maker_init(&m, 62, 0x2000);
	text(&m);
	shdr(&m, 9, 0x6ffffff4, 0x400900, 0x900, 100);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_true(elf.sframe_off == 0x900 && elf.sframe_vaddr == 0x400900);
	assert_int_equal(elf.sframe_len, 100);
	maker_init(&m, 62, 0x2000);
	text(&m);
	shdr(&m, 9, 1, 0x400800, 0x800, 7);
	shdr(&m, 1, 1, 0x400900, 0x900, 100);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_true(elf.sframe_off == 0x900);
	assert_int_equal(elf.sframe_len, 100);
	/* after a section without bytes */
	maker_init(&m, 62, 0x2000);
	text(&m);
	shdr(&m, 9, 8, 0x400800, 0x800, 7);
	shdr(&m, 1, 1, 0x400900, 0x900, 100);
	assert_reason(read_it(&m, &elf), USTACK_OK);
	assert_true(elf.sframe_off == 0x900);
}

/* Program headers of 224 KiB, of which only the first has contents, and larger ones. */
static void as_many_program_headers_as_are_read(void **state)
{
	struct ustack_elf elf;
	struct maker m;
	u32 n;

	for (n = 4095; n <= 4097; n++) {
		maker_init(&m, 62, 64 + 56 * n);
		text(&m);
		set16(&m.b, 56, (u16)n);
		assert_reason(read_it(&m, &elf), n <= 4096 ? USTACK_OK : USTACK_ELF_BROKEN);
	}
}

/*
 * From 0xff00 on the number of section headers is in the first header: such a file is refused.
 */
static void as_many_section_headers_as_there_may_be(void **state)
{
	struct ustack_elf elf;
	struct maker m;
	u32 n, at;

	for (n = 0xfefe; n <= 0xff01; n++) {
		maker_init(&m, 62, 0x2000);
		text(&m);
		shdr(&m, 1, 1, 0x400900, 0x900, 100);
		at = m.b.len;
		m.b.room = m.shoff + 64 * n;
		m.b.p = realloc(m.b.p, m.b.room);
		assert_non_null(m.b.p);
		m.b.len = m.b.room;
		memset(m.b.p + at, 0, m.b.len - at);
		set16(&m.b, 60, (u16)n);
		assert_reason(read_it(&m, &elf), USTACK_OK);
		assert_int_equal(elf.sframe_len, n < 0xff00 ? 100 : 0);
	}
}

#define NO_SFRAME(...) do {						\
	struct ustack_elf elf;						\
	struct maker m;							\
									\
	maker_init(&m, 62, 0x2000);					\
	text(&m);							\
	__VA_ARGS__;							\
	assert_reason(read_it(&m, &elf), USTACK_OK);			\
	assert_true(elf.sframe_off == 0 && elf.sframe_len == 0);	\
} while (0)

static void sections_that_are_none(void **state)
{
	NO_SFRAME((void)0);
	NO_SFRAME(shdr(&m, 1, 8, 0x400900, 0x900, 100));	/* NOBITS */
	NO_SFRAME(shdr(&m, 1, 1, 0x400900, 0x90000, 100));	/* outside */
	NO_SFRAME(shdr(&m, 1, 1, 0x400900, 0x900, ~0ull));
	NO_SFRAME(shdr(&m, 1, 1, 0x400900, 0x900, m.b.len + 3 * 64 - 0x900 + 1 + sizeof(names)));
	NO_SFRAME(shdr(&m, 1, 1, 0x400000, 0, 100));
	/* its name is in the file, but reaches beyond the table of names */
	NO_SFRAME(shdr(&m, 1, 1, 0x400900, 0x900, 100); set64(&m.b, m.shoff + 64 + 32, 8));
	NO_SFRAME(phdr(&m, PT_LOAD, PF_R, 0, 0x400000, 0x800, 0x800);
		  phdr(&m, 0x6474e554, PF_R, 0, 0x400000, 100, 100));
	NO_SFRAME(shdr(&m, 1, 1, 0x400900, ~0ull, 100));
	NO_SFRAME(shdr(&m, 2, 1, 0x400900, 0x900, 100));	/* "sframe" */
	NO_SFRAME(shdr(&m, 0xffffffff, 1, 0x400900, 0x900, 100));
	NO_SFRAME(shdr(&m, 10, 1, 0x400900, 0x900, 100));	/* at the end */
	NO_SFRAME(shdr(&m, 1, 1, 0, 0x900, 100); set16(&m.b, 58, 40));
	NO_SFRAME(shdr(&m, 1, 1, 0, 0x900, 100); set16(&m.b, 62, 3));
	NO_SFRAME(shdr(&m, 1, 1, 0, 0x900, 100); set64(&m.b, 40, 1ull << 40));
	NO_SFRAME(shdr(&m, 1, 1, 0, 0x900, 100); set64(&m.b, 40, ~0ull - 63));
	NO_SFRAME(shdr(&m, 1, 1, 0, 0x900, 100); set16(&m.b, 60, 0xffff));
}

static void a_section_larger_than_the_limit(void **state)
{
	struct memory_file file;
	struct ustack_elf elf;
	struct maker m;

	maker_init(&m, 62, 0x2000);
	phdr(&m, PT_LOAD, PF_R, 0, 0x400000, 1ull << 33, 1ull << 33);
	text(&m);
	phdr(&m, 0x6474e554, PF_R, 0x900, 0x400900, 100, 100);
	put_sframe(&m, 0x900, 0x80000000, 0x80000000);
	/* a sparse file: bytes after its data are not read */
	file = (struct memory_file){ { 1ull << 34, memory_read }, m.b.p, m.b.len };
	assert_reason(ustack_elf_read(&file.file, &elf), USTACK_OK);
	assert_int_equal(elf.sframe_len, USTACK_MAX_SECTION + 1);
	free(m.b.p);
}

static void a_section_of_just_the_limit(void **state)
{
	struct memory_file file;
	struct ustack_elf elf;
	struct maker m;
	u32 more;

	for (more = 0; more < 2; more++) {
		maker_init(&m, 62, 0x2000);
		text(&m);
		shdr(&m, 1, 1, 0x400900, 0x900, USTACK_MAX_SECTION + more);
		file = (struct memory_file){ { 1ull << 34, memory_read }, m.b.p, m.b.len };
		assert_reason(ustack_elf_read(&file.file, &elf), USTACK_OK);
		assert_int_equal(elf.sframe_len, USTACK_MAX_SECTION + more);
		free(m.b.p);
		maker_init(&m, 62, 0x2000);
		phdr(&m, PT_LOAD, PF_R, 0, 0x400000, 1ull << 33, 1ull << 33);
		text(&m);
		phdr(&m, 0x6474e554, PF_R, 0x900, 0x400900, 100, 100);
		put_sframe(&m, 0x900, 0, USTACK_MAX_SECTION + more - SFRAME_HEADER_LEN);
		file = (struct memory_file){ { 1ull << 34, memory_read }, m.b.p, m.b.len };
		assert_reason(ustack_elf_read(&file.file, &elf), USTACK_OK);
		assert_int_equal(elf.sframe_len, USTACK_MAX_SECTION + more);
		free(m.b.p);
	}
}

static bool bias_of(const struct ustack_elf *elf, u64 start, u64 off, u64 len,
		    u64 want)
{
	u64 bias = 0xdead;

	if (!ustack_elf_bias(elf, start, off, len, &bias)) {
		assert_true(bias == 0xdead);
		return false;
	}
	if (bias != want)
		fail_msg("bias 0x%llx, not 0x%llx", (unsigned long long)bias,
			 (unsigned long long)want);
	return true;
}

static void biases(void **state)
{
	const struct ustack_elf elf = {
		.segments = {
			{ 0, 0, 0x800, 0x800, false },
			{ 0x1800, 0x2800, 0x3000, 0x3000, true },
			{ 0x5000, 0x7000, 0x1000, 0x9000, false },
		},
		.nr_segments = 3,
	};

	/* whole pages: from 0x1000 on, 0x800 bytes before the segment */
	assert_true(bias_of(&elf, 0x555500002000, 0x1000, 0x4000, 0x555500000000));
	/* a part, after mprotect or mremap */
	assert_true(bias_of(&elf, 0x555500004000, 0x3000, 0x1000, 0x555500000000));
	assert_true(bias_of(&elf, 0x555500005000, 0x4000, 0x1000, 0x555500000000));
	/* below its link address */
	assert_true(bias_of(&elf, 0x1000, 0x1000, 0x4000, (u64)-0x1000));
	/* other segments, and addresses that none covers */
	assert_false(bias_of(&elf, 0x555500000000, 0, 0x1000, 0));
	assert_false(bias_of(&elf, 0x555500007000, 0x5000, 0x1000, 0));
	assert_false(bias_of(&elf, 0x555500007000, ~0xfffull, 0x1000, 0));
	assert_true(bias_of(&elf, 0x1000, 0x1000, ~0ull, (u64)-0x1000));
}

/*
 * Two executable segments that share a page of the file: each mapping belongs to the one of
 * which it has more bytes.
 */
static void biases_of_two_executable_segments(void **state)
{
	const struct ustack_elf elf = {
		.segments = {
			{ 0x1234, 0x1234, 0x4444, 0x4444, true },	/* to 0x5678 */
			{ 0x5678, 0x7678, 0x3000, 0x3000, true },	/* to 0x8678 */
		},
		.nr_segments = 2,
	};

	assert_true(bias_of(&elf, 0x555500001000, 0x1000, 0x5000, 0x555500000000));
	assert_true(bias_of(&elf, 0x555500007000, 0x5000, 0x4000, 0x555500000000));
	assert_true(bias_of(&elf, 0x555500008000, 0x6000, 0x1000, 0x555500000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_files),
		cmocka_unit_test(files_that_are_refused),
		cmocka_unit_test(segments_whose_sums_wrap),
		cmocka_unit_test(as_many_segments_as_are_kept),
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(reads_that_fail),
		cmocka_unit_test(build_ids),
		cmocka_unit_test(broken_notes),
		cmocka_unit_test(notes_in_front_of_the_build_id),
		cmocka_unit_test(sframe_by_segment),
		cmocka_unit_test(sframe_of_a_header_alone),
		cmocka_unit_test(sframe_in_the_last_segment),
		cmocka_unit_test(sframe_up_to_the_end_of_the_file),
		cmocka_unit_test(sframe_segments_that_lie),
		cmocka_unit_test(sframe_by_section),
		cmocka_unit_test(as_many_program_headers_as_are_read),
		cmocka_unit_test(as_many_section_headers_as_there_may_be),
		cmocka_unit_test(sections_that_are_none),
		cmocka_unit_test(a_section_larger_than_the_limit),
		cmocka_unit_test(a_section_of_just_the_limit),
		cmocka_unit_test(biases),
		cmocka_unit_test(biases_of_two_executable_segments),
	};

	return cmocka_run_group_tests_name("elf", tests, NULL, NULL);
}
