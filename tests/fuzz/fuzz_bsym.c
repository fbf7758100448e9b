// SPDX-License-Identifier: GPL-2.0-only
/*
 * BSYM files of any bytes: names that are read lie inside the file, lookups
 * agree with a walk over all symbols, and files written from it are valid. Text
 * that is no BSYM file is read as a .symbol file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/bsym/build.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROOM 4096

static char text[ROOM];

static void count(bool odd, const char *what, void *arg)
{
	must(what[0]);
	*(uint64_t *)arg += !odd;
}

static void look_at_symbols(const struct bsym *b, uint32_t index, bool ordered)
{
	struct bsym_codeseg c;
	struct bsym_place at;
	struct bsym_symbol s;
	uint32_t i;
	int n;

	if (bsym_codeseg(b, index, &c))
		return;
	must(bsym_string(b, c.name, text, ROOM) >= -EBADMSG);
	for (i = 0; i < c.nr && i < 1000; i++) {
		if (bsym_symbol(b, &c, i, &s))
			continue;
		n = bsym_name(b, &s, text, ROOM);
		must(n == -EBADMSG || strlen(text) == (size_t)(n < ROOM ? n : ROOM - 1));
		if (!ordered || !s.length || s.address < c.address)
			continue;
		n = bsym_find_offset(b, index, s.address - c.address, &at);
		/* another code segment may begin there, too, and have no bytes */
		must(n == BSYM_NONE || at.codeseg == index);
		must(n < BSYM_BEYOND || at.symbol.address == s.address);
	}
}

static void look(const struct bsym *b)
{
	struct bsym_info info;
	struct bsym_place at;
	uint32_t i, codeseg, name, found;
	uint64_t wrong = 0;

	bsym_info(b, &info);
	must(bsym_verify(b, count, &wrong) >= wrong);
	for (i = 0; i < info.nr_codesegs && i < 100; i++)
		look_at_symbols(b, i, !wrong);
	for (i = 0; i < info.nr_renames && i < 100; i++) {
		bsym_rename(b, i, &codeseg, &name);
		must(bsym_string(b, name, text, ROOM) >= -EBADMSG);
	}
	for (i = 0; i < info.nr_tokens; i++)
		must(bsym_token(b, i, text, ROOM) >= -EBADMSG);
	for (i = 0; i < 32; i++)
		must(bsym_find(b, 1u << i, &at) >= -EBADMSG);
	if (info.nr_codesegs < 1000)
		bsym_find_codeseg(b, "ekern.exe", 0, &found);
}

/* Writes what was read, and checks that the result has no errors. */
static void write_and_read(struct bsym_new *n, uint32_t version)
{
	static uint8_t bytes[1 << 22];
	int fd = memfd_create("bsym", 0);
	struct bsym_written done;
	uint64_t wrong = 0;
	struct bsym *b;
	ssize_t len;

	must(!bsym_write(n, &(struct bsym_write_options){ .version = version }, fd, "fuzz", &done,
			 NULL));
	len = pread(fd, bytes, sizeof(bytes), 0);
	if ((uint64_t)len == done.bytes) {
		must(!bsym_open_bytes(bytes, (size_t)len, "again", &b, NULL));
		bsym_verify(b, count, &wrong);
		must(!wrong);
		bsym_close(b);
	}
	close(fd);
}

static void make(const char *path, int (*from)(const char *path, struct bsym_new *n,
					       struct bsym_source *ret, struct diag *diag))
{
	static const uint32_t versions[] = {
		BSYM_VERSION(1, 0), BSYM_VERSION(2, 0), BSYM_VERSION(2, 1),
	};
	struct bsym_source source;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct bsym_new *n = bsym_new();

		must(n);
		if (!from(path, n, &source, NULL) && source.symbols < 10000)
			write_and_read(n, versions[i]);
		bsym_free(n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + !size);
	struct diag diag = { 0 };
	char path[64];
	struct bsym *b;
	int err, fd;

	memcpy(copy, data, size);
	err = bsym_open_bytes(copy, size, "fuzz", &b, &diag);
	must(!err || diag.text[0]);
	if (!err) {
		look(b);
		bsym_close(b);
	}
	free(copy);
	if (err && bsym_identify(data, size))
		return 0;
	fd = memfd_create("input", 0);
	must(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	make(path, err ? bsym_from_symbol_file : bsym_from_bsym);
	close(fd);
	return 0;
}
