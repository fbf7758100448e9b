// SPDX-License-Identifier: GPL-2.0-only
/* ustack supply: makes tables from CFI for files that have none. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd/supply_bpf.h"
#include "host/jail/privilege.h"
#include "host/module/module.h"
#include "supply/cache.h"
#include "supply/supply.h"
#include "util/cleanup.h"
#include "util/text.h"

#include "util/poison.h"

struct supply_opts {
	const char *cache;
	struct option_u64 cache_mb;
	const char *user;
	bool once;
	bool prepare;
	bool verbose;
	bool bpf;
	const char *pins;
	struct option_u64 table_mb;
};

#define DEFAULT_TABLE_MB 128
/* limited by the number of bins, see bpf/tables.h */
#define MAX_TABLE_MB 1024

static void say(const char *line)
{
	fprintf(stderr, "ustack: %s\n", line);
}

static void print_summary(const struct supply_tally *t)
{
	char causes[512], bytes[TEXT_SHORT];

	printf("%" PRIu64 " images: %" PRIu64 " from the cache, %" PRIu64
	       " synthesized, %" PRIu64 " skipped",
	       supply_tally_all(t), t->count[SUPPLY_CACHED],
	       t->count[SUPPLY_MADE], supply_tally_skipped(t));
	supply_tally_causes(t, causes, sizeof(causes));
	if (*causes)
		printf(" (%s)", causes);
	printf("; %s in %.1f ms\n", text_bytes(t->section_bytes, bytes),
	       (double)t->ns / 1e6);
}

/* Opens the cache. Without one, every table is made again, which is only slower. */
static bool open_cache(const struct supply_opts *o,
		       const struct privilege_user *user, struct cache *cache)
{
	struct diag diag;

	if (!cache_open(cache, o->cache, user->uid, user->gid, &diag))
		return true;
	cmd_diag(&diag);
	return false;
}

/* Everything that needs rights is done before the user is changed. */
static int run(const struct supply_opts *o)
{
	_cleanup_(module_events_release) struct module_events ev = {
		.m = MODULE_INIT,
	};
	_cleanup_(cache_release) struct cache cache = CACHE_INIT;
	struct privilege_user user = { .uid = geteuid(), .gid = getegid() };
	struct supply_options so = {
		.once = o->once,
		.prepare = o->prepare,
		.verbose = o->verbose,
		.cache_max = o->cache_mb.value << 20,
		.say = say,
	};
	struct supply_tally tally;
	struct diag diag;
	int err = 0;

	if (o->user)
		err = privilege_find(o->user, &user, &diag);
	if (!err)
		err = module_events_open(&ev, &diag);
	if (err)
		return cmd_diag(&diag);
	if (open_cache(o, &user, &cache))
		so.cache = &cache;
	privilege_lock();
	if (o->user && privilege_drop(&user, &diag))
		return cmd_diag(&diag);
	err = supply_run(&so, &ev, &tally, &diag);
	print_summary(&tally);
	return err ? cmd_diag(&diag) : CMD_OK;
}

int cmd_supply(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack supply",
		.synopsis = "[--once] [--prepare] [--user USER] [--cache DIR] [-v]\n"
			    "--bpf [--pins DIR] [--table-memory MB]",
		.about = "Answers the module: every image that is met and has no unwind table gets\n"
			 "one, made of the .eh_frame of its file. Runs until Ctrl-C or SIGTERM.\n"
			 "With --bpf there is no module: unwind tables and mappings are kept where eBPF\n"
			 "programs that are linked with ustack_stack.bpf.o find them.",
	};
	struct supply_opts o = {
		.cache = cache_default(),
		.cache_mb = { .value = CACHE_DEFAULT_MB },
		.pins = PINS_DIR,
		.table_mb = { .value = DEFAULT_TABLE_MB },
	};
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "bpf", &o.bpf,
			    "serve eBPF programs instead of the module"),
		OPTION_STRING(0, "cache", "DIR", &o.cache,
			      "directory of tables made before (" CACHE_DEFAULT ")"),
		OPTION_U64(0, "cache-size", "MB", &o.cache_mb,
			   "limit of the cache (512)"),
		OPTION_FLAG(0, "once", &o.once,
			    "answer waiting requests and exit"),
		OPTION_STRING(0, "pins", "DIR", &o.pins,
			      "with --bpf: pin maps there (" PINS_DIR ")"),
		OPTION_FLAG(0, "prepare", &o.prepare,
			    "first let the module learn all processes"),
		OPTION_U64(0, "table-memory", "MB", &o.table_mb,
			   "with --bpf: the kernel's memory for tables (128)"),
		OPTION_STRING(0, "user", "USER", &o.user,
			      "become USER after opening the device"),
		OPTION_FLAG('v', "verbose", &o.verbose,
			    "report the result for every image"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	if (!o.cache_mb.value || o.cache_mb.value > UINT32_MAX)
		return cmd_bad_usage(&usage, "--cache-size: 1 MB to 4 PB");
	if (!o.bpf)
		return run(&o);
	if (o.once || o.prepare || o.user)
		return cmd_bad_usage(&usage, "--bpf: not with --once, --prepare or --user");
	if (!o.table_mb.value || o.table_mb.value > MAX_TABLE_MB)
		return cmd_bad_usage(&usage, "--table-memory: 1 to %d MB", MAX_TABLE_MB);
	return supply_bpf_run(&(struct supply_bpf){ o.pins, o.table_mb.value << 20 });
}
