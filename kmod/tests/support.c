// SPDX-License-Identifier: GPL-2.0-only
/* Makes sections, ELF files and images for the tests. */
#include "support.h"

#include <linux/delay.h>
#include <linux/elf.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "sframe_format.h"

#define FRE_BYTES 3u

u32 test_section_bytes(u32 nr)
{
	return SFRAME_HEADER_LEN + nr * (SFRAME_V2_FDE_LEN + FRE_BYTES);
}

void test_section(u8 *buf, u32 nr, u64 vaddr, u8 cfa_off)
{
	u8 *fde = buf + SFRAME_HEADER_LEN, *fre = fde + nr * SFRAME_V2_FDE_LEN;
	u32 i;

	memset(buf, 0, test_section_bytes(nr));
	put_unaligned_le16(SFRAME_MAGIC, buf);
	buf[2] = 2;
	buf[3] = SFRAME_F_FDE_SORTED;
	buf[4] = SFRAME_ABI_AMD64_LE;
	buf[6] = (u8)-8;
	put_unaligned_le32(nr, buf + 8);
	put_unaligned_le32(nr, buf + 12);
	put_unaligned_le32(nr * FRE_BYTES, buf + 16);
	put_unaligned_le32(nr * SFRAME_V2_FDE_LEN, buf + 24);
	for (i = 0; i < nr; i++, fde += SFRAME_V2_FDE_LEN, fre += FRE_BYTES) {
		put_unaligned_le32(TEST_TEXT + i * TEST_FUNC_BYTES - vaddr, fde);
		put_unaligned_le32(TEST_FUNC_BYTES, fde + 4);
		put_unaligned_le32(i * FRE_BYTES, fde + 8);
		put_unaligned_le32(1, fde + 12);
		/* at 0, one word of one byte; SP-based in even functions */
		fre[1] = i & 1 ? 0x02 : 0x03;
		fre[2] = cfa_off;
	}
}

void test_elf_headers(struct ustack_elf *elf, u32 nr)
{
	u64 bytes = (u64)nr * TEST_FUNC_BYTES;

	*elf = (struct ustack_elf){
		.arch = &ustack_arch_x86_64,
		.nr_segments = 1,
		.nr_text = 1,
	};
	elf->segments[0] = (struct ustack_segment){
		.off = TEST_TEXT,
		.vaddr = TEST_TEXT,
		.filesz = bytes,
		.memsz = bytes,
		.exec = true,
	};
	elf->text[0].start = TEST_TEXT;
	elf->text[0].end = TEST_TEXT + bytes;
}

struct ustack_code *test_code(struct kunit *test, u32 nr, u8 cfa_off)
{
	struct ustack_code *code = test_code_of(test, nr, cfa_off, &ustack_machine);

	KUNIT_ASSERT_NOT_NULL(test, code);
	return code;
}

struct ustack_code *test_code_of(struct kunit *test, u32 nr, u8 cfa_off,
				 struct ustack_payer *payer)
{
	u64 vaddr = TEST_TEXT + (u64)nr * TEST_FUNC_BYTES;
	struct ustack_build build;
	struct ustack_code *code;
	struct ustack_elf *elf;
	u8 *bytes;

	elf = kzalloc(sizeof(*elf), GFP_KERNEL);
	bytes = kvmalloc(test_section_bytes(nr), GFP_KERNEL);
	if (!elf || !bytes) {
		kfree(elf);
		kvfree(bytes);
		KUNIT_FAIL_AND_ABORT(test, "no memory");
	}
	test_elf_headers(elf, nr);
	test_section(bytes, nr, vaddr, cfa_off);
	code = ustack_code_build(bytes, test_section_bytes(nr), vaddr, elf,
				 payer, &build);
	kvfree(bytes);
	kfree(elf);
	KUNIT_ASSERT_EQ(test, build.reason, code ? USTACK_OK : USTACK_BUDGET);
	return code;
}

static void close_file(void *file)
{
	fput(file);
}

struct file *test_file_of(struct kunit *test, const void *bytes, size_t len)
{
	struct file *file;
	loff_t pos = 0;

	/* a kernel thread's root directory has no room for files with a path */
	file = shmem_kernel_file_setup("ustack-kunit", 0, EMPTY_VMA_FLAGS);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, close_file, file));
	KUNIT_ASSERT_EQ(test, (ssize_t)len, kernel_write(file, bytes, len, &pos));
	/* otherwise it would count as written too recently */
	msleep(30);
	return file;
}

#define NR_PHDRS 4

/* The first page has the headers and the note; then come text and .sframe. */
struct file *test_file_with_room(struct kunit *test, u32 nr, u32 room)
{
	static const u8 note[] = { 4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0,
				   'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	u64 off = TEST_TEXT + (u64)room * TEST_FUNC_BYTES;
	u32 len = test_section_bytes(nr);
	Elf64_Ehdr *eh;
	Elf64_Phdr *ph;
	struct file *file;
	u8 *b;

	b = kvzalloc(off + len, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b);
	eh = (void *)b;
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = ELFDATA2LSB;
	eh->e_type = ET_DYN;
	eh->e_machine = EM_X86_64;
	eh->e_phoff = sizeof(*eh);
	eh->e_phentsize = sizeof(*ph);
	eh->e_phnum = nr ? NR_PHDRS : NR_PHDRS - 1;
	ph = (void *)(eh + 1);
	ph[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
			      .p_offset = TEST_TEXT, .p_vaddr = TEST_TEXT,
			      .p_filesz = off - TEST_TEXT,
			      .p_memsz = off - TEST_TEXT };
	ph[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R,
			      .p_offset = off, .p_vaddr = off,
			      .p_filesz = len, .p_memsz = len };
	ph[2] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = 0x800,
			      .p_filesz = sizeof(note) };
	ph[3] = (Elf64_Phdr){ .p_type = USTACK_PT_GNU_SFRAME, .p_offset = off,
			      .p_vaddr = off, .p_filesz = len };
	memcpy(b + 0x800, note, sizeof(note));
	if (nr)
		test_section(b + off, nr, off, 8);
	file = test_file_of(test, b, off + len);
	kvfree(b);
	return file;
}

struct file *test_file(struct kunit *test, u32 nr)
{
	return test_file_with_room(test, nr, max(nr, 1u));
}

struct ustack_image *test_image(struct kunit *test, u64 ino)
{
	struct ustack_identity id = { .dev = 0x7e57, .ino = ino };
	struct ustack_image *image = ustack_image_get(&id, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, image);
	return image;
}

struct ustack_image *test_image_of(struct kunit *test, struct file *file)
{
	struct ustack_identity id;
	struct ustack_image *image;

	ustack_identity_of(file_inode(file), &id);
	image = ustack_image_get(&id, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, image);
	return image;
}

s32 test_cfa_off(struct ustack_image *image)
{
	const struct ustack_rule *rule;
	const struct ustack_code *code;
	s32 off = 0;

	rcu_read_lock();
	code = rcu_dereference(image->code);
	rule = code ? ustack_code_lookup(code, TEST_TEXT) : NULL;
	if (rule)
		off = rule->cfa_off;
	rcu_read_unlock();
	return off;
}

void test_settle(void)
{
	rcu_barrier();
}

void test_expect_clean(struct kunit *test)
{
	struct ustack_space_totals spaces;
	struct ustack_image_totals images;

	test_settle();
	ustack_space_get_totals(&spaces);
	KUNIT_EXPECT_EQ(test, spaces.spaces, 0);
	KUNIT_EXPECT_EQ(test, spaces.bytes, 0);
	KUNIT_EXPECT_EQ(test, test_evict_all(), 0);
	ustack_image_get_totals(&images);
	KUNIT_EXPECT_EQ(test, images.table_bytes, 0);
	KUNIT_EXPECT_EQ(test, images.tables, 0);
	KUNIT_EXPECT_EQ(test, images.idle, 0);
}

int test_mm_init(struct kunit *test)
{
	ustack_space_init();
	/* the kernel thread gets an mm of its own, for as long as it lives */
	return kunit_attach_mm();
}

void test_mm_exit(struct kunit *test)
{
	ustack_space_exit();
	test_expect_clean(test);
}

int test_images_init(struct kunit_suite *suite)
{
	return ustack_image_init();
}

void test_images_exit(struct kunit_suite *suite)
{
	ustack_image_exit();
}

MODULE_DESCRIPTION("KUnit suites of ustack");
MODULE_LICENSE("GPL");
