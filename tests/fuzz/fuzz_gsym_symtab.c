// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF symbol tables of any bytes, also with Go's table and with sections packed
 * by xz: they are read, or refused with a reason. A GSYM file is made of what
 * was read.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/symbol_ends.h"
#include "symbols/convert/from_go.h"
#include "symbols/convert/unxz.h"

static void write_all(struct gsym_part *part, const struct gsym_symtab *s, uint64_t go)
{
	struct gsym_write_options o = {
		.layout = GSYM_LLVM_2, .base = s->base, .text = s->text,
		.nr_text = s->nr_text, .starts = s->starts, .nr_starts = s->nr_starts,
		.merge = true,
	};
	int out = open("/dev/null", O_WRONLY), err;
	struct gsym_write_stats stats;
	u64 all = s->symbols + s->dynamic + s->packed + go;

	must(out >= 0);
	err = gsym_write(&part, 1, &o, out, "out", &stats, NULL);
	must(!err || err == -EFBIG);
	must(err || stats.functions + stats.merged + stats.duplicates + stats.outside <= all);
	close(out);
}

static void unpack(const u8 *data, size_t size)
{
	size_t len;
	u8 *out;

	if (unxz(data, size, 1 << 16, &out, &len))
		return;
	must(len <= 1 << 16);
	free(out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct gsym_part *part = gsym_part_new();
	int fd = memfd_create("fuzz", 0), err;
	struct diag diag = { 0 };
	struct gsym_symtab s;
	char path[32];
	uint64_t go;

	must(part && fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = gsym_from_symtab(path, part, &s, &diag);
	must(!err || diag.text[0]);
	if (!err) {
		must(!gsym_symtab_ends(path, part, &s, &diag));
		must(!gsym_from_go(path, part, &go, &diag));
		write_all(part, &s, go);
		gsym_symtab_release(&s);
	}
	unpack(data, size);
	gsym_part_free(part);
	close(fd);
	return 0;
}
