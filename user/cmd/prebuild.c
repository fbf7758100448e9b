// SPDX-License-Identifier: GPL-2.0-only
/* ustack prebuild: fills the cache of tables in advance. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/progress.h"
#include "host/module/module.h"
#include "supply/cache.h"
#include "supply/prebuild.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

struct prebuild_opts {
	const char *cache;
	struct option_u64 cache_mb;
	struct option_u64 jobs;
	const char *newer_than;
	const char *files_from;
	bool load;
	bool json;
};

/* The progress line. It is global because say() and progress() have no argument for it. */
static struct progress line;

static void say(const char *text)
{
	progress_wipe(&line);
	fprintf(stderr, "ustack: %s\n", text);
}

static void progress(const struct supply_tally *t, uint64_t files)
{
	progress_say(&line, "%" PRIu64 " files: %" PRIu64 " made, %" PRIu64 " already there",
		     files, t->count[SUPPLY_MADE], t->count[SUPPLY_CACHED]);
}

static void print_summary(const struct prebuild_result *r, bool load,
			  double seconds)
{
	const struct supply_tally *t = &r->tally;
	double mb = (double)t->cfi_bytes / (1 << 20);
	char causes[512], bytes[TEXT_SHORT];

	printf("%" PRIu64 " files: %" PRIu64 " made, %" PRIu64
	       " already there, %" PRIu64 " skipped", r->files,
	       t->count[SUPPLY_MADE], t->count[SUPPLY_CACHED],
	       supply_tally_skipped(t));
	supply_tally_causes(t, causes, sizeof(causes));
	if (*causes)
		printf(" (%s)", causes);
	printf("\n%.1f MB of CFI, %.1f MB/s, %s written, %.2f s\n", mb,
	       seconds > 0 ? mb / seconds : 0,
	       text_bytes(t->stored_bytes, bytes), seconds);
	if (load)
		printf("%" PRIu64 " tables given to the module\n", t->given);
}

static void json_summary(const struct prebuild_result *r, double seconds)
{
	const struct supply_tally *t = &r->tally;
	unsigned int i;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "files", r->files);
	json_u64(&j, "made", t->count[SUPPLY_MADE]);
	json_u64(&j, "already_there", t->count[SUPPLY_CACHED]);
	json_object(&j, "skipped");
	for (i = SUPPLY_NO_FUNCTIONS; i < SUPPLY_NR_OUTCOMES; i++)
		if (t->count[i])
			json_u64(&j, supply_outcome_name(i), t->count[i]);
	json_object_end(&j);
	json_u64(&j, "missing_paths", r->missing);
	json_u64(&j, "given_to_module", t->given);
	json_u64(&j, "cfi_bytes", t->cfi_bytes);
	json_u64(&j, "written_bytes", t->stored_bytes);
	json_double(&j, "seconds", seconds);
	json_object_end(&j);
	json_end(&j);
}

static void prune(const struct cache *cache, uint64_t max)
{
	struct cache_pruned pruned;

	if (cache_prune(cache, max, &pruned))
		return;
	if (pruned.stale)
		fprintf(stderr, "ustack: %" PRIu64 " of %" PRIu64 " entries of the cache were made by "
			"another version; they were removed\n", pruned.stale, pruned.entries);
	if (pruned.removed)
		fprintf(stderr, "ustack: the cache was too large: %" PRIu64
			" of %" PRIu64 " entries removed\n",
			pruned.removed, pruned.entries);
}

/* A stamp file that does not exist counts as older than all files. */
static int stamp_time(const char *path, struct timespec *ret, struct diag *diag)
{
	struct stat st;

	*ret = (struct timespec){ 0 };
	if (!stat(path, &st))
		*ret = st.st_mtim;
	else if (errno != ENOENT)
		return diag_errno(diag, errno, path);
	return 0;
}

static int run(const struct prebuild_opts *o, char *const *paths)
{
	_cleanup_(cache_release) struct cache cache = CACHE_INIT;
	_cleanup_(module_release) struct module m = MODULE_INIT;
	struct timespec since;
	const struct prebuild_options po = {
		.cache = &cache,
		.m = o->load ? &m : NULL,
		.jobs = (unsigned int)o->jobs.value,
		.since = o->newer_than ? &since : NULL,
		.list = o->files_from,
		.say = say,
		.progress = isatty(STDERR_FILENO) ? progress : NULL,
	};
	double start = progress_seconds();
	struct prebuild_result result;
	struct diag diag;
	int err;

	if (o->newer_than && stamp_time(o->newer_than, &since, &diag))
		return cmd_diag(&diag);
	if (o->load && module_open(&m, &diag))
		return cmd_diag(&diag);
	if (cache_open(&cache, o->cache, geteuid(), getegid(), &diag))
		return cmd_diag(&diag);
	err = prebuild_run(&po, paths, &result, &diag);
	progress_wipe(&line);
	prune(&cache, o->cache_mb.value << 20);
	if (o->json)
		json_summary(&result, progress_seconds() - start);
	else
		print_summary(&result, o->load, progress_seconds() - start);
	if (err)
		return cmd_diag(&diag);
	return result.missing ? CMD_FAILED : CMD_OK;
}

int cmd_prebuild(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack prebuild",
		.synopsis = "[-j N] [-l] [--json] [--newer-than FILE] [...] PATH...\n"
			    "[...] --files-from FILE [PATH...]",
		.about = "Makes unwind tables of the ELF files PATH, and of those in the folders\n"
			 "PATH, and puts them where 'ustack supply' looks first. With -l the module has\n"
			 "them before anybody maps the files: no stack is cut short while it asks.",
	};
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct prebuild_opts o = {
		.cache = cache_default(),
		.cache_mb = { .value = CACHE_DEFAULT_MB },
		.jobs = { .value = cpus > 0 ? (uint64_t)cpus : 1 },
	};
	const struct option_spec specs[] = {
		OPTION_STRING(0, "cache", "DIR", &o.cache,
			      "directory for the tables (" CACHE_DEFAULT ")"),
		OPTION_U64(0, "cache-size", "MB", &o.cache_mb,
			   "limit of the cache (512)"),
		OPTION_U64('j', "jobs", "N", &o.jobs,
			   "work on N files at once (one per CPU)"),
		OPTION_STRING(0, "newer-than", "FILE", &o.newer_than,
			      "only files that changed since FILE was written"),
		OPTION_STRING(0, "files-from", "FILE", &o.files_from,
			      "also the files that FILE lists, one a line"),
		OPTION_FLAG('l', "load", &o.load,
			    "give the tables to the module too"),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (!argc && !o.files_from)
		return cmd_bad_usage(&usage, "which PATH?");
	if (o.jobs.value > PREBUILD_MAX_JOBS && !o.jobs.set)
		o.jobs.value = PREBUILD_MAX_JOBS;
	if (!o.jobs.value || o.jobs.value > PREBUILD_MAX_JOBS)
		return cmd_bad_usage(&usage, "--jobs: 1 to %u", PREBUILD_MAX_JOBS);
	if (!o.cache_mb.value || o.cache_mb.value > UINT32_MAX)
		return cmd_bad_usage(&usage, "--cache-size: 1 MB to 4 PB");
	return run(&o, argv);
}
