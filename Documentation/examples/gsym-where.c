/* SPDX-License-Identifier: MIT */
/* usage: gsym-where FILE ADDRESS...: the function, file and line of each address, and its inlined callers
 *
 *	cc gsym-where.c $(pkg-config --cflags --libs gsym) -o gsym-where
 */
#include <gsym.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const struct gsym_error *error)
{
	fprintf(stderr, "%s: ", error->file);
	if (error->offset != GSYM_NO_OFFSET)
		fprintf(stderr, "offset 0x%llx: ", (unsigned long long)error->offset);
	fprintf(stderr, "%s\n", error->reason);
	return 1;
}

int main(int argc, char **argv)
{
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	struct gsym_reader *reader;
	struct gsym_error error;
	int status = 0, nr, i, k;

	if (argc < 2 || gsym_reader_open(argv[1], &reader, &error))
		return argc < 2 ? 2 : failed(&error);
	for (i = 2; i < argc; i++) {
		nr = gsym_reader_lookup(reader, strtoull(argv[i], NULL, 16), frames, GSYM_MAX_FRAMES, &error);
		if (nr < 0)
			status = failed(&error);
		for (k = 0; k < nr; k++) {
			printf("%s %s + %llu", argv[i], frames[k].function, (unsigned long long)frames[k].offset);
			if (frames[k].file[0])
				printf(" @ %s/%s:%u", frames[k].dir, frames[k].file, frames[k].line);
			puts(frames[k].inlined ? " [inlined]" : "");
		}
	}
	gsym_reader_close(reader);
	return status;
}
