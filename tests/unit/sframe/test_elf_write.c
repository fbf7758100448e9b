// SPDX-License-Identifier: GPL-2.0-only
/* A section written as a file: what the core's ELF reader finds in it, and refusals. */
#include "support.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sframe/elf_write.h"

static const u8 section[] = "\xe2\xde\x03\x05 any bytes do here";

struct memory {
	struct ustack_file file;
	struct bytes bytes;
};

static bool read_memory(const struct ustack_file *file, u64 off, void *buf, u32 len)
{
	memcpy(buf, ((const struct memory *)file)->bytes.p + off, len);
	return true;
}

static const char *path(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "/tmp/test_elf_write.%d", (int)getpid());
	return name;
}

/* Three ranges with the section between two of them; every address stays as given. */
static void there_and_back(void **state)
{
	static const struct ustack_range text[] = {
		{ 0x1003, 0x1005 }, { 0x7ff8, 0x2ffff }, { 0x40000, 0x41000 },
	};
	static const u64 vaddrs[] = { 0x100, 0x2000, 0x30008, 0x7f0000000000 };
	struct sframe_image im = { X86, section, sizeof(section), 0, text, 3 };
	struct memory m;
	struct ustack_elf elf;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(vaddrs) * 2; i++) {
		im.vaddr = vaddrs[i / 2];
		im.arch = i & 1 ? A64 : X86;
		assert_int_equal(sframe_write_elf(path(), &im, NULL), 0);
		bytes_read_file(path(), &m.bytes);
		m.file = (struct ustack_file){ m.bytes.len, read_memory };
		assert_reason(ustack_elf_read(&m.file, &elf), USTACK_OK);
		assert_ptr_equal(elf.arch, im.arch);
		assert_int_equal(elf.nr_text, 3);
		for (k = 0; k < 3; k++) {
			assert_int_equal(elf.text[k].start, text[k].start);
			assert_int_equal(elf.text[k].end, text[k].end);
		}
		assert_int_equal(elf.nr_segments, 4);
		for (k = 0; k < 4; k++) {
			assert_true(!k || elf.segments[k].vaddr >
						  elf.segments[k - 1].vaddr);
			assert_true(elf.segments[k].off + elf.segments[k].filesz <=
				    m.bytes.len);
			assert_int_equal((elf.segments[k].off -
					  elf.segments[k].vaddr) & 0xffff, 0);
		}
		assert_int_equal(elf.sframe_vaddr, im.vaddr);
		assert_memory_equal(m.bytes.p + elf.sframe_off, section,
				    sizeof(section));
		free(m.bytes.p);
	}
	unlink(path());
}

/* 4 GiB of text take no space. */
static void sparse(void **state)
{
	const struct ustack_range text = { 0x10000, 0x100010000ull };
	struct sframe_image im = { X86, section, sizeof(section), 0, &text, 1 };
	struct stat st;

	im.vaddr = sframe_free_vaddr(&text, 1);
	assert_int_equal(im.vaddr, 0x100010000ull);
	assert_int_equal(sframe_write_elf(path(), &im, NULL), 0);
	assert_int_equal(stat(path(), &st), 0);
	assert_true(st.st_size > 0x100000000ll && st.st_blocks < 1024);
	unlink(path());
}

static void refused(void **state)
{
	struct ustack_range text[USTACK_MAX_SEGMENTS + 1];
	const struct sframe_image good = { X86, section, sizeof(section), 0x100,
					   text, USTACK_MAX_SEGMENTS - 1 };
	struct sframe_image im = good;
	struct diag diag;
	u32 i;

#define assert_refused(err) do {					\
	assert_int_equal(sframe_write_elf(path(), &im, &diag), -(err));	\
	assert_int_equal(access(path(), F_OK), -1);			\
	im = good;							\
} while (0)
	for (i = 0; i < ARRAY_SIZE(text); i++)
		text[i] = (struct ustack_range){ 0x1000 * (i + 1), 0x1000 * (i + 2) };
	assert_int_equal(sframe_write_elf(path(), &im, &diag), 0);
	unlink(path());
	im.nr_text = 0;
	assert_refused(EINVAL);
	im.nr_text = USTACK_MAX_SEGMENTS;
	assert_refused(EINVAL);
	im.len = 0;
	assert_refused(EINVAL);
	im.vaddr++;
	assert_refused(EINVAL);
	im.vaddr = 0x1000 - 8;
	assert_refused(EINVAL);
	im.vaddr = 0x1008;
	assert_refused(EINVAL);
	im.vaddr = ~7ull;
	assert_refused(EINVAL);
	text[1].start--;
	assert_refused(EINVAL);
	text[1].start++;
	text[1].end = text[1].start;
	assert_refused(EINVAL);
	text[1].end = 0x3000;
	text[USTACK_MAX_SEGMENTS - 2].end = 1ull << 62;
	im.nr_text = USTACK_MAX_SEGMENTS - 1;
	assert_refused(EFBIG);
	text[0].end = text[0].start + 0x1000000000000;
	im.nr_text = 1;
	/* more than file systems allow: the file is removed again */
	if (sframe_write_elf(path(), &im, &diag))
		assert_int_equal(access(path(), F_OK), -1);
	else
		unlink(path());
	assert_int_equal(sframe_write_raw("/", section, 1, &diag), -EISDIR);
	assert_int_equal(sframe_write_raw("/dev/full", section, 1, &diag), -ENOSPC);
	assert_int_equal(access("/dev/full", F_OK), 0);
}

static void raw(void **state)
{
	struct bytes b;

	assert_int_equal(sframe_write_raw(path(), section, sizeof(section), NULL), 0);
	bytes_read_file(path(), &b);
	assert_int_equal(b.len, sizeof(section));
	assert_memory_equal(b.p, section, sizeof(section));
	free(b.p);
	unlink(path());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(sparse),
		cmocka_unit_test(refused),
		cmocka_unit_test(raw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
