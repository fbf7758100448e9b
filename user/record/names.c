// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every mapping of the profile has a place beside it that says where its names come from:
 * a file's image, the kernel, or a process that makes code.
 */
#include "record/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/jit.h"
#include "kernel/kallsyms.h"
#include "process/watch.h"
#include "profile/whole.h"
#include "record/imagemaps.h"
#include "record/known.h"
#include "record/labels.h"
#include "record/lang_stack.h"
#include "record/otel_processes.h"
#include "record/symbols.h"
#include "symstore/find.h"
#include "symstore/lines.h"
#include "util/array.h"
#include "util/text.h"

/* At least so long between two readings of the kernel's list. */
#define KALLSYMS_REFRESH_NS 10000000000u
#define KALLSYMS_MAX_WAIT_NS (64ull * KALLSYMS_REFRESH_NS)
/* A window waits no longer for names of the kernel than most machines take for all of them:
 * who drains windows must be back for the next one.
 */
#define KALLSYMS_READING_MS 300u

/* What programs of BPF and trampolines are in, as kallsyms_image() names it. */
#define BPF_IMAGE "[bpf]"

/* Files that no process has mapped and whose names are kept: an interval may ask yet. */
#define IDLE_IMAGES 512u

/* Packed, of a location: its function's names, its files and lines, and what is inlined there. */
#define NAME_BYTES 12u
/* Image maps pack so well, as their processes have most files in common. */
#define IMAGEMAP_PACKS 12u

enum source {
	SOURCE_NONE,
	SOURCE_IMAGE,
	SOURCE_KERNEL,
	SOURCE_JIT,
};

/**
 * struct origin - of the names of one mapping of the profile
 * @source: enum source
 * @pid: of SOURCE_JIT
 * @image: of SOURCE_IMAGE
 */
struct origin {
	enum source source;
	uint32_t pid;
	struct symstore_image *image;
};

struct record_names {
	struct record_names_options options;
	uint64_t clock;		/* see record_clock() */
	struct processes *processes;
	struct symstore *store;
	struct kallsyms *kallsyms;
	struct jit *jit;
	struct cgroups *cgroups;
	struct otel_processes *contexts;	/* NULL: processes are those of a file */
	struct names *names;

	struct known known;
	bool elsewhere;			/* the kernel that was sampled does not run here */
	struct record_symbols symbols;	/* of it, that come and go */
	uint64_t kallsyms_read;		/* when */
	uint64_t kallsyms_wait;		/* until it may be read again */
	struct lang_merged merged;	/* of the count that is taken */

	struct record_imagemaps imagemaps;
	struct profile *p;
	struct origin *origins;		/* by number of mapping */
	uint32_t nr_origins;
	uint32_t origins_room;
	bool no_memory;
};

/* A file is opened when it is first mapped: its process may be gone in a millisecond. */
static void meet_file(struct process_file *f, uint32_t pid, const struct process_map *map,
		      void *arg)
{
	struct record_names *n = arg;
	struct symstore_key key = {
		.path = f->id.path, .build_id_len = f->id.build_id_len,
		.dev = f->id.dev, .ino = f->id.ino, .generation = f->id.generation,
		.pid = pid, .start = map->start, .end = map->end,
	};
	struct symstore_image *image;

	if (f->kind != PROCESS_FILE && (f->kind != PROCESS_VDSO || n->elsewhere))
		return;
	if (n->options.past)
		key.pid = 0;
	if (jit_is_dump(f->id.path))
		jit_dump(n->jit, pid, f->id.path);
	memcpy(key.build_id, f->id.build_id, f->id.build_id_len);
	if (f->kind == PROCESS_FILE && symstore_is_made(&key)) {
		f->kind = PROCESS_MADE;
		return;
	}
	image = symstore_image(n->store, &key);
	n->no_memory |= !image;
	/* 0 is "not met" */
	f->user = (uintptr_t)image;
}

static struct symstore_image *image_of(const struct process_file *f)
{
	return (struct symstore_image *)(uintptr_t)f->user;
}

static void lose_file(struct process_file *f, void *arg)
{
	struct record_names *n = arg;

	if (f->user)
		symstore_put(n->store, image_of(f));
}

/* Without the kernel's names the rest is still worth having. */
static void open_kallsyms(struct record_names *n)
{
	struct diag diag = { 0 };
	char text[512];

	if (!kallsyms_new(NULL, &n->kallsyms, &diag))
		return;
	n->kallsyms = NULL;
	diag_format(&diag, text, sizeof(text));
	if (n->options.note)
		n->options.note(text, n->options.arg);
}

int record_names_new(const struct record_names_options *options,
		     struct record_names **ret, struct diag *diag)
{
	struct symstore_options store = {
		.debug_dirs = options->debug_dirs, .file_dirs = options->file_dirs,
		.cache = options->cache, .cache_bytes = options->cache_bytes,
		.bsym_dir = options->bsym_dir,
		.servers = options->servers,
		.note = options->note, .arg = options->arg,
	};
	struct record_names *n = calloc(1, sizeof(*n));
	int err;

	if (!n)
		return -ENOMEM;
	n->options = *options;
	n->kallsyms_read = watch_now();
	n->kallsyms_wait = KALLSYMS_REFRESH_NS;
	err = known_init(&n->known);
	if (!err)
		err = symstore_new(&store, &n->store, diag);
	n->processes = processes_new(meet_file, n);
	if (n->processes)
		processes_on_gone(n->processes, lose_file, n);
	n->jit = jit_new();
	n->cgroups = cgroups_new();
	n->names = symstore_names();
	n->contexts = options->past ? NULL : otel_processes_new();
	if (!err && (!n->processes || !n->jit || !n->cgroups || !n->names ||
		     (!n->contexts && !options->past)))
		err = -ENOMEM;
	if (err) {
		record_names_free(n);
		return err;
	}
	open_kallsyms(n);
	*ret = n;
	return 0;
}

void record_names_free(struct record_names *n)
{
	if (!n)
		return;
	/* it gives files back */
	processes_free(n->processes);
	symstore_free(n->store);
	kallsyms_free(n->kallsyms);
	jit_free(n->jit);
	cgroups_free(n->cgroups);
	otel_processes_free(n->contexts);
	record_imagemaps_release(&n->imagemaps);
	names_free(n->names);
	known_release(&n->known);
	record_symbols_release(&n->symbols);
	free(n->origins);
	free(n);
}

void record_kernel_elsewhere(struct record_names *n)
{
	n->elsewhere = true;
	kallsyms_free(n->kallsyms);
	n->kallsyms = NULL;
}

int record_kernel_symbol(struct record_names *n, uint64_t start, uint64_t len, const char *name)
{
	if (name)
		return record_symbols_add(&n->symbols, start, len, name);
	record_symbols_remove(&n->symbols, start, len);
	return 0;
}

struct processes *record_processes(struct record_names *n)
{
	return n->processes;
}

void record_clock(struct record_names *n, uint64_t realtime, uint64_t monotonic)
{
	n->clock = realtime - monotonic;
}

void record_profile(struct record_names *n, struct profile *p)
{
	n->p = p;
	n->nr_origins = 0;
	record_imagemaps_release(&n->imagemaps);
}

static void set_origin(struct record_names *n, uint32_t mapping, struct origin origin)
{
	while (n->nr_origins <= mapping) {
		if (!array_has_room(n->origins, n->nr_origins, n->origins_room)) {
			n->no_memory = true;
			return;
		}
		n->origins[n->nr_origins++] = (struct origin){ .source = SOURCE_NONE };
	}
	n->origins[mapping] = origin;
}

static uint32_t hex_string(struct profile *p, const uint8_t *bytes, unsigned int nr)
{
	char text[2 * SYMSTORE_MAX_BUILD_ID + 1];

	return nr ? profile_string(p, text_hex(bytes, nr, text, sizeof(text))) : 0;
}

/* An address in a file: its link-time address, so that all processes share it. */
static uint32_t file_location(struct record_names *n, const struct process_place *at,
			      uint64_t addr)
{
	struct symstore_image *image = image_of(at->file);
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	struct profile_mapping m = { .file = profile_string(n->p, at->file->id.path) };
	struct symstore_segment s;
	uint32_t mapping;

	if (!image || !symstore_segment(image, at->offset, &s)) {
		/* the file cannot be had: offsets in it are what is known */
		m.start = m.offset = at->offset - (addr - at->start);
		m.limit = m.start + (at->end - at->start);
		m.build_id = hex_string(n->p, at->file->id.build_id,
					at->file->id.build_id_len);
		mapping = profile_mapping(n->p, &m);
		set_origin(n, mapping, (struct origin){ .source = SOURCE_NONE });
		return profile_location(n->p, mapping, at->offset);
	}
	m.start = s.vaddr;
	m.limit = s.limit;
	m.offset = s.offset;
	m.build_id = hex_string(n->p, build_id, symstore_build_id(image, build_id));
	mapping = profile_mapping(n->p, &m);
	if (mapping >= n->nr_origins)
		n->no_memory |= known_add(&n->known, n->p, mapping, image) != 0;
	set_origin(n, mapping, (struct origin){ SOURCE_IMAGE, 0, image });
	if (!n->options.raw)
		symstore_want(n->store, image);
	return profile_location(n->p, mapping, s.vaddr + (at->offset - s.offset));
}

/* Code that a process made: the address is its own. */
static uint32_t made_location(struct record_names *n, uint32_t pid,
			      const struct process_place *at, uint64_t addr)
{
	struct profile_mapping m = { .start = at->start, .limit = at->end };
	char name[32];
	uint32_t mapping;

	snprintf(name, sizeof(name), "[jit:%u]", pid);
	m.file = profile_string(n->p, name);
	mapping = profile_mapping(n->p, &m);
	set_origin(n, mapping, (struct origin){ SOURCE_JIT, pid, NULL });
	return profile_location(n->p, mapping, addr);
}

/* Of what lies in a file of a format of its own, places in the file say more than addresses of
 * one process, if nothing names them.
 */
static bool is_in_file(const struct record_names *n, uint32_t pid, const struct process_file *f)
{
	return f->kind == PROCESS_FILE || f->kind == PROCESS_VDSO ||
	       (f->kind == PROCESS_MADE && strncmp(f->id.path, "/memfd:", 7) &&
		!jit_has_names(n->jit, pid));
}

static int user_location(struct record_names *n, const struct sampler_count *c,
			 uint64_t addr, uint32_t *ret)
{
	struct process_place at;
	int found = processes_find(n->processes, c->tgid, c->epoch, addr, &at);

	if (found < 0)
		return found;
	if (!found)
		*ret = profile_location(n->p, 0, addr);
	else if (is_in_file(n, c->tgid, at.file))
		*ret = file_location(n, &at, addr);
	else
		*ret = made_location(n, c->tgid, &at, addr);
	return 0;
}

/* A function whose name was told when it came: another one may have its address by now. */
static uint32_t told_location(struct record_names *n, const struct record_symbol *s, uint64_t addr)
{
	struct profile_mapping m = { .start = s->start, .limit = s->end };
	struct profile_line line = symstore_line(n->p, n->names, s->name, 0, 0);
	uint32_t mapping;

	m.file = profile_string(n->p, BPF_IMAGE);
	mapping = profile_mapping(n->p, &m);
	set_origin(n, mapping, (struct origin){ .source = SOURCE_NONE });
	return profile_location_named(n->p, mapping, addr, &line, 1);
}

static uint32_t kernel_location(struct record_names *n, uint64_t addr)
{
	const struct kallsyms_image *i = n->kallsyms ? kallsyms_image(n->kallsyms, addr) : NULL;
	const struct record_symbol *told = record_symbols_find(&n->symbols, addr);
	struct profile_mapping m = { .start = 1ull << 63, .limit = UINT64_MAX };
	uint32_t mapping;

	if (told)
		return told_location(n, told, addr);
	/* of the past, what is there now is another one */
	if (i && n->options.past && !strcmp(i->name, BPF_IMAGE))
		i = NULL;
	if (i) {
		m.start = i->start;
		m.limit = i->limit;
		m.build_id = hex_string(n->p, i->build_id, i->build_id_len);
	}
	m.file = profile_string(n->p, i ? i->name : "[kernel]");
	mapping = profile_mapping(n->p, &m);
	set_origin(n, mapping,
		   (struct origin){ .source = i || !n->options.past ? SOURCE_KERNEL : SOURCE_NONE });
	return profile_location(n->p, mapping, addr);
}

/* A function of a language: what it runs in is nothing that others could name. */
static uint32_t lang_location(struct record_names *n, enum lang_kind kind,
			      const struct lang_frame *f)
{
	const char *image = kind == LANG_PHP  ? PROFILE_FILE_PHP :
			    kind == LANG_RUBY ? PROFILE_FILE_RUBY :
			    kind == LANG_PERL ? PROFILE_FILE_PERL :
						PROFILE_FILE_CPYTHON;
	const struct profile_mapping m = { .file = profile_string(n->p, image) };
	struct profile_function function = {
		.name = profile_string(n->p, f->name), .file = profile_string(n->p, f->file),
		.start_line = f->start_line,
	};
	struct profile_line line;

	function.system_name = function.name;
	line = (struct profile_line){ profile_function(n->p, &function), f->line };
	return profile_location_named(n->p, profile_mapping(n->p, &m), 0, &line, 1);
}

/* CPython's -X perf makes a piece of code for each function, which calls the interpreter's function
 * for it: so it is a part of the interpreter. Others that are made at run time call that from C.
 */
static bool is_trampoline(struct record_names *n, const struct sampler_count *c,
			  const struct lang_step *step)
{
	struct process_place at;

	return step->caller &&
	       processes_find(n->processes, c->tgid, c->epoch,
			      record_call_address(c->user, step->index), &at) > 0 &&
	       !is_in_file(n, c->tgid, at.file);
}

/* Return: 1; 0 if the frame is left out; -ENOMEM. */
static int step_location(struct record_names *n, const struct sampler_count *c,
			 const struct lang_step *step, uint32_t *ret)
{
	int err;

	if (step->lang) {
		*ret = lang_location(n, c->lang->kind, &c->lang->frame[step->index]);
		return 1;
	}
	/* where the kernel walked by frame pointers, anything may stand */
	if (!c->user[step->index] || is_trampoline(n, c, step))
		return 0;
	err = user_location(n, c, record_call_address(c->user, step->index), ret);
	return err ? err : 1;
}

static int stack_of(struct record_names *n, const struct sampler_count *c, uint32_t *ret)
{
	struct lang_merged *m = &n->merged;
	uint32_t location = 0, stack = 0;
	size_t i;
	int found;

	record_lang_merge(c, !profile_stack_is_short(record_outcome(c->why)), n->options.native, m);
	for (i = m->nr; i--;) {
		found = step_location(n, c, &m->step[i], &location);
		if (found < 0)
			return found;
		if (found)
			stack = profile_stack(n->p, stack, location);
	}
	for (i = c->nr_kernel; i--;)
		stack = profile_stack(n->p, stack,
				      kernel_location(n, record_call_address(c->kernel, i)));
	*ret = stack;
	return 0;
}

/* What is mapped may change from sample to sample: while it does not, nothing is done. */
static void take_maps(struct record_names *n, const struct sampler_count *c)
{
	const struct process_maps *maps;

	if (n->options.past || !record_imagemaps_wants(&n->imagemaps, c->tgid, c->epoch))
		return;
	maps = processes_maps(n->processes, c->tgid, c->epoch);
	if (maps)
		record_imagemaps_take(&n->imagemaps, c->tgid, c->epoch, maps, image_of);
}

void record_imagemaps(struct record_names *n)
{
	record_imagemaps_write(&n->imagemaps, n->p);
}

int record_take(struct record_names *n, const struct record_event *e,
		const struct sampler_count *c)
{
	const struct otel_labels *context = NULL;
	int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t stack;
	int err;

	/* its perf-PID.map is opened while it can be */
	jit_process(n->jit, c->tgid);
	take_maps(n, c);
	err = stack_of(n, c, &stack);
	if (err)
		return err;
	value[e->samples] += (int64_t)c->count;
	if (e->weight != e->samples)
		value[e->weight] += (int64_t)c->sum;
	if (n->contexts)
		context = otel_processes_labels(n->contexts, c->tgid, c->epoch);
	profile_add(n->p, stack,
		    record_labels(n->p, n->processes, n->cgroups, e, c, n->merged.said, context,
				  n->clock), value);
	return n->no_memory ? -ENOMEM : profile_error(n->p);
}

static void name_by_kernel(struct record_names *n, uint32_t location, uint64_t addr)
{
	const char *name = n->kallsyms ? kallsyms_name(n->kallsyms, addr, NULL) : NULL;
	struct profile_line line;

	if (!name)
		return;
	line = symstore_line(n->p, n->names, name, 0, 0);
	profile_location_lines(n->p, location, &line, 1);
}

static int name_by_jit(struct record_names *n, uint32_t location, uint32_t pid,
		       uint64_t addr)
{
	struct profile_line line;
	struct jit_frame f;
	int found = jit_find(n->jit, pid, addr, &f);

	if (found <= 0)
		return found;
	line = symstore_line(n->p, n->names, f.name, profile_string(n->p, f.file), f.line);
	profile_location_lines(n->p, location, &line, 1);
	return 0;
}

static int name_location(struct record_names *n, uint32_t location)
{
	const struct profile_location *l = &n->p->locations[location];
	const struct origin *o;

	if (l->nr_lines || l->mapping >= n->nr_origins)
		return 0;
	o = &n->origins[l->mapping];
	switch (o->source) {
	case SOURCE_IMAGE:
		if (!n->options.raw)
			symstore_lines(n->p, n->names, location, o->image, l->address);
		return 0;
	case SOURCE_KERNEL:
		name_by_kernel(n, location, l->address);
		return 0;
	case SOURCE_JIT:
		return name_by_jit(n, location, o->pid, l->address);
	case SOURCE_NONE:
		return 0;
	}
	return 0;
}

/* Return: an address of the kernel that has no name, 0 if all have one. */
static uint64_t unknown_to_kernel(const struct record_names *n)
{
	uint32_t i;

	for (i = 1; i < n->p->nr_locations; i++) {
		const struct profile_location *l = &n->p->locations[i];

		if (l->mapping < n->nr_origins && n->origins[l->mapping].source == SOURCE_KERNEL &&
		    !kallsyms_name(n->kallsyms, l->address, NULL))
			return l->address;
	}
	return 0;
}

/* What is not in the kernel's list came after it: a module, a program of BPF. */
static void refresh_kernel(struct record_names *n)
{
	uint64_t now = watch_now(), addr;
	bool reading;

	if (!n->kallsyms)
		return;
	reading = kallsyms_is_reading(n->kallsyms);
	if (!reading && now - n->kallsyms_read < n->kallsyms_wait)
		return;
	addr = unknown_to_kernel(n);
	if (!addr && !reading)
		return;
	if (kallsyms_refresh(n->kallsyms, addr ? KALLSYMS_READING_MS : 0) == -EAGAIN)
		return;
	n->kallsyms_read = now;
	/* some addresses have no name, however often one looks */
	if (!addr || kallsyms_name(n->kallsyms, addr, NULL))
		n->kallsyms_wait = KALLSYMS_REFRESH_NS;
	else if (n->kallsyms_wait < KALLSYMS_MAX_WAIT_NS)
		n->kallsyms_wait *= 2;
}

int record_name_now(struct record_names *n)
{
	uint32_t i;
	int err = 0;

	symstore_go_on(n->store);
	refresh_kernel(n);
	for (i = 1; i < n->p->nr_locations && !err; i++)
		err = name_location(n, i);
	return err ? err : profile_error(n->p);
}

static bool is_to_come(const struct record_names *n, const struct profile_location *l)
{
	struct gsym_frame frame;
	const struct origin *o;

	if (n->options.raw || l->nr_lines || l->mapping >= n->nr_origins)
		return false;
	o = &n->origins[l->mapping];
	return o->source == SOURCE_IMAGE &&
	       symstore_lookup(o->image, l->address, &frame, 1) == -EAGAIN;
}

uint64_t record_names_to_come(struct record_names *n)
{
	uint64_t bytes = n->imagemaps.bytes / IMAGEMAP_PACKS;
	uint32_t i;

	for (i = 1; i < n->p->nr_locations; i++)
		if (is_to_come(n, &n->p->locations[i]))
			bytes += NAME_BYTES;
	return bytes;
}

static bool is_known(uint32_t pid, void *arg)
{
	const struct record_names *n = arg;

	return processes_known(n->processes, pid);
}

/* Is a mapping code that a process made that has gone? */
static bool is_gone(struct record_names *n, uint32_t mapping)
{
	return mapping < n->nr_origins && n->origins[mapping].source == SOURCE_JIT &&
	       !processes_known(n->processes, n->origins[mapping].pid);
}

int record_name_gone(struct record_names *n)
{
	uint32_t i;
	int err = 0;

	for (i = 1; i < n->p->nr_locations && !err; i++)
		if (is_gone(n, n->p->locations[i].mapping))
			err = name_location(n, i);
	/* the next process of that number has other code */
	for (i = 0; i < n->nr_origins; i++)
		if (is_gone(n, i))
			n->origins[i].source = SOURCE_NONE;
	jit_forget_others(n->jit, is_known, n);
	cgroups_forget(n->cgroups);
	return err ? err : profile_error(n->p);
}

static void drop_image(struct symstore_image *image, void *arg)
{
	struct record_names *n = arg;

	known_drop(&n->known, image);
}

int record_names_forget(struct record_names *n)
{
	jit_forget_others(n->jit, is_known, n);
	cgroups_forget(n->cgroups);
	if (!symstore_trim(n->store, IDLE_IMAGES, drop_image, n))
		return 0;
	return known_compact(&n->known);
}

int record_name_again(struct record_names *n, struct profile *p)
{
	struct symstore_image *image = NULL;
	uint32_t i, mapping = 0;

	symstore_go_on(n->store);
	for (i = 1; i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];

		if (l->nr_lines || !l->mapping)
			continue;
		/* many in a row are of one mapping */
		if (l->mapping != mapping)
			image = known_find(&n->known, p, l->mapping);
		mapping = l->mapping;
		if (image)
			symstore_lines(p, n->names, i, image, l->address);
	}
	return profile_error(p);
}

int record_name(struct record_names *n,
		bool (*progress)(unsigned int done, unsigned int all, const char *path,
				 void *arg),
		void *arg)
{
	int stopped = n->options.raw ? 0 : symstore_wait(n->store, progress, arg), err = 0;
	uint32_t i;

	if (n->kallsyms && !n->options.past && unknown_to_kernel(n))
		kallsyms_refresh(n->kallsyms, KALLSYMS_WAIT);
	for (i = 1; i < n->p->nr_locations && !err; i++)
		err = name_location(n, i);
	if (!err)
		err = profile_error(n->p);
	return err ? err : stopped;
}

/* Of each mapping: the locations in it, and those that have a name. */
static struct record_named *count_named(const struct record_names *n)
{
	struct record_named *files = calloc(n->nr_origins + 1, sizeof(*files));
	uint32_t i;

	for (i = 1; files && i < n->p->nr_locations; i++) {
		const struct profile_location *l = &n->p->locations[i];

		if (l->mapping >= n->nr_origins)
			continue;
		files[l->mapping].locations++;
		files[l->mapping].named += l->nr_lines != 0;
	}
	return files;
}

void record_names_each(const struct record_names *n,
		       void (*tell)(const struct record_named *file, void *arg), void *arg)
{
	struct record_named *files = count_named(n);
	uint32_t i;

	for (i = 1; files && i < n->nr_origins; i++) {
		const struct symstore_image *image = n->origins[i].image;

		if (n->origins[i].source != SOURCE_IMAGE)
			continue;
		files[i].path = profile_text(n->p, n->p->mappings[i].file);
		files[i].source = symstore_source(image);
		files[i].reason = symstore_reason(image);
		tell(&files[i], arg);
	}
	free(files);
}
