// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfimport_load() of perfimport.h: reads perf.data record by record, then
 * names what is in the profile. Text goes to script.c.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "capture/perfimport/import.h"

/* Number of records between two calls of import_source_expire(). */
#define EXPIRE_RECORDS (1u << 17)
#define WALK_MEMORY (256u << 20)

void import_note(const struct import *im, const char *fmt, ...)
{
	const struct record_names_options *o = &im->options->names;
	char text[400];
	va_list ap;

	if (!o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	o->note(text, o->arg);
}

/*
 * Records without times come in the order of what they report: all mappings
 * read so far apply.
 */
static uint64_t epoch_of(const struct perfdata_record *r)
{
	return r->time ? r->time : UINT64_MAX - 1;
}

static uint8_t why_of(const struct import *im, const struct perfdata_record *r, bool copied,
		      size_t nr_user)
{
	if (copied)
		return im->walked.why;
	return nr_user ? SAMPLER_WHY_NO_MODULE : SAMPLER_WHY_NO_USER;
}

/*
 * Adds the innermost frame, and walks a copied stack from its own registers.
 * Return: whether it did.
 */
static bool complete(struct import *im, const struct perfdata_record *r, struct import_chain *c)
{
	if (r->mode == PERF_RECORD_MISC_KERNEL)
		import_chain_ip(c, r->sample.ip, r->mode);
	if (!c->nr_user && import_copied(im, r, c) && im->walked.nr)
		return true;
	if (r->mode == PERF_RECORD_MISC_USER)
		import_chain_ip(c, r->sample.ip, r->mode);
	return false;
}

int import_count(struct import *im, const struct perfdata_record *r, struct import_chain *chain)
{
	bool copied = complete(im, r, chain);
	struct import_event *e = import_event(im, r->event);
	struct sampler_count c = {
		.tgid = r->pid, .tid = r->tid, .epoch = epoch_of(r),
		.why = why_of(im, r, copied, chain->nr_user),
		.user = copied ? im->walked.pcs : chain->user,
		.nr_user = copied ? im->walked.nr : chain->nr_user,
		.kernel = chain->kernel, .nr_kernel = chain->nr_kernel,
		.count = 1, .sum = r->sample.period & INT64_MAX,
	};
	int err = e ? import_comm(im, r->pid, r->tid, c.comm) : -ENOMEM;

	if (err)
		return err;
	if (c.nr_kernel)
		import_kernel_look(im);
	im->samples++;
	e->samples++;
	err = record_take(im->names, &e->values, &c);
	return err || !r->time ? err : moments_add(im->options->moments, im->p, r->time,
						   e->values.weight, (int64_t)c.sum);
}

static int take_sample(struct import *im, const struct perfdata_record *r)
{
	struct import_chain *c = &im->chain;
	struct import_event *e;

	e = import_event(im, r->event);
	if (!e)
		return -ENOMEM;
	if (!e->wanted)
		return 0;
	if (r->time && (!im->first_time || r->time < im->first_time))
		im->first_time = r->time;
	if (r->time > im->last_time)
		im->last_time = r->time;
	c->nr_user = c->nr_kernel = 0;
	import_chain_add(c, r->sample.ips, r->sample.nr_ips, r->mode);
	if (r->sample.cookie)
		return import_pending_put(im, r, c);
	return import_count(im, r, c);
}

static int take(struct import *im, const struct perfdata_record *r)
{
	uint64_t since;

	if (r->time && ++im->records % EXPIRE_RECORDS == 0) {
		since = import_pending_since(im);
		if (import_source_expire(im, since < r->time ? since : r->time))
			return -ENOMEM;
	}
	if (r->kind == PERFDATA_SAMPLE)
		return take_sample(im, r);
	if (r->kind == PERFDATA_DEFERRED)
		return import_pending_take(im, r);
	return import_source_take(im, r);
}

static int read_all(struct import *im, struct diag *diag)
{
	struct perfdata_record r;
	int n, err = 0;

	while (!err && (n = perfdata_next(im->file, &r, diag)) != 0) {
		if (n < 0)
			return n;
		err = take(im, &r);
	}
	if (!err)
		err = import_pending_end(im);
	return err ? diag_errno(diag, -err, im->path) : 0;
}

static void add_comments(struct import *im)
{
	const struct perfdata_head *h = perfdata_head(im->file);
	char text[512];

	if (*h->hostname) {
		snprintf(text, sizeof(text), "host: %s, Linux %s %s", h->hostname, h->os_release,
			 h->arch);
		profile_comment(im->p, text);
	}
	if (*h->command) {
		snprintf(text, sizeof(text), "command: %s", h->command);
		profile_comment(im->p, text);
	}
	snprintf(text, sizeof(text), "stacks: perf%s%s", *h->version ? " " : "", h->version);
	profile_comment(im->p, text);
}

static void say_what_is_missing(const struct import *im)
{
	struct perfdata_counts c;

	perfdata_counts(im->file, &c);
	if (perfdata_head(im->file)->truncated)
		import_note(im, "%s: perf did not finish writing it: host, command and build ids are missing",
			    im->path);
	if (im->lost)
		import_note(im, "%s: perf had no room for %llu samples or other records: they are "
			    "missing", im->path, (unsigned long long)im->lost);
	if (c.unknown)
		import_note(im, "%s: %llu samples are of events that the file does not describe: "
			    "they are left out", im->path, (unsigned long long)c.unknown);
	if (c.late)
		import_note(im, "%s: %llu records came too late to be put in order", im->path,
			    (unsigned long long)c.late);
	if (im->pending.unmatched)
		import_note(im, "%s: %llu samples have no user stack: perf should have recorded it later, but "
			    "did not", im->path, (unsigned long long)im->pending.unmatched);
}

static void sum_up(struct import *im)
{
	const struct perfdata_head *h = perfdata_head(im->file);
	struct profile *p = im->p;

	p->duration_ns = im->last_time - im->first_time;
	/*
	 * converts the records' clock by a moment that is known in both clocks
	 */
	if (h->wall_ns && im->first_time)
		p->time_ns = h->wall_ns - h->clock_ns + im->first_time;
	add_comments(im);
	say_what_is_missing(im);
}

static int start(struct import *im, struct diag *diag)
{
	struct record_names_options names = im->options->names;
	const struct perfdata_head *h = perfdata_head(im->file);
	struct utsname u;
	int err;

	names.past = true;
	err = record_names_new(&names, &im->names, diag);
	if (err)
		return err;
	im->foreign_arch = *h->arch && !uname(&u) && strcmp(u.machine, h->arch);
	im->walker = (struct walker){
		.processes = record_processes(im->names), .images = images_new(WALK_MEMORY, true),
		.max_frames = SAMPLER_MAX_FRAMES,
	};
	err = im->walker.images ? import_source_begin(im) : -ENOMEM;
	record_profile(im->names, im->p);
	return err ? diag_errno(diag, -err, im->path) : 0;
}

static int run(struct import *im, struct diag *diag)
{
	int err = start(im, diag);

	if (!err)
		err = read_all(im, diag);
	if (!err)
		err = import_events_end(im, diag);
	if (err)
		return err;
	sum_up(im);
	err = record_name(im->names, im->options->progress, im->options->arg);
	return err ? diag_errno(diag, -err, im->path) : 0;
}

static void release(struct import *im)
{
	import_pending_release(im);
	images_free(im->walker.images);
	threads_release(&im->threads);
	record_names_free(im->names);
	import_processes_release(&im->processes);
	free(im->events.event);
	perfdata_close(im->file);
}

static int import_file(struct file_stream *stream, const struct perfimport_options *options,
		       struct profile *p, struct diag *diag)
{
	struct import *im = calloc(1, sizeof(*im));
	int err;

	if (!im)
		return diag_errno(diag, ENOMEM, stream->path);
	im->options = options;
	im->path = stream->path;
	im->p = p;
	err = perfdata_open(stream, &im->file, diag);
	if (!err)
		err = run(im, diag);
	release(im);
	free(im);
	return err;
}

bool perfimport_is(const void *bytes, size_t len)
{
	return perfdata_is(bytes, len) || import_is_script(bytes, len);
}

int perfimport_load(struct file_stream *stream, const struct perfimport_options *options,
		    struct profile **ret, struct diag *diag)
{
	struct profile *p = profile_new();
	int err;

	if (!p)
		return diag_errno(diag, ENOMEM, stream->path);
	if (perfdata_is(stream->start, stream->nr_start))
		err = import_file(stream, options, p, diag);
	else
		err = import_script(stream, options, p, diag);
	if (!err && profile_error(p))
		err = diag_errno(diag, -profile_error(p), stream->path);
	if (err) {
		profile_free(p);
		return err;
	}
	if (options->moments)
		moments_sort(options->moments);
	*ret = p;
	return 0;
}
