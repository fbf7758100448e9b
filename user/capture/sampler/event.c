// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the names of events: perf's names, tracepoints, probes and off-cpu.
 * See event.h. sampler.c and stackcopy/events.c call it before anything is
 * opened.
 */
#include "capture/sampler/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/sampler/pmu.h"
#include "capture/sampler/sampler.h"
#include "util/options.h"

#include "util/poison.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define OFF_CPU "off-cpu"

struct named {
	const char *name;
	uint64_t config;
};

static const struct named software[] = {
	{ "cpu-clock", PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS },
	{ "cgroup-switches", PERF_COUNT_SW_CGROUP_SWITCHES },
};

static const struct named hardware[] = {
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
};

static const struct named caches[] = {
	{ "L1-dcache-", PERF_COUNT_HW_CACHE_L1D }, { "L1-icache-", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC-", PERF_COUNT_HW_CACHE_LL },	   { "dTLB-", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB-", PERF_COUNT_HW_CACHE_ITLB },	   { "branch-", PERF_COUNT_HW_CACHE_BPU },
	{ "node-", PERF_COUNT_HW_CACHE_NODE },
};

#define CACHE(op, result) (PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct named cache_operations[] = {
	{ "loads", CACHE(READ, ACCESS) },	   { "load-misses", CACHE(READ, MISS) },
	{ "stores", CACHE(WRITE, ACCESS) },	   { "store-misses", CACHE(WRITE, MISS) },
	{ "prefetches", CACHE(PREFETCH, ACCESS) }, { "prefetch-misses", CACHE(PREFETCH, MISS) },
};

/* PMUs of CPU cores. Their events may be named without the PMU. */
static const char *const cores[] = { "cpu", "cpu_core", "armv8_pmuv3_0", "armv8_pmuv3" };

static const struct named *find(const struct named *list, size_t nr, const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static void set_perf(struct event *ev, uint32_t type, uint64_t config)
{
	ev->kind = EVENT_PERF;
	ev->type = type;
	ev->config[0] = config;
	ev->rate = type != PERF_TYPE_SOFTWARE;
}

static bool parse_software(const char *name, struct event *ev)
{
	const struct named *n = find(software, ARRAY_SIZE(software), name);

	if (!n)
		return false;
	set_perf(ev, PERF_TYPE_SOFTWARE, n->config);
	ev->clock = n->config == PERF_COUNT_SW_CPU_CLOCK || n->config == PERF_COUNT_SW_TASK_CLOCK;
	ev->rate = ev->clock;
	return true;
}

static bool parse_hardware(const char *name, struct event *ev)
{
	const struct named *n = find(hardware, ARRAY_SIZE(hardware), name), *op;
	size_t i, len;

	if (n) {
		set_perf(ev, PERF_TYPE_HARDWARE, n->config);
		ev->cycles = n->config == PERF_COUNT_HW_CPU_CYCLES;
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(caches); i++) {
		len = strlen(caches[i].name);
		if (strncmp(name, caches[i].name, len))
			continue;
		op = find(cache_operations, ARRAY_SIZE(cache_operations), name + len);
		if (!op)
			continue;
		set_perf(ev, PERF_TYPE_HW_CACHE, caches[i].config | op->config);
		return true;
	}
	return false;
}

/* A raw event, such as "r1a8". */
static bool parse_raw(const char *name, struct event *ev)
{
	size_t digits = strspn(name + 1, "0123456789abcdefABCDEF");

	if (*name != 'r' || !digits || digits > 16 || name[1 + digits])
		return false;
	set_perf(ev, PERF_TYPE_RAW, strtoull(name + 1, NULL, 16));
	return true;
}

/* Parses PMU/TERMS/. Cuts @name into pieces. */
static int parse_pmu(char *name, const char *pmus, struct event *ev, struct diag *diag)
{
	char *terms = strchr(name, '/');
	size_t len = strlen(terms + 1);
	struct pmu_event pmu;
	int err;

	if (!len || terms[len] != '/')
		return diag_set(diag, EINVAL, NULL, "an event of a PMU ends with a slash: %s/", name);
	terms[len] = '\0';
	*terms++ = '\0';
	err = pmu_event(pmus, name, terms, &pmu, diag);
	if (err)
		return err;
	set_perf(ev, pmu.type, 0);
	memcpy(ev->config, pmu.config, sizeof(ev->config));
	ev->rate = true;
	return 0;
}

static int parse_core(const char *name, const char *pmus, struct event *ev, struct diag *diag)
{
	struct pmu_event pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cores); i++) {
		if (strchr(name, ',') || strchr(name, '=') ||
		    pmu_event(pmus, cores[i], name, &pmu, NULL))
			continue;
		set_perf(ev, pmu.type, 0);
		memcpy(ev->config, pmu.config, sizeof(ev->config));
		ev->rate = true;
		return 0;
	}
	return diag_set(diag, ENOENT, NULL,
			"there is no such event; perf list shows all events");
}

/* Parses FUNCTION, after "k:" or a similar prefix. */
static int parse_kprobe(const char *name, struct event *ev, struct diag *diag)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_.$");

	if (!len || name[len])
		return diag_set(diag, EINVAL, NULL, "a kprobe is kprobe:FUNCTION");
	ev->kind = EVENT_KPROBE;
	strcpy(ev->symbol, name);
	return 0;
}

/*
 * Parses FILE:SYMBOL or FILE:0xOFFSET, after "u:" or a similar prefix. FILE may
 * contain colons.
 */
static int parse_uprobe(const char *name, struct event *ev, struct diag *diag)
{
	const char *colon = strrchr(name, ':');

	if (!colon || colon == name || !colon[1])
		return diag_set(diag, EINVAL, NULL,
				"a uprobe is uprobe:FILE:SYMBOL or uprobe:FILE:0xOFFSET");
	ev->kind = EVENT_UPROBE;
	memcpy(ev->file, name, colon - name);
	ev->file[colon - name] = '\0';
	if (strncmp(colon + 1, "0x", 2)) {
		strcpy(ev->symbol, colon + 1);
		return 0;
	}
	if (!option_parse_u64(colon + 1, &ev->offset))
		return diag_set(diag, EINVAL, NULL, "\"%s\" is no offset in a file", colon + 1);
	return 0;
}

/* Parses FILE:PROVIDER:NAME, after "usdt:" or "U:". FILE may contain colons. */
static int parse_usdt(const char *name, struct event *ev, struct diag *diag)
{
	const char *last = strrchr(name, ':'), *first;

	first = last ? memrchr(name, ':', (size_t)(last - name)) : NULL;
	if (!first || first == name || last == first + 1 || !last[1])
		return diag_set(diag, EINVAL, NULL, "a static probe is usdt:FILE:PROVIDER:NAME");
	ev->kind = EVENT_USDT;
	memcpy(ev->file, name, (size_t)(first - name));
	memcpy(ev->provider, first + 1, (size_t)(last - first - 1));
	strcpy(ev->symbol, last + 1);
	return 0;
}

/*
 * Cuts ":u", ":k" or ":uk" off @name. @ret gets the first modifier that is
 * neither, or NUL. Return: whether there was a modifier.
 */
static bool take_modifiers(char *name, struct event *ev, char *ret)
{
	char *colon = strrchr(name, ':');
	size_t len;

	*ret = '\0';
	if (!colon || !colon[1])
		return false;
	len = strspn(colon + 1, "ukhGHpPSDWe");
	if (colon[1 + len])
		return false;
	colon[1 + len] = '\0';
	*ret = colon[1 + strspn(colon + 1, "uk")];
	ev->exclude_kernel = !strchr(colon + 1, 'k');
	ev->exclude_user = !strchr(colon + 1, 'u');
	*colon = '\0';
	return true;
}

/* Parses SUBSYSTEM:NAME. */
static int parse_tracepoint(const char *name, struct event *ev, struct diag *diag)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";
	size_t len = strspn(name, letters);

	if (!len || name[len] != ':' || !name[len + 1] ||
	    name[len + 1 + strspn(name + len + 1, letters)])
		return diag_set(diag, EINVAL, NULL, "a tracepoint is SUBSYSTEM:NAME");
	ev->kind = EVENT_TRACEPOINT;
	memcpy(ev->file, name, len);
	ev->file[len] = '\0';
	strcpy(ev->symbol, name + len + 1);
	return 0;
}

static const struct {
	const char *word;
	int (*parse)(const char *name, struct event *ev, struct diag *diag);
	bool at_return;
} probes[] = {
	{ "k:", parse_kprobe, false },
	{ "kprobe:", parse_kprobe, false },
	{ "kr:", parse_kprobe, true },
	{ "kretprobe:", parse_kprobe, true },
	{ "u:", parse_uprobe, false },
	{ "uprobe:", parse_uprobe, false },
	{ "ur:", parse_uprobe, true },
	{ "uretprobe:", parse_uprobe, true },
	{ "U:", parse_usdt, false },
	{ "usdt:", parse_usdt, false },
	{ "tracepoint:", parse_tracepoint, false },
};

/*
 * Parses events that begin with a keyword of probes[]. Return: false if @name
 * does not.
 */
static bool parse_probe(const char *name, struct event *ev, struct diag *diag, int *ret)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		len = strlen(probes[i].word);
		if (strncmp(name, probes[i].word, len))
			continue;
		ev->at_return = probes[i].at_return;
		*ret = probes[i].parse(name + len, ev, diag);
		return true;
	}
	return false;
}

/* Parses software, hardware, raw and PMU events. Cuts @name into pieces. */
static int parse_perf(char *name, const char *pmus, struct event *ev, struct diag *diag)
{
	bool user = ev->exclude_user, kernel = ev->exclude_kernel;
	int err = 0;

	if (strchr(name, '/'))
		err = parse_pmu(name, pmus, ev, diag);
	else if (!parse_software(name, ev) && !parse_hardware(name, ev) && !parse_raw(name, ev))
		err = parse_core(name, pmus, ev, diag);
	ev->exclude_user = user;
	ev->exclude_kernel = kernel;
	return err;
}

static int parse(char *name, const char *pmus, struct event *ev, struct diag *diag)
{
	char copy[EVENT_NAME], other;
	int err;

	if (!strcmp(name, OFF_CPU)) {
		ev->kind = EVENT_OFF_CPU;
		return 0;
	}
	if (parse_probe(name, ev, diag, &err))
		return err;
	strcpy(copy, name);
	if (take_modifiers(copy, ev, &other)) {
		if (other)
			return diag_set(diag, EINVAL, NULL,
					"unknown modifier '%c': use u or k", other);
		return parse_perf(copy, pmus, ev, diag);
	}
	if (strchr(name, ':') && !strchr(name, '/'))
		return parse_tracepoint(name, ev, diag);
	return parse_perf(copy, pmus, ev, diag);
}

int event_parse(const char *name, const char *pmus, struct event *ret, struct diag *diag)
{
	struct event *ev;
	char *copy;
	int err;

	if (!*name || strlen(name) >= EVENT_NAME)
		return diag_set(diag, EINVAL, name, "an event has a name of 1 to %u bytes",
				EVENT_NAME - 1);
	copy = strdup(name);
	ev = calloc(1, sizeof(*ev));
	if (copy && ev)
		err = parse(copy, pmus, ev, diag);
	else
		err = diag_errno(diag, ENOMEM, name);
	if (!err)
		*ret = *ev;
	else if (diag)
		diag->file = name;
	free(ev);
	free(copy);
	return err;
}

const char *sampler_event_word(unsigned int i)
{
	if (i < ARRAY_SIZE(software))
		return software[i].name;
	i -= ARRAY_SIZE(software);
	if (i < ARRAY_SIZE(hardware))
		return hardware[i].name;
	return i == ARRAY_SIZE(hardware) ? OFF_CPU : NULL;
}

bool sampler_event_has_rate(const char *name)
{
	struct event *ev = malloc(sizeof(*ev));
	bool has = !ev || event_parse(name, EVENT_PMUS, ev, NULL) || ev->kind == EVENT_PERF;

	free(ev);
	return has;
}
