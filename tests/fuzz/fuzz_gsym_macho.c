// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mach-O files of any bytes, thin and fat: their slices, and the functions of
 * their symbol tables. A GSYM file is made of what was read.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/from_macho.h"
#include "symbols/convert/input.h"

static void write_all(struct gsym_part *part, const struct gsym_symtab *s)
{
	struct gsym_write_options o = {
		.layout = GSYM_LLVM_2, .base = s->base, .text = s->text,
		.nr_text = s->nr_text, .starts = s->starts, .nr_starts = s->nr_starts,
		.merge = true,
	};
	int out = open("/dev/null", O_WRONLY), err;
	struct gsym_write_stats stats;

	must(out >= 0);
	err = gsym_write(&part, 1, &o, out, "out", &stats, NULL);
	must(!err || err == -EFBIG);
	must(err || stats.functions + stats.merged + stats.duplicates + stats.outside ==
		    s->symbols);
	close(out);
}

static void read_one(const struct gsym_input *in)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;
	size_t i;
	int err;

	must(part && in->kind == GSYM_INPUT_MACHO && in->len && *in->arch);
	err = gsym_from_macho(in->path, in->off, in->len, part, &s, &diag);
	must(!err || (err == -EBADMSG && diag.text[0]));
	for (i = 1; !err && i < s.nr_text; i++)
		must(s.text[i - 1].end <= s.text[i].start);
	if (!err) {
		write_all(part, &s);
		gsym_symtab_release(&s);
	}
	gsym_part_free(part);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = memfd_create("fuzz", 0), err;
	struct diag diag = { 0 };
	struct gsym_inputs in;
	char path[32];
	size_t i;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = gsym_inputs_find(path, NULL, &in, &diag);
	must(!err || diag.text[0]);
	must(err || in.nr);
	for (i = 0; !err && i < in.nr; i++)
		if (in.p[i].kind == GSYM_INPUT_MACHO)
			read_one(&in.p[i]);
	gsym_inputs_release(&in);
	close(fd);
	return 0;
}
