// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks compressed sections: zlib, zstd, and GNU's older form of zlib (.zdebug_*).
 */
#include "formats/dwarf/load.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "util/cleanup.h"
#include "util/file.h"
#include "util/poison.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define CHUNK (1u << 20)
/* deflate expands a byte to at most 1032; zstd does not come near it with any DWARF either */
#define MAX_RATIO 1100

/* Return: descriptor of an unlinked file of @size bytes; a negative errno. */
static int temporary(uint64_t size)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	fd = open(dir && *dir ? dir : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = memfd_create("dwarf", MFD_CLOEXEC);
	if (fd >= 0 && ftruncate(fd, (off_t)size)) {
		close(fd);
		return -errno;
	}
	return fd < 0 ? -errno : fd;
}

/*
 * Drops packed bytes that were read from memory. @at: the next byte. @dropped:
 * end of what was dropped so far.
 */
static void drop(const struct dwarf_object *o, const uint8_t *at, const uint8_t **dropped)
{
	if ((uint64_t)(at - *dropped) < DWARF_DROP_EVERY)
		return;
	dwarf_object_drop(o);
	*dropped = at;
}

/* Return: number of bytes written; -EBADMSG; another negative errno. */
static int64_t unpack_zlib(const struct dwarf_object *o, struct cursor in, int fd,
			   uint64_t size)
{
	_cleanup_(cleanup_free) uint8_t *buf = malloc(CHUNK);
	z_stream z = { .next_in = (uint8_t *)in.p };
	uint64_t left = cursor_left(&in), done = 0;
	int r = Z_OK;

	if (!buf || inflateInit(&z) != Z_OK)
		return -ENOMEM;
	while (r == Z_OK && done <= size) {
		z.avail_in = left > CHUNK ? CHUNK : (uInt)left;
		left -= z.avail_in;
		z.next_out = buf;
		z.avail_out = CHUNK;
		r = inflate(&z, Z_NO_FLUSH);
		left += z.avail_in;
		done += CHUNK - z.avail_out;
		if (done <= size && file_write_all(fd, buf, CHUNK - z.avail_out))
			r = Z_ERRNO;
		drop(o, z.next_in, &in.p);
	}
	inflateEnd(&z);
	return r == Z_STREAM_END ? (int64_t)done : r == Z_ERRNO ? -EIO : -EBADMSG;
}

static int64_t unpack_zstd(const struct dwarf_object *o, struct cursor c, int fd,
			   uint64_t size)
{
	_cleanup_(cleanup_free) uint8_t *buf = malloc(CHUNK);
	ZSTD_inBuffer in = { c.p, cursor_left(&c), 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	uint64_t done = 0;
	int64_t ret = -EBADMSG;
	size_t r = 1;

	if (!buf || !z) {
		ZSTD_freeDStream(z);
		return -ENOMEM;
	}
	for (;;) {
		ZSTD_outBuffer out = { buf, CHUNK, 0 };

		r = ZSTD_decompressStream(z, &out, &in);
		done += out.pos;
		if (ZSTD_isError(r) || done > size)
			break;
		if (file_write_all(fd, buf, out.pos)) {
			ret = -EIO;
			break;
		}
		if (!r || (in.pos == in.size && !out.pos)) {
			ret = r ? -EBADMSG : (int64_t)done;
			break;
		}
		drop(o, (const uint8_t *)in.src + in.pos, &c.p);
	}
	ZSTD_freeDStream(z);
	return ret;
}

static int read_header(const struct dwarf_object *o, bool gnu, struct cursor *c,
		       uint32_t *type, uint64_t *size)
{
	*type = ELFCOMPRESS_ZLIB;
	if (gnu) {
		if (cursor_left(c) < 12 || memcmp(c->p, "ZLIB", 4))
			return -EBADMSG;
		cursor_skip(c, 4);
		c->swap = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__;
		*size = cursor_u64(c);
	} else {
		*type = cursor_u32(c);
		if (o->elf64)
			cursor_u32(c);
		*size = o->elf64 ? cursor_u64(c) : cursor_u32(c);
		cursor_skip(c, o->elf64 ? 8 : 4);
	}
	if (c->bad || (*type != ELFCOMPRESS_ZLIB && *type != ELFCOMPRESS_ZSTD))
		return -EBADMSG;
	return *size / MAX_RATIO > cursor_left(c) ? -EBADMSG : 0;
}

static int map_unpacked(struct dwarf_section *s, int fd, uint64_t size)
{
	void *p;

	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	s->own = p;
	s->own_len = size;
	s->in_file = true;
	s->data = p;
	s->size = size;
	s->file_off = DIAG_NO_OFFSET;
	return 0;
}

int dwarf_unpack(const struct dwarf_object *o, struct dwarf_section *s, bool gnu,
		 struct diag *diag)
{
	struct cursor c = { s->data, s->data + s->size, o->swap, false };
	uint64_t size;
	uint32_t type;
	int64_t done;
	int fd, err;

	if (read_header(o, gnu, &c, &type, &size))
		return diag_set(diag, EBADMSG, o->path,
				"section %s is compressed in an unknown way", s->name);
	if (!size) {
		s->data = NULL;
		return 0;
	}
	fd = temporary(size);
	if (fd < 0)
		return diag_errno(diag, -fd, o->path);
	done = type == ELFCOMPRESS_ZLIB ? unpack_zlib(o, c, fd, size) :
					  unpack_zstd(o, c, fd, size);
	err = done < 0 ? (int)done : (uint64_t)done != size ? -EBADMSG : 0;
	if (!err)
		err = map_unpacked(s, fd, size);
	close(fd);
	if (err == -EBADMSG)
		return diag_set(diag, EBADMSG, o->path,
				"the compressed contents of section %s are damaged", s->name);
	return err ? diag_errno(diag, -err, o->path) : 0;
}
