// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens version 3.0, as Nokia's rombuild and rofsbuild write it. Its flag for
 * the byte order means one thing to its writer and the opposite to the only
 * other reader. So the flag is ignored, and the byte order is used in which the
 * numbers of the header make sense.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/read.h"
#include "util/array.h"

#include "util/poison.h"

#define HEADER 48u
#define PAGE 4096u
#define UNIT_BYTES 36u

struct header {
	uint32_t units_at;
	uint32_t nr_units;
	uint32_t symbols_at;
	uint32_t nr_symbols;
	uint32_t strings_at;
	uint32_t strings_len;
	uint32_t packed_len;
	uint32_t unpacked_len;
	uint32_t pages_at;
};

static int bad(const struct bsym *b, struct diag *diag, uint64_t offset, const char *what)
{
	diag_set(diag, EBADMSG, b->name, "%s", what);
	if (diag)
		diag->offset = offset;
	return -EBADMSG;
}

static void read_header(const struct bsym *b, bool big, struct header *ret)
{
	const uint8_t *p = b->bytes + 12;

	*ret = (struct header){
		.units_at = bsym_u32(big, p), .nr_units = bsym_u32(big, p + 4),
		.symbols_at = bsym_u32(big, p + 8), .nr_symbols = bsym_u32(big, p + 12),
		.strings_at = bsym_u32(big, p + 16), .strings_len = bsym_u32(big, p + 20),
		.packed_len = bsym_u32(big, p + 24), .unpacked_len = bsym_u32(big, p + 28),
		.pages_at = bsym_u32(big, p + 32),
	};
}

static bool fits(uint64_t at, uint64_t nr, uint64_t size, uint64_t len)
{
	return at <= len && nr * size <= len - at;
}

static bool makes_sense(const struct bsym *b, const struct header *h)
{
	return h->units_at >= HEADER && h->units_at <= b->len &&
	       h->unpacked_len <= BSYM_MAX_UNPACKED &&
	       fits(0, h->nr_units, UNIT_BYTES, h->unpacked_len) &&
	       fits(h->symbols_at, h->nr_symbols, BSYM_SYMBOL3_BYTES, h->unpacked_len) &&
	       fits(h->strings_at, h->strings_len, 1, h->unpacked_len);
}

/*
 * Each page is packed by itself. A page that did not become smaller is stored,
 * and its length is given as 4096 bytes even if it is the last and shorter.
 */
static int unpack_page(const struct bsym *b, const struct header *h, const uint8_t *entry,
		       uint8_t *to, size_t room)
{
	uint64_t at = (uint64_t)h->units_at + bsym_u32(b->info.big_endian, entry);
	uint32_t len = bsym_u32(b->info.big_endian, entry + 4);

	if (len == PAGE && at <= b->len && b->len - at >= room) {
		memcpy(to, b->bytes + at, room);
		return 0;
	}
	if (at > b->len || len > b->len - at)
		return -EBADMSG;
	return bsym_unpack_page(b->bytes + at, len, to, room) == (int)room ? 0 : -EBADMSG;
}

static int unpack(struct bsym *b, const struct header *h, struct diag *diag)
{
	const bool big = b->info.big_endian;
	uint64_t nr = ((uint64_t)h->unpacked_len + PAGE - 1) / PAGE, i;
	size_t room;
	const uint8_t *pages;

	if (!fits(h->pages_at, 1, 8, b->len) || bsym_u32(big, b->bytes + h->pages_at) != PAGE)
		return bad(b, diag, 0x2c, "pages are outside of the file, or not of 4096 bytes");
	pages = b->bytes + h->pages_at + 8;
	if (bsym_u32(big, pages - 4) < nr || !fits(h->pages_at + 8ull, nr, 8, b->len))
		return bad(b, diag, h->pages_at + 4, "it has fewer pages than its unpacked size needs");
	b->unpacked = malloc(h->unpacked_len + !h->unpacked_len);
	if (!b->unpacked)
		return diag_errno(diag, ENOMEM, b->name);
	for (i = 0; i < nr; i++) {
		room = h->unpacked_len - i * PAGE;
		if (unpack_page(b, h, pages + 8 * i, b->unpacked + i * PAGE,
				room < PAGE ? room : PAGE))
			return bad(b, diag, h->pages_at + 8 + 8 * i, "a page is damaged");
	}
	b->bytes = b->unpacked;
	b->len = h->unpacked_len;
	return 0;
}

static int by_address(const void *x, const void *y)
{
	const struct bsym_codeseg *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* The symbols of a unit's code, data and zeros follow one another. */
static int add_unit(struct bsym *b, const uint8_t *p, size_t *room, struct diag *diag)
{
	const bool big = b->info.big_endian;
	uint64_t first = bsym_u32(big, p + 32);
	uint32_t i, nr;

	for (i = 0; i < 3; i++, first += nr) {
		nr = bsym_u32(big, p + 8 * i + 4);
		if (first > b->info.nr_symbols || nr > b->info.nr_symbols - first)
			return bad(b, diag, DIAG_NO_OFFSET, "a unit has symbols outside of the table");
		if (!nr)
			continue;
		if (!array_has_room(b->units, b->info.nr_codesegs, *room))
			return diag_errno(diag, ENOMEM, b->name);
		b->units[b->info.nr_codesegs++] = (struct bsym_codeseg){
			.address = bsym_u32(big, p + 8 * i), .nr = nr, .first = (uint32_t)first,
			.name = bsym_u32(big, p + 24),
		};
	}
	return 0;
}

static int add_units(struct bsym *b, const struct header *h, struct diag *diag)
{
	size_t room = 0;
	uint32_t i;
	int err = 0;

	/*
	 * @units is never NULL: it marks a file of version 3, even one without
	 * symbols
	 */
	if (!array_has_room(b->units, b->info.nr_codesegs, room))
		return diag_errno(diag, ENOMEM, b->name);
	for (i = 0; !err && i < h->nr_units; i++)
		err = add_unit(b, b->bytes + (size_t)i * UNIT_BYTES, &room, diag);
	if (b->info.nr_codesegs)
		qsort(b->units, b->info.nr_codesegs, sizeof(*b->units), by_address);
	return err;
}

int bsym_open_3(struct bsym *b, struct diag *diag)
{
	struct header h;
	bool packed;
	int err;

	if (b->len < HEADER)
		return bad(b, diag, b->len, "the header is cut off");
	packed = b->bytes[9];
	if (b->bytes[9] > 1)
		return bad(b, diag, 9, "packed in an unknown way");
	b->info.big_endian = false;
	read_header(b, false, &h);
	if (!makes_sense(b, &h)) {
		b->info.big_endian = true;
		read_header(b, true, &h);
		if (!makes_sense(b, &h))
			return bad(b, diag, 12, "tables are outside of the file in either byte order");
	}
	b->info.packed = packed;
	if (packed) {
		err = unpack(b, &h, diag);
		if (err)
			return err;
	} else if (h.unpacked_len > b->len - h.units_at) {
		return bad(b, diag, 0x28, "tables are outside of the file");
	} else {
		b->bytes += h.units_at;
		b->len = h.unpacked_len;
	}
	b->info.nr_symbols = h.nr_symbols;
	b->symbols = b->bytes + h.symbols_at;
	b->strings = b->bytes + h.strings_at;
	b->strings_len = h.strings_len;
	return add_units(b, &h, diag);
}
