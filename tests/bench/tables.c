// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures tables: bytes of each part, and how fast sections are verified and compiled.
 *
 * usage: tables FILE[=SECTION]...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

#define ROUNDS 7

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_size(const char *path, const struct bench_image *image)
{
	const struct ustack_table *t = image->table;
	double rows = t->nr_keys, mb = t->range / 1e6;
	u32 wide = t->layout & USTACK_TABLE_WIDE_RULES ? 2 : 1;

	printf("%-22s %8.2f %8u %8u %6u %6u %6.2f %6.2f %6.2f %6.2f %6.2f %7.2f %7.2f %8.0f\n",
	       base_name(path), mb, image->report.rows, t->nr_keys, t->nr_rules,
	       1u << t->map_shift, (t->keys_off - sizeof(*t)) / rows,
	       (t->rules_off - t->keys_off) / rows, wide * 1.0,
	       (t->map_off - t->palette_off) / rows,
	       (t->size - t->map_off) / rows, t->size / rows,
	       (double)t->size / image->report.rows, t->size / mb / 1000);
}

static void print_speed(const char *path, const char *section)
{
	u64 verify[ROUNDS], compile[ROUNDS];
	struct bench_image image;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		if (!bench_image_load(&image, path, section))
			exit(1);
		verify[i] = image.verify_ns;
		compile[i] = image.compile_ns;
		if (i < ROUNDS - 1)
			bench_image_release(&image);
	}
	qsort(verify, ROUNDS, sizeof(*verify), by_value);
	qsort(compile, ROUNDS, sizeof(*compile), by_value);
	printf("%-22s %8u %8u %9.2f %9.2f %8.0f %8.1f %9" PRIu64 "\n",
	       base_name(path), image.section_len / 1000,
	       image.report.functions, verify[ROUNDS / 2] / 1e6,
	       compile[ROUNDS / 2] / 1e6,
	       image.section_len * 1e3 /
		       (double)(verify[ROUNDS / 2] + compile[ROUNDS / 2]),
	       image.report.rows * 1e3 /
		       (double)(verify[ROUNDS / 2] + compile[ROUNDS / 2]),
	       image.scratch / 1000);
	bench_image_release(&image);
}

/* Splits "FILE=SECTION". */
static char *section_of(char *arg)
{
	char *section = strchr(arg, '=');

	if (section)
		*section++ = 0;
	return section;
}

int main(int argc, char **argv)
{
	struct bench_image image;
	char *section[64];
	int i, status = 0;

	if (argc > 64)
		return 2;
	printf("%-22s %8s %8s %8s %6s %6s %6s %6s %6s %6s %6s %7s %7s %8s\n",
	       "bytes a row:", "text MB", "FREs", "rows", "rules", "map of",
	       "index", "keys", "rules", "palet.", "map", "all", "a FRE",
	       "kB/MB");
	for (i = 1; i < argc; i++) {
		section[i] = section_of(argv[i]);
		if (!bench_image_load(&image, argv[i], section[i])) {
			status = 1;
			continue;
		}
		print_size(argv[i], &image);
		bench_image_release(&image);
	}
	if (status)
		return status;
	printf("\n%-22s %8s %8s %9s %9s %8s %8s %9s\n", "speed:", "kB",
	       "funcs", "verify ms", "compile", "MB/s", "M rows/s", "peak kB");
	for (i = 1; i < argc; i++)
		print_speed(argv[i], section[i]);
	return 0;
}
