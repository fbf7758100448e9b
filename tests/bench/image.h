/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the table of an ELF file and measures the time of each part. */
#ifndef BENCH_IMAGE_H
#define BENCH_IMAGE_H

#include "core.h"

/**
 * struct bench_image - one file
 * @elf: headers of the file
 * @section: bytes of its section
 * @section_len: number of bytes in @section
 * @report: the report of verify
 * @table: the verified table
 * @scratch: number of bytes of working memory
 * @verify_ns: time of open and verify
 * @compile_ns: time of both passes of compile
 */
struct bench_image {
	struct ustack_elf elf;
	u8 *section;
	u32 section_len;
	struct ustack_report report;
	struct ustack_table *table;
	u64 scratch;
	u64 verify_ns;
	u64 compile_ns;
};

/**
 * bench_image_load() - make a file's table
 * @image: filled
 * @path: ELF file
 * @section: NULL to use the file's own .sframe; else a file with the section's
 *           bytes, whose address is in @section.vaddr as a number
 *
 *  Return: false after printing what is wrong.
 */
bool bench_image_load(struct bench_image *image, const char *path,
		      const char *section);
void bench_image_release(struct bench_image *image);

u64 bench_now_ns(void);

#endif /* BENCH_IMAGE_H */
