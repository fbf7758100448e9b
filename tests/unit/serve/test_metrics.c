// SPDX-License-Identifier: GPL-2.0-only
/* Prometheus' text format: escaping, the sums of histograms, the series of a scrape. */
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "serve/daemon/metrics.h"

static char *text;

static const char *written(struct metrics *m)
{
	size_t len;
	FILE *out;

	free(text);
	text = NULL;
	out = open_memstream(&text, &len);
	metrics_write(m, out);
	fclose(out);
	return text;
}

static void collect(struct metrics_out *out, void *arg)
{
	metrics_family(out, "a_total", METRICS_COUNTER, "of\n\"a\" \\ and \xff");
	metrics_count(out, 18446744073709551615ull, NULL);
	metrics_value(out, 0.5, "x", "q\"b\\s\nn\xff\r", "y", "", NULL);
	metrics_family(out, "b", METRICS_GAUGE, "b");
	metrics_value(out, NAN, NULL);
	metrics_value(out, -INFINITY, "x", "1", NULL);
	metrics_value(out, 1e15, "x", "2", NULL);
	metrics_value(out, INFINITY, "x", "3", NULL);
}

static void text_format(void **state)
{
	struct metrics *m = metrics_new();

	assert_string_equal(written(m), "");
	assert_int_equal(metrics_register(m, collect, m), 0);
	assert_string_equal(written(m),
		"# HELP a_total of\\n\"a\" \\\\ and \xef\xbf\xbd\n# TYPE a_total counter\n"
		"a_total 18446744073709551615\n"
		"a_total{x=\"q\\\"b\\\\s\\nn\xef\xbf\xbd\r\",y=\"\"} 0.5\n"
		"# HELP b b\n# TYPE b gauge\nb NaN\nb{x=\"1\"} -Inf\nb{x=\"2\"} 1e+15\n"
		"b{x=\"3\"} +Inf\n");
	metrics_unregister(m, m);
	assert_string_equal(written(m), "");
	metrics_free(m);
	metrics_free(NULL);
}

static void collect_one(struct metrics_out *out, void *arg)
{
	metrics_family(out, arg, METRICS_GAUGE, "it");
	metrics_count(out, 1, NULL);
}

/* The end of one source leaves the others registered. */
static void others_stay_registered(void **state)
{
	struct metrics *m = metrics_new();
	char a[] = "a", b[] = "b", c[] = "c";

	assert_int_equal(metrics_register(m, collect_one, a), 0);
	assert_int_equal(metrics_register(m, collect_one, b), 0);
	assert_int_equal(metrics_register(m, collect_one, c), 0);
	metrics_unregister(m, b);
	assert_string_equal(written(m), "# HELP a it\n# TYPE a gauge\na 1\n"
			    "# HELP c it\n# TYPE c gauge\nc 1\n");
	metrics_free(m);
}

static struct metrics_histogram histogram;

static void collect_histogram(struct metrics_out *out, void *arg)
{
	metrics_family(out, "h", METRICS_HISTOGRAM, "h");
	metrics_histogram(out, &histogram, "k", "v", NULL);
}

static void histograms(void **state)
{
	static const double bounds[] = { 0.1, 1, 10 };
	static const double seen[] = { 0, 0.1, 0.5, 1, 5, 10, 11, 1000 };
	struct metrics *m = metrics_new();
	size_t i;

	histogram.bounds = bounds;
	histogram.nr_bounds = 3;
	for (i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		metrics_observe(&histogram, seen[i]);
	assert_int_equal(metrics_register(m, collect_histogram, NULL), 0);
	assert_string_equal(written(m), "# HELP h h\n# TYPE h histogram\n"
		"h_bucket{k=\"v\",le=\"0.1\"} 2\nh_bucket{k=\"v\",le=\"1\"} 4\n"
		"h_bucket{k=\"v\",le=\"10\"} 6\nh_bucket{k=\"v\",le=\"+Inf\"} 8\n"
		"h_sum{k=\"v\"} 1027.6\nh_count{k=\"v\"} 8\n");
	metrics_free(m);
}

static void collect_without_labels(struct metrics_out *out, void *arg)
{
	metrics_family(out, "h", METRICS_HISTOGRAM, "h");
	metrics_histogram(out, arg, NULL);
}

/* A bucket has its limit as its only label; the sum and the count have none. */
static void a_histogram_without_labels(void **state)
{
	static const double bounds[] = { 2 };
	struct metrics_histogram one = { .bounds = bounds, .nr_bounds = 1 };
	struct metrics *m = metrics_new();

	metrics_observe(&one, 1.25);
	assert_int_equal(metrics_register(m, collect_without_labels, &one), 0);
	assert_string_equal(written(m), "# HELP h h\n# TYPE h histogram\n"
		"h_bucket{le=\"2\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1.25\nh_count 1\n");
	metrics_free(m);
}

static double value_of(const char *all, const char *name)
{
	const char *at = strstr(all, name);

	assert_non_null(at);
	return strtod(at + strlen(name), NULL);
}

static double cpu_seconds(void)
{
	struct rusage u;

	assert_int_equal(getrusage(RUSAGE_SELF, &u), 0);
	return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static unsigned int nr_descriptors(void)
{
	unsigned int nr = 0;
	int fd;

	for (fd = 0; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

/* A number of /proc/self/status, in its unit. */
static double status_of(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char status[8192];
	size_t len;

	assert_non_null(f);
	len = fread(status, 1, sizeof(status) - 1, f);
	fclose(f);
	status[len] = 0;
	return value_of(status, name);
}

static void process(void **state)
{
	double cpu = cpu_seconds(), started;
	struct metrics *m = metrics_new();
	struct rlimit limit;
	const char *all;

	assert_int_equal(metrics_register(m, metrics_process, NULL), 0);
	all = written(m);
	assert_true(value_of(all, "\nprocess_cpu_seconds_total ") >= cpu - 1e-5);
	assert_true(value_of(all, "\nprocess_cpu_seconds_total ") <= cpu_seconds() + 1e-5);
	/* memory changes between the two reads, but not by half */
	assert_in_range(value_of(all, "\nprocess_resident_memory_bytes "),
			512 * status_of("\nVmRSS:"), 2048 * status_of("\nVmRSS:"));
	assert_in_range(value_of(all, "\nprocess_virtual_memory_bytes ") / 1024,
			status_of("\nVmSize:") / 2, 2 * status_of("\nVmSize:"));
	assert_int_equal(value_of(all, "\nprocess_open_fds "), nr_descriptors());
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(value_of(all, "\nprocess_max_fds ") == (double)limit.rlim_cur);
	assert_int_equal(value_of(all, "\nprocess_threads "), status_of("\nThreads:"));
	/* it has run for less than a day, however loaded the machine is */
	started = value_of(all, "\nprocess_start_time_seconds ");
	assert_true(started <= (double)time(NULL) + 5 && started > (double)time(NULL) - 86400);
	metrics_free(m);
	free(text);
	text = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_format),
		cmocka_unit_test(others_stay_registered), cmocka_unit_test(histograms),
		cmocka_unit_test(a_histogram_without_labels), cmocka_unit_test(process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
