// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a session: chooses the source by the mode and by what works on this
 * machine, and opens watch, source and names in the right order. See
 * session_private.h.
 */
#include "capture/record/session_private.h"

#include <errno.h>

#include "core.h"
#include "host/module/module.h"
#include "host/process/thread_ids.h"
#include "capture/record/supplier.h"
#include "capture/sampler/refusal.h"
#include "util/cleanup.h"

/*
 * Longest wait for tables: most of 100 files without a table in the cache are
 * made in this time.
 */
#define TABLE_WAIT_MS 10000u

static bool module_works(const struct session *s)
{
	struct module m = MODULE_INIT;
	struct ustack_info info;
	struct diag diag;
	bool works;

	works = !module_open(&m, &diag) && !module_info(&m, &info, &diag) &&
		info.enabled && info.hooks & USTACK_HOOK_CALLCHAIN;
	module_release(&m);
	return works;
}

static int open_copy(struct session *s, struct diag *diag)
{
	const struct record_catch_up up = { session_catch_up, s };

	return record_source_copy(&s->sampler, s->options->stack_bytes, s->names, &up,
				  &s->source, diag);
}

static int open_bpf(struct session *s, bool module, struct diag *diag)
{
	if (!module)
		session_note(s, "the module is not loaded: the kernel walks frame pointers");
	else if (!s->options->no_supply) {
		supplier_prepare(s->options->note, s->options->arg);
		s->supplier = supplier_start();
	}
	return record_source_bpf(&s->sampler, NULL, &s->source, diag);
}

/*
 * Waits for tables, so that stacks of a command and of running programs are
 * complete from the first sample on; the daemon does not wait.
 */
static int open_tables(struct session *s, struct diag *diag)
{
	const struct record_options *o = s->options;
	struct sampler_options sampler = s->sampler;
	struct record_tables tables = { .wait_ms = o->interval ? 0 : TABLE_WAIT_MS };
	char path[4096];

	sampler.tables = true;
	if (o->argv && child_path(o->argv[0], path, sizeof(path)))
		tables.program = path;
	return record_source_bpf(&sampler, &tables, &s->source, diag);
}

/* Return: 1 if the programs that walk by tables cannot be loaded here; @why is set then. */
static int try_tables(struct session *s, struct diag *why)
{
	if (open_tables(s, why))
		return 1;
	session_note(s, "the module is not loaded: stacks are walked by unwind tables in eBPF");
	return 0;
}

/*
 * Copies stacks of the events for which that is possible; the kernel walks
 * those of the others.
 */
static int open_partly(struct session *s, size_t copied, struct diag *diag)
{
	const struct record_catch_up up = { session_catch_up, s };

	if (!copied)
		return record_source_bpf(&s->sampler, NULL, &s->source, diag);
	return record_source_both(&s->sampler, s->options->stack_bytes, s->names, &up, &s->source,
				  diag);
}

/* Return: number of events for which stacks can be copied. */
static size_t nr_copied(const struct session *s)
{
	size_t copied = 0, i;

	for (i = 0; i < s->sampler.nr_events; i++)
		copied += sampler_event_has_rate(s->sampler.events[i].name);
	return copied;
}

static int open_copied(struct session *s, size_t copied, struct diag *diag)
{
	return copied == s->sampler.nr_events ? open_copy(s, diag) : open_partly(s, copied, diag);
}

static void note_no_tables(const struct session *s, const struct diag *why)
{
	char words[sizeof(why->text) + 256], text[sizeof(words) + 32];

	diag_format(why, words, sizeof(words));
	snprintf(text, sizeof(text), "no unwind tables in eBPF: %s", words);
	session_note(s, text);
}

/*
 * The notes about stacks come after the events are open, because an event that
 * does not exist has no stacks. @why: why there are no unwind tables in eBPF.
 */
static int open_without_module(struct session *s, const struct diag *why, struct diag *diag)
{
	size_t copied = nr_copied(s);
	bool all = copied == s->sampler.nr_events;
	int err = open_copied(s, copied, diag);

	if (!err)
		note_no_tables(s, why);
	if (!err && copied)
		session_note(s, "the module is not loaded: stacks are copied and unwound here");
	if (!err && !all)
		session_note(s, "without the module the kernel walks frame pointers at tracepoints and "
			     "probes, and where threads wait: most programs have none, and their "
			     "stacks are short");
	return err;
}

static int open_source(struct session *s, struct diag *diag)
{
	bool module = module_works(s);
	struct diag apart, why;

	if (s->options->mode == RECORD_COPY)
		return open_copy(s, diag);
	if (s->options->mode == RECORD_TABLES)
		return open_tables(s, diag);
	if (s->options->mode == RECORD_BPF)
		return open_bpf(s, module, diag);
	if (refusal_namespace(&apart)) {
		session_note(s, apart.text);
		return open_copied(s, nr_copied(s), diag);
	}
	if (module)
		return open_bpf(s, module, diag);
	if (!try_tables(s, &why))
		return 0;
	return open_without_module(s, &why, diag);
}

/*
 * Watches the whole machine or, if that is not permitted, the threads that are
 * recorded.
 */
static int open_watch(struct session *s, struct diag *diag)
{
	_cleanup_(thread_ids_release) struct thread_ids ids = THREAD_IDS_INIT;
	const struct sampler_options *o = &s->sampler;
	struct watch_options watch = { 0 };
	int err;

	err = watch_new(record_processes(s->names), &watch, &s->watch, diag);
	if ((err != -EACCES && err != -EPERM) || !(o->nr_pids + o->nr_tids))
		return err;
	err = thread_ids_of(o->pids, o->nr_pids, o->tids, o->nr_tids, &ids);
	if (err)
		return diag_errno(diag, -err, "/proc");
	watch.tids = ids.tid;
	watch.nr_tids = (unsigned int)ids.nr;
	return watch_new(record_processes(s->names), &watch, &s->watch, diag);
}

/*
 * The watch is opened first, then the source, which gives epochs; then running
 * processes are scanned. In this order every process is known as it was before
 * its first epoch.
 */
int session_open(struct session *s, struct diag *diag)
{
	struct record_names_options names = {
		.raw = s->options->raw, .native = s->options->native, .bsym_dir = s->options->bsym_dir,
		.servers = s->options->servers,
		.note = s->options->note, .arg = s->options->arg,
	};
	int err = record_names_new(&names, &s->names, diag);

	if (err)
		return err;
	err = open_watch(s, diag);
	if (!err)
		err = open_source(s, diag);
	if (!err && watch_scan(s->watch))
		err = diag_errno(diag, ENOMEM, "/proc");
	return err;
}
