// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks folders or a list of files and has workers make the section of each ELF file, for the
 * cache and, if wanted, for the module. `ustack prebuild` calls it.
 */
#include "supply/prebuild.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "supply/load.h"
#include "host/file/inodes.h"
#include "supply/worker.h"
#include "supply/section.h"
#include "util/cleanup.h"
#include "util/text.h"
#include "util/text_lines.h"

#define JOB_SECONDS 600
#define JOB_MEMORY (8ull << 30)
#define JOBS_PER_WORKER 1000

/* Milliseconds between two calls of progress(). */
#define PROGRESS_MS 200

/* Bytes of an ELF header; shorter files are ignored. */
#define MIN_FILE 64

struct prebuild {
	const struct prebuild_options *o;
	struct prebuild_result *ret;
	struct worker_kind kind;
	struct worker *workers;
	char **doing;		/* path of each worker's present file */
	struct inodes seen;
	dev_t dev;		/* file system of the last folder */
	bool pseudo;		/* that file system has no real files */
	int signals;
	int64_t shown_at;
	int err;
	struct diag *diag;
};

/*
 * Whether the module has room for a table. Tables of files that nobody has mapped are the
 * first that the module evicts. So none is loaded that would evict another one, which may be
 * in use. A table is smaller than its section.
 */
static bool has_room(const struct module *m, uint64_t section_bytes,
		     struct supply_result *r)
{
	struct ustack_info info;
	struct diag diag;
	int err;

	err = module_info(m, &info, &diag);
	if (err)
		supply_refused(err, &diag, r);
	else if (info.table_bytes + section_bytes > info.budget_bytes)
		supply_outcome_set(r, SUPPLY_BUDGET, "its budget_mb is used up");
	else
		return true;
	return false;
}

/* Loads a section. If the file has an .sframe of its own, the module reads that one. */
static void give(const struct prebuild_options *o, const struct supply_file *f,
		 const struct cache_entry *entry, struct supply_result *r)
{
	if (!f->elf.sframe_off && has_room(o->m, entry->len, r))
		supply_load(o->m, f, false, entry, r);
}

/* Does a job in the worker. @job: the path, with its NUL. */
static void work(void *arg, const void *job, size_t len,
		 struct supply_result *ret)
{
	_cleanup_(cache_entry_release) struct cache_entry entry =
		CACHE_ENTRY_INIT;
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	const struct prebuild_options *o = arg;
	const struct supply_order order = {
		.cache = o->cache,
		.flags = SUPPLY_MAY_BE_LARGE,
	};
	enum ustack_reason reason = USTACK_OK;
	enum supply_outcome outcome;

	outcome = supply_file_open(&f, AT_FDCWD, job, false);
	if (!outcome)
		outcome = supply_file_headers(&f, &reason);
	if (!outcome && f.elf.build_id_len < 2)
		outcome = SUPPLY_NO_BUILD_ID;
	if (outcome)
		supply_outcome_set(ret, outcome, "%s",
				   reason ? ustack_reason_text(reason) : "");
	else
		supply_section(&order, &f, &entry, ret);
	if (o->m && entry.functions && !supply_outcome_skipped(ret->outcome))
		give(o, &f, &entry, ret);
}

static void say(struct prebuild *p, const char *path, const char *text)
{
	char name[4096], line[5120];

	text_escape(path, name, sizeof(name));
	snprintf(line, sizeof(line), "%s: %s", name, text);
	p->o->say(line);
}

/* Expected outcomes are only counted; that there is no room is reported once. */
static bool worth_saying(const struct prebuild *p, enum supply_outcome outcome)
{
	if (outcome == SUPPLY_BUDGET)
		return p->ret->tally.count[outcome] == 1;
	return supply_outcome_skipped(outcome) &&
	       outcome != SUPPLY_NO_FUNCTIONS && outcome != SUPPLY_NOT_OURS &&
	       outcome != SUPPLY_NO_BUILD_ID;
}

static void done(struct prebuild *p, const char *path,
		 const struct supply_result *r)
{
	char text[600];

	/* a section that could not be written to the cache is lost, so it does not count */
	if (r->store_errno) {
		p->err = diag_set(p->diag, r->store_errno, p->o->cache->path,
				  "cannot write to the cache: %s", strerror(r->store_errno));
		return;
	}
	supply_tally_add(&p->ret->tally, r);
	if (r->fatal)
		p->err = diag_set(p->diag, EIO, NULL, "%s", r->text);
	if (r->fatal || !worth_saying(p, r->outcome))
		return;
	snprintf(text, sizeof(text), "skipped: %s: %s%s%s",
		 supply_outcome_name(r->outcome),
		 supply_outcome_text(r->outcome), *r->text ? ": " : "", r->text);
	say(p, path, text);
}

static void collect(struct prebuild *p)
{
	struct supply_result r;
	unsigned int i;

	for (i = 0; i < p->o->jobs; i++) {
		if (!worker_collect(&p->workers[i], &r))
			continue;
		done(p, p->doing[i], &r);
		free(p->doing[i]);
		p->doing[i] = NULL;
	}
}

static unsigned int busy(const struct prebuild *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->o->jobs; i++)
		n += p->workers[i].busy;
	return n;
}

static void show(struct prebuild *p)
{
	int64_t now = worker_clock_ms();

	if (!p->o->progress || now - p->shown_at < PROGRESS_MS)
		return;
	p->shown_at = now;
	p->o->progress(&p->ret->tally, p->ret->files);
}

static void wait_for_one(struct prebuild *p)
{
	int timeout = p->o->progress ? PROGRESS_MS : -1;
	struct pollfd fds[PREBUILD_MAX_JOBS + 1];
	struct signalfd_siginfo info;
	unsigned int i, n = p->o->jobs;

	for (i = 0; i < n; i++)
		worker_poll(&p->workers[i], &fds[i], &timeout);
	fds[n] = (struct pollfd){ .fd = p->signals, .events = POLLIN };
	if (poll(fds, n + 1, timeout) < 0 && errno != EINTR)
		p->err = diag_errno(p->diag, errno, "poll");
	if (read(p->signals, &info, sizeof(info)) == sizeof(info))
		p->err = diag_set(p->diag, EINTR, NULL, "interrupted");
	collect(p);
	show(p);
}

static struct worker *free_worker(struct prebuild *p, unsigned int *ret)
{
	while (!p->err) {
		for (*ret = 0; *ret < p->o->jobs; (*ret)++)
			if (!p->workers[*ret].busy)
				return &p->workers[*ret];
		wait_for_one(p);
	}
	return NULL;
}

static void do_file(struct prebuild *p, const char *path)
{
	size_t len = strlen(path) + 1;
	struct worker *worker;
	unsigned int i;
	char *copy;
	int err;

	if (len > WORKER_MAX_JOB) {
		p->ret->unreadable++;
		return;
	}
	worker = free_worker(p, &i);
	copy = worker ? strdup(path) : NULL;
	if (!copy)
		return;
	err = worker_send(worker, path, len);
	if (err) {
		p->err = diag_errno(p->diag, -err, "worker");
		free(copy);
		return;
	}
	p->doing[i] = copy;
}

/* Asks the kernel only when the device changes, as a file system's folders come together. */
static bool is_pseudo(struct prebuild *p, const FTSENT *e)
{
	static const long without_files[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, CGROUP_SUPER_MAGIC,
		CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
		SECURITYFS_MAGIC, BPF_FS_MAGIC, DEVPTS_SUPER_MAGIC,
		AUTOFS_SUPER_MAGIC,
	};
	struct statfs fs;
	size_t i;

	if (e->fts_statp->st_dev == p->dev)
		return p->pseudo;
	p->dev = e->fts_statp->st_dev;
	p->pseudo = false;
	if (statfs(e->fts_accpath, &fs) < 0)
		return false;
	for (i = 0; i < sizeof(without_files) / sizeof(long); i++)
		if (fs.f_type == without_files[i])
			p->pseudo = true;
	return p->pseudo;
}

static bool is_old(const struct prebuild *p, const struct stat *st)
{
	const struct timespec *since = p->o->since;

	if (!since || st->st_ctim.tv_sec > since->tv_sec)
		return false;
	return st->st_ctim.tv_sec < since->tv_sec || st->st_ctim.tv_nsec < since->tv_nsec;
}

static void visit_file(struct prebuild *p, const char *path, const struct stat *st)
{
	int new;

	if (!S_ISREG(st->st_mode) || st->st_size < MIN_FILE || is_old(p, st))
		return;
	new = inodes_add(&p->seen, st->st_dev, st->st_ino);
	if (new < 0)
		p->err = diag_errno(p->diag, -new, NULL);
	if (new <= 0)
		return;
	p->ret->files++;
	do_file(p, path);
}

static void visit(struct prebuild *p, FTS *fts, FTSENT *e)
{
	switch (e->fts_info) {
	case FTS_D:
		if (is_pseudo(p, e))
			fts_set(fts, e, FTS_SKIP);
		break;
	case FTS_F:
		visit_file(p, e->fts_path, e->fts_statp);
		break;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		if (e->fts_level == FTS_ROOTLEVEL)
			p->ret->missing++;
		else
			p->ret->unreadable++;
		/* files that vanished meanwhile are not reported */
		if (e->fts_level == FTS_ROOTLEVEL || e->fts_errno != ENOENT)
			say(p, e->fts_path, strerror(e->fts_errno));
		break;
	}
}

static void visit_line(struct prebuild *p, const struct text_lines *t)
{
	struct stat st;

	if (t->len >= PATH_MAX)
		p->err = text_lines_fail(t, p->diag, "longer than a path may be");
	else if (!lstat(t->line, &st))
		visit_file(p, t->line, &st);
	else if (errno != ENOENT && errno != ENOTDIR) {
		p->ret->unreadable++;
		say(p, t->line, strerror(errno));
	}
}

static int visit_list(struct prebuild *p, const char *path)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(text_lines_release) struct text_lines t = { 0 };
	int err;

	err = file_open(&file, path, p->diag);
	if (!err)
		err = text_lines_init(&t, &file, p->diag);
	while (!err && (err = text_lines_next(&t, p->diag)) > 0) {
		visit_line(p, &t);
		collect(p);
		show(p);
		err = p->err;
	}
	return err;
}

static void walk(struct prebuild *p, char *const *paths)
{
	FTS *fts;
	FTSENT *e;

	if (!*paths)
		return;
	fts = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	if (!fts) {
		p->err = diag_errno(p->diag, errno, NULL);
		return;
	}
	while (!p->err && (errno = 0, e = fts_read(fts))) {
		visit(p, fts, e);
		collect(p);
		show(p);
	}
	if (!p->err && errno)
		p->err = diag_errno(p->diag, errno, NULL);
	fts_close(fts);
}

static int set_up(struct prebuild *p)
{
	unsigned int i;
	sigset_t set;

	p->workers = calloc(p->o->jobs, sizeof(*p->workers));
	p->doing = calloc(p->o->jobs, sizeof(*p->doing));
	if (!p->workers || !p->doing)
		return diag_errno(p->diag, ENOMEM, NULL);
	for (i = 0; i < p->o->jobs; i++)
		p->workers[i] = (struct worker)WORKER_INIT(&p->kind);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return p->signals < 0 ? diag_errno(p->diag, errno, "signalfd") : 0;
}

static void tear_down(struct prebuild *p)
{
	unsigned int i;

	for (i = 0; p->workers && p->doing && i < p->o->jobs; i++) {
		worker_stop(&p->workers[i]);
		free(p->doing[i]);
	}
	free(p->workers);
	free(p->doing);
	inodes_release(&p->seen);
	if (p->signals >= 0)
		close(p->signals);
}

int prebuild_run(const struct prebuild_options *o, char *const *paths,
		 struct prebuild_result *ret, struct diag *diag)
{
	struct prebuild p = {
		.o = o,
		.ret = ret,
		.kind = {
			.work = work,
			.arg = (void *)o,
			.seconds = JOB_SECONDS,
			.memory = worker_memory(JOB_MEMORY),
			.jobs = JOBS_PER_WORKER,
			.device = o->m ? o->m->fd : 0,
			.cache = o->cache->dir,
			.files_alone = true,
		},
		.dev = (dev_t)-1,
		.signals = -1,
		.diag = diag,
	};

	*ret = (struct prebuild_result){ 0 };
	p.err = set_up(&p);
	if (!p.err && o->list)
		p.err = visit_list(&p, o->list);
	if (!p.err)
		walk(&p, paths);
	while (!p.err && busy(&p))
		wait_for_one(&p);
	tear_down(&p);
	return p.err;
}
