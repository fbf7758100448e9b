// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the names of requested images: each image tries one provider after the other
 * (provider.h), a limited number of jails at a time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "symbols/symstore/provider.h"

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

/*
 * A GSYM file has the address of the first segment. That is the address of the file's
 * first byte, except for files that finish() does not cache.
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

bool provider_take_cached(struct symstore *s, struct symstore_image *i)
{
	enum symstore_source source;
	struct gsym *gsym;
	char path[PATH_MAX];

	/* a damaged entry may hide another one */
	while ((source = gsym_cache_find(&s->cache, i->cached, path))) {
		if (!gsym_open(path, &gsym, NULL)) {
			gsym_close(i->gsym);
			i->gsym = gsym;
			i->source = source;
			take_base(i, source);
			return true;
		}
		gsym_cache_remove(&s->cache, i->cached, source);
		/* could not be removed: it belongs to another user */
		if (!access(path, F_OK))
			break;
	}
	return false;
}

/* Reports why there are fewer names than possible, once for each file, at the end. */
void provider_say_reason(struct symstore *s, struct symstore_image *i)
{
	char text[sizeof(i->reason) + 128];
	size_t len = strlen(i->path);

	if (!i->reason[0] || i->said)
		return;
	i->said = true;
	/* a diag's text starts with its file */
	if (!strncmp(i->reason, i->path, len) && i->reason[len] == ':')
		snprintf(text, sizeof(text), "%s", i->reason);
	else
		snprintf(text, sizeof(text), "%.100s: %s", i->path, i->reason);
	store_note(s, text);
}

struct make_job provider_job(const struct symstore *s, const struct symstore_image *i)
{
	return (struct make_job){
		.debug_dirs = s->options.debug_dirs, .path = i->path,
		.build_id = i->build_id, .build_id_len = i->build_id_len,
		.only_debug = !i->found, .bsym = -1,
	};
}

bool provider_make(struct symstore *s, struct symstore_image *i, struct make_job *job)
{
	int err;

	/* a GSYM file is smaller than its source */
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

/*
 * Tries the providers that the image has not tried yet, as they may have better names.
 * Return: whether one has started a jail.
 */
static bool go_further(struct symstore *s, struct symstore_image *i)
{
	static provider_fn *const providers[] = { provider_own, provider_servers, provider_bsym };

	while (i->nr_tried < sizeof(providers) / sizeof(providers[0]))
		if (providers[i->nr_tried++](s, i))
			return true;
	return false;
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
		/* the reason for fewer names before no longer matters */
		if (i->fetched >= 0 || r->source == SYMSTORE_BSYM)
			i->reason[0] = '\0';
	}
	close(i->out);
	i->out = -1;
	if (go_further(s, i))
		return;
	provider_say_reason(s, i);
	done(i);
}

/* Takes the result of an image's jail, if it has ended. */
static void take(struct symstore *s, struct symstore_image *i, bool wait)
{
	struct make_result r;
	int err;

	if (i->state == STATE_MADE && make_end(&i->make, wait, &r)) {
		finish(s, i, &r);
	} else if (i->state == STATE_FETCHED && fetch_end(&i->fetch, &i->fetched, &err)) {
		s->running--;
		if (!provider_servers_ended(s, i, err) && !go_further(s, i))
			done(i);
	}
}

/* Takes results and starts jails. Return: number of images that are not done yet. */
static unsigned int go_on(struct symstore *s, bool wait)
{
	unsigned int left = 0;
	size_t n;

	for (n = 0; n < s->nr_images; n++)
		take(s, s->images[n], wait && s->running == 1);
	for (n = 0; n < s->nr_images; n++) {
		if (s->images[n]->state == STATE_WAITS && s->running < s->max_running &&
		    !go_further(s, s->images[n]))
			done(s->images[n]);
		left += s->images[n]->state == STATE_WAITS || image_is_running(s->images[n]);
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
		if (image_is_running(s->images[n]))
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

/* A running fetch does not wake the waiter: it has to look again. */
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

	/* report before looking: work that is done meanwhile was not waited for */
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
