// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints names of the symbol store, for judge.py: reads hexadecimal link-time addresses
 * from standard input, one in a line. For each it prints the frames, innermost first, as
 * "FUNCTION\tFILE:LINE", and then a line with a dot.
 *
 * usage: names FILE CACHE [URLS SECONDS MEGABYTES]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/gsym/reader.h"
#include "symbols/symstore/symstore.h"

static void say(const char *text, void *arg)
{
	fprintf(stderr, "%s\n", text);
}

static void print_one(struct symstore_image *i, uint64_t vaddr)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	int n = symstore_lookup(i, vaddr, f, GSYM_MAX_FRAMES), k;

	for (k = 0; k < n && k < (int)GSYM_MAX_FRAMES; k++)
		printf("%s\t%s%s%s:%" PRIu32 "\n", f[k].function, f[k].dir,
		       f[k].dir[0] ? "/" : "", f[k].file, f[k].line);
	printf(".\n");
}

int main(int argc, char **argv)
{
	static const char *const sources[] = { "nothing", "dynsym", "bsym", "symtab", "dwarf" };
	struct symstore_options o = { .note = say };
	struct symstore_key key = { .path = argc > 1 ? argv[1] : "" };
	struct symstore_image *i;
	struct symstore *s;
	uint64_t vaddr;

	if (argc != 3 && argc != 6)
		return 2;
	o.cache = argv[2];
	if (argc == 6) {
		o.servers = argv[3];
		o.fetch_seconds = (unsigned int)atoi(argv[4]);
		o.fetch_bytes = (uint64_t)atoi(argv[5]) << 20;
	}
	if (symstore_new(&o, &s, NULL))
		return 1;
	i = symstore_image(s, &key);
	if (!i)
		return 1;
	symstore_want(s, i);
	symstore_wait(s, NULL, NULL);
	printf("%s %s\n", sources[symstore_source(i)], symstore_reason(i));
	while (scanf("%" SCNx64, &vaddr) == 1)
		print_one(i, vaddr);
	symstore_free(s);
	return 0;
}
