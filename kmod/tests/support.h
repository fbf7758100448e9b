/* SPDX-License-Identifier: GPL-2.0-only */
/* What the suites share: sections, ELF files and images made to measure. */
#ifndef USTACK_TESTS_SUPPORT_H
#define USTACK_TESTS_SUPPORT_H

#include <kunit/test.h>
#include <linux/fs.h>

#include "build.h"
#include "image.h"
#include "space.h"

/* Functions of a fabricated section are this long and back to back. */
#define TEST_FUNC_BYTES 16u
/* Where the text of a fabricated file starts, in the file and in memory. */
#define TEST_TEXT 0x1000u

/* Bytes of a fabricated V2 section of @nr functions. */
u32 test_section_bytes(u32 nr);

/**
 * test_section() - fabricate a section
 * @buf: test_section_bytes(@nr) bytes
 * @nr: functions, from TEST_TEXT on; each has one row, CFA = SP + @cfa_off in
 *      even ones and FP + @cfa_off in odd ones, so that none can be merged
 * @vaddr: link-time address of the section
 * @cfa_off: a multiple of 8 below 128
 */
void test_section(u8 *buf, u32 nr, u64 vaddr, u8 cfa_off);

/* Headers of a file with one executable segment from 0 over @nr functions. */
void test_elf_headers(struct ustack_elf *elf, u32 nr);

/* A table of such a section. Fails the test if need be. */
struct ustack_code *test_code(struct kunit *test, u32 nr, u8 cfa_off);

/* The same, charged to @payer; NULL if it does not fit. */
struct ustack_code *test_code_of(struct kunit *test, u32 nr, u8 cfa_off,
				 struct ustack_payer *payer);

/* An x86-64 ELF file of @nr functions with .sframe; @nr 0: without. It is open
 * for reading and writing and is closed when the test ends.
 */
struct file *test_file(struct kunit *test, u32 nr);

/* A file of these bytes. */
struct file *test_file_of(struct kunit *test, const void *bytes, size_t len);

/* The image of a made-up identity, with a user for the caller. */
struct ustack_image *test_image(struct kunit *test, u64 ino);

/* Whether the identity finds an image. In image_kunit.c. */
bool test_cached(const struct ustack_identity *id);

static inline long test_users(const struct ustack_image *image)
{
	return atomic_long_read(&image->users);
}

/* The CFA offset that @image's table gives for TEST_TEXT; 0 without table. */
s32 test_cfa_off(struct ustack_image *image);

/* All that RCU has been asked to do is done: images have lost the users that
 * mapping lists had.
 */
void test_settle(void);

/* Nothing is left over from a test: no space, no list, no image in use. Evicts
 * what is idle.
 */
void test_expect_clean(struct kunit *test);

/* .init and .exit of a suite whose test has an mm: spaces can be created, and at the
 * end nothing is left over.
 */
int test_mm_init(struct kunit *test);
void test_mm_exit(struct kunit *test);

/* .suite_init and .suite_exit of a suite whose images are looked up and evicted. */
int test_images_init(struct kunit_suite *suite);
void test_images_exit(struct kunit_suite *suite);

/* Evicts all idle images. Return: how many images are left. In image_kunit.c. */
u32 test_evict_all(void);

/* What a reader of /dev/ustack is told of next: in untabled_kunit.c. */
u64 test_next_untabled(u64 after,
		       void (*fn)(const struct ustack_image *image, void *arg),
		       void *arg);

#endif /* USTACK_TESTS_SUPPORT_H */
