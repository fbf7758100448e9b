// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpad's text with any bytes: it is refused with the number of a line, or
 * becomes a file that the reader opens and all of whose functions decode.
 */
#include "fuzz.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/from_breakpad.h"

static int fd_of(const void *bytes, size_t len)
{
	int fd = memfd_create("fuzz", 0);

	must(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	return fd;
}

static void check_function(const struct gsym *g, const struct gsym_function *f)
{
	struct gsym_frame frames[4];
	struct gsym_lines lines;
	struct gsym_calls calls;
	struct gsym_line line;
	struct gsym_call call;

	must(!gsym_lines_init(&lines, g, f));
	while (gsym_lines_next(&lines, &line) > 0)
		must(line.addr >= f->start && line.addr < f->start + f->size);
	must(gsym_lines_next(&lines, &line) == 0);
	must(!gsym_calls_init(&calls, g, f));
	while (gsym_calls_next(&calls, &call) > 0)
		must(call.start >= f->start && call.start < f->start + f->size);
	must(gsym_calls_next(&calls, &call) == 0);
	must(gsym_lookup(g, f->start, frames, 4) > 0);
}

static void check(const u8 *bytes, size_t len, u64 nr)
{
	struct diag diag = { 0 };
	struct gsym_function f;
	struct gsym *g;
	u32 i;

	must(!gsym_open_bytes(bytes, len, "fuzz", &g, &diag));
	for (i = 0; i < nr; i++) {
		must(!gsym_function(g, i, &f));
		check_function(g, &f);
	}
	gsym_close(g);
}

static void write_and_check(struct gsym_part *part)
{
	struct gsym_write_options o = { .layout = GSYM_LLVM_1 };
	int out = memfd_create("out", 0), err;
	struct gsym_write_stats stats;
	struct diag diag = { 0 };
	size_t len;
	u8 *bytes;

	must(out >= 0);
	err = gsym_write(&part, 1, &o, out, "out", &stats, &diag);
	must(!err || err == -EFBIG);
	len = (size_t)lseek(out, 0, SEEK_END);
	bytes = malloc(len + !len);
	must(pread(out, bytes, len, 0) == (ssize_t)len);
	close(out);
	if (!err)
		check(bytes, len, stats.functions);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char head[] = "MODULE Linux x86_64 2236B6D4B7E773E303C9E01F9A8138B50 p\n"
		"FILE 0 /a/b.c\nINLINE_ORIGIN 0 g\nFUNC 10 100 0 f\n";
	size_t skip = size && data[0] & 1 ? sizeof(head) - 1 : 0;
	char *text = malloc(size + sizeof(head)), path[32];
	struct gsym_part *part = gsym_part_new();
	struct gsym_breakpad found;
	struct diag diag = { 0 };
	int fd, err;

	/* half of the inputs start inside a function */
	memcpy(text, head, skip);
	memcpy(text + skip, data, size);
	fd = fd_of(text, skip + size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = gsym_from_breakpad(path, part, &found, &diag);
	must(!err || (err == -EBADMSG && diag.text[0]));
	if (!err)
		write_and_check(part);
	gsym_part_free(part);
	close(fd);
	free(text);
	return 0;
}
