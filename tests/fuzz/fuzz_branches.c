// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program and a file of perf record -b with any bytes: they are refused with
 * a reason, or their branches can be written in each format.
 *
 * The input is the length of the program in 2 bytes, the program, and the
 * recording.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "capture/branches/branches.h"

static int open_as(const char *name, const u8 *bytes, size_t len, char path[32])
{
	int fd = memfd_create(name, 0);

	must(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void write_all(struct branches *b)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int f, err;

	for (f = 0; f < BRANCHES_NR; f++) {
		err = branches_save(b, (enum branches_format)f, "/dev/null", &diag);
		must(!err || ((err == -ENOTSUP || err == -ENODATA || err == -EBADMSG) && diag.text[0]));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char path[32], program[32];
	struct branches_options o = { .program = program };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	size_t len = size < 2 ? 0 : (size_t)data[0] | (size_t)data[1] << 8;
	struct file_stream s;
	struct branches *b;
	int fd, file, err;

	if (size < 2 || len > size - 2)
		return 0;
	fd = open_as("program", data + 2, len, program);
	file = open_as("perf.data", data + 2 + len, size - 2 - len, path);
	must(!file_stream(path, &s, NULL));
	err = branches_load(&s, &o, &b, &diag);
	must(!err || diag.text[0]);
	if (!err)
		write_all(b);
	if (!err)
		branches_free(b);
	file_stream_release(&s);
	close(file);
	close(fd);
	return 0;
}
