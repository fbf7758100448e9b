// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a GSYM file from a listing of functions, as tests/judge/gsym/decode.py prints it:
 *
 *	feed [-l 0|1|2] [-b] [-m] [-t THREADS] [-p PARTS] [-a BASE] [-u UUID]
 *	     [-x START-END]... <LISTING >FILE
 *
 * Functions are added to the parts in turn. Statistics are written to stderr.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "formats/gsym/build.h"
#include "util/array.h"

#include "util/poison.h"

#define MAX_PARTS 64
#define MAX_FIELDS 4096

/* The function whose lines are being read. */
struct pending {
	struct gsym_new_function f;
	struct gsym_new_line *lines;
	size_t lines_room;
	struct gsym_new_call *calls;
	size_t calls_room;
	struct gsym_new_site *sites;
	size_t sites_room;
	bool there;
};

struct feed {
	struct gsym_write_options o;
	struct range text[64];
	struct gsym_part *parts[MAX_PARTS];
	unsigned int nr_parts;
	uint64_t functions;
	uint64_t rows;
	struct pending now;
};

static void die(const char *what)
{
	fprintf(stderr, "feed: %s\n", what);
	exit(1);
}

static void must(int err)
{
	if (err)
		die(strerror(-err));
}

static struct gsym_part *part_of(const struct feed *fd)
{
	return fd->parts[fd->functions % fd->nr_parts];
}

static uint32_t string(struct feed *fd, const char *s)
{
	uint32_t ret;

	must(gsym_part_string(part_of(fd), s, strlen(s), &ret));
	return ret;
}

static uint32_t file(struct feed *fd, const char *dir, const char *base)
{
	uint32_t d = string(fd, dir), b = string(fd, base), ret;

	must(gsym_part_file(part_of(fd), d, b, &ret));
	return ret;
}

static uint64_t number(const char *s)
{
	return strtoull(s, NULL, 0);
}

static void finish(struct feed *fd)
{
	struct pending *p = &fd->now;
	size_t i;

	if (!p->there)
		return;
	p->f.lines = p->lines;
	p->f.calls = p->calls;
	p->f.sites = p->sites;
	must(gsym_part_add(part_of(fd), &p->f));
	fd->functions++;
	fd->rows += p->f.nr_lines;
	for (i = 0; i < p->f.nr_calls; i++)
		free((void *)p->calls[i].ranges);
	for (i = 0; i < p->f.nr_sites; i++)
		free((void *)p->sites[i].match);
	p->there = false;
}

static void take_function(struct feed *fd, char **a)
{
	finish(fd);
	fd->now.f = (struct gsym_new_function){
		.range = { number(a[1]), number(a[2]) },
		.order = number(a[3]),
		.name = string(fd, a[4]),
	};
	fd->now.there = true;
}

static void take_line(struct feed *fd, char **a)
{
	struct pending *p = &fd->now;

	if (!array_has_room(p->lines, p->f.nr_lines, p->lines_room))
		die("no memory");
	p->lines[p->f.nr_lines++] = (struct gsym_new_line){
		number(a[1]), file(fd, a[3], a[4]), (uint32_t)number(a[2]),
	};
}

static void take_call(struct feed *fd, char **a)
{
	struct range *ranges = NULL;
	struct pending *p = &fd->now;
	size_t nr = 0, room = 0;
	char *s = a[6], *end;

	if (!array_has_room(p->calls, p->f.nr_calls, p->calls_room))
		die("no memory");
	for (; *s; s = end + (*end == ',')) {
		if (!array_has_room(ranges, nr, room))
			die("no memory");
		ranges[nr].start = strtoull(s, &end, 0);
		ranges[nr++].end = strtoull(end + 1, &end, 0);
	}
	p->calls[p->f.nr_calls++] = (struct gsym_new_call){
		.ranges = ranges, .nr_ranges = (uint32_t)nr,
		.depth = (uint32_t)number(a[1]), .name = string(fd, a[2]),
		.call_file = file(fd, a[3], a[4]), .call_line = (uint32_t)number(a[5]),
	};
}

static void take_site(struct feed *fd, char **a, unsigned int n)
{
	struct pending *p = &fd->now;
	uint32_t *match = calloc(n, sizeof(*match));
	unsigned int i;

	if (!match || !array_has_room(p->sites, p->f.nr_sites, p->sites_room))
		die("no memory");
	for (i = 3; i < n; i++)
		match[i - 3] = string(fd, a[i]);
	p->sites[p->f.nr_sites++] = (struct gsym_new_site){
		.offset = number(a[1]), .flags = (uint8_t)number(a[2]),
		.match = match, .nr_match = n - 3,
	};
}

static void take(struct feed *fd, char *line)
{
	char *a[MAX_FIELDS], *next = line;
	unsigned int n = 0;

	do
		a[n++] = strsep(&next, "\t");
	while (next && n < MAX_FIELDS);
	if (!strcmp(a[0], "F") && n == 5)
		take_function(fd, a);
	else if (!strcmp(a[0], "L") && n == 5)
		take_line(fd, a);
	else if (!strcmp(a[0], "C") && n == 7)
		take_call(fd, a);
	else if (!strcmp(a[0], "S") && n >= 3)
		take_site(fd, a, n);
	else
		die("not a line of a listing");
}

static void take_uuid(struct feed *fd, const char *hex)
{
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		fd->o.uuid[fd->o.uuid_len++] = (uint8_t)byte;
}

static void take_text(struct feed *fd, char *s)
{
	struct range *r = &fd->text[fd->o.nr_text++];

	r->start = strtoull(s, &s, 0);
	r->end = strtoull(s + 1, NULL, 0);
	fd->o.text = fd->text;
}

static void take_options(struct feed *fd, int argc, char **argv)
{
	int c;

	fd->nr_parts = 1;
	fd->o.layout = GSYM_LLVM_1;
	while ((c = getopt(argc, argv, "l:bmt:p:a:u:x:")) != -1) {
		switch (c) {
		case 'l': fd->o.layout = (enum gsym_layout)number(optarg); break;
		case 'b': fd->o.big_endian = true; break;
		case 'm': fd->o.merge = true; break;
		case 't': fd->o.threads = (unsigned int)number(optarg); break;
		case 'p': fd->nr_parts = (unsigned int)number(optarg); break;
		case 'a': fd->o.base = number(optarg); break;
		case 'u': take_uuid(fd, optarg); break;
		case 'x': take_text(fd, optarg); break;
		default: exit(2);
		}
	}
	if (!fd->nr_parts || fd->nr_parts > MAX_PARTS)
		die("so many parts");
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long peak_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

int main(int argc, char **argv)
{
	static struct feed fd;
	struct gsym_write_stats stats;
	struct diag diag = { 0 };
	char *line = NULL, text[512];
	size_t room = 0;
	double before;
	unsigned int i;
	ssize_t n;
	long parts;

	take_options(&fd, argc, argv);
	for (i = 0; i < fd.nr_parts; i++)
		if (!(fd.parts[i] = gsym_part_new()))
			die("no memory");
	while ((n = getline(&line, &room, stdin)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		take(&fd, line);
	}
	finish(&fd);
	parts = peak_kb();
	before = seconds();
	if (gsym_write(fd.parts, fd.nr_parts, &fd.o, STDOUT_FILENO, "stdout", &stats,
		       &diag)) {
		diag_format(&diag, text, sizeof(text));
		die(text);
	}
	fprintf(stderr, "functions=%" PRIu64 " merged=%" PRIu64 " duplicates=%" PRIu64
		" outside=%" PRIu64 " overlaps=%" PRIu64 " strings=%" PRIu64
		" files=%" PRIu64 " bytes=%" PRIu64 " rows=%" PRIu64
		" cpu=%.3fs peak=%ldKiB parts=%ldKiB\n",
		stats.functions, stats.merged, stats.duplicates, stats.outside,
		stats.overlaps, stats.strings, stats.files, stats.bytes, fd.rows,
		seconds() - before, peak_kb(), parts);
	for (i = 0; i < fd.nr_parts; i++)
		gsym_part_free(fd.parts[i]);
	free(fd.now.lines);
	free(fd.now.calls);
	free(fd.now.sites);
	free(line);
	return 0;
}
