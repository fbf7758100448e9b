/* SPDX-License-Identifier: GPL-2.0-only */
/* Used by all suites: makes sections, ELF files and images for the tests. */
#ifndef USTACK_TESTS_SUPPORT_H
#define USTACK_TESTS_SUPPORT_H

#include <kunit/test.h>
#include <linux/fs.h>

#include "build.h"
#include "image.h"
#include "space.h"

/* The functions of a section made for a test have this size, without gaps. */
#define TEST_FUNC_BYTES 16u
/* Where the text of a file made for a test starts, in file and memory. */
#define TEST_TEXT 0x1000u

/* Size in bytes of such a section, in version 2, with @nr functions. */
u32 test_section_bytes(u32 nr);

/**
 * test_section() - make a section
 * @buf: buffer of test_section_bytes(@nr) bytes
 * @nr: number of functions, the first at TEST_TEXT; each has one row, CFA = SP
 *      + @cfa_off in those of even index and FP + @cfa_off in the others, so
 *      that no two can be merged
 * @vaddr: link-time address of the section
 * @cfa_off: a multiple of 8, less than 128
 */
void test_section(u8 *buf, u32 nr, u64 vaddr, u8 cfa_off);

/* Headers of a file with one executable segment, over @nr functions. */
void test_elf_headers(struct ustack_elf *elf, u32 nr);

/* A table of such a section. Failing to make it fails the test. */
struct ustack_code *test_code(struct kunit *test, u32 nr, u8 cfa_off);

/* The same, charged to @payer; NULL if it does not fit. */
struct ustack_code *test_code_of(struct kunit *test, u32 nr, u8 cfa_off,
				 struct ustack_payer *payer);

/*
 * An x86-64 ELF file of @nr functions with .sframe, or without .sframe if @nr
 * is 0. It is open for reading and writing, and closed when the test ends.
 */
struct file *test_file(struct kunit *test, u32 nr);

/* The same; its text has room for @room functions, of which .sframe has @nr. */
struct file *test_file_with_room(struct kunit *test, u32 nr, u32 room);

/* A file with these contents. */
struct file *test_file_of(struct kunit *test, const void *bytes, size_t len);

/* The image of an invented identity; the caller gets a reference. */
struct ustack_image *test_image(struct kunit *test, u64 ino);

/* The image of a file, which need not be built; the caller gets a reference. */
struct ustack_image *test_image_of(struct kunit *test, struct file *file);

/* Whether the cache has an image of this identity. In image_kunit.c. */
bool test_cached(const struct ustack_identity *id);

static inline long test_users(const struct ustack_image *image)
{
	return atomic_long_read(&image->users);
}

/* The CFA offset that @image's table has for TEST_TEXT; 0 without a table. */
s32 test_cfa_off(struct ustack_image *image);

/* Waits for all RCU callbacks, which release the images of freed lists. */
void test_settle(void);

/*
 * Expects that a test left nothing: no space, no list, no image in use. Evicts
 * the idle images.
 */
void test_expect_clean(struct kunit *test);

/*
 * The .init and .exit of a suite whose tests need an mm: it allows spaces to be
 * created, and checks at the end that nothing is left.
 */
int test_mm_init(struct kunit *test);
void test_mm_exit(struct kunit *test);

/* The .suite_init and .suite_exit of suites that look up and evict images. */
int test_images_init(struct kunit_suite *suite);
void test_images_exit(struct kunit_suite *suite);

/* Evicts idle images, returns how many images are left. In image_kunit.c. */
u32 test_evict_all(void);

/* The next image that a reader would be told about. In untabled_kunit.c. */
u64 test_next_untabled(u64 after,
		       void (*fn)(const struct ustack_image *image, void *arg),
		       void *arg);

#endif /* USTACK_TESTS_SUPPORT_H */
