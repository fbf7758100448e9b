// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the runtime of a process: reads each file with code that it has mapped, once, and
 * then the process's memory. The thread of reader.c and the doctor call it.
 */
#include "symbols/lang/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/file/locate.h"
#include "host/process/scan.h"
#include "symbols/lang/php_jit.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/intern.h"

/* Limit for files in the cache; when it is reached, all are removed. */
#define MAX_FILES 16384u
/* After this time a cached file without a runtime is checked: another may have got its inode. */
#define RECHECK_NS 30000000000ull
/* Limit for executable mappings of a process that are looked at. */
#define MAX_MAPPINGS 4096u

/**
 * struct runtime - a runtime that was found in a file
 * @kind: language of the runtime, which tells the member that is set; LANG_NONE: no runtime
 */
struct runtime {
	enum lang_kind kind;
	union {
		struct cpython_file cpython;
		struct php_file php;
		struct ruby_file ruby;
		struct perl_file perl;
		struct beam_file beam;
	};
};

/**
 * struct cached_file - a file in the cache
 * @dev: device number, as in /proc/PID/maps
 * @ino: inode number, as in /proc/PID/maps
 * @changed: ctime of the file in nanoseconds when it was read; 0: it must be read again
 * @checked: when it was read, or found not to have changed, CLOCK_MONOTONIC in nanoseconds
 * @head: segments of a file with a runtime or libc; else NULL
 * @is_libc: the file is a C library: @libc is set
 * @libc: thread data of the C library
 * @runtime: the runtime in the file; NULL if it has none
 */
struct cached_file {
	u64 dev;
	u64 ino;
	u64 changed;
	u64 checked;
	struct ustack_elf *head;
	bool is_libc;
	struct lang_libc libc;
	struct runtime *runtime;
};

struct lang_files {
	struct cached_file *file;	/* number 0 is not used */
	u32 nr;
	u32 room;
	struct intern index;
	struct peek peek;
};

struct lang_files *lang_files_new(void)
{
	struct lang_files *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	if (peek_open(&f->peek)) {
		free(f);
		return NULL;
	}
	intern_init(&f->index);
	f->nr = 1;
	return f;
}

static void forget(struct cached_file *k)
{
	free(k->head);
	free(k->runtime);
	k->head = NULL;
	k->runtime = NULL;
	k->is_libc = false;
}

static void forget_all(struct lang_files *f)
{
	u32 i;

	for (i = 1; i < f->nr; i++)
		forget(&f->file[i]);
	f->nr = 1;
	intern_clear(&f->index);
}

void lang_files_free(struct lang_files *f)
{
	if (!f)
		return;
	forget_all(f);
	intern_release(&f->index);
	peek_close(&f->peek);
	free(f->file);
	free(f);
}

static struct cached_file *find(struct lang_files *f, u64 dev, u64 ino)
{
	const u64 key[] = { dev, ino };
	u64 hash = intern_words(&f->index, (const uint64_t *)key, 2);
	struct intern_probe at = intern_probe(&f->index, hash);
	u32 n;

	while ((n = intern_next(&f->index, &at)))
		if (f->file[n].dev == dev && f->file[n].ino == ino)
			return &f->file[n];
	if (f->nr == MAX_FILES)
		forget_all(f);
	/* number 0 takes the first place */
	if (!array_has_room(f->file, f->room ? f->nr : 0, f->room) || !intern_room(&f->index))
		return NULL;
	f->file[f->nr] = (struct cached_file){ .dev = dev, .ino = ino };
	intern_put(&f->index, hash, f->nr);
	return &f->file[f->nr++];
}

static u64 ctime_of(const struct stat *st)
{
	return (u64)st->st_ctim.tv_sec * 1000000000 + (u64)st->st_ctim.tv_nsec;
}

/* A copy of @size bytes, or NULL. */
static void *copy_of(const void *found, size_t size)
{
	void *copy = malloc(size);

	return copy ? memcpy(copy, found, size) : NULL;
}

static enum lang_kind find_runtime(const struct lang_elf *e, struct runtime *ret)
{
	if (cpython_file_read(e, &ret->cpython))
		return LANG_CPYTHON;
	if (php_file_read(e, &ret->php))
		return LANG_PHP;
	if (ruby_file_read(e, &ret->ruby))
		return LANG_RUBY;
	if (perl_file_read(e, &ret->perl))
		return LANG_PERL;
	return beam_file_read(e, &ret->beam) ? LANG_BEAM : LANG_NONE;
}

/* Finds the runtime in a file, if there is one. */
static void read_runtime(struct cached_file *k, const struct lang_elf *e)
{
	struct runtime found;

	found.kind = find_runtime(e, &found);
	if (found.kind == LANG_NONE)
		k->is_libc = lang_libc_read(e, &k->libc);
	else
		k->runtime = copy_of(&found, sizeof(found));
}

static void read_file(struct cached_file *k, const char *path)
{
	_cleanup_(supply_file_release) struct supply_file found = SUPPLY_FILE_INIT;
	_cleanup_(lang_elf_release) struct lang_elf e = LANG_ELF_INIT;
	struct file file;

	forget(k);
	k->changed = 0;
	k->checked = clock_ns(CLOCK_MONOTONIC);
	if (supply_file_open(&found, AT_FDCWD, path, false) != SUPPLY_CACHED)
		return;
	if (!supply_file_is_fresh(&found))
		k->changed = ctime_of(&found.st);
	file = (struct file){ .path = path, .fd = found.fd, .size = (uint64_t)found.st.st_size };
	if (!lang_elf_open(&e, &file))
		return;
	read_runtime(k, &e);
	if (k->runtime || k->is_libc) {
		k->head = copy_of(&e.head, sizeof(e.head));
		if (!k->head)
			forget(k);
	}
}

/*
 * Whether the file must be read: at first, and if it changed since. A runtime must be the same file
 * each time; others are checked from time to time only.
 */
static bool is_outdated(struct cached_file *k, const char *path)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct stat st;

	if (!k->checked)
		return true;
	if (!k->head && now - k->checked <= RECHECK_NS)
		return false;
	if (stat(path, &st) || ctime_of(&st) != k->changed)
		return true;
	k->checked = now;
	return false;
}

/* Finds the cached entry of a mapped file, or reads the file; valid until the next call. */
static const struct cached_file *look_at(struct lang_files *f, u32 pid, const struct scan_line *l)
{
	struct cached_file *k = find(f, l->id.dev, l->id.ino);
	char path[SCAN_MAPPED_PATH];

	if (!k)
		return NULL;
	scan_mapped_path(pid, l->start, l->end, path);
	if (is_outdated(k, path))
		read_file(k, path);
	return k;
}

/**
 * struct look - state of the search through a process's mappings
 * @to: the process
 * @has_libc: @libc is set
 * @libc: the process's C library
 * @runtime: the process's runtime; a copy
 * @bias: run-time address minus link-time address of the runtime's file
 * @shared: pieces of shared memory without a file; PHP's JIT has its code in one
 * @nr_shared: number of @shared
 */
struct look {
	struct lang_process *to;
	bool has_libc;
	struct lang_libc libc;
	struct runtime runtime;
	u64 bias;
	struct range shared[PHP_JIT_MEMORIES];
	unsigned int nr_shared;
};

static void take_mapping(struct look *look, const struct cached_file *k, const struct scan_line *l)
{
	if (k->is_libc && !look->has_libc) {
		look->has_libc = true;
		look->libc = k->libc;
	}
	if (!k->runtime || look->runtime.kind != LANG_NONE ||
	    !ustack_elf_bias(k->head, l->start, l->offset, l->end - l->start, &look->bias))
		return;
	look->runtime = *k->runtime;
	snprintf(look->to->path, sizeof(look->to->path), "%s", l->id.path);
}

/* Notes shared memory without a file; its parts may be mapped with different rights. */
static void take_shared(struct look *look, const struct scan_line *l)
{
	struct range *last = look->nr_shared ? &look->shared[look->nr_shared - 1] : NULL;

	if (!l->id.path || strcmp(l->id.path, PHP_JIT_MAPPED))
		return;
	if (last && last->end == l->start && l->offset)
		last->end = l->end;
	else if (look->nr_shared < PHP_JIT_MEMORIES)
		look->shared[look->nr_shared++] = (struct range){ l->start, l->end };
}

static bool scan(struct lang_files *files, u32 pid, struct look *look)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	unsigned int nr = 0;
	struct scan_line l;

	if (!scan_maps_open(&maps, pid))
		return false;
	while (nr < MAX_MAPPINGS && scan_maps_next(&maps, &l)) {
		const struct cached_file *k;

		take_shared(look, &l);
		if (!l.exec || !l.id.ino)
			continue;
		nr++;
		k = look_at(files, pid, &l);
		if (k && k->head)
			take_mapping(look, k, &l);
	}
	return true;
}

static bool read_memory(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct lang_process *p = arg;

	return peek_read(p->peek, &p->mem, addr, buf, len);
}

static bool read_ranges(void *arg, const struct peek_range *range, size_t nr)
{
	struct lang_process *p = arg;

	return peek_read_ranges(p->peek, &p->mem, range, nr);
}

struct lang_memory lang_process_memory(const struct lang_process *p)
{
	return (struct lang_memory){ .read = read_memory, .read_ranges = read_ranges, .arg = (void *)p };
}

/* Moves @nr ranges of a file to their run-time addresses. Return: @nr. */
static unsigned int move_ranges(const struct range *range, unsigned int nr, u64 bias,
				struct range ret[EVAL_MAX_RANGES])
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		ret[i] = (struct range){ range[i].start + bias, range[i].end + bias };
	return nr;
}

/* Sets that the process's frames are read, by the reader of its runtime. */
static void take_kind(struct lang_process *p, const struct range *eval, unsigned int nr, u64 bias)
{
	p->kind = p->runtime;
	p->why = NULL;
	p->nr_eval = move_ranges(eval, nr, bias, p->eval);
}

static const char no_keys[] =
	"its C library does not tell where threads keep their keys (it is not glibc, or linked statically)";

/* Takes what the file says of the runtime. Return: whether frames of its version are read. */
static bool take_version(struct lang_process *p, u32 version, const char *refused)
{
	p->version = version;
	p->why = refused;
	return !refused;
}

/* @why: said if @ready is false, which may change soon. Return: @ready. */
static bool await(struct lang_process *p, bool ready, const char *why)
{
	p->why = why;
	p->again = !ready;
	return ready;
}

static bool await_memory(struct lang_process *p, enum lang_ready ready, const char *not_yet)
{
	return await(p, ready == LANG_READY,
		     ready == LANG_NOT_YET ? not_yet : "its memory has invalid values");
}

static void describe_cpython(struct lang_process *p, const struct look *look)
{
	const struct cpython_file *f = &look->runtime.cpython;
	struct lang_memory m = lang_process_memory(p);

	/* the loader may be about to map the C library */
	if (take_version(p, f->version, f->refused) && await(p, look->has_libc, no_keys) &&
	    await_memory(p, cpython_describe(f, look->bias, &look->libc, &m, &p->found.cpython),
			 "it has not been initialized"))
		take_kind(p, f->eval, f->nr_eval, look->bias);
}

static void describe_php(struct lang_process *p, const struct look *look)
{
	const struct php_file *f = &look->runtime.php;
	struct lang_memory m = lang_process_memory(p);
	struct range jit;

	if (!take_version(p, f->version, f->refused) ||
	    !await(p, php_describe(f, look->bias, &m, &p->found.php), "it has not begun a request"))
		return;
	if (!php_jit_find(look->shared, look->nr_shared, &m, &jit)) {
		take_kind(p, f->eval, f->nr_eval, look->bias);
		return;
	}
	if (!php_describe_jit(f, look->bias, &p->found.php) || f->nr_eval == EVAL_MAX_RANGES) {
		p->why = "its JIT is enabled (opcache.jit), and frames of such code are not proven right in this build";
		return;
	}
	take_kind(p, f->eval, f->nr_eval, look->bias);
	/* code of the JIT runs in the frame of the interpreter's function, or is called by such code */
	p->eval[p->nr_eval++] = jit;
	p->inner[p->nr_inner++] = jit;
}

static void describe_ruby(struct lang_process *p, const struct look *look)
{
	const struct ruby_file *f = &look->runtime.ruby;
	struct lang_memory m = lang_process_memory(p);

	/* the loader may be about to map the C library */
	if (!take_version(p, f->version, f->refused) ||
	    !await(p, look->has_libc && look->libc.has_dtv,
		   "its C library does not tell where threads keep data of modules (it is not glibc)") ||
	    !await_memory(p, ruby_describe(f, look->bias, &look->libc, &m, &p->found.ruby),
			  "it is still being loaded"))
		return;
	take_kind(p, f->eval, f->nr_eval, look->bias);
	p->nr_inner = move_ranges(f->inner, f->nr_inner, look->bias, p->inner);
}

static void describe_perl(struct lang_process *p, const struct look *look)
{
	const struct perl_file *f = &look->runtime.perl;
	struct lang_memory m = lang_process_memory(p);

	/* the loader may be about to map the C library */
	if (!take_version(p, f->version, f->refused) || !await(p, look->has_libc, no_keys) ||
	    !await_memory(p, perl_describe(f, look->bias, &look->libc, &m, &p->found.perl),
			  "it has no interpreter yet"))
		return;
	take_kind(p, f->eval, f->nr_eval, look->bias);
	p->nr_inner = move_ranges(f->inner, f->nr_inner, look->bias, p->inner);
	p->nr_base = move_ranges(f->base, f->nr_base, look->bias, p->base);
}

static void describe_beam(struct lang_process *p, const struct look *look)
{
	const struct beam_file *f = &look->runtime.beam;
	struct lang_memory m = lang_process_memory(p);
	enum beam_ready ready;

	/* the loader may be about to map the C library */
	if (!take_version(p, f->version, f->refused) || !await(p, look->has_libc, no_keys))
		return;
	ready = beam_describe(f, look->bias, &look->libc, &m, &p->found.beam);
	if (ready == BEAM_FRAME_POINTERS)
		p->why = "its code keeps frame pointers (+JPperf)";
	else if (await(p, ready == BEAM_READY,
		       ready == BEAM_NOT_YET ? "it has not made its code yet" :
					       "its memory has invalid values"))
		take_kind(p, NULL, 0, 0);
}

static void describe(struct lang_process *p, const struct look *look)
{
	p->runtime = look->runtime.kind;
	switch (p->runtime) {
	case LANG_CPYTHON:
		describe_cpython(p, look);
		break;
	case LANG_PHP:
		describe_php(p, look);
		break;
	case LANG_RUBY:
		describe_ruby(p, look);
		break;
	case LANG_PERL:
		describe_perl(p, look);
		break;
	case LANG_BEAM:
		describe_beam(p, look);
		break;
	default:
		break;
	}
}

void lang_process_look(struct lang_files *files, u32 pid, struct lang_process *ret)
{
	struct look look = { .to = ret };
	bool is_there;

	*ret = (struct lang_process){ .peek = &files->peek };
	/*
	 * opened first: after an exec the mappings are those of the new program, and this
	 * memory is gone
	 */
	is_there = peek_memory_open(&ret->mem, pid);
	if (!is_there || !scan(files, pid, &look))
		ret->why = "it cannot be inspected";
	else if (peek_is_silent(&files->peek, ret->mem.payer))
		ret->why = "a page of memory of a process of this user did not answer";
	else
		describe(ret, &look);
	if (ret->kind == LANG_NONE)
		lang_process_release(ret);
}

void lang_process_release(struct lang_process *p)
{
	peek_memory_close(&p->mem);
}
