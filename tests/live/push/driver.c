// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program that pushes a store for tests/live/push/run and tests/live/clickhouse/run. It makes windows
 * whose sums are known, and takes a target from its arguments.
 *
 * usage: driver append STORE FIRST NR [SEGMENT]
 *	appends the windows with numbers FIRST to FIRST + NR - 1, in segments of SEGMENT bytes;
 *	prints a line of JSON for each
 *	driver push STORE STATE NAME TYPE URL [KEY=VALUE...]
 *	pushes until SIGTERM, or until idle= windows are done, or failures= requests have failed.
 *	KEYs are token, token_file, user, password, header, ca_file, cert_file, key_file, proxy,
 *	timeout (ms), batch, database, keep, append (number of windows to append meanwhile, one
 *	every= ms, from number first= on), scale (divides each wait before a retry), seed (of the
 *	random lengths of waits). Prints notes as they come. At the end it prints push_info() and
 *	the waits before they were divided, in ms
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/push/push.h"
#include "serve/push/verdict.h"
#include "util/json.h"

#define NR_SERVICES 5
#define SAMPLES 40
/* Bytes of a segment: room for four windows. In some cases three windows must not fill it. */
#define SEGMENT_BYTES 3000
#define WINDOW_NS 10000000000ull
#define FIRST_NS 1700000000000000000ull
#define MAX_WAITS 1000u

static volatile sig_atomic_t stopped;

ssize_t __real_pread(int fd, void *to, size_t len, off_t from);
ssize_t __wrap_pread(int fd, void *to, size_t len, off_t from);

/*
 * Makes a part of a file unreadable: reads beyond byte $PUSH_BAD_FROM of a file whose path contains
 * $PUSH_BAD fail with EIO.
 */
ssize_t __wrap_pread(int fd, void *to, size_t len, off_t from)
{
	const char *bad = getenv("PUSH_BAD"), *where = getenv("PUSH_BAD_FROM");
	char link[64], path[4096];
	ssize_t n;

	if (bad && where) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, path, sizeof(path) - 1);
		path[n < 0 ? 0 : n] = '\0';
		if (strstr(path, bad) && from + (off_t)len > (off_t)atoll(where)) {
			errno = EIO;
			return -1;
		}
	}
	return __real_pread(fd, to, len, from);
}

/* Return: a number that looks random but is the same in each run, for a window and a sample. */
static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t x = a * 2654435761u ^ (b + 1) * 2246822519u;

	return x ^ x >> 15;
}

/* Waits before retries. The target's thread owns this until push_stop() has joined it. */
static struct {
	uint32_t seed;
	uint32_t scale;
	uint64_t ms[MAX_WAITS];
	uint32_t nr;
} waits = { .seed = 1, .scale = 1 };

uint64_t __real_push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
			      uint64_t random);
uint64_t __wrap_push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
			      uint64_t random);

/* Calls the real push_delay_ms() with reproducible random numbers, and divides its delay. */
uint64_t __wrap_push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
			      uint64_t random)
{
	uint64_t ms;

	random = (uint64_t)mix(waits.seed, waits.nr) << 32 | mix(waits.nr, waits.seed);
	ms = __real_push_delay_ms(verdict, tries, retry_after_ms, random);
	if (waits.nr < MAX_WAITS)
		waits.ms[waits.nr++] = ms;
	return ms / waits.scale;
}

static void stop(int nr)
{
	stopped = nr;
}

static _Noreturn void fail(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "driver: %s\n", text);
	exit(1);
}

static uint32_t location(struct profile *p, uint32_t mapping, uint64_t address, bool named)
{
	char name[64];
	struct profile_line line = { .line = (uint32_t)address & 255 };
	struct profile_function f = { 0 };

	if (!named || getenv("PUSH_RAW"))
		return profile_location(p, mapping, address);
	/* one name in seven is not UTF-8 */
	snprintf(name, sizeof(name), "function_%" PRIx64 "%s", address,
		 address % 7 ? "" : "\xff");
	f.name = profile_string(p, name);
	f.system_name = f.name;
	f.file = profile_string(p, "src/main.c");
	line.function = profile_function(p, &f);
	return profile_location_named(p, mapping, address, &line, 1);
}

static uint32_t labels_of(struct profile *p, uint32_t nr, uint32_t i)
{
	char unit[64], container[80];
	uint32_t service = i % NR_SERVICES, k;
	static const char *const names[][2] = {
		{ "container", "server" }, { "namespace", "shop" }, { "pod", "cart-1" },
		{ "pod_uid", "0f9a1b2c-3d4e-5f60-7182-93a4b5c6d7e8" }, { "service_version", "1.2" },
		{ "service_instance_id", "cart-1-0" }, { "deployment_environment_name", "test" },
	};
	struct profile_label l[16] = {
		{ .key = profile_string(p, "pid"), .num = 100 + i },
		{ .key = profile_string(p, "command"), .str = profile_string(p, "work \"er\"") },
		{ .key = profile_string(p, "thread"), .str = profile_string(p, i & 1 ? "a" : "b") },
	};
	uint32_t n = 3;

	/* the last service has no unit: its name is the command */
	if (service < NR_SERVICES - 1) {
		snprintf(unit, sizeof(unit), "unit-%u@{a,b}=\\x2d.service", service);
		l[n++] = (struct profile_label){ .key = profile_string(p, "unit"),
						 .str = profile_string(p, unit) };
	}
	if (service == 1) {
		snprintf(container, sizeof(container), "%064x", 0xc0ffee + nr % 2);
		/* some windows have names as well as ids, as on a node of Kubernetes */
		l[n++] = (struct profile_label){
			.key = profile_string(p, nr % 4 == 1 ? "container_id" : "container"),
			.str = profile_string(p, container) };
		for (k = 0; nr % 4 == 1 && k < sizeof(names) / sizeof(*names); k++)
			l[n++] = (struct profile_label){ .key = profile_string(p, names[k][0]),
							 .str = profile_string(p, names[k][1]) };
	}
	return profile_labels(p, l, n);
}

static struct profile *window(uint32_t nr)
{
	struct profile *p = profile_new();
	char comment[128];
	uint32_t exe, kernel, i, k, s, perl;

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->period_type.type = profile_string(p, "cpu");
	p->period_type.unit = profile_string(p, "nanoseconds");
	p->period = 1000000000 / 19;
	p->default_type = p->period_type.type;
	p->time_ns = FIRST_NS + nr * WINDOW_NS;
	p->duration_ns = WINDOW_NS;
	profile_comment(p, "labels: {\"host\":\"machine-1\",\"cluster\":\"a b\","
			"\"node\":\"node-1\"}");
	profile_comment(p, "imagemap 1 AAAA");
	snprintf(comment, sizeof(comment), "number %u", nr);
	profile_comment(p, comment);
	exe = profile_mapping(p, &(struct profile_mapping){
		.start = 0x1000, .limit = 0x900000, .file = profile_string(p, "/usr/bin/work"),
		.build_id = profile_string(p, "0123456789abcdef0123456789abcdef01234567") });
	kernel = profile_mapping(p, &(struct profile_mapping){
		.start = 0xffffffff81000000, .limit = 0xffffffff82000000,
		.file = profile_string(p, "[kernel.kallsyms]") });
	perl = profile_mapping(p, &(struct profile_mapping){ .file = profile_string(p, "[perl]") });
	/* every seventh window has no samples */
	for (i = 0; nr % 7 != 6 && i < SAMPLES; i++) {
		int64_t count = 1 + mix(nr, i) % 9, values[2] = { count, count * p->period };

		for (s = 0, k = 0; k < 3 + mix(i, nr) % 6; k++)
			s = profile_stack(p, s, location(p, exe, 0x1000 + mix(k, i % 7) % 4096,
							 (i + k) % 3));
		if (i % 4 == 1)
			s = profile_stack(p, s, location(p, perl, i, true));
		if (i % 4 == 0)
			s = profile_stack(p, s, location(p, kernel, 0xffffffff81000000 + i, true));
		profile_add(p, s, labels_of(p, nr, i), values);
	}
	return p;
}

static void print_window(uint32_t nr, const struct profile *p, const struct store_position *end)
{
	int64_t sum[2] = { 0 };
	struct json j;
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++) {
		sum[0] += p->samples[i].value[0];
		sum[1] += p->samples[i].value[1];
	}
	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "nr", nr);
	json_u64(&j, "segment", end->segment);
	json_u64(&j, "record", end->record - 1);
	json_u64(&j, "samples", p->nr_samples);
	json_i64(&j, "count", sum[0]);
	json_i64(&j, "cpu", sum[1]);
	json_object_end(&j);
	json_end(&j);
	fflush(stdout);
}

static struct store *open_store(const char *dir, uint64_t segment)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct store *s;

	if (store_open(dir, &(struct store_options){ .segment_bytes = segment }, &s, &diag))
		fail(&diag);
	return s;
}

static void append(struct store *s, uint32_t nr, struct store_position *end)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct profile *p = window(nr);

	if (store_append(s, p, end, &diag))
		fail(&diag);
	print_window(nr, p, end);
	profile_free(p);
}

static int cmd_append(char **argv)
{
	uint32_t first = (uint32_t)atoi(argv[1]), nr = (uint32_t)atoi(argv[2]), i;
	struct store *s = open_store(argv[0], argv[3] ? strtoull(argv[3], NULL, 10) : SEGMENT_BYTES);
	struct store_position end;

	for (i = 0; i < nr; i++)
		append(s, first + i, &end);
	store_close(s);
	return 0;
}

static void note(const char *text, void *arg)
{
	fprintf(stderr, "note: %s\n", text);
}

/* Return: the build of libcurl that is loaded, "" if none is. */
static const char *library(void)
{
	static const char *const names[] = { "libcurl-gnutls.so.4", "libcurl.so.4" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD))
			return names[i];
	return "";
}

static void print_info(const struct push_info *info)
{
	struct json j;
	unsigned int i;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "windows", info->windows);
	json_u64(&j, "requests", info->requests);
	json_u64(&j, "bytes", info->bytes);
	json_u64(&j, "retries", info->retries);
	json_string(&j, "library", library());
	json_object(&j, "failures");
	for (i = 0; i < PUSH_NR_FAILURES; i++)
		if (info->failures[i])
			json_u64(&j, push_failure_name(i), info->failures[i]);
	json_object_end(&j);
	json_u64(&j, "refused", info->refused);
	json_u64(&j, "lost", info->lost);
	json_u64(&j, "lost_segments", info->lost_segments);
	json_u64(&j, "unreadable", info->unreadable);
	json_u64(&j, "lag_windows", info->lag_windows);
	json_bool(&j, "lag_is_least", info->lag_is_least);
	json_u64(&j, "lag_ns", info->lag_ns);
	json_bool(&j, "failing", info->failing);
	json_string(&j, "error", info->error);
	json_array(&j, "waits");
	for (i = 0; i < waits.nr; i++)
		json_u64(&j, NULL, waits.ms[i]);
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

/* Options of "driver push", and the conditions that end it. */
struct run {
	struct push_options o;
	const char *headers[8];
	const char *keep[8];
	uint64_t idle;
	uint32_t failures;
	uint32_t append;
	uint32_t every_ms;
	uint32_t first;
};

static bool take(struct run *r, char *word)
{
	char *value = strchr(word, '=');
	const struct {
		const char *key;
		const char **to;
	} texts[] = {
		{ "token", &r->o.token }, { "token_file", &r->o.token_file },
		{ "user", &r->o.user }, { "password", &r->o.password },
		{ "ca_file", &r->o.ca_file }, { "cert_file", &r->o.cert_file },
		{ "key_file", &r->o.key_file }, { "proxy", &r->o.proxy },
		{ "database", &r->o.database }, { "header", &r->headers[0] }, { "keep", &r->keep[0] },
	};
	const struct {
		const char *key;
		uint32_t *to;
	} numbers[] = {
		{ "timeout", &r->o.timeout_ms }, { "batch", &r->o.batch },
		{ "append", &r->append }, { "every", &r->every_ms }, { "first", &r->first },
		{ "failures", &r->failures }, { "scale", &waits.scale }, { "seed", &waits.seed },
	};
	size_t i;

	if (!value)
		return false;
	*value++ = '\0';
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (!strcmp(word, texts[i].key)) {
			*texts[i].to = value;
			return true;
		}
	}
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (!strcmp(word, numbers[i].key)) {
			*numbers[i].to = (uint32_t)atoi(value);
			return true;
		}
	}
	r->idle = strtoull(value, NULL, 10);
	return !strcmp(word, "idle");
}

static bool is_done(const struct run *r, const struct push_info *info)
{
	uint64_t failures = 0;
	unsigned int i;

	for (i = 0; i < PUSH_NR_FAILURES; i++)
		failures += info->failures[i];
	if (r->failures)
		return failures >= r->failures;
	return r->idle && info->windows + info->refused >= r->idle && !info->lag_ns;
}

static void wait_until_done(struct run *r, struct store *s, struct push *p)
{
	struct store_position end;
	struct push_info info;
	uint32_t i;

	for (i = 0; i < r->append && !stopped; i++) {
		append(s, r->first + i, &end);
		push_appended(p, &end);
		usleep(r->every_ms * 1000);
	}
	do {
		usleep(2000);
		push_info(p, 0, &info);
	} while (!stopped && !is_done(r, &info));
}

static int cmd_push(char **argv)
{
	struct run r = { .o = { .name = argv[2], .url = argv[4] } };
	const struct push_place place = { .store = argv[0], .state = argv[1], .host = "machine-1",
					  .note = note };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct push_info info;
	struct store *s;
	struct push *p;
	int i;

	if (!push_type_find(argv[3], &r.o.type))
		return 2;
	for (i = 5; argv[i]; i++)
		if (!take(&r, argv[i]))
			return 2;
	r.o.headers = r.headers[0] ? r.headers : NULL;
	r.o.keep = r.keep[0] ? r.keep : NULL;
	signal(SIGTERM, stop);
	/* like the daemon, open the store for writing before targets read it */
	s = r.append ? open_store(argv[0], SEGMENT_BYTES) : NULL;
	if (push_start(&place, &r.o, 1, &p, &diag))
		fail(&diag);
	wait_until_done(&r, s, p);
	if (s)
		store_close(s);
	push_info(p, 0, &info);
	push_stop(p);
	print_info(&info);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 5 && !strcmp(argv[1], "append"))
		return cmd_append(argv + 2);
	if (argc >= 7 && !strcmp(argv[1], "push"))
		return cmd_push(argv + 2);
	fprintf(stderr, "usage: driver append STORE FIRST NR | push STORE STATE NAME TYPE URL ...\n");
	return 2;
}
