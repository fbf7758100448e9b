// SPDX-License-Identifier: GPL-2.0-only
/* The texts that the sampler parses: events, terms of PMUs, lists of CPUs, kallsyms. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/perf/cpus.h"
#include "host/process/ld_cache.h"
#include "capture/sampler/event.h"
#include "host/kernel/kallsyms_range.h"
#include "capture/sampler/pmu.h"
#include "capture/sampler/sampler.h"

static char pmus[64];

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", pmus, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void make_dir(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", pmus, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int make_pmus(void **state)
{
	strcpy(pmus, "/tmp/ustack-pmus-XXXXXX");
	assert_non_null(mkdtemp(pmus));
	make_dir("cpu");
	make_dir("cpu/events");
	make_dir("cpu/format");
	write_file("cpu/type", "4\n");
	write_file("cpu/format/event", "config:0-7,32-35\n");
	write_file("cpu/format/umask", "config:8-15\n");
	write_file("cpu/format/inv", "config:23\n");
	write_file("cpu/format/ldlat", "config1:0-15\n");
	write_file("cpu/format/broken", "config3:0-15\n");
	write_file("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	write_file("cpu/events/ring", "ring\n");
	write_file("cpu/events/empty", "");
	make_dir("uncore");
	make_dir("uncore/events");
	make_dir("uncore/format");
	write_file("uncore/type", "nonsense\n");
	return 0;
}

static int remove_pmus(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", pmus);
	return system(command);
}

static struct event parsed(const char *name)
{
	struct diag diag = { 0 };
	struct event ev;
	int err = event_parse(name, pmus, &ev, &diag);

	if (err)
		fail_msg("%s: %d, %s", name, err, diag.text);
	return ev;
}

static void refused(const char *name, int err)
{
	struct event ev = { .type = 0x77 };
	struct diag diag = { 0 };

	assert_int_equal(event_parse(name, pmus, &ev, &diag), err);
	assert_ptr_equal(diag.file, name);
	assert_true(diag.text[0]);
	assert_int_equal(ev.type, 0x77);
}

static void is_perf(const char *name, u32 type, u64 config)
{
	struct event ev = parsed(name);

	assert_int_equal(ev.kind, EVENT_PERF);
	assert_int_equal(ev.type, type);
	assert_int_equal(ev.config[0], config);
}

static void named_events(void **state)
{
	is_perf("cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	is_perf("faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	is_perf("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	is_perf("branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES);
	is_perf("L1-dcache-loads", PERF_TYPE_HW_CACHE, 0);
	is_perf("LLC-store-misses", PERF_TYPE_HW_CACHE, 2 | 1 << 8 | 1 << 16);
	is_perf("branch-load-misses", PERF_TYPE_HW_CACHE, 5 | 0 << 8 | 1 << 16);
	is_perf("r1a8", PERF_TYPE_RAW, 0x1a8);
	is_perf("rffffffffffffffff", PERF_TYPE_RAW, ~0ull);
	assert_true(parsed("cpu-clock").clock && parsed("cpu-clock").rate);
	assert_true(!parsed("faults").clock && !parsed("faults").rate);
	assert_true(parsed("cycles").cycles && parsed("cycles").rate);
	assert_false(parsed("instructions").cycles);
	assert_int_equal(parsed("off-cpu").kind, EVENT_OFF_CPU);
	refused("nonsense", -ENOENT);
	refused("LLC-", -ENOENT);
	refused("LLC-nonsense", -ENOENT);
	refused("r", -ENOENT);
	refused("rxyz", -ENOENT);
	refused("r10000000000000000", -ENOENT);
	refused("", -EINVAL);
}

static void modifiers(void **state)
{
	assert_true(parsed("cycles:u").exclude_kernel);
	assert_false(parsed("cycles:u").exclude_user);
	assert_true(parsed("cycles:k").exclude_user);
	assert_false(parsed("cycles:k").exclude_kernel);
	assert_false(parsed("cycles:uk").exclude_user);
	assert_false(parsed("cycles:ku").exclude_kernel);
	assert_true(parsed("r1a8:u").exclude_kernel);
	assert_true(parsed("cpu/event=1/:u").exclude_kernel);
	assert_true(parsed("cpu-clock:u").clock);
	refused("cycles:pp", -EINVAL);
	refused("cycles:up", -EINVAL);
	refused("cycles:", -EINVAL);
	refused("nonsense:u", -ENOENT);
}

static void probes(void **state)
{
	struct event ev = parsed("sched:sched_switch");

	assert_int_equal(ev.kind, EVENT_TRACEPOINT);
	assert_string_equal(ev.file, "sched");
	assert_string_equal(ev.symbol, "sched_switch");
	refused(":sched_switch", -EINVAL);
	refused("sched:a/b:c", -EINVAL);
	refused("sched:../x", -EINVAL);
	refused("sched:a b", -EINVAL);

	ev = parsed("k:do_sys_openat2");
	assert_int_equal(ev.kind, EVENT_KPROBE);
	assert_string_equal(ev.symbol, "do_sys_openat2");
	refused("k:", -EINVAL);
	refused("k:a+0x4", -EINVAL);

	ev = parsed("u:/lib/a:b.so:malloc");
	assert_int_equal(ev.kind, EVENT_UPROBE);
	assert_string_equal(ev.file, "/lib/a:b.so");
	assert_string_equal(ev.symbol, "malloc");
	assert_int_equal(ev.offset, 0);
	ev = parsed("u:/bin/x:0x1234");
	assert_string_equal(ev.symbol, "");
	assert_int_equal(ev.offset, 0x1234);
	refused("u:", -EINVAL);
	refused("u:/bin/x", -EINVAL);
	refused("u::main", -EINVAL);
	refused("u:/bin/x:", -EINVAL);
	refused("u:/bin/x:0xnonsense", -EINVAL);
}

/* The probe names of bpftrace, which mean the same as the short ones. */
/* A name of one letter after a colon is not a modifier if it is the name of a probe. */
static void rates(void **state)
{
	static const char *const rated[] = { "cpu-clock", "cycles:u", "instructions:k", "r1a8" };
	static const char *const each[] = { "off-cpu", "sched:sched_switch", "kprobe:vfs_read",
					    "kprobe:u", "u:libc:a", "uretprobe:/bin/x:k",
					    "usdt:libc:libc:u" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rated); i++)
		assert_true(sampler_event_has_rate(rated[i]));
	for (i = 0; i < ARRAY_SIZE(each); i++)
		assert_false(sampler_event_has_rate(each[i]));
	assert_true(sampler_event_has_rate("no such event"));
}

static void bpftrace_words(void **state)
{
	struct event ev = parsed("kprobe:do_sys_openat2");

	assert_int_equal(ev.kind, EVENT_KPROBE);
	assert_string_equal(ev.symbol, "do_sys_openat2");
	assert_false(ev.at_return);
	ev = parsed("kretprobe:u");
	assert_int_equal(ev.kind, EVENT_KPROBE);
	assert_string_equal(ev.symbol, "u");
	assert_true(ev.at_return);
	assert_true(parsed("kr:vfs_read").at_return);
	refused("kretprobe:", -EINVAL);

	ev = parsed("uprobe:/lib/a:b.so:malloc");
	assert_int_equal(ev.kind, EVENT_UPROBE);
	assert_string_equal(ev.file, "/lib/a:b.so");
	assert_string_equal(ev.symbol, "malloc");
	assert_false(ev.at_return);
	ev = parsed("uretprobe:/bin/x:0x1234");
	assert_int_equal(ev.kind, EVENT_UPROBE);
	assert_int_equal(ev.offset, 0x1234);
	assert_true(ev.at_return);
	assert_true(parsed("ur:/bin/x:main").at_return);
	refused("uretprobe:main", -EINVAL);

	ev = parsed("usdt:/lib/a:b.so:libc:setjmp");
	assert_int_equal(ev.kind, EVENT_USDT);
	assert_string_equal(ev.file, "/lib/a:b.so");
	assert_string_equal(ev.provider, "libc");
	assert_string_equal(ev.symbol, "setjmp");
	assert_string_equal(parsed("U:libc:libc:setjmp").file, "libc");
	refused("usdt:", -EINVAL);
	refused("usdt:/bin/x", -EINVAL);
	refused("usdt:/bin/x:name", -EINVAL);
	refused("usdt:/bin/x::name", -EINVAL);
	refused("usdt:/bin/x:provider:", -EINVAL);
	refused("usdt::provider:name", -EINVAL);

	ev = parsed("tracepoint:sched:sched_switch");
	assert_int_equal(ev.kind, EVENT_TRACEPOINT);
	assert_string_equal(ev.file, "sched");
	assert_string_equal(ev.symbol, "sched_switch");
	/* bpftrace has no modifiers: the name of a tracepoint may look like one */
	assert_string_equal(parsed("tracepoint:sched:u").symbol, "u");
	refused("tracepoint:sched_switch", -EINVAL);
}

static void library_names(void **state)
{
	static const struct {
		const char *file;
		const char *name;
		bool is;
	} files[] = {
		{ "libc.so.6", "libc", true }, { "libc.so", "libc", true },
		{ "libc.so.6", "libc.so", true }, { "libc.so.6", "libc.so.6", true },
		{ "bash", "bash", true }, { "libc.so.6.1", "libc.so.6", true },
		{ "libc.so.60", "libc.so.6", false }, { "libcap.so.2", "libc", false },
		{ "libc++.so.1", "libc", false }, { "libc.a", "libc", false },
		{ "libc.sofa", "libc", false }, { "lib", "libc", false }, { "", "libc", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		assert_int_equal(ld_cache_is(files[i].file, files[i].name), files[i].is);
}

/* A cache as ldconfig writes it, with an older format before it or without. */
struct cache {
	uint8_t bytes[1024];
	size_t len;
	size_t at;	/* of the newer form */
};

static void put(struct cache *c, const void *bytes, size_t len)
{
	assert_true(c->len + len <= sizeof(c->bytes));
	memcpy(c->bytes + c->len, bytes, len);
	c->len += len;
}

static void put32(struct cache *c, uint32_t v)
{
	put(c, &v, sizeof(v));
}

#ifdef __x86_64__
#define OWN_LIBRARIES 0x0303u
#define OTHER_LIBRARIES 0x0803u
#else
#define OWN_LIBRARIES 0x0a03u
#define OTHER_LIBRARIES 0x0303u
#endif

static const struct {
	const char *key;
	const char *path;
	uint32_t flags;
	uint32_t hwcap;
} in_cache[] = {
	{ "libcap.so.2", "/lib/libcap.so.2", OWN_LIBRARIES, 0 },
	{ "libc.so.6", "/lib32/libc.so.6", OTHER_LIBRARIES, 0 },
	{ "libc.so.6", "/lib/v3/libc.so.6", OWN_LIBRARIES, 1 },
	{ "libc.so.6", "/lib/libc.so.6", OWN_LIBRARIES, 0 },
};

static struct cache make_cache(bool old)
{
	struct cache c = { .len = 0 };
	uint32_t at = 48 + 24 * ARRAY_SIZE(in_cache), zero = 0;
	size_t i;

	if (old) {
		put(&c, "ld.so-1.7.0", 12);
		put32(&c, 1);
		put(&c, (const char[12]){ 0 }, 12);
		put32(&c, 0);
	}
	c.at = c.len;
	put(&c, "glibc-ld.so.cache1.1", 20);
	put32(&c, ARRAY_SIZE(in_cache));
	for (i = 0; i < 6; i++)
		put32(&c, 0);
	for (i = 0; i < ARRAY_SIZE(in_cache); i++) {
		put32(&c, in_cache[i].flags);
		put32(&c, at);
		at += (uint32_t)strlen(in_cache[i].key) + 1;
		put32(&c, at);
		at += (uint32_t)strlen(in_cache[i].path) + 1;
		put32(&c, 0);
		put32(&c, in_cache[i].hwcap);
		put(&c, &zero, sizeof(zero));
	}
	for (i = 0; i < ARRAY_SIZE(in_cache); i++) {
		put(&c, in_cache[i].key, strlen(in_cache[i].key) + 1);
		put(&c, in_cache[i].path, strlen(in_cache[i].path) + 1);
	}
	return c;
}

static void linker_cache(void **state)
{
	int old;
	size_t len;

	for (old = 0; old < 2; old++) {
		struct cache c = make_cache(old);
		uint8_t *cut;

		assert_string_equal(ld_cache_find(c.bytes, c.len, "libc"), "/lib/libc.so.6");
		assert_string_equal(ld_cache_find(c.bytes, c.len, "libc.so.6"), "/lib/libc.so.6");
		assert_string_equal(ld_cache_find(c.bytes, c.len, "libcap"), "/lib/libcap.so.2");
		assert_null(ld_cache_find(c.bytes, c.len, "libm"));
		/* cut anywhere: sanitizers notice a reader that goes too far */
		for (len = 0; len < c.len; len++) {
			cut = malloc(len + !len);
			memcpy(cut, c.bytes, len);
			assert_null(ld_cache_find(cut, len, "libc"));
			free(cut);
		}
		/* more entries than the file has room for */
		memset(c.bytes + c.at + 20, 0xff, 4);
		assert_null(ld_cache_find(c.bytes, c.len, "libc"));
	}
}

static void long_names(void **state)
{
	char *name = malloc(EVENT_NAME + 1);

	memset(name, 'a', EVENT_NAME);
	name[EVENT_NAME] = '\0';
	refused(name, -EINVAL);
	name[EVENT_NAME - 1] = '\0';
	refused(name, -ENOENT);
	memcpy(name, "k:", 2);
	assert_int_equal(strlen(parsed(name).symbol), EVENT_NAME - 3);
	/* longer than the name of any file */
	memset(name, 'a', 300);
	memcpy(name, "cpu/", 4);
	strcpy(name + 300, "/");
	refused(name, -ENOENT);
	free(name);
}

static void terms(void **state)
{
	struct event ev = parsed("cpu/event=0x1c0,umask=2,inv/");

	assert_int_equal(ev.type, 4);
	assert_int_equal(ev.config[0], 0x1000002c0 | 1 << 23);
	assert_true(ev.rate);
	ev = parsed("cpu/mem-loads,umask=7/");
	assert_int_equal(ev.config[0], 0x7cd);
	assert_int_equal(ev.config[1], 3);
	ev = parsed("mem-loads");
	assert_int_equal(ev.config[1], 3);
	assert_int_equal(parsed("cpu/config=0x10,config1=5/").config[1], 5);
	assert_int_equal(parsed("cpu/empty/").config[0], 0);
	refused("cpu/event=0x1000/", -EINVAL);
	refused("cpu/umask=0x100/", -EINVAL);
	refused("cpu/nonsense/", -ENOENT);
	refused("cpu/nonsense=1/", -ENOENT);
	refused("cpu/event=x/", -EINVAL);
	refused("cpu/event=1", -EINVAL);
	refused("cpu/ring/", -EINVAL);
	refused("cpu/broken=1/", -EINVAL);
	refused("cpu/../cpu/type/", -ENOENT);
	refused("nonsense/event=1/", -ENOENT);
	refused("/event=1/", -ENOENT);
	refused("../event=1/", -ENOENT);
	refused("uncore/event=1/", -EINVAL);
}

static void formats(void **state)
{
	u64 config[3] = { 0xffff, 0, 0 };

	assert_int_equal(pmu_put("config:4-7", 0x3, config), 0);
	assert_int_equal(config[0], 0xff3f);
	assert_int_equal(pmu_put("config2:63", 1, config), 0);
	assert_int_equal(config[2], 1ull << 63);
	assert_int_equal(pmu_put("config1:0-63", ~0ull, config), 0);
	assert_int_equal(config[1], ~0ull);
	assert_int_equal(pmu_put("config:0", 2, config), -ERANGE);
	assert_int_equal(pmu_put("config:64", 1, config), -EINVAL);
	assert_int_equal(pmu_put("config:3-1", 1, config), -EINVAL);
	assert_int_equal(pmu_put("config:", 1, config), -EINVAL);
	assert_int_equal(pmu_put("config:1,", 1, config), -EINVAL);
	assert_int_equal(pmu_put("config:1-", 1, config), -EINVAL);
	assert_int_equal(pmu_put("config:1x", 1, config), -EINVAL);
	assert_int_equal(pmu_put("", 1, config), -EINVAL);
	assert_int_equal(config[0], 0xff3f);
}

static void cpu_lists(void **state)
{
	struct cpus cpus;

	assert_int_equal(cpus_parse("0-3,7\n", &cpus, NULL), 0);
	assert_true(cpus_has(&cpus, 0) && cpus_has(&cpus, 3) && cpus_has(&cpus, 7));
	assert_false(cpus_has(&cpus, 4) || cpus_has(&cpus, 8) || cpus_has(&cpus, CPUS_MAX));
	assert_int_equal(cpus_end(&cpus), 8);
	assert_int_equal(cpus_parse("8191", &cpus, NULL), 0);
	assert_int_equal(cpus_end(&cpus), CPUS_MAX);
	assert_int_equal(cpus_parse("64-127", &cpus, NULL), 0);
	assert_false(cpus_has(&cpus, 63) || cpus_has(&cpus, 128));
	assert_int_equal(cpus_parse("", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("0-", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("3-1", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("8192", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("99999999999999999999", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("1,,2", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("1 ", &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("1,", &cpus, NULL), -EINVAL);
	assert_true(cpus_has(&cpus, 64));
	assert_int_equal(cpus_online(&cpus, NULL), 0);
	assert_true(cpus_end(&cpus) > 0);
}

static int symbols(const char *text, const char *name, u64 *start, u64 *end)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int err = kallsyms_find(f, name, start, end);

	fclose(f);
	return err;
}

static void kernel_symbols(void **state)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff82000040 t after\n"
				   "ffffffffc0000000 t wanted_not\t[module]\n"
				   "ffffffff82000000 t wanted\n"
				   "ffffffff82000000 t alias\n"
				   "ffffffff82000080 T last\n";
	u64 start = 1, end = 2;

	assert_int_equal(symbols(text, "wanted", &start, &end), 0);
	assert_int_equal(start, 0xffffffff82000000);
	assert_int_equal(end, 0xffffffff82000040);
	assert_int_equal(symbols(text, "absent", &start, &end), -ENOENT);
	assert_int_equal(symbols("0000000000000000 t wanted\n", "wanted", &start, &end), -EACCES);
	assert_int_equal(symbols("nonsense", "wanted", &start, &end), -ENOENT);
	assert_int_equal(symbols("ffffffffffffffff t wanted\n", "wanted", &start, &end), -ENOENT);
	assert_int_equal(start, 0xffffffff82000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_events), cmocka_unit_test(modifiers),
		cmocka_unit_test(probes), cmocka_unit_test(bpftrace_words),
		cmocka_unit_test(rates),	cmocka_unit_test(long_names),
		cmocka_unit_test(terms),	cmocka_unit_test(formats),
		cmocka_unit_test(cpu_lists),	cmocka_unit_test(kernel_symbols),
		cmocka_unit_test(library_names), cmocka_unit_test(linker_cache),
	};

	return cmocka_run_group_tests(tests, make_pmus, remove_pmus);
}
