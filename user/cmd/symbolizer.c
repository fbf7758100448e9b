// SPDX-License-Identifier: GPL-2.0-only
/* ustack symbolizer: names the functions in a fleet's database. */
#include "serve/clickhouse/symbolizer.h"
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "cmd/database.h"
#include "cmd/naming.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/when.h"

#include "util/poison.h"

/* Frames of a batch: their names take some MB. */
#define BATCH 50000u
#define DEFAULT_INTERVAL_MS 60000u

struct opts {
	const char *to;
	const char *from;
	const char *again;
	struct option_u64 interval;
	bool once;
	struct database database;
	struct naming naming;
	uint64_t again_ns;
};

static const struct cmd_usage usage = {
	.command = "ustack symbolizer",
	.synopsis = "--to clickhouse://[USER@]HOST/DATABASE [--once] [...]",
	.about = "Names the functions in a fleet's database by the build ids of their files: those\n"
		 "that are there, and those that arrive, until it is stopped.",
};

/* Set by a signal handler. */
static atomic_bool ended;

static void end(int signal)
{
	atomic_store(&ended, true);
}

static bool is_ended(void *arg)
{
	return atomic_load(&ended);
}

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct opts *o = arg;

	naming_show(&o->naming, done, all, path);
	return !is_ended(NULL);
}

static void say_done(const struct opts *o, const struct symbolizer_done *d)
{
	if (!o->naming.quiet && (d->frames || o->once))
		fprintf(stderr, "ustack: %" PRIu64 " of %" PRIu64 " frames got names; %" PRIu64
			" of %" PRIu64 " files were not found\n", d->named, d->frames, d->missing,
			d->binaries);
}

/* Each pass opens a new store: a file that could not be found may be there now. */
static int pass(struct opts *o, struct clickhouse *c, struct diag *diag)
{
	struct symbolizer_options how = {
		.now_ns = clock_ns(CLOCK_REALTIME), .again_ns = o->again_ns, .batch = BATCH,
		.progress = show_progress, .arg = o,
	};
	_cleanup_(naming_close) struct symstore *store = NULL;
	struct symbolizer_done done = { 0 };
	int err;

	/* check() has validated it */
	when_parse(o->from, how.now_ns, &how.from_ns);
	err = naming_open(&o->naming, &store, diag);
	if (err)
		return err;
	progress_init(&o->naming.progress, NULL);
	err = symbolizer_pass(c, store, &how, &done, diag);
	progress_wipe(&o->naming.progress);
	if (!err || done.frames)
		say_done(o, &done);
	return err;
}

/* A signal during the wait is seen within a second. */
static void wait_for_more(const struct opts *o)
{
	uint64_t left = o->interval.set ? o->interval.value : DEFAULT_INTERVAL_MS, ms;
	struct timespec t;

	for (; left && !is_ended(NULL); left -= ms) {
		ms = left < 1000 ? left : 1000;
		t = clock_timespec(ms * 1000000);
		nanosleep(&t, NULL);
	}
}

/* A pass that fails is repeated after the interval: a server that was away may have come back. */
static int serve(struct opts *o, struct clickhouse *c, struct diag *diag)
{
	int err;

	for (;;) {
		err = pass(o, c, diag);
		if (is_ended(NULL))
			return 0;
		if (o->once)
			return err;
		if (err)
			cmd_diag(diag);
		wait_for_more(o);
		if (is_ended(NULL))
			return 0;
	}
}

static int run(struct opts *o)
{
	const struct sigaction action = { .sa_handler = end };
	struct diag diag;
	int err = database_open(&o->database, o->to, is_ended, &diag);

	if (!err) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		err = serve(o, o->database.client, &diag);
	}
	if (err)
		cmd_diag(&diag);
	database_close(&o->database);
	return err ? CMD_FAILED : CMD_OK;
}

static int check(struct opts *o)
{
	uint64_t ns;

	if (!o->to)
		return cmd_bad_usage(&usage, "--to is missing");
	if (!when_parse(o->from, clock_ns(CLOCK_REALTIME), &ns))
		return cmd_bad_usage(&usage, "--from: '%s' is no time", o->from);
	if (!when_parse_length(o->again, &o->again_ns) ||
	    o->again_ns > clock_ns(CLOCK_REALTIME))
		return cmd_bad_usage(&usage, "--again: '%s' is no length of time", o->again);
	if (o->once && o->interval.set)
		return cmd_bad_usage(&usage, "takes one of --once and --interval");
	return naming_check(&o->naming, &usage);
}

int cmd_symbolizer(int argc, char **argv)
{
	struct opts o = { .from = "-8d", .again = "1d",
			  .naming = NAMING_INIT };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "to", "PLACE", &o.to, "clickhouse://HOST[:PORT]/DATABASE"),
		DATABASE_OPTIONS(o.database),
		OPTION_FLAG(0, "once", &o.once, "name what is there now and exit"),
		OPTION_SECONDS(0, "interval", "SECONDS", &o.interval,
			       "time between two searches (60)"),
		OPTION_STRING(0, "from", "TIME", &o.from, "frames of the weeks since then (-8d)"),
		OPTION_STRING(0, "again", "TIME", &o.again,
			      "when to look again for missing files (1d)"),
		NAMING_OPTIONS(o.naming),
		OPTION_FLAG('q', "quiet", &o.naming.quiet, "report only failures"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	status = check(&o);
	return status == CMD_RUN ? run(&o) : status;
}
