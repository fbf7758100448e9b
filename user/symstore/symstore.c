// SPDX-License-Identifier: GPL-2.0-only
#include "symstore/symstore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "symstore/bsym_dir.h"
#include "symstore/debug.h"
#include "symstore/fetch.h"
#include "symstore/find.h"
#include "symstore/gsym_cache.h"
#include "symstore/make.h"
#include "util/array.h"
#include "util/file.h"

enum state {
	STATE_MET,	/* nobody has asked for names */
	STATE_WAITS,	/* for a process to be free */
	STATE_MADE,	/* is being made */
	STATE_FETCHED,	/* its debug file is, from a server */
	STATE_DONE,	/* @gsym, or @reason */
};

/**
 * struct symstore_image - a file
 * @file: open until names are there, so that it may be deleted meanwhile
 * @path: that it was met by first
 * @build_id: of the file, or that was asked for
 * @found: the headers count
 * @has_base: without them: @base is known, of the debug file
 * @base: see symstore_base()
 * @state: enum state
 * @make: while it is being made, into @out, which becomes @cached
 * @fetch: while its debug file is fetched, to be @fetched
 * @fetched: descriptor of it, -1 if there is none
 * @asked: the servers, or there is no need to
 * @tried: the folder of BSYM files, likewise
 * @said: @reason, to the user
 * @gsym: NULL if there are no names
 * @source: of the names
 * @reason: see symstore_reason()
 * @refs: see symstore_put()
 * @idle: without @refs: turn of the store at which it was given back
 */
struct symstore_image {
	struct supply_file file;
	char *path;
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	uint8_t build_id_len;
	uint64_t dev;
	uint64_t ino;
	uint64_t generation;
	bool found;
	bool has_base;
	uint64_t base;
	enum state state;
	struct make make;
	int out;
	char cached[NAME_MAX];
	struct fetch fetch;
	int fetched;
	bool asked;
	bool tried;
	bool said;
	struct gsym *gsym;
	enum symstore_source source;
	char reason[256];
	uint64_t refs;
	uint64_t idle;
};

struct symstore {
	struct symstore_options options;
	struct gsym_cache cache;
	struct bsym_dir bsym_dir;
	struct symstore_image **images;
	size_t nr_images;
	size_t room;
	unsigned int running;
	unsigned int max_running;
	bool out_of_files;
	uint64_t turn;
	size_t nr_idle;
	bool no_servers;	/* they are not worth asking again */
};

static const char *const default_debug_dirs[] = { "/usr/lib/debug", NULL };

static void note(const struct symstore *s, const char *text)
{
	if (s->options.note)
		s->options.note(text, s->options.arg);
}

int symstore_new(const struct symstore_options *options, struct symstore **ret,
		 struct diag *diag)
{
	struct symstore *s = calloc(1, sizeof(*s));
	uint64_t max = options->cache_bytes ? options->cache_bytes : SYMSTORE_CACHE_BYTES;
	struct diag why = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int err = 0;

	if (!s)
		return diag_errno(diag, ENOMEM, "symbols");
	s->options = *options;
	if (!s->options.debug_dirs)
		s->options.debug_dirs = default_debug_dirs;
	s->max_running = options->threads ? options->threads : (unsigned int)cpus;
	s->cache = (struct gsym_cache)GSYM_CACHE_INIT;
	s->bsym_dir = (struct bsym_dir)BSYM_DIR_INIT;
	if (options->bsym_dir)
		err = bsym_dir_open(&s->bsym_dir, options->bsym_dir, diag);
	if (err) {
		free(s);
		return err;
	}
	if (gsym_cache_open(&s->cache, options->cache, max, &why))
		note(s, why.text);
	/* every file that is met stays open until it has names */
	file_raise_limit();
	*ret = s;
	return 0;
}

static void image_free(struct symstore_image *i)
{
	make_kill(&i->make);
	fetch_kill(&i->fetch);
	if (i->out >= 0)
		close(i->out);
	if (i->fetched >= 0)
		close(i->fetched);
	supply_file_release(&i->file);
	gsym_close(i->gsym);
	free(i->path);
	free(i);
}

void symstore_free(struct symstore *store)
{
	size_t i;

	if (!store)
		return;
	for (i = 0; i < store->nr_images; i++)
		image_free(store->images[i]);
	gsym_cache_release(&store->cache);
	bsym_dir_release(&store->bsym_dir);
	free(store->images);
	free(store);
}

static bool is_same(const struct symstore_image *i, const struct symstore_key *key)
{
	if (key->build_id_len)
		return i->build_id_len == key->build_id_len &&
		       !memcmp(i->build_id, key->build_id, key->build_id_len);
	if (key->ino)
		return i->dev == key->dev && i->ino == key->ino &&
		       i->generation == key->generation;
	return !strcmp(i->path, key->path);
}

/* Few files have a build id that is not known from the start; nothing is lost if two
 * images are one file.
 */
static struct symstore_image *known(const struct symstore *s, const struct symstore_key *key)
{
	size_t i;

	for (i = 0; i < s->nr_images; i++)
		if (is_same(s->images[i], key))
			return s->images[i];
	return NULL;
}

static struct symstore_image *image_new(const struct symstore_key *key)
{
	struct symstore_image *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->file = (struct supply_file)SUPPLY_FILE_INIT;
	i->out = i->fetched = -1;
	i->dev = key->dev;
	i->ino = key->ino;
	i->generation = key->generation;
	i->build_id_len = key->build_id_len;
	memcpy(i->build_id, key->build_id, key->build_id_len);
	i->path = strdup(key->path);
	if (i->path)
		return i;
	free(i);
	return NULL;
}

static void find_file(struct symstore *s, struct symstore_image *i,
		      const struct symstore_key *key)
{
	const char *why = symstore_find(key, s->options.file_dirs, &i->file);

	if (why) {
		snprintf(i->reason, sizeof(i->reason), "%s", why);
		if (errno == EMFILE && !s->out_of_files) {
			s->out_of_files = true;
			note(s, "too many open files: some have no names (ulimit -n)");
		}
		return;
	}
	i->found = true;
	i->file.path = i->path;
	if (!i->build_id_len && i->file.elf.build_id_len <= SYMSTORE_MAX_BUILD_ID) {
		i->build_id_len = i->file.elf.build_id_len;
		memcpy(i->build_id, i->file.elf.build_id, i->build_id_len);
	}
}

struct symstore_image *symstore_image(struct symstore *store, const struct symstore_key *key)
{
	struct symstore_image *i = known(store, key);

	/* one that could not be had may be there by now, with another process */
	if (i && !i->found && i->state == STATE_MET)
		find_file(store, i, key);
	if (i) {
		store->nr_idle -= !i->refs++;
		return i;
	}
	if (!array_has_room(store->images, store->nr_images, store->room))
		return NULL;
	i = image_new(key);
	if (!i)
		return NULL;
	store->images[store->nr_images++] = i;
	i->refs = 1;
	find_file(store, i, key);
	return i;
}

void symstore_put(struct symstore *store, struct symstore_image *image)
{
	if (--image->refs)
		return;
	image->idle = ++store->turn;
	store->nr_idle++;
}

static int longest_idle_first(const void *x, const void *y)
{
	const struct symstore_image *a = *(struct symstore_image *const *)x;
	const struct symstore_image *b = *(struct symstore_image *const *)y;

	if (!a->refs != !b->refs)
		return a->refs ? 1 : -1;
	return (a->idle > b->idle) - (a->idle < b->idle);
}

size_t symstore_trim(struct symstore *store, size_t keep,
		     void (*gone)(struct symstore_image *image, void *arg), void *arg)
{
	size_t spare = store->nr_idle > keep ? store->nr_idle - keep : 0, i, nr = 0;

	if (!spare)
		return 0;
	qsort(store->images, store->nr_images, sizeof(struct symstore_image *), longest_idle_first);
	for (i = 0; i < store->nr_images; i++) {
		struct symstore_image *image = store->images[i];

		/* what is being made has a process that reads it */
		if (i >= spare || image->state == STATE_MADE) {
			store->images[nr++] = image;
			continue;
		}
		gone(image, arg);
		image_free(image);
		store->nr_idle--;
	}
	i = store->nr_images - nr;
	store->nr_images = nr;
	return i;
}

bool symstore_segment(const struct symstore_image *image, uint64_t offset,
		      struct symstore_segment *ret)
{
	const struct ustack_segment *s = image->file.elf.segments;
	unsigned int n = image->found ? image->file.elf.nr_segments : 0;

	for (; n; n--, s++)
		if (s->exec && offset >= s->off && offset - s->off < s->filesz) {
			*ret = (struct symstore_segment){ s->vaddr, s->vaddr + s->memsz,
							  s->off };
			return true;
		}
	return false;
}

bool symstore_base(const struct symstore_image *image, uint64_t *ret)
{
	const struct ustack_segment *s = image->file.elf.segments;

	*ret = image->base;
	if (!image->found)
		return image->has_base;
	*ret = s->vaddr - s->off;
	return image->file.elf.nr_segments;
}

unsigned int symstore_build_id(const struct symstore_image *image,
			       uint8_t ret[SYMSTORE_MAX_BUILD_ID])
{
	memcpy(ret, image->build_id, image->build_id_len);
	return image->build_id_len;
}

const char *symstore_path(const struct symstore_image *image)
{
	return image->path;
}

static void done(struct symstore_image *i)
{
	i->state = STATE_DONE;
	if (i->out >= 0)
		close(i->out);
	i->out = -1;
	if (i->file.fd >= 0)
		close(i->file.fd);
	i->file.fd = -1;
	if (i->fetched >= 0)
		close(i->fetched);
	i->fetched = -1;
}

/* A GSYM has the address of the first segment, which is where the file starts unless that
 * is in front of it: such ones are not kept (finish()).
 */
static void take_base(struct symstore_image *i, enum symstore_source source)
{
	struct gsym_info info;

	if (source == SYMSTORE_BSYM)
		return;
	gsym_identify(i->gsym, &info);
	i->base = info.base;
	i->has_base = true;
}

static bool base_is_kept(const struct symstore_image *i)
{
	struct gsym_info info;

	gsym_identify(i->gsym, &info);
	return i->found || i->source == SYMSTORE_BSYM || (i->has_base && i->base == info.base);
}

static bool open_cached(struct symstore *s, struct symstore_image *i)
{
	enum symstore_source source;
	struct gsym *gsym;
	char path[PATH_MAX];

	/* a damaged one may be in the way of another */
	while ((source = gsym_cache_find(&s->cache, i->cached, path))) {
		if (!gsym_open(path, &gsym, NULL)) {
			gsym_close(i->gsym);
			i->gsym = gsym;
			i->source = source;
			take_base(i, source);
			return true;
		}
		gsym_cache_remove(&s->cache, i->cached, source);
		/* it is not ours to remove */
		if (!access(path, F_OK))
			break;
	}
	return false;
}

/* Why there are fewer names than there could be, once for each file and in the end. */
static void say_reason(struct symstore *s, struct symstore_image *i)
{
	char text[sizeof(i->reason) + 128];
	size_t len = strlen(i->path);

	if (!i->reason[0] || i->said)
		return;
	i->said = true;
	/* a diag's text begins with its file */
	if (!strncmp(i->reason, i->path, len) && i->reason[len] == ':')
		snprintf(text, sizeof(text), "%s", i->reason);
	else
		snprintf(text, sizeof(text), "%.100s: %s", i->path, i->reason);
	note(s, text);
}

static void say_fetch(struct symstore *s, struct symstore_image *i, int err)
{
	const char *why = strerror(err);

	/* there is none: that is no failure */
	if (err == ENOENT)
		return;
	if (err == ENOPKG)
		why = "libdebuginfod.so.1 is not installed (apt-get install libdebuginfod1)";
	if (err == EPROTO)
		why = "a server failed, or what it sent ended too early";
	if (err == EFBIG)
		why = "its debug file is too large";
	if (err == ETIME || err == ETIMEDOUT)
		why = "it took too long";
	snprintf(i->reason, sizeof(i->reason), "no debug file from the servers: %s", why);
	i->said = false;
	/* what is of the file only does not keep others from being asked for */
	if (err != EFBIG && !s->no_servers) {
		s->no_servers = true;
		note(s, "debug files: the servers are not asked any more");
	}
}

static void miss_name(const struct symstore *s, const struct symstore_image *i,
		      char ret[NAME_MAX])
{
	const struct stat none = { 0 };

	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &none, .servers = s->options.servers }, ret);
}

/* What there is here has no DWARF: do the servers? Return: whether that has begun. */
static bool fetch(struct symstore *s, struct symstore_image *i)
{
	const struct symstore_options *o = &s->options;
	const struct fetch_order order = {
		.urls = o->servers,
		.seconds = o->fetch_seconds ? o->fetch_seconds : SYMSTORE_FETCH_SECONDS,
		.bytes = o->fetch_bytes ? o->fetch_bytes : SYMSTORE_FETCH_BYTES,
		.build_id = i->build_id, .build_id_len = i->build_id_len,
	};
	char miss[NAME_MAX];

	if (!o->servers || !o->servers[0] || i->build_id_len < 2 ||
	    i->source == SYMSTORE_DWARF || !strcmp(i->path, "[vdso]"))
		return false;
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st, .fetched = true }, i->cached);
	if (open_cached(s, i)) {
		i->reason[0] = '\0';
		return false;
	}
	miss_name(s, i, miss);
	if (s->no_servers || gsym_cache_missed(&s->cache, miss) ||
	    fetch_start(&i->fetch, &order))
		return false;
	i->state = STATE_FETCHED;
	s->running++;
	return true;
}

/* The debug file by build id. What .gnu_debuglink says is read where it may go wrong. */
static const char *debug_of(const struct symstore *s, const struct symstore_image *i,
			    char path[PATH_MAX], struct stat *st)
{
	if (!debug_by_build_id(s->options.debug_dirs, i->build_id, i->build_id_len, path) ||
	    stat(path, st))
		return NULL;
	return path;
}

/* Return: whether a process makes it. */
static bool begin(struct symstore *s, struct symstore_image *i, struct make_job *job)
{
	int err;

	/* a GSYM is smaller than what it is made of */
	i->out = gsym_cache_begin(&s->cache, job->size);
	job->out = i->out;
	if ((job->fd < 0 && job->bsym < 0) || job->out < 0)
		err = errno ? -errno : -ENOENT;
	else
		err = make_start(&i->make, job);
	if (err) {
		snprintf(i->reason, sizeof(i->reason), "%s", strerror(-err));
		i->said = false;
		if (i->out >= 0)
			close(i->out);
		i->out = -1;
		return false;
	}
	i->state = STATE_MADE;
	s->running++;
	return true;
}

static struct make_job job_of(const struct symstore *s, const struct symstore_image *i)
{
	return (struct make_job){
		.debug_dirs = s->options.debug_dirs, .path = i->path,
		.build_id = i->build_id, .build_id_len = i->build_id_len,
		.only_debug = !i->found, .bsym = -1,
	};
}

/* What a file exports, or nothing at all, leaves the rest to a BSYM file. Return: whether
 * that has begun.
 */
static bool start_bsym(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = job_of(s, i);
	char reason[sizeof(i->reason)];
	struct bsym_file file;
	bool begun;

	if (i->source >= SYMSTORE_BSYM)
		return false;
	if (!bsym_dir_find(&s->bsym_dir, i->build_id, i->build_id_len, &file, reason)) {
		if (!reason[0])
			return false;
		memcpy(i->reason, reason, sizeof(reason));
		i->said = false;
		say_reason(s, i);
		return false;
	}
	/* it will be forgotten; that a file is not there is known to who asks */
	if (i->found || i->file.fd >= 0 || i->fetched >= 0)
		say_reason(s, i);
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st, .bsym = &file.st }, i->cached);
	job.fd = i->found ? i->file.fd : -1;
	job.size = (uint64_t)file.st.st_size + (i->found ? (uint64_t)i->file.st.st_size : 0);
	job.bsym = file.fd;
	job.bsym_path = file.path;
	begun = !open_cached(s, i);
	if (begun)
		begun = begin(s, i, &job);
	else
		i->reason[0] = '\0';
	close(file.fd);
	return begun;
}

/* What there is so far may not be the best. Return: whether better is being made. */
static bool go_further(struct symstore *s, struct symstore_image *i)
{
	if (!i->asked) {
		i->asked = true;
		if (fetch(s, i))
			return true;
	}
	if (i->tried)
		return false;
	i->tried = true;
	return start_bsym(s, i);
}

static void start(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = job_of(s, i);
	char path[PATH_MAX];
	struct stat st;

	job.debug = debug_of(s, i, path, &st);
	if (!i->found && !job.debug) {
		if (!go_further(s, i))
			done(i);
		return;
	}
	if (!i->found) {
		/* of another machine: the debug file is all that there is */
		i->file.fd = open(job.debug, O_RDONLY | O_CLOEXEC);
		i->file.st = st;
	}
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st,
			.debug = job.debug ? &st : NULL }, i->cached);
	job.fd = i->file.fd;
	job.size = (uint64_t)(job.debug ? st.st_size : i->file.st.st_size);
	if (open_cached(s, i) || !begin(s, i, &job))
		if (!go_further(s, i))
			done(i);
}

/* What was fetched is read as any debug file, where it can do no harm. */
static void start_fetched(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = job_of(s, i);
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", i->fetched);
	if (fstat(i->fetched, &st))
		return done(i);
	job.debug = path;
	job.only_debug = true;
	job.fd = i->fetched;
	job.size = (uint64_t)st.st_size;
	if (!begin(s, i, &job) && !go_further(s, i))
		done(i);
}

static void finish(struct symstore *s, struct symstore_image *i,
		   const struct make_result *r)
{
	char path[64];
	struct diag diag;
	struct gsym *gsym;

	s->running--;
	if (r->reason[0]) {
		memcpy(i->reason, r->reason, sizeof(i->reason));
		i->said = false;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", i->out);
	if (r->source > i->source && gsym_open(path, &gsym, &diag)) {
		diag_format(&diag, i->reason, sizeof(i->reason));
	} else if (r->source > i->source) {
		gsym_close(i->gsym);
		i->gsym = gsym;
		i->source = r->source;
		if (r->source != SYMSTORE_BSYM) {
			i->has_base = r->has_start;
			i->base = r->start;
		}
		if (base_is_kept(i))
			gsym_cache_commit(&s->cache, i->out, i->cached, r->source);
		/* why there was less before does not matter any more */
		if (i->fetched >= 0 || r->source == SYMSTORE_BSYM)
			i->reason[0] = '\0';
	}
	close(i->out);
	i->out = -1;
	if (go_further(s, i))
		return;
	say_reason(s, i);
	done(i);
}

static void finish_fetch(struct symstore *s, struct symstore_image *i, int err)
{
	char miss[NAME_MAX];

	s->running--;
	if (!err) {
		start_fetched(s, i);
		return;
	}
	if (err == ENOENT) {
		miss_name(s, i, miss);
		gsym_cache_miss(&s->cache, miss);
	}
	say_fetch(s, i, err);
	/* that a file is not there is known to who asks; what servers do is not */
	if (i->found || err != ENOENT)
		say_reason(s, i);
	if (!go_further(s, i))
		done(i);
}

/* Takes what has ended of one image. */
static void take(struct symstore *s, struct symstore_image *i, bool wait)
{
	struct make_result r;
	int err;

	if (i->state == STATE_MADE && make_end(&i->make, wait, &r)) {
		finish(s, i, &r);
	} else if (i->state == STATE_FETCHED && fetch_end(&i->fetch, &i->fetched, &err)) {
		finish_fetch(s, i, err);
	}
}

static bool is_running(const struct symstore_image *i)
{
	return i->state == STATE_MADE || i->state == STATE_FETCHED;
}

/* Takes what has ended, starts what can be. Return: images that are not done yet. */
static unsigned int go_on(struct symstore *s, bool wait)
{
	unsigned int left = 0;
	size_t n;

	for (n = 0; n < s->nr_images; n++)
		take(s, s->images[n], wait && s->running == 1);
	for (n = 0; n < s->nr_images; n++) {
		if (s->images[n]->state == STATE_WAITS && s->running < s->max_running)
			start(s, s->images[n]);
		left += s->images[n]->state == STATE_WAITS || is_running(s->images[n]);
	}
	return left;
}

void symstore_want(struct symstore *store, struct symstore_image *image)
{
	if (image->state != STATE_MET)
		return;
	image->state = STATE_WAITS;
	go_on(store, false);
}

void symstore_go_on(struct symstore *store)
{
	go_on(store, false);
}

static const char *being_made(const struct symstore *s)
{
	size_t n;

	for (n = 0; n < s->nr_images; n++)
		if (is_running(s->images[n]))
			return s->images[n]->path;
	return "";
}

static unsigned int nr_wanted(const struct symstore *s)
{
	unsigned int nr = 0;
	size_t n;

	for (n = 0; n < s->nr_images; n++)
		nr += s->images[n]->state != STATE_MET;
	return nr;
}

/* Nobody waits for these but by looking again. */
static bool is_fetching(const struct symstore *s)
{
	size_t n;

	for (n = 0; n < s->nr_images; n++)
		if (s->images[n]->state == STATE_FETCHED)
			return true;
	return false;
}

int symstore_wait(struct symstore *store,
		  bool (*progress)(unsigned int done, unsigned int all, const char *path,
				   void *arg),
		  void *arg)
{
	const struct timespec moment = { 0, 20000000 };
	unsigned int all = nr_wanted(store), left;

	/* before anything is looked at: what is made meanwhile does not count as waited for */
	if (all && progress && !progress(0, all, being_made(store), arg))
		return -EINTR;
	while ((left = go_on(store, !progress))) {
		if (progress && !progress(all - left, all, being_made(store), arg))
			return -EINTR;
		if (progress || store->running != 1 || is_fetching(store))
			nanosleep(&moment, NULL);
	}
	if (progress)
		progress(all, all, "", arg);
	return 0;
}

int symstore_lookup(struct symstore_image *image, uint64_t vaddr, struct gsym_frame *ret,
		    unsigned int room)
{
	int n;

	if (image->state != STATE_DONE)
		return -EAGAIN;
	n = image->gsym ? gsym_lookup(image->gsym, vaddr, ret, room) : 0;
	return n < 0 ? 0 : n;
}

bool symstore_extent(struct symstore_image *image, uint64_t vaddr, uint64_t *start, uint64_t *size)
{
	return image->state == STATE_DONE && image->gsym &&
	       gsym_extent(image->gsym, vaddr, start, size) > 0;
}

enum symstore_source symstore_source(const struct symstore_image *image)
{
	return image->state == STATE_DONE && image->gsym ? image->source : SYMSTORE_NOTHING;
}

const char *symstore_reason(const struct symstore_image *image)
{
	return image->reason;
}
