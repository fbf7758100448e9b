// SPDX-License-Identifier: GPL-2.0-only
/* Prometheus' text format: what is escaped, what histograms add up to, who is asked. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/metrics.h"

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
		"# HELP b b\n# TYPE b gauge\nb NaN\nb{x=\"1\"} -Inf\nb{x=\"2\"} 1e+15\n");
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

/* Who goes takes nobody else along. */
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

static double value_of(const char *all, const char *name)
{
	const char *at = strstr(all, name);

	assert_non_null(at);
	return strtod(at + strlen(name), NULL);
}

static void process(void **state)
{
	struct metrics *m = metrics_new();
	const char *all;

	assert_int_equal(metrics_register(m, metrics_process, NULL), 0);
	all = written(m);
	assert_true(value_of(all, "\nprocess_cpu_seconds_total ") >= 0);
	assert_true(value_of(all, "\nprocess_resident_memory_bytes ") > 100000);
	assert_true(value_of(all, "\nprocess_virtual_memory_bytes ") >
		    value_of(all, "\nprocess_resident_memory_bytes "));
	assert_true(value_of(all, "\nprocess_open_fds ") >= 3);
	assert_true(value_of(all, "\nprocess_threads ") >= 1);
	assert_true(value_of(all, "\nprocess_start_time_seconds ") > 1e9);
	metrics_free(m);
	free(text);
	text = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_format),
		cmocka_unit_test(others_stay_registered), cmocka_unit_test(histograms),
		cmocka_unit_test(process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
