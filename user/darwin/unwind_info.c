// SPDX-License-Identifier: GPL-2.0-only
/* Reads the tables of __unwind_info: header, index, pages, LSDA. */
#include "darwin/unwind_info.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "util/poison.h"

/* Sizes of struct unwind_info_section_header and of entries in its arrays. All processors with
 * compact unwinding are little-endian.
 */
#define VERSION 1u
#define HEADER 28u
#define INDEX_ENTRY 12u
#define LSDA_ENTRY 8u
/* Sizes of the pages' headers and entries. */
#define REGULAR_PAGE 8u
#define COMPRESSED_PAGE 12u
#define REGULAR_ENTRY 8u
#define COMPRESSED_ENTRY 4u
#define COMPRESSED_OFFSET 0xffffffu

static int bad(const struct unwind_info *u, uint64_t off, struct diag *diag, const char *text)
{
	diag_set(diag, EBADMSG, u->path, "__unwind_info: %s", text);
	if (diag)
		diag->offset = u->file_off + off;
	return -EBADMSG;
}

static uint16_t get16(const struct unwind_info *u, uint64_t off)
{
	uint16_t v;

	memcpy(&v, u->bytes + off, sizeof(v));
	return le16toh(v);
}

static uint32_t get32(const struct unwind_info *u, uint64_t off)
{
	uint32_t v;

	memcpy(&v, u->bytes + off, sizeof(v));
	return le32toh(v);
}

static bool has(const struct unwind_info *u, uint64_t off, uint64_t nr, uint64_t size)
{
	return off <= u->len && nr <= (u->len - off) / size;
}

int unwind_info_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
		     struct unwind_info *ret, struct diag *diag)
{
	struct unwind_info u = { .bytes = bytes, .len = len, .path = path,
				 .file_off = file_off };

	if (len < HEADER)
		return bad(&u, 0, diag, "shorter than its header");
	if (get32(&u, 0) != VERSION)
		return bad(&u, 0, diag, "not of version 1");
	u.common = get32(&u, 4);
	u.nr_common = get32(&u, 8);
	u.personalities = get32(&u, 12);
	u.nr_personalities = get32(&u, 16);
	u.index = get32(&u, 20);
	u.nr_index = get32(&u, 24);
	if (!has(&u, u.common, u.nr_common, sizeof(uint32_t)))
		return bad(&u, 4, diag, "the common encodings reach beyond the section");
	if (!has(&u, u.personalities, u.nr_personalities, sizeof(uint32_t)))
		return bad(&u, 12, diag, "the personalities reach beyond the section");
	if (!has(&u, u.index, u.nr_index, INDEX_ENTRY))
		return bad(&u, 20, diag, "the index reaches beyond the section");
	if (!u.nr_index)
		return bad(&u, 24, diag, "the index has no last entry");
	*ret = u;
	return 0;
}

int unwind_info_of(const struct macho *m, struct unwind_info *ret, struct diag *diag)
{
	const uint8_t *bytes = NULL;
	struct macho_section s = { 0 };
	int err;

	if (macho_find_section(m, "__TEXT", "__unwind_info", &s)) {
		err = macho_section_bytes(m, &s, &bytes, diag);
		if (err)
			return err;
	}
	if (!bytes) {
		diag_set(diag, ENOENT, m->path, "no section __TEXT,__unwind_info");
		return -ENOENT;
	}
	return unwind_info_open(bytes, s.size, m->file_off + s.off, m->path, ret, diag);
}

uint32_t unwind_info_common(const struct unwind_info *u, uint32_t i)
{
	return get32(u, u->common + i * 4ull);
}

uint32_t unwind_info_personality(const struct unwind_info *u, uint32_t i)
{
	return get32(u, u->personalities + i * 4ull);
}

static uint64_t index_at(const struct unwind_info *u, uint32_t i)
{
	return u->index + (uint64_t)i * INDEX_ENTRY;
}

void unwind_info_index(const struct unwind_info *u, uint32_t i, struct unwind_index *ret)
{
	uint64_t at = index_at(u, i);

	ret->start = get32(u, at);
	ret->page = get32(u, at + 4);
	ret->lsda = get32(u, at + 8);
}

static int open_entries(const struct unwind_info *u, struct unwind_page *p, struct diag *diag)
{
	uint64_t size = p->kind == UNWIND_PAGE_REGULAR ? REGULAR_ENTRY : COMPRESSED_ENTRY;

	p->entries = p->at + get16(u, p->at + 4);
	p->nr = get16(u, p->at + 6);
	if (!has(u, p->entries, p->nr, size))
		return bad(u, p->at, diag, "a page's entries reach beyond the section");
	if (!p->nr)
		return bad(u, p->at, diag, "a page has no entries");
	if (p->kind == UNWIND_PAGE_REGULAR)
		return 1;
	p->local = p->at + get16(u, p->at + 8);
	p->nr_local = get16(u, p->at + 10);
	if (!has(u, p->local, p->nr_local, sizeof(uint32_t)))
		return bad(u, p->at, diag, "a page's encodings reach beyond the section");
	return 1;
}

int unwind_info_page(const struct unwind_info *u, uint32_t i, struct unwind_page *ret,
		     struct diag *diag)
{
	struct unwind_page p = { 0 };
	struct unwind_index a, b;
	uint32_t kind;
	int found;

	unwind_info_index(u, i, &a);
	if (i == u->nr_index - 1 || !a.page)
		return 0;
	unwind_info_index(u, i + 1, &b);
	if (b.start < a.start)
		return bad(u, index_at(u, i + 1), diag, "the index is not ascending");
	if (!has(u, a.page, 1, sizeof(kind)))
		return bad(u, index_at(u, i), diag, "a page is outside of the section");
	kind = get32(u, a.page);
	if (kind != UNWIND_PAGE_REGULAR && kind != UNWIND_PAGE_COMPRESSED)
		return bad(u, a.page, diag, "a page is neither regular nor compressed");
	if (!has(u, a.page, 1, kind == UNWIND_PAGE_REGULAR ? REGULAR_PAGE : COMPRESSED_PAGE))
		return bad(u, a.page, diag, "a page's header reaches beyond the section");
	p.kind = (enum unwind_page_kind)kind;
	p.at = a.page;
	p.start = a.start;
	p.end = b.start;
	found = open_entries(u, &p, diag);
	if (found > 0)
		*ret = p;
	return found;
}

static uint64_t entry_at(const struct unwind_page *p, uint32_t i)
{
	return p->entries + i * (p->kind == UNWIND_PAGE_REGULAR ? 8ull : 4ull);
}

/* Image offset of entry @i; more than 32 bits if a compressed entry is damaged. */
static uint64_t entry_start(const struct unwind_info *u, const struct unwind_page *p, uint32_t i)
{
	uint32_t word = get32(u, entry_at(p, i));

	return p->kind == UNWIND_PAGE_REGULAR ? word :
	       (uint64_t)p->start + (word & COMPRESSED_OFFSET);
}

static int entry_encoding(const struct unwind_info *u, const struct unwind_page *p, uint32_t i,
			  uint32_t *ret, struct diag *diag)
{
	uint64_t at = entry_at(p, i);
	uint32_t nr;

	if (p->kind == UNWIND_PAGE_REGULAR) {
		*ret = get32(u, at + 4);
		return 0;
	}
	nr = get32(u, at) >> 24;
	if (nr < u->nr_common) {
		*ret = unwind_info_common(u, nr);
		return 0;
	}
	nr -= u->nr_common;
	if (nr >= p->nr_local)
		return bad(u, at, diag, "an entry's encoding is neither common nor of its page");
	*ret = get32(u, p->local + nr * 4ull);
	return 0;
}

/* Reads entry @i of @p; @index: index of the page's entry in the first level. */
static int get_entry(const struct unwind_info *u, const struct unwind_page *p, uint32_t index,
		     uint32_t i, struct unwind_entry *ret, struct diag *diag)
{
	uint64_t start = entry_start(u, p, i), end = p->end;
	uint64_t at = entry_at(p, i);
	uint32_t encoding = 0;
	int err;

	if (i + 1 < p->nr)
		end = entry_start(u, p, i + 1);
	if (start < p->start || end > p->end)
		return bad(u, at, diag, "an entry is outside of its page's range");
	if (end < start)
		return bad(u, at, diag, "a page's entries are not ascending");
	err = entry_encoding(u, p, i, &encoding, diag);
	if (err)
		return err;
	*ret = (struct unwind_entry){ .start = (uint32_t)start, .end = (uint32_t)end,
				      .encoding = encoding, .index = index, .at = at };
	return 1;
}

/* The last entry of the index at or below @off; the caller has checked that there is one. */
static uint32_t search_index(const struct unwind_info *u, uint32_t off)
{
	uint32_t low = 0, high = u->nr_index - 1, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (get32(u, index_at(u, mid)) <= off)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The last entry of a page at or below @off; the first entry is at or below it. */
static uint32_t search_page(const struct unwind_info *u, const struct unwind_page *p,
			    uint32_t off)
{
	uint32_t low = 0, high = p->nr, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (entry_start(u, p, mid) <= off)
			low = mid;
		else
			high = mid;
	}
	return low;
}

int unwind_info_find(const struct unwind_info *u, uint32_t off, struct unwind_entry *ret,
		     struct diag *diag)
{
	struct unwind_page p;
	uint32_t i;
	int found;

	if (get32(u, index_at(u, 0)) > off || get32(u, index_at(u, u->nr_index - 1)) <= off)
		return 0;
	i = search_index(u, off);
	found = unwind_info_page(u, i, &p, diag);
	if (found <= 0)
		return found;
	if (entry_start(u, &p, 0) > off)
		return bad(u, p.at, diag, "a page begins after its entry in the index");
	return get_entry(u, &p, i, search_page(u, &p, off), ret, diag);
}

int unwind_info_next(const struct unwind_info *u, struct unwind_iter *it,
		     struct unwind_entry *ret, struct diag *diag)
{
	struct unwind_page p;
	int found = 0;

	while (it->index < u->nr_index) {
		found = unwind_info_page(u, it->index, &p, diag);
		if (found < 0)
			break;
		if (found && it->nr < p.nr)
			break;
		found = 0;
		it->index++;
		it->nr = 0;
	}
	/* entries do not share bytes, unless pages overlap */
	if (found > 0 && ++it->seen > u->len / COMPRESSED_ENTRY)
		found = bad(u, p.at, diag, "pages overlap");
	if (found > 0)
		found = get_entry(u, &p, it->index, it->nr++, ret, diag);
	if (found < 0)
		it->index = u->nr_index;
	return found;
}

int unwind_info_lsda(const struct unwind_info *u, const struct unwind_entry *e, uint32_t *ret,
		     struct diag *diag)
{
	uint64_t low = 0, high, mid;
	struct unwind_index a, b;
	uint32_t start;

	unwind_info_index(u, e->index, &a);
	unwind_info_index(u, e->index + 1, &b);
	high = b.lsda < a.lsda ? 0 : (b.lsda - a.lsda) / LSDA_ENTRY;
	if (b.lsda < a.lsda || !has(u, a.lsda, high, LSDA_ENTRY))
		return bad(u, index_at(u, e->index), diag,
			   "a page's LSDA entries are not in the section");
	while (low < high) {
		mid = low + (high - low) / 2;
		start = get32(u, a.lsda + mid * LSDA_ENTRY);
		if (start == e->start) {
			*ret = get32(u, a.lsda + mid * LSDA_ENTRY + 4);
			return 1;
		}
		if (start < e->start)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}
