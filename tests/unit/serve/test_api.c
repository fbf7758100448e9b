// SPDX-License-Identifier: GPL-2.0-only
/* Answers of the daemon's API, over a store of a few windows whose sums are known. */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../live/web/fake_store.c"
#include "serve/daemon/api_query.h"
#include "profile/pprof.h"
#include "util/file.h"

#define NS 1000000000ull
#define NOW (1000000 * NS)

static struct api_source source = { .store = "nowhere", .version = "1" };
static bool client_gone;
static char *body;
static size_t body_len;
static unsigned int status;

static bool gone(void *arg)
{
	return client_gone;
}

/* The answer's body; its status is in @status. */
static const char *ask(const char *target)
{
	struct request request;
	struct api_call call = { .source = &source, .request = &request, .now_ns = NOW, .gone = gone };
	const struct api_route *route;
	struct reply r;

	free(body);
	assert_int_equal(request_parse(target, &request, NULL), 0);
	route = api_route(request.path);
	assert_non_null(route);
	assert_int_equal(reply_init(&r), 0);
	api_answer(route, &call, &r);
	assert_int_equal(reply_finish(&r, &body_len), 0);
	body = malloc(body_len + 1);
	assert_int_equal(pread(r.fd, body, body_len, 0), body_len);
	body[body_len] = 0;
	status = r.gone ? 0 : r.status;
	reply_release(&r);
	request_release(&request);
	return body;
}

static void expect(const char *target, unsigned int want, const char *part)
{
	const char *got = ask(target);

	if (status != want || !strstr(got, part))
		fail_msg("%s: %u, %.2000s; no %s", target, status, got, part);
}

static uint32_t frame(struct profile *p, const char *file, const char *name, uint64_t address)
{
	uint32_t s = profile_string(p, name);
	struct profile_mapping m = { .start = 1, .limit = 1 << 20, .file = profile_string(p, file) };
	struct profile_function f = { .name = s, .system_name = s };
	struct profile_line line = { .function = profile_function(p, &f), .line = 3 };

	return profile_location_named(p, profile_mapping(p, &m), address, &line, 1);
}

static void sample(struct profile *p, const char *unit, const char *why, const char *leaf, int64_t value)
{
	const struct profile_label all[] = {
		{ .key = profile_string(p, "stack"), .str = profile_string(p, why) },
		{ .key = profile_string(p, "pid"), .num = 7 },
		{ .key = profile_string(p, "unit"), .str = profile_string(p, unit) },
	};
	const int64_t values[2] = { 1, value };
	uint32_t st = profile_stack(p, 0, frame(p, "/bin/prog", "main", 0x10));

	st = profile_stack(p, st, frame(p, "/lib/libc.so.6", leaf, 0x20 + (unsigned char)*leaf));
	profile_add(p, st, profile_labels(p, all, *unit ? 3 : 2), values);
}

/* Two windows of ten seconds, 60 and 30 before NOW. */
static int fill(void **state)
{
	static const uint64_t before[] = { 60, 30 };
	unsigned int i;

	client_gone = false;
	for (i = 0; i < 2; i++) {
		struct profile *p = profile_new();

		p->time_ns = NOW - before[i] * NS;
		p->duration_ns = 10 * NS;
		profile_value_type(p, "samples", "count");
		profile_value_type(p, "cpu", "nanoseconds");
		sample(p, "a.service", "complete", "work", 100 + i);
		sample(p, "b\"<.service", "no_table", "wait", 40);
		sample(p, "", "complete", "\xff</script>", 3);
		fake_store_append(p);
	}
	return 0;
}

static int empty(void **state)
{
	fake_store_clear();
	return 0;
}

static void series(void **state)
{
	expect("/api/v1/series?step=10s", 200,
	       "\"label\":\"unit\",\"value\":\"cpu\",\"first_ms\":996400000,\"step_ms\":10000,\"steps\":360,"
	       "\"recorded_ms\":[0,");
	expect("/api/v1/series?step=10s", 200,
	       "],\"groups\":[{\"name\":\"a.service\",\"total\":201,\"values\":[0,");
	expect("/api/v1/series?from=now-60&step=30s&top=1", 200,
	       "\"first_ms\":999930000,\"step_ms\":30000,\"steps\":3,"
	       "\"recorded_ms\":[10000,10000,0],\"groups\":[{\"name\":\"a.service\","
	       "\"total\":201,\"values\":[100,101,0]}],"
	       "\"rest\":{\"groups\":2,\"total\":86,\"values\":[43,43,0]}}\n");
	expect("/api/v1/series?from=now-60&step=30s&top=0", 200,
	       "\"groups\":[],\"rest\":{\"groups\":3,\"total\":287,");
	expect("/api/v1/series?from=now-60&step=30s&label=", 200,
	       "\"groups\":[{\"name\":\"\",\"total\":287,\"values\":[143,144,0]}]");
	expect("/api/v1/series?from=now-60&step=1m&label=pid&value=samples", 200,
	       "\"groups\":[{\"name\":\"7\",\"total\":6,\"values\":[3,3]}]");
	expect("/api/v1/series?from=now-60&to=now-50&step=1m&select=unit!=%22a.service%22", 200,
	       "\"groups\":[{\"name\":\"b\\\"<.service\",\"total\":40");
	expect("/api/v1/series?from=0&to=100", 200,
	       "\"windows\":0,\"first_ms\":0,\"last_ms\":0,"
	       "\"recorded_ms\":0,\"unreadable\":0}");
	expect("/api/v1/series?step=1s&from=now-5001", 400, "\"reason\":\"too_many_steps\",\"parameter\":\"step\"");
	expect("/api/v1/series?step=999ms", 400, "\"bad_step\"");
	expect("/api/v1/series?top=101", 400, "\"message\":\"top is more than 100\"");
	expect("/api/v1/series?from=0&to=16725225599", 200, "\"windows\":2");
	expect("/api/v1/series?from=16725225598&to=16725225599", 200, "\"windows\":0");
}

static void labels(void **state)
{
	expect("/api/v1/labels", 200, "{\"labels\":[{\"text\":\"pid\",\"samples\":6},{\"text\":\"stack\","
	       "\"samples\":6},{\"text\":\"unit\",\"samples\":4}],\"left_out\":0,\"windows\":2}\n");
	expect("/api/v1/values?label=unit", 200, "{\"values\":["
	       "{\"text\":\"a.service\",\"samples\":2},{\"text\":\"b\\\"<.service\",\"samples\":2}]");
	expect("/api/v1/values?label=unit&limit=1", 200, "}],\"left_out\":1,");
	expect("/api/v1/values?label=unit&match=A.S", 200, "[{\"text\":\"a.service\",\"samples\":2}],\"left_out\":0");
	expect("/api/v1/values", 400, "\"missing\",\"parameter\":\"label\"");
	expect("/api/v1/labels?limit=x", 400, "\"bad_number\"");
}

static void profiles(void **state)
{
	struct profile *p;

	expect("/api/v1/profile?format=top", 200,
	       "\"value\":\"cpu\",\"unit\":\"nanoseconds\",\"all\":287,\"functions\":["
	       "{\"name\":\"work\",\"file\":\"\",\"image\":\"libc.so.6\",\"kind\":\"user\",\"self\":201,\"total\":201},"
	       "{\"name\":\"wait\",\"file\":\"\",\"image\":\"libc.so.6\",\"kind\":\"user\",\"self\":80,\"total\":80},"
	       "{\"name\":\"\\ufffd</script>\"");
	expect("/api/v1/profile?format=top&sort=total&limit=1", 200,
	       "\"functions\":[{\"name\":\"main\",\"file\":\"\",\"image\":\"prog\",\"kind\":\"user\",\"self\":0,"
	       "\"total\":287}],\"matched\":4,\"left_out\":3}\n");
	expect("/api/v1/profile", 200, "\"reasons\":[[\"complete\",207],[\"no_table\",80]]");
	expect("/api/v1/profile?format=folded&labels=", 200, "main;work 201\n");
	expect("/api/v1/profile?format=speedscope", 200, "\"$schema\":");
	ask("/api/v1/profile?format=pprof&labels=unit");
	assert_int_equal(pprof_parse(body, body_len, "answer", &p, NULL), 0);
	assert_int_equal(p->duration_ns, 20 * NS);
	assert_non_null(strstr("a.service", profile_label_text(p, p->samples[0].labels, "unit")));
	assert_null(profile_label_text(p, p->samples[0].labels, "stack"));
	profile_free(p);
	expect("/api/v1/profile?format=png", 400, "\"bad_format\"");
	expect("/api/v1/profile?value=of-cpu", 404, "\"no_such_value\",\"parameter\":\"value\"");
	expect("/api/v1/profile?from=0&to=1", 200, "\"nr_nodes\":0");
	expect("/api/v1/profile?format=top&from=0&to=1&value=any", 200, "\"functions\":[],\"matched\":0");
	expect("/api/v1/profile?roots=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", 400, "\"too_many\"");
	expect("/api/v1/profile?roots=unit", 200, "a.service");
	expect("/api/v1/profile?sort=size&format=top", 400, "\"bad_sort\"");
	expect("/api/v1/search?q=WO", 200, "\"functions\":[{\"name\":\"work\"");
	expect("/api/v1/search?q=libc.so&limit=0", 200, "\"functions\":[],\"matched\":3,\"left_out\":3");
	expect("/api/v1/search", 400, "\"parameter\":\"q\"");
}

static void differences(void **state)
{
	expect("/api/v1/diff?from=now-30&before_from=now-60&before_to=now-50&format=top", 200,
	       "\"all\":144,\"before_all\":143,\"functions\":[{\"name\":\"work\",\"file\":\"\","
	       "\"image\":\"libc.so.6\",\"kind\":\"user\",\"self\":101,\"total\":101,\"before_self\":100,"
	       "\"before_total\":100}");
	expect("/api/v1/diff?from=now-30&before_from=now-60&before_to=now-50", 200, "\"before\":{\"comments\"");
	/* an empty profile to compare with is valid, too */
	expect("/api/v1/diff?before_from=1&before_to=2&format=top", 200, "\"before_all\":0,");
	expect("/api/v1/diff?before_from=1&before_to=2&format=top&q=no_such", 200,
	       "\"functions\":[],\"matched\":0,");
	expect("/api/v1/diff?before_from=1&before_to=2&before_select=x", 400,
	       "\"bad_selector\",\"parameter\":\"before_select\"");
	expect("/api/v1/diff?before_from=1", 400, "\"missing\"");
	expect("/api/v1/diff?before_from=2&before_to=1", 400, "\"bad_range\",\"parameter\":\"before_from\"");
}

static void outcomes(void **state)
{
	expect("/api/v1/outcomes?from=now-60&step=1m", 200,
	       "\"steps\":2,\"recorded_ms\":[10000,10000],\"all\":287,"
	       "\"whole\":{\"stacks\":287,\"complete\":207,\"guessed\":0,\"none\":0},"
	       "\"reasons\":[{\"name\":\"complete\","
	       "\"total\":207,\"values\":[103,104]},{\"name\":\"no_table\",\"total\":80,\"values\":[40,40]}]");
	/* all samples are counted in the shares, whatever is shown */
	expect("/api/v1/outcomes?from=now-60&step=1m&top=1", 200,
	       "\"whole\":{\"stacks\":287,\"complete\":207,\"guessed\":0,\"none\":0},\"reasons\":"
	       "[{\"name\":\"complete\",\"total\":207,\"values\":[103,104]}],\"rest\":"
	       "{\"reasons\":1,\"total\":80,\"values\":[40,40]}}\n");
	expect("/api/v1/outcomes?by=binary", 200, "\"all\":287,\"whole\":{\"stacks\":287,\"complete\":207,"
	       "\"guessed\":0,\"none\":0},\"reasons\":[{\"name\":\"complete\",\"value\":207},"
	       "{\"name\":\"no_table\",\"value\":80}],\"groups\":[{\"name\":\"/bin/prog\",\"total\":80,\"reasons\":"
	       "[{\"name\":\"no_table\",\"value\":80}]}],\"left_out\":0}\n");
	expect("/api/v1/outcomes?by=unit&limit=2", 200, "\"groups\":[{\"name\":\"a.service\",\"total\":201,"
	       "\"reasons\":[{\"name\":\"complete\",\"value\":201}]},{\"name\":\"b\\\"<.service\",\"total\":80,"
	       "\"reasons\":[{\"name\":\"no_table\",\"value\":80}]}],\"left_out\":1}\n");
	expect("/api/v1/reasons", 200, "{\"name\":\"no_table\",\"means\":\"the file has no `.sframe`");
	expect("/api/v1/reasons", 200, "\"fix\":\"run `ustack supply --prepare` as a service");
}

static void pages(void **state)
{
	/* inside a script, "</" would end it, and "<!--" would change its end */
	expect("/flame?title=%3C/script%3E", 200, "\"title\":\"\\u003c/script>\"");
	expect("/flame?before_from=now-60&before_to=now-50", 200, "\"before\":{");
	expect("/", 200, "<!DOCTYPE html>");
	expect("/login", 200, "action=\"/login\"");
	assert_null(api_route("/api/v1/series/"));
	assert_null(api_route("/api/v1/../v1/series"));
	assert_null(api_route(""));
}

static void failures(void **state)
{
	static const char *const asks[] = { "/api/v1/series", "/api/v1/labels", "/api/v1/profile",
		"/api/v1/profile?format=pprof", "/api/v1/search?q=a", "/api/v1/outcomes",
		"/api/v1/outcomes?by=binary", "/api/v1/status", "/flame", "/api/v1/values?label=a",
		"/api/v1/diff?before_from=1&before_to=2" };
	size_t i;

	for (i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		fake_store_fail(-EIO);
		expect(asks[i], 500, "\"reason\":\"failed\"");
		fake_store_fail(-ENOENT);
		expect(asks[i], 503, "\"reason\":\"no_store\"");
		fake_store_fail(-ENOMEM);
		expect(asks[i], 500, "\"reason\":\"no_memory\"");
		fake_store_fail(0);
		client_gone = true;
		ask(asks[i]);
		assert_int_equal(status, 0);
		client_gone = false;
	}
}

static int live(unsigned int seconds, bool (*stop)(void *), void *stop_arg, struct profile **ret,
		void *arg, struct diag *diag)
{
	assert_int_equal(seconds, 3);
	if (stop(stop_arg))
		return -EINTR;
	*ret = profile_new();
	profile_merge(*ret, windows[0]);
	return 0;
}

static bool health(FILE *out, void *arg)
{
	fputs("store: full\n", out);
	return false;
}

static void itself(void **state)
{
	struct profile *p;

	expect("/api/v1/status", 200, "\"version\":\"1\",\"now_ms\":1000000000,\"live\":false,\"locked\":false,\"values\":["
	       "{\"name\":\"samples\",\"unit\":\"count\"},{\"name\":\"cpu\",\"unit\":\"nanoseconds\"}]}");
	expect("/healthz", 200, "ok\n");
	expect("/metrics", 200, "");
	expect("/debug/pprof/profile?seconds=3", 501, "\"not_live\"");
	source.live = live;
	source.health = health;
	expect("/healthz", 503, "store: full\nnot well\n");
	expect("/debug/pprof/profile?seconds=301", 400, "\"bad_number\"");
	expect("/debug/pprof/profile?seconds=0", 400, "\"bad_number\"");
	ask("/debug/pprof/profile?seconds=3");
	assert_int_equal(pprof_parse(body, body_len, "answer", &p, NULL), 0);
	assert_int_equal(p->nr_samples, 3);
	profile_free(p);
	client_gone = true;
	ask("/debug/pprof/profile?seconds=3");
	assert_int_equal(status, 0);
	free(body);
	body = NULL;
}

static void is_too_large(struct reply *r)
{
	char text[512];
	size_t len;

	assert_int_equal(reply_finish(r, &len), 0);
	assert_int_equal(r->status, 413);
	assert_true(len < sizeof(text));
	assert_int_equal(pread(r->fd, text, len, 0), len);
	text[len] = 0;
	assert_non_null(strstr(text, "{\"error\":{\"status\":413,\"reason\":\"answer_too_large\""));
	reply_release(r);
}

static char block[1 << 20];

static void large(void **state)
{
	struct reply r;
	size_t i;

	assert_int_equal(reply_init(&r), 0);
	for (i = 0; i < REPLY_MAX_BYTES / sizeof(block); i++)
		assert_int_equal(fwrite(block, 1, sizeof(block), r.out), sizeof(block));
	fputc('x', r.out);
	is_too_large(&r);
}

/* Formats that write to the descriptor themselves. */
static void large_file(void **state)
{
	struct api_call call = { 0 };
	struct reply r;
	size_t i, len;

	assert_int_equal(reply_init(&r), 0);
	for (i = 0; i < REPLY_MAX_BYTES / sizeof(block); i++)
		assert_int_equal(file_write_all(r.fd, block, sizeof(block)), 0);
	assert_int_equal(reply_finish(&r, &len), 0);
	assert_int_equal(r.status, 200);
	assert_int_equal(len, REPLY_MAX_BYTES);
	api_failed(&call, file_write_all(r.fd, block, 1), NULL, &r);
	is_too_large(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(series, fill, empty),
		cmocka_unit_test_setup_teardown(labels, fill, empty),
		cmocka_unit_test_setup_teardown(profiles, fill, empty),
		cmocka_unit_test_setup_teardown(differences, fill, empty),
		cmocka_unit_test_setup_teardown(outcomes, fill, empty),
		cmocka_unit_test_setup_teardown(pages, fill, empty),
		cmocka_unit_test_setup_teardown(failures, fill, empty),
		cmocka_unit_test_setup_teardown(itself, fill, empty),
		cmocka_unit_test(large),
		cmocka_unit_test(large_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
