// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: window [--thin] N
 *
 * Makes a window of the same interval N times: 5,000 samples of 300 processes in 60 units, half
 * of which are containers, with stacks of up to 40 of 6,000 named frames. tests/bench/window
 * counts the instructions of window_make() under callgrind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/random.h"
#include "serve/daemon/relabel.h"
#include "serve/daemon/thin.h"
#include "serve/daemon/window.h"

#define SAMPLES 5000
#define PROCESSES 300
#define UNITS 60
#define FRAMES 6000
#define FILES 80

static uint32_t labels_of(struct profile *p, uint32_t process, uint32_t why)
{
	static const char *const ends[] = { "complete", "no_row", "kernel" };
	uint32_t unit = process % UNITS;
	char command[16], thread[16], cgroup[192];
	struct profile_label l[] = {
		{ .key = profile_string(p, "pid"), .num = 1000 + process },
		{ .key = profile_string(p, "command") },
		{ .key = profile_string(p, "thread") },
		{ .key = profile_string(p, "cgroup") },
		{ .key = profile_string(p, "stack"), .str = profile_string(p, ends[why]) },
	};

	snprintf(command, sizeof(command), "command%u", unit);
	snprintf(thread, sizeof(thread), "worker%u", process % 4);
	if (unit % 2)
		snprintf(cgroup, sizeof(cgroup),
			 "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod8dbc5577_"
			 "d0e2_4706_8787_57d52c03d%03x.slice/cri-containerd-%064x.scope",
			 unit, unit);
	else
		snprintf(cgroup, sizeof(cgroup), "/system.slice/team%u-unit%u.service", unit % 5,
			 unit);
	l[1].str = profile_string(p, command);
	l[2].str = profile_string(p, thread);
	l[3].str = profile_string(p, cgroup);
	return profile_labels(p, l, sizeof(l) / sizeof(l[0]));
}

static uint32_t location_of(struct profile *p, uint32_t frame)
{
	char file[32], name[64];
	struct profile_mapping m = { .start = 0x1000, .limit = 1 << 24 };
	struct profile_function f = { 0 };
	struct profile_line line = { .line = frame % 1000 };
	uint32_t location;

	snprintf(file, sizeof(file), "/usr/lib/file%u.so", frame % FILES);
	snprintf(name, sizeof(name), "some::long::name::of_a_function_%u", frame);
	m.file = profile_string(p, file);
	f.name = f.system_name = profile_string(p, name);
	location = profile_location(p, profile_mapping(p, &m), 0x1000 + 64 * frame);
	line.function = profile_function(p, &f);
	profile_location_lines(p, location, &line, 1);
	return location;
}

static struct profile *interval(void)
{
	uint32_t *location = calloc(FRAMES, sizeof(*location)), i, k, depth, stack;
	struct profile *p = profile_new();
	struct random r;

	random_seed(&r, 1);
	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->duration_ns = 10000000000ull;
	for (i = 0; i < FRAMES; i++)
		location[i] = location_of(p, i);
	while (p->nr_samples < SAMPLES) {
		uint32_t process = (uint32_t)(random_u64(&r) % PROCESSES);

		depth = 5 + (uint32_t)(random_u64(&r) % 36);
		/* a command has the same outermost frames in all samples */
		for (k = stack = 0; k < depth; k++)
			stack = profile_stack(p, stack, location[(k < depth / 2 ?
				process % UNITS * 40 + k : random_u64(&r)) % FRAMES]);
		profile_add(p, stack, labels_of(p, process, random_u64(&r) % 20 ? 0 : 1),
			    (const int64_t[PROFILE_MAX_VALUES]){ 1, 52631578 });
	}
	free(location);
	return p;
}

static const char *const unit[] = { "__unit" };

/* The default rules, and typical additions: drop a unit, make a label of the unit's name. */
static struct relabel *rules(void)
{
	static const struct relabel_rule more[] = {
		{ .source_labels = unit, .nr_source_labels = 1,
		  .regex = "(user@.*|session-.*)\\.(service|scope)", .action = "drop" },
		{ .source_labels = unit, .nr_source_labels = 1, .regex = "(team[0-9]+)-.*",
		  .target_label = "team" },
		{ .regex = "thread|event", .action = "labeldrop" },
	};
	struct relabel *r;
	size_t i;

	if (relabel_default(&r))
		exit(1);
	for (i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (relabel_add(r, &more[i], NULL, NULL))
			exit(1);
	return r;
}

int main(int argc, char **argv)
{
	struct config_thinning config = { .label = (char *)"unit", .by_default = 20000 };
	struct config_pairs labels = { 0 };
	bool thinned = argc > 1 && !strcmp(argv[1], "--thin");
	int n = atoi(argv[argc - 1]), i;
	struct profile *in = interval(), *out;
	struct window_counts c = { 0 };
	struct window_rules *w;
	struct thin *thin = NULL;
	struct relabel *r = rules();

	if ((thinned && thin_new(&config, &thin)) || window_rules_new(r, &labels, thin, NULL, &w))
		return 1;
	for (i = 0; i < n; i++) {
		if (window_make(in, w, (uint64_t)i, &out, &c))
			return 1;
		profile_free(out);
	}
	printf("%u samples, %lu sets of labels, %lu of them known, %lu samples thinned\n",
	       in->nr_samples, (unsigned long)c.sets, (unsigned long)c.cached,
	       (unsigned long)c.thinned);
	window_rules_free(w);
	thin_free(thin);
	relabel_free(r);
	profile_free(in);
	return 0;
}
