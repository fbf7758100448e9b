// SPDX-License-Identifier: GPL-2.0-only
/* Packs answers with gzip if the client accepts it; pages and JSON become a fifth as large. */
#include "serve/daemon/reply.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "util/file.h"

#include "util/poison.h"

/* Fewer bytes are not worth packing. */
#define LEAST_BYTES 1024u
#define PIECE (64u << 10)
/* zlib's window bits: the largest window, and 16 for gzip's header. */
#define GZIP_BITS (15 + 16)
#define GZIP_MEMORY 8

/* Whether an item accepts gzip: "gzip", "gzip;q=0.5" and "*" do, "gzip;q=0" does not. */
static bool takes(const char *item, size_t len)
{
	size_t name = strcspn(item, "; \t,");
	const char *q;

	name = name < len ? name : len;
	if (!(name == 4 && !strncasecmp(item, "gzip", 4)) && !(name == 1 && *item == '*'))
		return false;
	q = memmem(item, len, "q=", 2);
	return !q || strtod(q + 2, NULL) > 0;
}

bool reply_accepts_gzip(const char *accepted)
{
	size_t len;

	while (accepted && *accepted) {
		accepted += strspn(accepted, " \t,");
		len = strcspn(accepted, ",");
		if (len && takes(accepted, len))
			return true;
		accepted += len;
	}
	return false;
}

static bool is_text(const struct reply *r)
{
	return !strcmp(r->type, REPLY_JSON) || !strncmp(r->type, "text/", 5);
}

/* Packs bytes to the file @to. Return: number of bytes in @to; 0 after an error. */
static size_t pack(const void *bytes, size_t len, int to)
{
	z_stream z = { .next_in = (Bytef *)bytes, .avail_in = (uInt)len };
	unsigned char *piece = malloc(PIECE);
	size_t made = 0;
	int r = Z_MEM_ERROR, err = 0;

	if (piece)
		r = deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY,
				 Z_DEFAULT_STRATEGY);
	while (r == Z_OK && !err) {
		z.next_out = piece;
		z.avail_out = PIECE;
		r = deflate(&z, Z_FINISH);
		err = file_write_all(to, piece, PIECE - z.avail_out);
		made += PIECE - z.avail_out;
	}
	if (piece)
		deflateEnd(&z);
	free(piece);
	return r == Z_STREAM_END && !err ? made : 0;
}

void reply_gzip(struct reply *r, const char *accepted, size_t *len)
{
	size_t made = 0;
	void *bytes;
	int fd;

	if (*len < LEAST_BYTES || !is_text(r) || !reply_accepts_gzip(accepted))
		return;
	bytes = mmap(NULL, *len, PROT_READ, MAP_SHARED, r->fd, 0);
	fd = memfd_create("packed", MFD_CLOEXEC);
	if (bytes != MAP_FAILED && fd >= 0)
		made = pack(bytes, *len, fd);
	if (bytes != MAP_FAILED)
		munmap(bytes, *len);
	if (!made || dup3(fd, r->fd, O_CLOEXEC) < 0)
		made = 0;
	if (fd >= 0)
		close(fd);
	if (!made)
		return;
	r->gzip = true;
	*len = made;
}
