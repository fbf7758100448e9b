// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulates hosts for tests/live/clickhouse/fleet: makes a store for each host from the recording of
 * one machine, and sends the stores to ClickHouse by user/serve/push.
 *
 * usage: replay make RECORDED DIR FIRST HOSTS WINDOWS	makes stores of hosts
 *	  replay push DIR FIRST HOSTS URL BATCH AT_ONCE	sends them, AT_ONCE hosts at a time
 *
 * A window of a host is a recorded one without three of ten samples, chosen at random. It has
 * other process numbers and another host, and begins ten seconds after the previous one. Both
 * commands print a line of JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/profile.h"
#include "serve/push/machine_labels.h"
#include "serve/push/push.h"
#include "serve/store/reader.h"
#include "util/array.h"
#include "util/json.h"

#define SECOND 1000000000ull
/* Start of the first window: a midnight, so long ago that a target does not wait for more windows. */
#define BEGIN (1699920000 * SECOND)
#define WINDOW (10 * SECOND)
#define PERCENT_KEPT 70u

static void must(int err, const struct diag *diag)
{
	char text[512];

	if (err >= 0)
		return;
	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "replay: %s\n", text);
	exit(1);
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The recorded windows that have samples. */
struct recorded {
	struct profile **p;
	uint32_t nr;
	uint32_t room;
};

static void load(const char *dir, struct recorded *r)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	const struct store_position begin = { 0 };
	struct store_reader *reader;
	struct store_window w;
	int n;

	must(store_reader_new(dir, &begin, &reader, &diag), &diag);
	while ((n = store_reader_next(reader, &w, &diag)) > 0) {
		if (!array_has_room(r->p, r->nr, r->room))
			exit(1);
		r->p[r->nr] = profile_new();
		profile_merge(r->p[r->nr], w.profile);
		r->nr += w.profile->nr_samples > 0;
	}
	must(n, &diag);
	store_reader_free(reader);
	if (!r->nr) {
		fprintf(stderr, "replay: %s has no windows\n", dir);
		exit(1);
	}
}

static void set_host(struct profile *p, uint32_t host)
{
	uint32_t pid = profile_string(p, PROFILE_LABEL_PID), i;
	char labels[128];

	snprintf(labels, sizeof(labels), "labels: {\"host\":\"host-%04" PRIu32 "\",\"release\":"
		 "\"r%" PRIu32 "\"}", host, host % 3);
	for (i = 0; i < p->nr_comments; i++)
		if (push_is_machine_labels(p, i))
			p->comments[i] = profile_string(p, labels);
	for (i = 0; i < p->nr_label; i++)
		if (p->label[i].key == pid)
			p->label[i].num += host;
}

static struct profile *window(const struct recorded *r, uint32_t host, uint32_t nr,
			      uint64_t *state)
{
	struct profile *p = profile_new();
	uint32_t i, kept = 0;

	profile_merge(p, r->p[(nr + host) % r->nr]);
	set_host(p, host);
	for (i = 0; i < p->nr_samples; i++)
		if (next(state) % 100 < PERCENT_KEPT)
			p->samples[kept++] = p->samples[i];
	p->nr_samples = kept;
	p->time_ns = BEGIN + nr * WINDOW;
	p->duration_ns = WINDOW;
	return p;
}

static void path_of(const char *dir, uint32_t host, const char *what, char path[512])
{
	snprintf(path, 512, "%s/%s-%04" PRIu32, dir, what, host);
}

static int cmd_make(char **argv)
{
	const uint32_t first = (uint32_t)atoi(argv[2]), hosts = (uint32_t)atoi(argv[3]);
	const uint32_t windows = (uint32_t)atoi(argv[4]);
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct recorded r = { 0 };
	uint64_t rows = 0, count = 0;
	uint32_t h, n, i;
	char path[512];

	load(argv[0], &r);
	mkdir(argv[1], 0700);
	for (h = first; h < first + hosts; h++) {
		uint64_t state = 88172645463325252ull + h;
		struct store *s;

		path_of(argv[1], h, "store", path);
		must(store_open(path, &(struct store_options){ 0 }, &s, &diag), &diag);
		for (n = 0; n < windows; n++) {
			struct profile *p = window(&r, h, n, &state);

			rows += p->nr_samples;
			for (i = 0; i < p->nr_samples; i++)
				count += (uint64_t)p->samples[i].value[0];
			must(store_append(s, p, NULL, &diag), &diag);
			profile_free(p);
		}
		store_close(s);
	}
	printf("{\"recorded\":%" PRIu32 ",\"rows\":%" PRIu64 ",\"samples\":%" PRIu64 "}\n", r.nr,
	       rows, count);
	return 0;
}

static void note(const char *text, void *arg)
{
	fprintf(stderr, "note: %s\n", text);
}

static struct push *start(const char *dir, uint32_t host, const char *url, uint32_t batch)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	char store[512], state[512], name[32];
	struct push *p;

	path_of(dir, host, "store", store);
	path_of(dir, host, "state", state);
	snprintf(name, sizeof(name), "host-%04" PRIu32, host);
	must(push_start(&(struct push_place){ .store = store, .state = state, .host = name,
					      .note = note },
			&(struct push_options){ .name = "fleet", .type = PUSH_CLICKHOUSE, .url = url,
						.batch = batch, .timeout_ms = 60000 },
			1, &p, &diag), &diag);
	return p;
}

struct sums {
	uint64_t windows;
	uint64_t requests;
	uint64_t bytes;
	uint64_t retries;
};

/* If a host has sent everything: add its counts to @sums and stop it. Return: whether it has. */
static bool finish(struct push *p, struct sums *sums)
{
	struct push_info info;

	push_info(p, 0, &info);
	if (!info.windows || info.lag_ns)
		return false;
	sums->windows += info.windows;
	sums->requests += info.requests;
	sums->bytes += info.bytes;
	sums->retries += info.retries;
	push_stop(p);
	return true;
}

static int cmd_push(char **argv)
{
	const uint32_t first = (uint32_t)atoi(argv[1]), hosts = (uint32_t)atoi(argv[2]);
	const uint32_t batch = (uint32_t)atoi(argv[4]), at_once = (uint32_t)atoi(argv[5]);
	struct push **running = calloc(at_once, sizeof(*running));
	struct sums s = { 0 };
	uint32_t begun = 0, done = 0, i;
	double began = now();

	while (done < hosts) {
		for (i = 0; i < at_once; i++) {
			if (running[i] && finish(running[i], &s)) {
				running[i] = NULL;
				done++;
			}
			if (!running[i] && begun < hosts)
				running[i] = start(argv[0], first + begun++, argv[3], batch);
		}
		usleep(2000);
	}
	printf("{\"hosts\":%" PRIu32 ",\"windows\":%" PRIu64 ",\"requests\":%" PRIu64
	       ",\"bytes\":%" PRIu64 ",\"retries\":%" PRIu64 ",\"seconds\":%.3f}\n", hosts,
	       s.windows, s.requests, s.bytes, s.retries, now() - began);
	free(running);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 7 && !strcmp(argv[1], "make"))
		return cmd_make(argv + 2);
	if (argc == 8 && !strcmp(argv[1], "push"))
		return cmd_push(argv + 2);
	fprintf(stderr, "usage: replay make RECORDED DIR FIRST HOSTS WINDOWS | "
		"push DIR FIRST HOSTS URL BATCH AT_ONCE\n");
	return 2;
}
