// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of GSYM files: functions made of any bytes, in any layout. If the
 * parts accept them, they become a file that the reader opens. Every function
 * in it is one of those that were given: with the same rows, except rows that
 * say nothing new, the same calls, and the same sites. The same functions in
 * other parts, written by more threads, give the same bytes.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "formats/gsym/build.h"

#define MAX_FUNCS 24
#define MAX_LINES 24
#define MAX_CALLS 8
#define MAX_RANGES 3
#define MAX_SITES 3

static const char *const names[] = { "", "f", "of", "main", "in", "a/b", "/", "x.c" };
#define NR_NAMES 8

/* A function as it was given. Names and files are indexes of @names. */
struct func {
	struct gsym_new_function f;
	struct gsym_new_line lines[MAX_LINES];
	struct gsym_new_call calls[MAX_CALLS];
	struct range ranges[MAX_CALLS][MAX_RANGES];
	struct gsym_new_site sites[MAX_SITES];
	u32 match[MAX_SITES];
	bool taken;
};

static struct func funcs[MAX_FUNCS];
static unsigned int nr_funcs;

static void take_lines(struct input *in, struct func *f)
{
	u64 addr = f->f.range.start;
	u32 line = (u32)take(in, 2);
	size_t i;

	f->f.nr_lines = take(in, 1) % MAX_LINES;
	for (i = 0; i < f->f.nr_lines; i++) {
		u8 how = (u8)take(in, 1);

		addr += how & 0x80 ? take(in, 2) : how & 7;
		line = how & 0x40 ? (u32)take(in, 4) : line + (how >> 3 & 7) - 3;
		f->lines[i] = (struct gsym_new_line){ addr, take(in, 1) % 4, line };
	}
	f->f.lines = f->lines;
}

static void take_calls(struct input *in, struct func *f)
{
	u64 start = f->f.range.start, size = f->f.range.end - start;
	size_t i;
	u32 r;

	f->f.nr_calls = size ? take(in, 1) % MAX_CALLS : 0;
	for (i = 0; i < f->f.nr_calls; i++) {
		u64 at = start + take(in, 1) % size;
		struct gsym_new_call *c = &f->calls[i];

		*c = (struct gsym_new_call){
			.ranges = f->ranges[i],
			.nr_ranges = 1 + (u32)take(in, 1) % MAX_RANGES,
			.depth = 1 + (u32)take(in, 1) % 4,
			.name = (u32)take(in, 1) % NR_NAMES,
			.call_file = (u32)take(in, 1) % 4,
			.call_line = (u32)take(in, 2),
		};
		for (r = 0; r < c->nr_ranges; r++) {
			f->ranges[i][r].start = at;
			at += take(in, 1) % 32;
			f->ranges[i][r].end = at;
			at += take(in, 1) % 4;
		}
	}
	f->f.calls = f->calls;
}

static void take_sites(struct input *in, struct func *f)
{
	size_t i;

	f->f.nr_sites = take(in, 1) % MAX_SITES;
	for (i = 0; i < f->f.nr_sites; i++) {
		f->match[i] = (u32)take(in, 1) % NR_NAMES;
		f->sites[i] = (struct gsym_new_site){
			take(in, 8), (u8)take(in, 1), &f->match[i], take(in, 1) & 1,
		};
	}
	f->f.sites = f->sites;
}

static void take_funcs(struct input *in)
{
	for (nr_funcs = 0; nr_funcs < MAX_FUNCS && in->left; nr_funcs++) {
		struct func *f = &funcs[nr_funcs];
		u8 how = (u8)take(in, 1);
		u64 start = how & 1 ? take(in, 8) : 0x1000 + take(in, 2);
		u64 size = how & 2 ? take(in, 2) : take(in, 1) % 64;

		*f = (struct func){ .f = {
			.range = { start, start + size },
			.name = take(in, 1) % NR_NAMES,
			.order = how & 4 ? 7 : nr_funcs,
		} };
		if (how & 8)
			take_lines(in, f);
		if (how & 16)
			take_calls(in, f);
		if (how & 32)
			take_sites(in, f);
	}
}

/*
 * Adds strings in reverse order, so that their numbers in a part differ from
 * the indexes of @names.
 */
static struct gsym_part *part_new(u32 *strings, u32 *files)
{
	struct gsym_part *part = gsym_part_new();
	u32 i;

	must(part);
	for (i = NR_NAMES; i--;)
		must(!gsym_part_string(part, names[i], strlen(names[i]), &strings[i]));
	for (i = 4; i--;)
		must(!gsym_part_file(part, strings[i ? 5 : 0], strings[i ? 4 + i : 0], &files[i]));
	return part;
}

static void add(struct gsym_part *part, struct func *f, const u32 *strings, const u32 *files)
{
	struct func g = *f;
	u32 match[MAX_SITES];
	size_t i;

	g.f.name = strings[f->f.name];
	g.f.lines = g.lines;
	g.f.calls = g.calls;
	g.f.sites = g.sites;
	for (i = 0; i < f->f.nr_lines; i++)
		g.lines[i].file = files[f->lines[i].file];
	for (i = 0; i < f->f.nr_calls; i++) {
		g.calls[i].name = strings[f->calls[i].name];
		g.calls[i].call_file = files[f->calls[i].call_file];
	}
	for (i = 0; i < f->f.nr_sites; i++) {
		match[i] = strings[f->match[i]];
		g.sites[i].match = &match[i];
	}
	f->taken = !gsym_part_add(part, &g.f);
}

/* Makes the rows that the reader must return. Return: their number. */
static size_t clean_lines(const struct func *f, struct gsym_new_line *ret)
{
	size_t i, n = 0;

	for (i = 0; i < f->f.nr_lines; i++) {
		const struct gsym_new_line *l = &f->lines[i];

		if (l->addr < f->f.range.start || l->addr >= f->f.range.end)
			continue;
		if (i + 1 < f->f.nr_lines && l[1].addr == l->addr)
			continue;
		if (n && ret[n - 1].file == l->file && ret[n - 1].line == l->line)
			continue;
		ret[n++] = *l;
	}
	return n;
}

static bool is_file(u32 file, const char *dir, const char *base)
{
	return !strcmp(dir, file ? names[5] : "") &&
	       !strcmp(base, file ? names[4 + file] : "");
}

static bool same_lines(const struct gsym *g, const struct gsym_function *got,
		       const struct func *f)
{
	struct gsym_new_line want[MAX_LINES];
	size_t n = clean_lines(f, want), i;
	struct gsym_lines it;
	struct gsym_line l;

	must(!gsym_lines_init(&it, g, got));
	for (i = 0; gsym_lines_next(&it, &l) == 1; i++)
		if (i == n || l.addr != want[i].addr || l.line != want[i].line ||
		    !is_file(want[i].file, l.dir, l.file))
			return false;
	must(gsym_lines_next(&it, &l) == 0);
	return i == n;
}

/* Compares ranges; those that touch must have become one. */
static bool same_ranges(const struct gsym_call *c, const struct gsym_new_call *want)
{
	struct gsym_ranges it;
	u32 n = 0, at = 0;
	u64 start, end;

	for (gsym_ranges_init(&it, c); gsym_ranges_next(&it, &start, &end); n++) {
		if (at == want->nr_ranges || want->ranges[at].start != start)
			return false;
		while (at + 1 < want->nr_ranges &&
		       want->ranges[at].end == want->ranges[at + 1].start)
			at++;
		if (want->ranges[at++].end != end)
			return false;
	}
	must(n == c->nr_ranges);
	return at == want->nr_ranges;
}

static bool same_calls(const struct gsym *g, const struct gsym_function *got,
		       const struct func *f)
{
	struct gsym_calls it;
	struct gsym_call c;
	size_t i = 0;
	int more;

	must(!gsym_calls_init(&it, g, got));
	while ((more = gsym_calls_next(&it, &c)) == 1) {
		const struct gsym_new_call *want = &f->calls[i];

		if (!c.depth)
			continue;
		if (i++ == f->f.nr_calls || c.depth != want->depth ||
		    strcmp(c.name, names[want->name]) || c.call_line != want->call_line ||
		    !is_file(want->call_file, c.call_dir, c.call_file) ||
		    !same_ranges(&c, want))
			return false;
	}
	must(!more);
	return i == f->f.nr_calls;
}

static bool same_sites(const struct gsym *g, const struct gsym_function *got,
		       const struct func *f, bool prototype)
{
	struct gsym_sites it;
	struct gsym_site s;
	size_t i = 0;
	int more;

	must(!gsym_sites_init(&it, g, got));
	while ((more = gsym_sites_next(&it, &s)) == 1) {
		const struct gsym_new_site *want = &f->sites[i];

		if (i++ == f->f.nr_sites || s.offset != want->offset ||
		    s.flags != want->flags || s.nr_match != want->nr_match)
			return false;
		if (s.nr_match && strcmp(gsym_site_match(g, &s, 0), names[f->match[i - 1]]))
			return false;
	}
	must(!more);
	return i == (prototype ? 0 : f->f.nr_sites);
}

/* Checks that a function of the file equals one of those that were given. */
static void check_function(const struct gsym *g, const struct gsym_function *got,
			   bool prototype)
{
	unsigned int i;

	for (i = 0; i < nr_funcs; i++) {
		const struct func *f = &funcs[i];

		if (f->taken && f->f.range.start == got->start &&
		    f->f.range.end - got->start == got->size &&
		    !strcmp(got->name, names[f->f.name]) && same_lines(g, got, f) &&
		    same_calls(g, got, f) && same_sites(g, got, f, prototype))
			return;
	}
	must(!"a function that was never given");
}

static void check_file(const struct gsym *g, const struct gsym_write_stats *stats,
		       const struct gsym_write_options *o)
{
	struct gsym_function f, inner;
	struct gsym_merged it;
	struct gsym_info info;
	u64 merged = 0;
	u32 i;
	int more;

	gsym_identify(g, &info);
	must(info.nr_functions == stats->functions && info.base == o->base);
	must(info.layout == o->layout && info.big_endian == o->big_endian);
	for (i = 0; i < info.nr_functions; i++) {
		must(!gsym_function(g, i, &f));
		check_function(g, &f, o->layout == GSYM_PROTOTYPE);
		must(!gsym_merged_init(&it, g, &f));
		while ((more = gsym_merged_next(&it, &inner)) == 1) {
			check_function(g, &inner, false);
			merged++;
		}
		must(!more);
	}
	must(merged == stats->merged);
}

/* Return: the bytes of a file of all functions; each function is in one of @nr parts. */
static u8 *make(const struct gsym_write_options *o, unsigned int nr, size_t *len,
		struct gsym_write_stats *stats)
{
	struct gsym_part *parts[3];
	u32 strings[3][NR_NAMES], files[3][4];
	int fd = memfd_create("fuzz", 0), err;
	struct diag diag = { 0 };
	unsigned int i;
	u8 *bytes;

	must(fd >= 0);
	for (i = 0; i < nr; i++)
		parts[i] = part_new(strings[i], files[i]);
	for (i = 0; i < nr_funcs; i++)
		add(parts[i % nr], &funcs[i], strings[i % nr], files[i % nr]);
	err = gsym_write(parts, nr, o, fd, "fuzz", stats, &diag);
	must(!err);
	*len = (size_t)lseek(fd, 0, SEEK_END);
	bytes = malloc(*len);
	must(pread(fd, bytes, *len, 0) == (ssize_t)*len && *len == stats->bytes);
	close(fd);
	for (i = 0; i < nr; i++)
		gsym_part_free(parts[i]);
	return bytes;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 how = (u8)take(&in, 1);
	struct gsym_write_options o = {
		.layout = how % 3, .big_endian = how & 4,
		.merge = how % 3 != GSYM_PROTOTYPE && how & 8,
		.base = how & 16 ? 0x1000 : 0, .uuid_len = how & 32 ? 20 : 0,
		.threads = how & 64 ? 2 : 1,
	};
	struct gsym_write_stats stats, again;
	struct diag diag = { 0 };
	size_t len, other_len;
	u8 *bytes, *other;
	struct gsym *g;

	take_funcs(&in);
	bytes = make(&o, 1, &len, &stats);
	other = make(&o, 3, &other_len, &again);
	must(len == other_len && !memcmp(bytes, other, len));
	must(!gsym_open_bytes(bytes, len, "fuzz", &g, &diag));
	check_file(g, &stats, &o);
	gsym_close(g);
	free(bytes);
	free(other);
	return 0;
}
