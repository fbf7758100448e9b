// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the daemon's server without the daemon, for tests: over a store of invented windows, with
 * live profiles of the same kind. It prints its port, and serves until its input ends.
 *
 * usage: server [-w WINDOWS] [-s STACKS] [-e END] [-t TOKEN] [-l ADDRESS] DIR
 *	WINDOWS: number of windows; STACKS: about how many different stacks; END: end of the last
 *	window, seconds since 1970; TOKEN: token that clients need; ADDRESS: address to listen on;
 *	DIR: the store, which is made
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "serve/daemon/http.h"
#include "fill.h"
#include "serve/store/store.h"

static void die(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "server: %s\n", text);
	exit(1);
}

static void fill_store(const struct fill *f, const char *dir)
{
	const struct store_options options = { .max_bytes = 0 };
	struct store *store;
	struct diag diag;
	unsigned int i;

	if (store_open(dir, &options, &store, &diag))
		die(&diag);
	for (i = 0; i < f->windows; i++) {
		struct profile *p = fill_window(f, i);

		if (store_append(store, p, NULL, &diag))
			die(&diag);
		profile_free(p);
	}
	store_close(store);
}

static int live(unsigned int seconds, bool (*stop)(void *), void *stop_arg, struct profile **ret,
		void *arg, struct diag *diag)
{
	const struct fill f = { .end_ns = (uint64_t)time(NULL) * 1000000000, .windows = 1,
				.stacks = 100, .hostile = 1 };
	unsigned int i;

	for (i = 0; i < seconds * 20; i++) {
		usleep(50000);
		if (stop(stop_arg))
			return -EINTR;
	}
	*ret = fill_window(&f, 0);
	return 0;
}

static bool health(FILE *out, void *arg)
{
	fprintf(out, "store: %s\n", (const char *)arg);
	return access(arg, F_OK) == 0;
}

/* Writes a metric as the daemon does, with names that attack a page in its labels. */
static void collect(struct metrics_out *out, void *arg)
{
	unsigned int i;

	metrics_family(out, "ustack_samples_total", METRICS_COUNTER, "Samples\nby \\ service.");
	for (i = 0; fill_hostile[i]; i++)
		metrics_count(out, i, "unit", fill_hostile[i], "event", "cpu", NULL);
}

int main(int argc, char **argv)
{
	struct fill f = { .windows = 360, .stacks = 2000, .hostile = 1,
			  .end_ns = (uint64_t)time(NULL) / 10 * 10 * 1000000000 };
	const char *listen = "127.0.0.1:0";
	struct http_options o = { 0 };
	struct metrics *m = metrics_new();
	struct diag diag;
	struct http *h;
	int option;

	while ((option = getopt(argc, argv, "w:s:e:t:l:")) != -1) {
		if (option == 'w')
			f.windows = (unsigned int)atoi(optarg);
		else if (option == 's')
			f.stacks = (unsigned int)atoi(optarg);
		else if (option == 'e')
			f.end_ns = strtoull(optarg, NULL, 10) * 1000000000;
		else if (option == 't')
			o.token = optarg;
		else if (option == 'l')
			listen = optarg;
		else
			return 2;
	}
	if (optind + 1 != argc || !m)
		return 2;
	fill_store(&f, argv[optind]);
	metrics_register(m, metrics_process, NULL);
	metrics_register(m, collect, &f);
	o.source = (struct api_source){ .store = argv[optind], .version = "test", .live = live,
					.health = health, .arg = argv[optind], .metrics = m };
	if (http_start(&o, &h, &diag) || http_listen(h, listen, &diag))
		die(&diag);
	printf("%u\n", http_port(h, 0));
	fflush(stdout);
	while (getchar() != EOF)
		;
	http_stop(h);
	metrics_free(m);
	return 0;
}
