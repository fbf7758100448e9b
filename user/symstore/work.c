// SPDX-License-Identifier: GPL-2.0-only
/* Names of the images that were asked for: made, fetched or taken from the cache. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "symstore/debug.h"
#include "symstore/store.h"

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
	store_note(s, text);
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
		store_note(s, "debug files: the servers are not asked any more");
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
