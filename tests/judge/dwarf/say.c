// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what user/formats/dwarf and from_dwarf read in a file, in the form of
 * say.h. A part of the GSYM writer is replaced here by functions that print.
 *
 * usage: say [-d DWO_DIR] FILE
 */
#include "say.h"

#include <unistd.h>

#include "symbols/convert/from_dwarf.h"
#include "formats/dwarf/companion.h"
#include "formats/dwarf/line.h"

struct gsym_part {
	char **strings;
	size_t nr, room;
	struct { uint32_t dir, base; } *files;
	size_t nr_files, files_room;
};

static void die(const char *why)
{
	fprintf(stderr, "say: %s\n", why);
	exit(2);
}

static void *grow(void *p, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return p;
	*room = nr ? 2 * nr : 64;
	p = realloc(p, *room * size);
	if (!p)
		die("no memory");
	return p;
}

struct gsym_part *gsym_part_new(void)
{
	return calloc(1, sizeof(struct gsym_part));
}

void gsym_part_free(struct gsym_part *p)
{
	while (p && p->nr)
		free(p->strings[--p->nr]);
	if (p) {
		free(p->strings);
		free(p->files);
	}
	free(p);
}

/*
 * Searches from the last string, which is the most likely one; nothing depends
 * on the numbers.
 */
int gsym_part_string(struct gsym_part *p, const char *s, size_t len, uint32_t *ret)
{
	size_t i;

	*ret = 0;
	if (!len)
		return 0;
	for (i = p->nr; i && i + 256 > p->nr; i--) {
		if (strlen(p->strings[i - 1]) == len && !memcmp(p->strings[i - 1], s, len)) {
			*ret = (uint32_t)i;
			return 0;
		}
	}
	p->strings = grow(p->strings, p->nr, &p->room, sizeof(*p->strings));
	p->strings[p->nr++] = strndup(s, len);
	*ret = (uint32_t)p->nr;
	return 0;
}

int gsym_part_file(struct gsym_part *p, uint32_t dir, uint32_t base, uint32_t *ret)
{
	p->files = grow(p->files, p->nr_files, &p->files_room, sizeof(*p->files));
	p->files[p->nr_files].dir = dir;
	p->files[p->nr_files++].base = base;
	*ret = dir || base ? (uint32_t)p->nr_files : 0;
	return 0;
}

static const char *text(const struct gsym_part *p, uint32_t i)
{
	return i ? p->strings[i - 1] : "";
}

static const char *dir(const struct gsym_part *p, uint32_t file)
{
	return file ? text(p, p->files[file - 1].dir) : "";
}

static const char *base(const struct gsym_part *p, uint32_t file)
{
	return file ? text(p, p->files[file - 1].base) : "";
}

static void say_call(const struct gsym_part *p, const struct gsym_new_call *c)
{
	uint32_t i;

	printf("C\t%u\t", c->depth);
	for (i = 0; i < c->nr_ranges; i++)
		printf("%s%" PRIx64 "-%" PRIx64, i ? "," : "", c->ranges[i].start,
		       c->ranges[i].end);
	printf("\t%s%s%s\t%u\t%s\n", dir(p, c->call_file), c->call_file ? "/" : "",
	       base(p, c->call_file), c->call_line, text(p, c->name));
}

int gsym_part_add(struct gsym_part *p, const struct gsym_new_function *f)
{
	size_t i;

	printf("F\t%" PRIx64 "\t%" PRIx64 "\t%s\n", f->range.start, f->range.end,
	       text(p, f->name));
	for (i = 0; i < f->nr_calls; i++)
		say_call(p, &f->calls[i]);
	for (i = 0; i < f->nr_lines; i++)
		say_row('R', f->lines[i].addr, dir(p, f->lines[i].file), "",
			base(p, f->lines[i].file), f->lines[i].line);
	for (i = 0; i < f->nr_sites; i++)
		printf("S\t%" PRIx64 "\t%s\n", f->sites[i].offset,
		       f->sites[i].nr_match ? text(p, f->sites[i].match[0]) : "");
	return 0;
}

static void say_table(const struct dwarf_lines *l, uint64_t off)
{
	const struct dwarf_sequence *s;
	struct dwarf_path path;
	size_t i, k;

	printf("T\t%" PRIx64 "\n", off);
	for (i = 0; i < l->nr_sequences; i++) {
		s = &l->sequences[i];
		for (k = s->first; k < (size_t)s->first + s->nr; k++) {
			dwarf_lines_file(l, l->rows[k].file, &path);
			say_row('r', l->rows[k].addr, path.comp_dir, path.dir, path.name,
				l->rows[k].line);
		}
		printf("e\t%" PRIx64 "\n", s->end);
	}
}

static void say_tables(const struct dwarf_object *o)
{
	static struct dwarf_abbrev_cache cache;
	struct dwarf_lines l = { 0 };
	struct dwarf_unit u;
	size_t i;

	for (i = 0; i < o->nr_units; i++) {
		if (dwarf_unit_header(o, o->units[i], &u, NULL) ||
		    dwarf_unit_open(&u, &cache, NULL) < 0)
			die("a unit that cannot be opened");
		if (u.has_lines) {
			if (dwarf_lines_read(&l, &u, NULL) < 0)
				die("a line table that cannot be read");
			say_table(&l, u.lines);
		}
		dwarf_unit_close(&u);
	}
	dwarf_lines_release(&l);
	dwarf_abbrev_cache_release(&cache);
}

int main(int argc, char **argv)
{
	struct gsym_dwarf_options o = { .threads = 1, .call_sites = true };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct dwarf_object *main_file, *alt = NULL;
	struct gsym_dwarf d;
	int opt;

	while ((opt = getopt(argc, argv, "d:")) != -1) {
		if (opt != 'd')
			return 2;
		o.dwo_dir = optarg;
	}
	if (optind + 1 != argc)
		die("which FILE?");
	if (gsym_from_dwarf(argv[optind], &o, &d, &diag))
		die(diag.text);
	if (d.stats.damaged || d.stats.no_dwo)
		die("damaged units, or split ones that are not there");
	gsym_dwarf_release(&d);
	if (dwarf_object_open(argv[optind], &main_file, &diag) ||
	    dwarf_object_index(main_file, &diag) ||
	    dwarf_open_alt(main_file, "/usr/lib/debug", &alt, &diag))
		die(diag.text);
	main_file->alt = alt;
	say_tables(main_file);
	dwarf_object_close(alt);
	dwarf_object_close(main_file);
	return 0;
}
