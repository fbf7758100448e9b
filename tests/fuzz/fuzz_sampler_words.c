// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of events, formats of PMUs, lists of CPUs, kallsyms and the dynamic
 * linker's cache, with any bytes: each is refused with a sentence, or parsed
 * without reading beyond its end.
 */
#include "fuzz.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/perf/cpus.h"
#include "host/process/ld_cache.h"
#include "capture/sampler/event.h"
#include "host/kernel/kallsyms_range.h"
#include "capture/sampler/pmu.h"

static char pmus[] = "/tmp/ustack-fuzz-pmus-XXXXXX";

static void write_file(const char *name, const char *text, size_t len)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", pmus, name);
	f = fopen(path, "w");
	must(f && fwrite(text, 1, len, f) == len && !fclose(f));
}

static void remove_pmus(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", pmus);
	must(!system(command));
}

static void make_pmus(void)
{
	static const char *const dirs[] = { "cpu", "cpu/events", "cpu/format" };
	char path[128];
	size_t i;

	must(mkdtemp(pmus));
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", pmus, dirs[i]);
		must(!mkdir(path, 0755));
	}
	write_file("cpu/type", "4\n", 2);
	write_file("cpu/format/a", "config:0-7,32-35\n", 17);
	write_file("cpu/events/e", "a=1,f\n", 6);
	atexit(remove_pmus);
}

static void check_event(const char *name)
{
	struct diag diag = { 0 };
	struct event ev;
	int err = event_parse(name, pmus, &ev, &diag);

	if (err) {
		must((err == -EINVAL || err == -ENOENT) && diag.file == name && *diag.text);
		return;
	}
	must(memchr(ev.file, 0, sizeof(ev.file)) && memchr(ev.symbol, 0, sizeof(ev.symbol)));
	must(!(ev.exclude_user && ev.exclude_kernel));
	must(ev.kind != EVENT_TRACEPOINT || (*ev.file && *ev.symbol));
	must(ev.kind != EVENT_KPROBE || *ev.symbol);
	must(ev.kind != EVENT_UPROBE || *ev.file);
	must(ev.kind != EVENT_USDT || (*ev.file && *ev.provider && *ev.symbol));
}

static void check_cache(const char *cache, size_t len)
{
	const char *path = ld_cache_find(cache, len, "libc");

	must(!path || (path >= cache && path < cache + len &&
		       memchr(path, 0, (size_t)(cache + len - path))));
}

static void check_cpus(const char *list)
{
	struct cpus cpus;

	if (!cpus_parse(list, &cpus, NULL))
		must(cpus_end(&cpus) > 0 && cpus_end(&cpus) <= CPUS_MAX);
}

static void check_format(const char *format, u64 value)
{
	u64 config[3] = { 0 };
	int err = pmu_put(format, value, config);

	must(!err || err == -EINVAL || err == -ERANGE);
	must(err || value || !(config[0] | config[1] | config[2]));
	must(!err || !(config[0] | config[1] | config[2]));
}

static void check_symbols(const char *text, size_t len)
{
	uint64_t start, end;
	FILE *f = fmemopen((void *)text, len, "r");

	if (!f)
		return;
	if (!kallsyms_find(f, "f", &start, &end))
		must(start && end > start);
	fclose(f);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static bool made;
	struct input in = { data, size };
	u64 what = take(&in, 1), value = take(&in, 8);
	char *text = malloc(in.left + 1);

	if (!made)
		make_pmus();
	made = true;
	memcpy(text, in.p, in.left);
	text[in.left] = '\0';
	if (what == 255)
		check_cache(text, in.left);
	switch (what % 5) {
	case 0:
		check_event(text);
		break;
	case 1:
		write_file("cpu/events/f", text, in.left);
		check_event("cpu/e,a=3/");
		break;
	case 2:
		check_cpus(text);
		break;
	case 3:
		check_format(text, value);
		break;
	case 4:
		check_symbols(text, in.left);
		break;
	}
	free(text);
	return 0;
}
