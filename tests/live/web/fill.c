// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes windows of an invented machine: services with tables of names and loads, and names that
 * attack a page. The numbers are the same in every run.
 */
#include "fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_NS 10000000000ull
#define LONG_NAME 10000

static char long_name[LONG_NAME + 1];

const char *const fill_hostile[] = {
	"</script><script>window.pwned=1</script>",
	"<img src=x onerror=window.pwned=2>",
	"\" onmouseover=\"window.pwned=3",
	"'\"&quot;&amp;\\",
	"\xe2\x80\xae" "evil\xe2\x81\xa6\xe2\x80\x8b",
	"two\nlines\r\nand\ttabs",
	"bad\xff\xc3(",
	"__proto__",
	"javascript:window.pwned=4",
	"{unit=\"x\"}",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d.service",
	long_name,
	NULL,
};

/*
 * An invented service.
 * @share: load of the service, relative to the others
 * @broken: percent of its stacks that are not complete
 * @why: reason for which these end
 */
struct service {
	const char *unit;
	const char *command;
	const char *file;
	const char *build_id;
	unsigned int share;
	unsigned int broken;
	const char *why;
};

static const struct service services[] = {
	{ "nginx.service", "nginx", "/usr/sbin/nginx", "aa01", 400, 0, "no_table" },
	{ "postgresql.service", "postgres", "/usr/lib/postgresql/15/bin/postgres", "aa02", 900, 1,
	  "stack_fault" },
	{ "api.service", "java", "/usr/lib/jvm/bin/java", "aa03", 700, 20, "no_image" },
	{ "worker.service", "python3", "/usr/bin/python3.11", "aa04", 300, 2, "no_row" },
	{ "ssh.service", "sshd", "/usr/sbin/sshd", "aa05", 20, 0, "no_table" },
	{ "cron.service", "cron", "/usr/sbin/cron", "aa06", 15, 0, "no_table" },
	{ "", "kworker/0:1", "[kernel.kallsyms]", "", 60, 100, "kernel" },
};
#define NR_SERVICES (sizeof(services) / sizeof(services[0]))

/* A random number by xorshift: the same numbers in every run. */
static uint32_t roll(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 32);
}

static uint32_t frame(struct profile *p, uint32_t mapping, const char *name, uint64_t address)
{
	uint32_t s = profile_string(p, name);
	struct profile_line line = {
		.function = profile_function(p, &(struct profile_function){
			.name = s, .system_name = s, .file = profile_string(p, "src/main.c") }),
		.line = 1 + (uint32_t)address % 100,
	};

	return profile_location_named(p, mapping, address, &line, 1);
}

static uint32_t mapping(struct profile *p, const char *file, const char *build_id)
{
	return profile_mapping(p, &(struct profile_mapping){
		.start = 0x1000, .limit = 0x10000000, .file = profile_string(p, file),
		.build_id = profile_string(p, build_id) });
}

/* Makes a stack: a random path in a tree of functions that all stacks of the service share. */
static uint32_t stack(struct profile *p, const struct service *s, uint64_t seed, int whole)
{
	uint32_t m = mapping(p, s->file, s->build_id), st = 0;
	unsigned int depth = 4 + roll(&seed) % 20, i, n = 0;
	char name[96];

	if (whole) {
		st = profile_stack(p, st, frame(p, m, "_start", 0x1100));
		st = profile_stack(p, st, frame(p, mapping(p, "/usr/lib/libc.so.6", "bb01"),
						"__libc_start_main", 0x2100));
		st = profile_stack(p, st, frame(p, m, "main", 0x3100));
	}
	for (i = 0; i < depth; i++) {
		/* near the root there are few branches */
		n = n * 3 + roll(&seed) % (i < 3 ? 2 : 4);
		n %= 1500;
		snprintf(name, sizeof(name), "%s::module%u::handle_%u(int, char const*)",
			 s->command, n % 17, n);
		st = profile_stack(p, st, frame(p, m, name, 0x10000 + n * 64ull));
	}
	if (roll(&seed) % 5 == 0) {
		m = mapping(p, "[kernel.kallsyms]", "");
		st = profile_stack(p, st, frame(p, m, "do_syscall_64", 0xffffffff81000100));
		st = profile_stack(p, st, frame(p, m, "vfs_read", 0xffffffff81000200));
	}
	return st;
}

static uint32_t labels(struct profile *p, const char *unit, const char *command, const char *why,
		       int64_t pid)
{
	const struct profile_label all[] = {
		{ .key = profile_string(p, "unit"), .str = profile_string(p, unit) },
		{ .key = profile_string(p, "command"), .str = profile_string(p, command) },
		{ .key = profile_string(p, "stack"), .str = profile_string(p, why) },
		{ .key = profile_string(p, "pid"), .num = pid },
	};

	/* without a unit there is no label for it */
	return profile_labels(p, *unit ? all : all + 1, *unit ? 4 : 3);
}

static void add(struct profile *p, uint32_t st, uint32_t set, int64_t samples)
{
	const int64_t value[2] = { samples, samples * 52631578 };

	profile_add(p, st, set, value);
}

static void add_service(struct profile *p, const struct fill *f, unsigned int k, unsigned int i)
{
	const struct service *s = &services[k];
	uint64_t seed = 0x9e3779b97f4a7c15ull * (i + 1) + k, n;
	/* the load is a sawtooth; one service has three times as much in the third quarter */
	unsigned int load = s->share * (k == 2 && i * 4 / f->windows == 2 ? 3 : 1) *
			    (60 + (i * (k + 3)) % 80) / 100;
	unsigned int different = f->stacks / NR_SERVICES / f->windows + 3, j;

	for (j = 0; j < different; j++) {
		/* if few stacks are wanted, each occurs again; if many are, none does */
		n = f->stacks > 10000 ? roll(&seed) : roll(&seed) % 40;
		int broken = (n * 37 + j) % 100 < s->broken;

		add(p, stack(p, s, (n + 1) * 0x2545f4914f6cdd1dull + k, !broken),
		    labels(p, s->unit, s->command, broken ? s->why : "complete", 1000 + k),
		    1 + load / different / 4);
	}
}

static void add_hostile(struct profile *p, const char *name, unsigned int i)
{
	uint32_t m = mapping(p, name, "cc01");
	uint32_t st = profile_stack(p, 0, frame(p, m, name, 0x100));

	st = profile_stack(p, st, frame(p, m, "harmless", 0x200));
	add(p, st, labels(p, name, name, "no_row", 666), 8 + i % 3);
}

struct profile *fill_window(const struct fill *f, unsigned int i)
{
	struct profile *p = profile_new();
	unsigned int k;

	memset(long_name, 'x', LONG_NAME);
	p->time_ns = f->end_ns - (f->windows - i) * WINDOW_NS;
	p->duration_ns = WINDOW_NS;
	profile_value_type(p, "samples", "count");
	p->default_type = profile_value_type(p, "cpu", "nanoseconds");
	p->default_type = p->value_types[p->default_type].type;
	for (k = 0; k < NR_SERVICES; k++)
		add_service(p, f, k, i);
	for (k = 0; f->hostile && fill_hostile[k]; k++)
		add_hostile(p, fill_hostile[k], k);
	if (profile_error(p))
		abort();
	return p;
}
