// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at the files that a process runs: their unwind tables, their names, and the packages
 * with their debug information.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/doctor/image.h"
#include "cmd/doctor/look.h"
#include "cmd/doctor/packages.h"
#include "host/module/module_images.h"
#include "host/process/scan.h"
#include "reason.h"
#include "symbols/symstore/debug_file.h"
#include "symbols/symstore/find.h"
#include "supply/tables/maker.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/proc_status.h"
#include "util/text.h"

#include "util/poison.h"

/* A file whose table covers less has noticeably short stacks. */
#define GOOD_PERCENT 90

/* A file whose code the process runs. */
struct image {
	char *path;
	char table[64];			/* its state in the module, "" if unknown there */
	bool has_table;
	const char *missing;		/* why the file cannot be read; NULL if it can */
	struct image_facts facts;
	bool debug_file;		/* there is a debug file with its build id */
	uint64_t dev, ino;
	struct package_want package;
};

struct process {
	const struct doctor_options *o;
	struct doctor_report *report;
	uint32_t pid;
	struct image *images;
	size_t nr, room;
	uint64_t anonymous;		/* bytes of code that is in no file */
	uint64_t mappings;		/* number of executable mappings */
	bool has_module;
};

static void ask_module(struct process *p, struct image *i)
{
	char line[MODULE_IMAGES_LINE];
	struct module_image m;
	int fd = open(MODULE_IMAGES, O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	p->has_module = f != NULL;
	while (f && fgets(line, sizeof(line), f)) {
		if (!module_images_line(line, &m))
			continue;
		if (i->package.build_id[0] ? !strcmp(m.build_id, i->package.build_id) :
		    m.ino == i->ino && i->ino) {
			snprintf(i->table, sizeof(i->table), "%s", m.state);
			i->has_table = m.has_table;
		}
	}
	if (f)
		fclose(f);
}

static void read_image(struct process *p, struct image *i, const struct scan_line *l)
{
	const struct symstore_key key = {
		.path = i->path, .dev = l->id.dev, .ino = l->id.ino, .pid = p->pid,
		.start = l->start, .end = l->end,
	};
	struct supply_file f = SUPPLY_FILE_INIT;
	char found_at[PATH_MAX];

	i->missing = symstore_find(&key, NULL, &f);
	if (!i->missing) {
		text_hex(f.elf.build_id, f.elf.build_id_len, i->package.build_id,
			 sizeof(i->package.build_id));
		i->debug_file = debug_by_build_id(debug_default_dirs, f.elf.build_id,
						  f.elf.build_id_len, found_at);
		image_examine(&f, i->path, &i->facts);
	}
	supply_file_release(&f);
	ask_module(p, i);
}

static bool is_known(const struct process *p, const struct scan_line *l)
{
	size_t n;

	for (n = 0; n < p->nr; n++)
		if (l->id.ino ? p->images[n].ino == l->id.ino && p->images[n].dev == l->id.dev :
		    !strcmp(p->images[n].path, l->id.path))
			return true;
	return false;
}

static void add_mapping(struct process *p, const struct scan_line *l)
{
	struct image *i;

	if (!l->id.ino && strcmp(l->id.path, "[vdso]")) {
		if (l->id.path[0] != '[' || !strncmp(l->id.path, "[anon", 5))
			p->anonymous += l->end - l->start;
		return;
	}
	if (is_known(p, l))
		return;
	if (!array_has_room(p->images, p->nr, p->room)) {
		p->report->no_memory = true;
		return;
	}
	i = &p->images[p->nr];
	*i = (struct image){ .path = strdup(l->id.path), .dev = l->id.dev, .ino = l->id.ino };
	if (!i->path) {
		p->report->no_memory = true;
		return;
	}
	p->nr++;
	i->package.path = i->path;
	read_image(p, i, l);
}

static void say_table(const struct process *p, const struct image *i)
{
	const struct image_facts *f = &i->facts;
	char share[TEXT_SHORT], path[PATH_MAX], make_it[PATH_MAX + 32];
	const char *command = look_quote(i->path, path) ? make_it : NULL;
	bool has = i->has_table;

	text_share(f->covered, f->text, share);
	snprintf(make_it, sizeof(make_it), "ustack prebuild -l %s", command ? path : "");
	if (has)
		found(p->report, DOCTOR_OK, "unwinding", NULL,
		      "%s: the module has a table%s", i->path,
		      !strcmp(i->table, "own") ? ", of its own .sframe" :
		      !strcmp(i->table, "partial") ? ", of its own .sframe, which leaves out much of "
						     "the text until ustack supply loads another" :
						     "");
	else if (f->sframe_reason)
		found(p->report, DOCTOR_WARNING, "unwinding", command,
		      "%s: its .sframe is wrong: %s; of its .eh_frame a table would have %s of "
		      "the text", i->path, ustack_reason_text(f->sframe_reason), share);
	else if (f->sframe && !p->has_module)
		found(p->report, DOCTOR_OK, "unwinding", NULL, "%s: has .sframe", i->path);
	else if (!f->covered)
		found(p->report, DOCTOR_WARNING, "unwinding",
		      "CFLAGS += -fasynchronous-unwind-tables   # and build it again",
		      "%s: nothing in it says how to unwind: stacks end there unless it keeps "
		      "frame pointers", i->path);
	else if (p->has_module)
		found(p->report, DOCTOR_WARNING, "unwinding", command,
		      "%s: the module has no table (%s); one of its .eh_frame has %s of the text",
		      i->path, i->table[0] ? i->table : "not met yet", share);
	else
		found(p->report, 100 * f->covered < GOOD_PERCENT * f->text ? DOCTOR_NOTE :
		      DOCTOR_OK, "unwinding", NULL,
		      "%s: a table of its .eh_frame has %s of the text", i->path, share);
}

static void say_names(const struct process *p, const struct image *i)
{
	static const char *const from[] = {
		[SYMSTORE_NOTHING] = "has no names",
		[SYMSTORE_DYNSYM] = "names only of what it exports",
		[SYMSTORE_BSYM] = "names of a BSYM file",
		[SYMSTORE_SYMTAB] = "names of its symbol table, no lines and no inlined functions",
	};
	char command[512];
	bool have;

	if (i->debug_file || i->facts.names == SYMSTORE_DWARF) {
		found(p->report, DOCTOR_OK, "names", NULL, "%s: of DWARF%s", i->path,
		      i->debug_file || i->facts.debug_link ? " in a debug file" : "");
		return;
	}
	if (!strcmp(i->path, "[vdso]")) {
		found(p->report, DOCTOR_OK, "names", NULL, "%s: names of what it exports",
		      i->path);
		return;
	}
	have = packages_command(p->o, &i->package, command);
	if (!have) {
		snprintf(command, sizeof(command), "CFLAGS += -g   # and build it again");
		have = true;
	}
	found(p->report, i->facts.names == SYMSTORE_SYMTAB ? DOCTOR_NOTE : DOCTOR_WARNING,
	      "names", command, "%s: %s", i->path, from[i->facts.names]);
}

static void say(const struct process *p)
{
	const struct image *i;

	for (i = p->images; i < p->images + p->nr; i++) {
		if (i->missing) {
			found(p->report, DOCTOR_WARNING, "file", NULL, "%s: %s", i->path,
			      i->missing);
			continue;
		}
		if (!i->facts.known) {
			found(p->report, DOCTOR_WARNING, "file", NULL,
			      "%s: reading it ended the process that read it", i->path);
			continue;
		}
		say_table(p, i);
		say_names(p, i);
	}
}

/* The process writes its map under its id in its own pid namespace. */
static void say_made(const struct process *p)
{
	char status[PATH_MAX], path[96], size[TEXT_SHORT], advice[128];
	uint32_t inner;

	if (!p->anonymous)
		return;
	look_path(p->o, status, "/proc/%" PRIu32 "/status", p->pid);
	inner = proc_status_inner_pid(status, p->pid);
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root/tmp/perf-%" PRIu32 ".map", p->pid,
		 inner);
	text_bytes(p->anonymous, size);
	/* jcmd works on a running JVM; the others must be started with the option */
	snprintf(advice, sizeof(advice), "jcmd %" PRIu32 " Compiler.perfmap | node "
		 "--perf-basic-prof ... | python3 -X perf ...", p->pid);
	if (look_exists(p->o, path))
		found(p->report, DOCTOR_OK, "names", NULL,
		      "code made at run time (%s): names from /tmp/perf-%" PRIu32 ".map",
		      size, inner);
	else
		found(p->report, DOCTOR_NOTE, "names", advice,
		      "code made at run time (%s) has no names: its compiler can write "
		      "them to /tmp/perf-%" PRIu32 ".map", size, inner);
}

static void say_mappings(const struct process *p)
{
	if (p->mappings > table_maker_most_mappings())
		found(p->report, DOCTOR_WARNING, "mappings", NULL,
		      "%" PRIu64 " executable mappings: where eBPF walks, the %u that were mapped first "
		      "have a table", p->mappings, table_maker_most_mappings());
}

static int read_mappings(struct process *p)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	struct scan_line l;

	if (!scan_maps_open(&maps, p->pid))
		return errno == ENOENT ? -ESRCH : -errno;
	while (scan_maps_next(&maps, &l))
		if (l.exec) {
			p->mappings++;
			add_mapping(p, &l);
		}
	if (maps.any)
		return 0;
	return maps.err == -EACCES || maps.err == -EPERM ? -EACCES : -ESRCH;
}

static void find_packages(struct process *p)
{
	struct package_want *want = calloc(p->nr ? p->nr : 1, sizeof(*want));
	size_t i;

	if (!want) {
		p->report->no_memory = true;
		return;
	}
	for (i = 0; i < p->nr; i++)
		want[i] = p->images[i].package;
	packages_find(p->o, want, p->nr);
	for (i = 0; i < p->nr; i++)
		p->images[i].package = want[i];
	free(want);
}

int doctor_process(const struct doctor_options *o, uint32_t pid, struct doctor_report *report)
{
	struct process p = { .o = o, .report = report, .pid = pid };
	int err;
	size_t i;

	if (o->root[0])
		return -EINVAL;
	err = read_mappings(&p);
	if (!err) {
		find_packages(&p);
		say(&p);
		say_mappings(&p);
		say_made(&p);
		doctor_language(pid, report);
	}
	for (i = 0; i < p.nr; i++)
		free(p.images[i].path);
	free(p.images);
	return err;
}
