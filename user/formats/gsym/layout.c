// SPDX-License-Identifier: MIT
/*
 * Reads the header of a GSYM file: finds out which layout it has, and where its
 * parts are (layout.h).
 */
#include "formats/gsym/layout.h"

/* Number of table entries that are examined to tell one layout from another. */
#define PROBES 8u

const char *gsym_layout_name(enum gsym_layout layout)
{
	switch (layout) {
	case GSYM_PROTOTYPE:
		return "prototype";
	case GSYM_LLVM_1:
		return "LLVM version 1";
	case GSYM_LLVM_2:
		return "LLVM version 2";
	}
	return "unknown";
}

/* Why the file was refused. @off: offset of the damage in the GSYM file. */
struct fault {
	uint64_t off;
	const char *text;
};

static bool fail(struct fault *f, uint64_t off, const char *text)
{
	f->off = off;
	f->text = text;
	return false;
}

static uint64_t align(uint64_t off, uint64_t to)
{
	return (off + to - 1) & ~(to - 1);
}

/* Offsets of the parts of a file, from its start, not yet checked. */
struct parts {
	uint64_t addrs;
	uint64_t infos;
	/* the number of entries, which precedes the entries */
	uint64_t files;
	uint64_t strings;
	uint64_t strings_len;
	uint64_t functions;	/* base of the offsets of functions */
	uint64_t functions_len;
};

static bool has_size(const struct gsym *g, uint64_t off, struct fault *f)
{
	uint8_t n = g->addr_size;

	if (n == 1 || n == 2 || n == 4 || n == 8)
		return true;
	return fail(f, off, "addresses of a size that is not 1, 2, 4 or 8");
}

/* Checks that all tables lie inside the file, and sets @g accordingly. */
static bool take_tables(struct gsym *g, const struct parts *p, struct fault *f)
{
	uint64_t len = g->info.bytes, n = g->nr_functions, left;

	if (!gsym_holds(len, p->addrs, n * g->addr_size))
		return fail(f, p->addrs, "its addresses are cut off");
	if (!gsym_holds(len, p->infos, n * gsym_word_size(g)))
		return fail(f, p->infos, "its offsets of functions are cut off");
	if (!gsym_holds(len, p->files, 4))
		return fail(f, p->files, "its file table is cut off");
	g->addrs = g->bytes + p->addrs;
	g->infos = g->bytes + p->infos;
	g->nr_files = gsym_get32(g->swap, g->bytes + p->files);
	g->files = g->bytes + p->files + 4;
	left = len - p->files - 4;
	if (g->nr_files > left / (2 * gsym_word_size(g)))
		return fail(f, p->files, "its file table is cut off");
	if (!gsym_holds(len, p->functions, p->functions_len))
		return fail(f, p->functions, "its functions are cut off");
	g->functions = g->bytes + p->functions;
	g->functions_end = g->functions + p->functions_len;
	return true;
}

/* @bytes: base of the offset of the strings, @len bytes. */
static bool take_strings(struct gsym *g, const struct parts *p, const uint8_t *bytes,
			 uint64_t len, struct fault *f)
{
	if (!p->strings_len || !gsym_holds(len, p->strings, p->strings_len))
		return fail(f, p->strings, "its strings are cut off");
	if (bytes[p->strings + p->strings_len - 1])
		return fail(f, p->strings + p->strings_len - 1, "its last string has no end");
	g->strings = bytes + p->strings;
	g->strings_len = p->strings_len;
	return true;
}

static uint64_t files_end(const struct gsym *g)
{
	return (uint64_t)(g->files - g->bytes) + (uint64_t)g->nr_files * 2 * gsym_word_size(g);
}

/* Whether a few of the functions are at possible offsets, and in order. */
static bool is_plausible(const struct gsym *g, struct fault *f)
{
	uint64_t n = g->nr_functions, last = 0, addr, off, i, k;

	for (k = 0; k < PROBES && k < n; k++) {
		i = n > PROBES ? k * (n - 1) / (PROBES - 1) : k;
		addr = gsym_addr_offset(g, i);
		off = gsym_get32(g->swap, g->infos + 4 * i);
		if (addr < last)
			return fail(f, (uint64_t)(g->addrs - g->bytes) + i * g->addr_size,
				    "its addresses are not in order");
		if (off & 3 || off < files_end(g) || !gsym_holds(g->info.bytes, off, 8))
			return fail(f, (uint64_t)(g->infos - g->bytes) + 4 * i,
				    "an impossible offset of a function");
		last = addr;
	}
	return true;
}

static struct parts parts_of(const struct gsym *g, unsigned int header, bool aligned)
{
	uint64_t n = g->nr_functions;
	struct parts p = { .functions_len = g->info.bytes };

	p.addrs = align(header, g->addr_size);
	p.infos = p.addrs + n * g->addr_size;
	if (aligned)
		p.infos = align(p.infos, 4);
	p.files = align(p.infos + 4 * n, 4);
	p.strings = gsym_get32(g->swap, g->bytes + 20);
	p.strings_len = gsym_get32(g->swap, g->bytes + 24);
	return p;
}

static bool read_llvm_1(struct gsym *g, struct fault *f)
{
	struct parts p = parts_of(g, GSYM_HEADER_LLVM_1, true);

	g->info.layout = GSYM_LLVM_1;
	if (g->info.bytes < GSYM_HEADER_LLVM_1)
		return fail(f, 0, "its header is cut off");
	g->info.uuid_len = g->bytes[7];
	if (g->info.uuid_len > GSYM_MAX_UUID)
		return fail(f, 7, "a UUID of more than 20 bytes");
	memcpy(g->info.uuid, g->bytes + 28, g->info.uuid_len);
	return take_tables(g, &p, f) && take_strings(g, &p, g->bytes, g->info.bytes, f) &&
	       is_plausible(g, f);
}

/*
 * If the file is a section of another file, the offset of its strings counts
 * from the start of that file.
 */
static bool read_prototype(struct gsym *g, const struct gsym_source *src, bool aligned,
			   struct fault *f)
{
	struct parts p = parts_of(g, GSYM_HEADER_PROTOTYPE, aligned);

	g->info.layout = GSYM_PROTOTYPE;
	g->info.uuid_len = 0;
	g->first_file = 1;
	g->length_is_wrong = true;
	return take_tables(g, &p, f) && take_strings(g, &p, src->file, src->file_len, f) &&
	       is_plausible(g, f);
}

/*
 * LLVM's file table begins with an empty entry, and the header has zeros in
 * place of a missing UUID.
 */
static bool looks_like_llvm(const struct gsym *g)
{
	static const uint8_t none[GSYM_MAX_UUID];

	return g->info.uuid_len ||
	       (!memcmp(g->bytes + 28, none, sizeof(none)) &&
		(!g->nr_files || !gsym_get64(false, g->files)));
}

/*
 * Files of LLVM's version 1 and of the prototype begin alike, so both layouts
 * are tried. The native tool of the prototype also wrote offsets without
 * aligning them.
 */
static bool read_version_1(struct gsym *g, const struct gsym_source *src, struct fault *f)
{
	const struct gsym start = *g;
	struct fault other;
	struct gsym llvm;

	if (!has_size(g, 6, f))
		return false;
	if (read_llvm_1(g, f) && looks_like_llvm(g))
		return true;
	llvm = *g;
	/*
	 * the prototype has no UUID, so the file is LLVM's and the error is
	 * about that layout
	 */
	if (start.bytes[7])
		return !f->text;
	*g = start;
	if (read_prototype(g, src, true, &other))
		return true;
	*g = start;
	if (read_prototype(g, src, false, &other))
		return true;
	*g = llvm;
	return !f->text;
}

static bool read_globals(const struct gsym *g, uint64_t off[GSYM_NR_GLOBALS],
			 uint64_t size[GSYM_NR_GLOBALS], struct fault *f)
{
	uint64_t at;
	uint32_t type;

	for (at = GSYM_HEADER_LLVM_2;; at += GSYM_GLOBAL_SIZE) {
		if (!gsym_holds(g->info.bytes, at, GSYM_GLOBAL_SIZE))
			return fail(f, at, "its list of parts is cut off");
		type = gsym_get32(g->swap, g->bytes + at);
		if (type == GSYM_GLOBAL_END)
			return true;
		if (type >= GSYM_NR_GLOBALS)
			continue;
		if (size[type] != UINT64_MAX)
			return fail(f, at, "a part is there twice");
		off[type] = gsym_get64(g->swap, g->bytes + at + 4);
		size[type] = gsym_get64(g->swap, g->bytes + at + 12);
		if (size[type] == UINT64_MAX || !gsym_holds(g->info.bytes, off[type], size[type]))
			return fail(f, at, "a part is cut off");
	}
}

static bool read_version_2(struct gsym *g, struct fault *f)
{
	uint64_t off[GSYM_NR_GLOBALS], size[GSYM_NR_GLOBALS];
	struct parts p;
	unsigned int i;

	g->info.layout = GSYM_LLVM_2;
	g->wide = true;
	if (!has_size(g, 6, f))
		return false;
	if (g->bytes[7])
		return fail(f, 7, "strings in an unknown encoding");
	memset(size, 0xff, sizeof(size));
	if (!read_globals(g, off, size, f))
		return false;
	for (i = GSYM_GLOBAL_ADDR_OFFSETS; i <= GSYM_GLOBAL_FUNCTIONS; i++)
		if (size[i] == UINT64_MAX)
			return fail(f, GSYM_HEADER_LLVM_2, "a part is missing");
	if (size[GSYM_GLOBAL_ADDR_OFFSETS] / g->addr_size < g->nr_functions ||
	    size[GSYM_GLOBAL_INFO_OFFSETS] / 8 < g->nr_functions)
		return fail(f, GSYM_HEADER_LLVM_2, "a part is too small for its functions");
	p = (struct parts){
		off[GSYM_GLOBAL_ADDR_OFFSETS], off[GSYM_GLOBAL_INFO_OFFSETS],
		off[GSYM_GLOBAL_FILES], off[GSYM_GLOBAL_STRINGS], size[GSYM_GLOBAL_STRINGS],
		off[GSYM_GLOBAL_FUNCTIONS], size[GSYM_GLOBAL_FUNCTIONS],
	};
	if (size[GSYM_GLOBAL_UUID] != UINT64_MAX) {
		if (size[GSYM_GLOBAL_UUID] > GSYM_MAX_UUID)
			return fail(f, off[GSYM_GLOBAL_UUID], "a UUID of more than 20 bytes");
		g->info.uuid_len = (uint8_t)size[GSYM_GLOBAL_UUID];
		memcpy(g->info.uuid, g->bytes + off[GSYM_GLOBAL_UUID], g->info.uuid_len);
	}
	return take_tables(g, &p, f) && take_strings(g, &p, g->bytes, g->info.bytes, f);
}

static bool read_header(struct gsym *g, const struct gsym_source *src, struct fault *f)
{
	uint32_t magic;

	if (g->info.bytes < GSYM_HEADER_LLVM_2)
		return fail(f, 0, "too short for a GSYM file");
	magic = gsym_get32(false, g->bytes);
	g->swap = magic == __builtin_bswap32(GSYM_MAGIC);
	if (magic != GSYM_MAGIC && !g->swap)
		return fail(f, 0, "not a GSYM file: wrong magic number");
	g->info.big_endian = g->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	g->addr_size = g->bytes[6];
	g->base = gsym_get64(g->swap, g->bytes + 8);
	g->nr_functions = gsym_get32(g->swap, g->bytes + 16);
	switch (gsym_get16(g->swap, g->bytes + 4)) {
	case 1:
		if (g->info.bytes < GSYM_HEADER_PROTOTYPE)
			return fail(f, 0, "its header is cut off");
		return read_version_1(g, src, f);
	case 2:
		return read_version_2(g, f);
	default:
		return fail(f, 4, "an unknown version");
	}
}

int gsym_layout_read(struct gsym *g, const struct gsym_source *src)
{
	struct fault f = { 0 };

	g->bytes = src->file + src->at.off;
	g->info.bytes = src->at.len;
	g->info.section = src->at.off;
	if (!read_header(g, src, &f)) {
		diag_set(src->diag, EBADMSG, src->name, "%s", f.text);
		/* the offset may be after the end of a file that is cut off */
		if (f.off > src->at.len)
			f.off = src->at.len;
		if (src->diag)
			src->diag->offset = src->at.off + f.off;
		return -EBADMSG;
	}
	g->info.base = g->base;
	g->info.addr_size = g->addr_size;
	g->info.nr_functions = g->nr_functions;
	g->info.nr_files = g->nr_files;
	g->info.strings = g->strings_len;
	return 0;
}
