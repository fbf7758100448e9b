// SPDX-License-Identifier: GPL-2.0-only
/*
 * The daemon's configuration: the shipped file has all defaults, every key reaches its field,
 * and everything invalid is refused with its line.
 */
#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>

#include "serve/daemon/config.h"
#include "serve/daemon/config_value.h"
#include "serve/daemon/labels.h"
#include "serve/daemon/relabel.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static int parse(const char *text, struct daemon_config *cfg, struct diag *diag)
{
	/* in a buffer of exactly the size, for the sanitizer */
	size_t len = strlen(text);
	char *copy = malloc(len + !len);
	int err;

	memcpy(copy, text, len);
	memset(cfg, 0, sizeof(*cfg));
	err = config_parse_files(&(struct config_file){ "f", copy, len }, 1, cfg, diag);
	free(copy);
	return err;
}

static void must_parse(const char *text, struct daemon_config *cfg)
{
	struct diag diag = { 0 };

	if (parse(text, cfg, &diag))
		fail_msg("%s: %s", text, diag.text);
}

static void test_defaults(void **state)
{
	struct daemon_config none, shipped;
	struct diag diag = { 0 };
	struct relabel *rules;

	assert_int_equal(config_load(NULL, &none, &diag), 0);
	if (config_load("dist/ustackd.yaml", &shipped, &diag))
		fail_msg("%s", diag.text);
	assert_int_equal(config_changes(&none, &shipped), 0);
	assert_int_equal(none.sampling.frequency, 19);
	assert_false(none.sampling.off_cpu);
	assert_int_equal(none.sampling.mode, RECORD_AUTO);
	assert_true(none.sampling.window_ns == 10000000000ull);
	assert_int_equal(none.sampling.cpu_budget, 10000);
	assert_int_equal(none.sampling.min_frequency, 1);
	assert_string_equal(none.sampling.samples_per_hour.label, "unit");
	assert_int_equal(none.sampling.samples_per_hour.by_default, 0);
	assert_int_equal(none.sampling.samples_per_hour.nr, 0);
	assert_int_equal(none.labels.nr, 1);
	assert_string_equal(none.labels.pair[0].name, "host");
	assert_false(none.symbols.never);
	assert_string_equal(none.symbols.servers, "");
	assert_true(none.supply);
	assert_string_equal(none.store.path, "/var/lib/ustack");
	assert_true(none.store.max_size == 1ull << 30);
	assert_true(none.store.max_age_ns == 14 * 86400 * 1000000000ull);
	assert_int_equal(none.http.nr_listen, 1);
	assert_string_equal(none.http.listen[0].text, "127.0.0.1:7071");
	assert_null(none.http.token_file);
	assert_string_equal(none.user, "ustack");
	assert_int_equal(none.nr_push, 0);
	assert_int_equal(relabel_default(&rules), 0);
	assert_true(relabel_equal(rules, none.relabel));
	assert_true(relabel_equal(rules, shipped.relabel));
	relabel_free(rules);
	config_free(&none);
	config_free(&shipped);
	config_free(&shipped);
}

static const char *const every_key[] = {
	"sampling", "frequency", "off_cpu", "mode", "window", "cpu_budget",
	"min_frequency", "samples_per_hour", "label", "default", "targets", "labels",
	"relabel", "symbols", "debuginfod", "supply", "store", "path", "group", "max_size",
	"max_age", "http", "listen", "token_file", "user", "push",
	"kubernetes", "names", "logs", "node",
	/* keys of a target */
	"name", "type", "url", "password_file", "headers", "ca_file", "timeout", "batch",
	"database", "proxy", "services", "keep",
};

#define FIRST_OF_TARGET 30

/* The key of a line of the shipped file, also after a "#"; or NULL. */
static const char *key_of(char *line, bool commented)
{
	char *s = line + strspn(line, commented ? " #-" : " -"), *colon = strchr(s, ':');

	if (!colon || (colon[1] && colon[1] != ' ' && colon[1] != '\n') || *s == '#')
		return NULL;
	*colon = '\0';
	return strspn(s, "abcdefghijklmnopqrstuvwxyz_") == strlen(s) ? s : NULL;
}

/*
 * No key is missing in the shipped file. A key that may only be commented is in the example of
 * a target.
 */
static void test_shipped_is_complete(void **state)
{
	char line[256];
	size_t i;

	assert_string_equal(every_key[FIRST_OF_TARGET], "name");
	for (i = 0; i < ARRAY_SIZE(every_key); i++) {
		FILE *f = fopen("dist/ustackd.yaml", "r");
		bool there = false;
		const char *key;

		assert_non_null(f);
		while (!there && fgets(line, sizeof(line), f)) {
			key = key_of(line, i >= FIRST_OF_TARGET);
			there = key && !strcmp(key, every_key[i]);
		}
		fclose(f);
		if (!there)
			fail_msg("%s is not in dist/ustackd.yaml", every_key[i]);
	}
}

static bool is_listed(const char *key, size_t len)
{
	/* keys of a rule: test_relabel.c */
	static const char *const rule[] = {
		"source_labels", "separator", "regex", "modulus", "target_label", "replacement",
		"action",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(every_key); i++)
		if (strlen(every_key[i]) == len && !strncmp(every_key[i], key, len))
			return true;
	for (i = 0; i < ARRAY_SIZE(rule); i++)
		if (strlen(rule[i]) == len && !strncmp(rule[i], key, len))
			return true;
	return false;
}

/* The list of these tests has all keys of the sources. */
static void test_list_is_complete(void **state)
{
	static const char *const sources[] = {
		"user/serve/daemon/config.c", "user/serve/daemon/config_lists.c", "user/serve/daemon/config_push.c",
	};
	static const char start[] = "CONFIG_KEY(\"";
	unsigned int keys = 0;
	char line[256], *key;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		FILE *f = fopen(sources[i], "r");

		assert_non_null(f);
		while (fgets(line, sizeof(line), f)) {
			key = strstr(line, start);
			if (!key)
				continue;
			keys++;
			key += strlen(start);
			if (!is_listed(key, strcspn(key, "\"")))
				fail_msg("%s: %s is not tested", sources[i], key);
		}
		fclose(f);
	}
	assert_in_range(keys, 40, 100);
}

static char *read_page(void)
{
	char *page = calloc(1, 1 << 16);
	FILE *f = fopen("Documentation/configuration.md", "r");

	assert_non_null(f);
	assert_in_range(fread(page, 1, (1 << 16) - 1, f), 1000, (1 << 16) - 2);
	fclose(f);
	return page;
}

/* The effects of the examples after these words. */
static const struct {
	const char *words;
	const char *label;	/* labels that the sample has */
	const char *value;
	const char *name;	/* labels that it gets; NULL: it is dropped */
	const char *want;
} told[] = {
	{ "### Drop a unit", "__unit", "backup.service", NULL, NULL },
	{ "### Drop a unit", "__unit", "session-3.scope", NULL, NULL },
	{ "### Drop a unit", "__unit", "nginx.service", "unit", "nginx.service" },
	{ "    regex: system\\.slice|kubepods", "__slice", "user.slice", NULL, NULL },
	{ "### A team", "__unit", "shop-cart.service", "team", "shop" },
	{ "### A team", "__unit", "shop-till@3.service", "team", "shop" },
	{ "### A team", "__unit", "nginx.service", "team", "edge" },
	{ "### A team", "__unit", "cron.service", "team", "" },
	{ "### Few values", "__unit", "getty@tty1.service", "unit", "getty@.service" },
	{ "### Few values", "__unit", "cron.service", "unit", "cron.service" },
	{ "### Few values", "__unit", "session-c1.scope", "unit", "session" },
	{ "### Few values", "__unit", "docker-" ID ".scope", "unit", "container" },
	{ "### Few values", "__pid", "7", "pid", "" },
	{ "Keep the process number", "__pid", "7", "pid", "" },
	{ "Keep the process number", "__pid", "25", "pid", "25" },
	{ "### Pods and containers", "__container_id", ID, "container", "0123456789ab" },
	{ "### Pods and containers", "__pod_uid", "x", "pod", "x" },
	{ "### Pods and containers", "__container_runtime", "lxc", "runtime", "lxc" },
};

static void test_told(void **state)
{
	char *page = read_page(), *at, *end;
	struct daemon_config c;
	struct labels set;
	size_t i;

	labels_init(&set);
	for (i = 0; i < ARRAY_SIZE(told); i++) {
		at = strstr(page, told[i].words);
		assert_non_null(at);
		/* the example with these words, or the next one */
		for (end = at; strncmp(end, "\n```", 4); end++)
			;
		if (!strncmp(end, "\n```yaml", 8)) {
			at = end + 9;
			end = strstr(at, "\n```");
		} else {
			while (strncmp(at, "```yaml\n", 8))
				at--;
			at += 8;
		}
		*end = '\0';
		must_parse(at, &c);
		*end = '\n';
		labels_clear(&set);
		labels_set(&set, told[i].label, told[i].value);
		if (relabel_apply(c.relabel, &set) != !!told[i].name)
			fail_msg("%s: %s is dropped or not", told[i].words, told[i].value);
		if (told[i].name && strcmp(labels_get(&set, told[i].name), told[i].want))
			fail_msg("%s: %s: %s is '%s'", told[i].words, told[i].value,
				 told[i].name, labels_get(&set, told[i].name));
		config_free(&c);
	}
	labels_release(&set);
	free(page);
}

/* The page has every key, and its examples are valid. */
static void test_page(void **state)
{
	static const char start[] = "\n```yaml\n";
	char *page = read_page(), *example, *end;
	struct daemon_config c;
	unsigned int examples = 0;
	char key[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(every_key); i++) {
		snprintf(key, sizeof(key), "`%s`", every_key[i]);
		if (!strstr(page, key)) {
			snprintf(key, sizeof(key), "### %s\n", every_key[i]);
			if (!strstr(page, key))
				fail_msg("%s is not in Documentation/configuration.md", every_key[i]);
		}
	}
	for (example = page; (example = strstr(example, start)); example = end + 1) {
		example += strlen(start);
		end = strstr(example, "\n```");
		assert_non_null(end);
		*end = '\0';
		must_parse(example, &c);
		/* the first value is the default */
		if (!examples++) {
			struct relabel *rules;

			assert_int_equal(relabel_default(&rules), 0);
			assert_true(relabel_equal(rules, c.relabel));
			relabel_free(rules);
		}
		config_free(&c);
	}
	assert_in_range(examples, 5, 50);
	free(page);
}

/* The manual page has every key, and no other. */
static void test_manual(void **state)
{
	FILE *f = fopen("Documentation/man/ustackd.yaml.5", "r");
	bool there[ARRAY_SIZE(every_key)] = { false };
	char line[256], *at, *key;
	size_t i;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, ".It Ic ", 7))
			continue;
		for (at = line + 7; (key = strsep(&at, " ,\n"));) {
			if (*key && !is_listed(key, strlen(key)))
				fail_msg("ustackd.yaml.5: there is no key %s", key);
			for (i = 0; i < ARRAY_SIZE(every_key); i++)
				there[i] |= !strcmp(key, every_key[i]);
		}
	}
	fclose(f);
	for (i = 0; i < ARRAY_SIZE(every_key); i++)
		if (!there[i])
			fail_msg("%s is not in ustackd.yaml.5", every_key[i]);
}

static const char full[] =
	"sampling:\n"
	"  frequency: 99\n"
	"  off_cpu: 10ms\n"
	"  mode: bpf\n"
	"  window: 500ms\n"
	"  cpu_budget: 0.25%\n"
	"  min_frequency: 3\n"
	"  samples_per_hour:\n"
	"    label: team\n"
	"    default: 1000\n"
	"    targets: { nginx.service: 20000, \"a b\": 0 }\n"
	"labels: { cluster: a, host: 'x\\y', nr: 7 }\n"
	"relabel:\n"
	"- { source_labels: [__unit], target_label: unit }\n"
	"- { regex: 'x.*', action: LabelDrop }\n"
	"symbols: { mode: never, debuginfod: [http://a/, \"https://b:80/c?d\"] }\n"
	"supply: false\n"
	"kubernetes: { names: false, logs: /l, node: n-1.example }\n"
	"store: { path: /a b, group: readers, max_size: 500MB, max_age: 0 }\n"
	"http:\n"
	"  listen: [0.0.0.0:80, '[::1]:7071']\n"
	"  token_file: /t\n"
	"user: root\n"
	"push:\n"
	"  - name: a-b-c_9\n"
	"    type: parca\n"
	"    url: https://h\n"
	"    user: u\n"
	"    password_file: /p\n"
	"    headers: { X-Scope-OrgID: team a, X-B: \"b\" }\n"
	"    ca_file: /ca\n"
	"    timeout: 1m\n"
	"    batch: 7\n"
	"    proxy: http://proxy:3128\n"
	"    services: [unit, command]\n"
	"    keep: []\n"
	"  - { name: b, type: otlp, url: 'https://[::1]:4318/x', token_file: /t }\n";

static void check_push(const struct daemon_config *cfg)
{
	const struct config_push *p = cfg->push;

	assert_int_equal(cfg->nr_push, 2);
	assert_string_equal(p[0].name, "a-b-c_9");
	assert_int_equal(p[0].type, PUSH_PARCA);
	assert_string_equal(p[0].url, "https://h");
	assert_null(p[0].token_file);
	assert_string_equal(p[0].user, "u");
	assert_string_equal(p[0].password_file, "/p");
	assert_int_equal(p[0].headers.nr, 2);
	assert_string_equal(p[0].headers.pair[0].name, "X-Scope-OrgID");
	assert_string_equal(p[0].headers.pair[0].value, "team a");
	assert_string_equal(p[0].headers.pair[1].value, "b");
	assert_string_equal(p[0].ca_file, "/ca");
	assert_true(p[0].timeout_ns == 60000000000ull);
	assert_int_equal(p[0].batch, 7);
	assert_string_equal(p[0].proxy, "http://proxy:3128");
	assert_int_equal(p[0].services.nr, 2);
	assert_string_equal(p[0].services.word[0], "unit");
	assert_string_equal(p[0].services.word[1], "command");
	assert_int_equal(p[0].keep.nr, 0);
	assert_non_null(p[0].keep.word);
	assert_null(p[1].proxy);
	assert_null(p[1].services.word);
	assert_null(p[1].keep.word);
	assert_int_equal(p[1].type, PUSH_OTLP);
	assert_string_equal(p[1].token_file, "/t");
	assert_true(p[1].timeout_ns == 10000000000ull);
	assert_int_equal(p[1].batch, 10);
}

static void check_http(const struct config_http *h)
{
	const struct sockaddr_in *four = (const void *)&h->listen[0].addr;
	const struct sockaddr_in6 *six = (const void *)&h->listen[1].addr;

	assert_int_equal(h->nr_listen, 2);
	assert_false(h->listen[0].loopback);
	assert_int_equal(four->sin_family, AF_INET);
	assert_int_equal(ntohs(four->sin_port), 80);
	assert_int_equal(h->listen[0].len, sizeof(*four));
	assert_true(h->listen[1].loopback);
	assert_int_equal(six->sin6_family, AF_INET6);
	assert_int_equal(ntohs(six->sin6_port), 7071);
	assert_true(IN6_IS_ADDR_LOOPBACK(&six->sin6_addr));
	assert_string_equal(h->token_file, "/t");
}

static void test_every_key(void **state)
{
	struct daemon_config c;
	const struct config_thinning *t = &c.sampling.samples_per_hour;

	must_parse(full, &c);
	assert_int_equal(c.sampling.frequency, 99);
	assert_true(c.sampling.off_cpu);
	assert_true(c.sampling.off_cpu_min_ns == 10000000);
	assert_int_equal(c.sampling.mode, RECORD_BPF);
	assert_true(c.sampling.window_ns == 500000000);
	assert_int_equal(c.sampling.cpu_budget, 2500);
	assert_int_equal(c.sampling.min_frequency, 3);
	assert_string_equal(t->label, "team");
	assert_int_equal(t->by_default, 1000);
	assert_int_equal(t->nr, 2);
	assert_string_equal(t->target[0].name, "nginx.service");
	assert_int_equal(t->target[0].samples, 20000);
	assert_string_equal(t->target[1].name, "a b");
	assert_int_equal(t->target[1].samples, 0);
	assert_int_equal(c.labels.nr, 4);
	assert_string_equal(c.labels.pair[1].value, "x\\y");
	assert_string_equal(c.labels.pair[3].name, "node");
	assert_string_equal(c.labels.pair[3].value, "n-1.example");
	assert_false(c.kubernetes.names);
	assert_string_equal(c.kubernetes.logs, "/l");
	assert_string_equal(c.kubernetes.node, "n-1.example");
	assert_string_equal(c.store.group, "readers");
	assert_string_equal(c.labels.pair[2].value, "7");
	assert_int_equal(relabel_count(c.relabel), 2);
	assert_true(c.symbols.never);
	assert_int_equal(c.symbols.debuginfod.nr, 2);
	assert_null(c.symbols.debuginfod.word[2]);
	assert_string_equal(c.symbols.servers, "http://a/ https://b:80/c?d");
	assert_false(c.supply);
	assert_string_equal(c.store.path, "/a b");
	assert_true(c.store.max_size == 500000000);
	assert_true(c.store.max_age_ns == 0);
	check_http(&c.http);
	assert_string_equal(c.user, "root");
	check_push(&c);
	config_free(&c);
}

/* The changes from the defaults, and the part of each. */
static const struct {
	const char *text;
	unsigned int part;
} changes[] = {
	{ "", 0 },
	{ "# nothing\n", 0 },
	{ "---\n{}\n", 0 },
	{ "~\n", 0 },
	{ "push:\nrelabel:\nhttp:\n", 0 },
	{ "sampling: { frequency: 20 }", CONFIG_SAMPLING },
	{ "sampling: { off_cpu: 0 }", CONFIG_SAMPLING },
	{ "sampling: { off_cpu: 1us }", CONFIG_SAMPLING },
	{ "sampling: { mode: bpf }", CONFIG_SAMPLING },
	{ "sampling: { window: 1s }", CONFIG_SAMPLING },
	{ "sampling: { cpu_budget: 0 }", CONFIG_SAMPLING },
	{ "sampling: { min_frequency: 2 }", CONFIG_SAMPLING },
	{ "sampling: { samples_per_hour: { label: pod } }", CONFIG_THINNING },
	{ "sampling: { samples_per_hour: { default: 1 } }", CONFIG_THINNING },
	{ "sampling: { samples_per_hour: { targets: { a: 1 } } }", CONFIG_THINNING },
	{ "labels: { a: b }", CONFIG_LABELS },
	{ "labels: { host: not-this-host }", CONFIG_LABELS },
	{ "relabel: []", CONFIG_RELABEL },
	{ "symbols: { mode: never }", CONFIG_SYMBOLS },
	{ "symbols: { debuginfod: ['http://a'] }", CONFIG_SYMBOLS },
	{ "supply: false", CONFIG_SUPPLY },
	{ "kubernetes: { names: false }", CONFIG_KUBERNETES },
	{ "kubernetes: { logs: /l }", CONFIG_KUBERNETES },
	{ "kubernetes: { node: n }", CONFIG_KUBERNETES | CONFIG_LABELS },
	{ "store: { group: readers }", CONFIG_STORE_PATH },
	{ "store: { path: /a }", CONFIG_STORE_PATH },
	{ "store: { max_size: 1MiB }", CONFIG_STORE_LIMITS },
	{ "store: { max_age: 1d }", CONFIG_STORE_LIMITS },
	{ "http: { listen: [] }", CONFIG_HTTP },
	{ "http: { listen: 127.0.0.1:7072 }", CONFIG_HTTP },
	{ "http: { token_file: /a }", CONFIG_HTTP },
	{ "user: root", CONFIG_USER },
	{ "push: [{ name: a, type: parca, url: 'http://a' }]", CONFIG_PUSH },
	{ "push: [{ name: a, type: parca, url: 'http://a', batch: 9 }]", CONFIG_PUSH },
	{ "push: [{ name: a, type: clickhouse, url: 'http://a', database: b }]",
	  CONFIG_PUSH },
	{ "push: [{ name: a, type: parca, url: 'http://a', proxy: 'http://b:1' }]",
	  CONFIG_PUSH },
	{ "push: [{ name: a, type: parca, url: 'http://a', services: [unit] }]",
	  CONFIG_PUSH },
	{ "push: [{ name: a, type: parca, url: 'http://a', keep: [unit] }]",
	  CONFIG_PUSH },
};

/* config_changes() notices a change in every part of the file, and nothing else. */
static void test_changes(void **state)
{
	struct daemon_config none, c, full_one, again;
	size_t i;

	must_parse("", &none);
	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		must_parse(changes[i].text, &c);
		if (config_changes(&none, &c) != changes[i].part ||
		    config_changes(&c, &none) != changes[i].part)
			fail_msg("%s: %#x", changes[i].text, config_changes(&none, &c));
		config_free(&c);
	}
	must_parse(full, &full_one);
	must_parse(full, &again);
	assert_int_equal(config_changes(&full_one, &again), 0);
	config_free(&again);
	config_free(&full_one);
	config_free(&none);
}

/* Invalid files: the place of the error, and its text. */
static const struct {
	const char *text;
	const char *want;
} refused[] = {
	{ "smapling: {}", "line 1, column 1: unknown key 'smapling'; known keys: sampling, labels" },
	{ "\n\nsampling:\n  freq: 1", "line 4, column 3: unknown key 'freq'; known keys: frequency" },
	{ "supply: true\nsupply: true", "line 2, column 1: 'supply' is already in line 1" },
	{ "labels: {a: b, a: c}", "line 1, column 16: 'a' is already in line 1" },
	{ "- a", "line 1, column 1: the configuration has to be a mapping, not a list" },
	{ "sampling: 5", "line 1, column 11: 'sampling' has to be a mapping, not '5'" },
	{ "sampling: []", "line 1, column 11: 'sampling' has to be a mapping, not a list" },
	{ "sampling: {frequency: {}}", "'frequency' has to be a number, not a mapping" },
	{ "sampling: {frequency: 0}", "'frequency' has to be 1 to 100000, not '0'" },
	{ "sampling: {frequency: 100001}", "has to be 1 to 100000" },
	{ "sampling: {frequency: 1.5}", "has to be a number, not '1.5'" },
	{ "sampling: {frequency: -1}", "has to be a number, not '-1'" },
	{ "sampling: {frequency: 010}", "has to be a number, not '010'" },
	{ "sampling: {frequency: \"19\"}", "has to be a number" },
	{ "sampling: {frequency: 18446744073709551617}", "has to be a number" },
	{ "sampling: {frequency: 5, min_frequency: 6}",
	  "line 1, column 41: 'min_frequency' (6) is more than 'frequency' (5)" },
	{ "sampling: {off_cpu: true}", "has to be false, or the least time such as 10ms" },
	{ "sampling: {off_cpu: 2h}", "has to be at most 1h" },
	{ "sampling: {off_cpu: 1ms, mode: copy}",
	  "line 1, column 21: 'off_cpu' is not for 'mode: copy'" },
	{ "sampling: {mode: fast}", "has to be auto, bpf, copy or tables, not 'fast'" },
	{ "sampling: {window: 10}", "has to be a duration such as" },
	{ "sampling: {window: 10 s}", "has to be a duration such as" },
	{ "sampling: {window: 99ms}", "has to be 100ms to 1h" },
	{ "sampling: {window: 99999999999999999999s}", "has to be a duration" },
	{ "sampling: {window: 40000w}", "has to be a duration" },
	{ "sampling: {cpu_budget: 1}", "has to be a share such as 1%" },
	{ "sampling: {cpu_budget: 101%}", "has to be a share such as 1%" },
	{ "sampling: {cpu_budget: 0.00001%}", "has to be a share such as 1%" },
	{ "sampling: {samples_per_hour: {label: __unit}}", "'__unit' begins with '__'" },
	{ "sampling: {samples_per_hour: {label: a-b}}", "'a-b' is not a valid label name" },
	{ "sampling: {samples_per_hour: {targets: [a]}}", "has to be a mapping, not a list" },
	{ "sampling: {samples_per_hour: {targets: {a: x}}}", "has to be a number, not 'x'" },
	{ "labels: {1a: b}", "line 1, column 10: '1a' is not a valid label name" },
	{ "labels: {__a: b}", "'__a' begins with '__'" },
	{ "labels: {a: \"b\\nc\"}", "'a' has a value with control characters" },
	{ "labels: {a: ''}", "'a' has no value" },
	{ "labels: {a: [b]}", "'labels' has to be a word, not a list" },
	{ "relabel: {}", "'relabel' has to be a list, not a mapping" },
	{ "relabel: [a]", "'relabel' has to be a mapping, not 'a'" },
	{ "relabel:\n- regex: '('\n  target_label: a", "line 2, column 10: regular expression, at "
	  "character 2: missing closing parenthesis" },
	{ "relabel:\n- regex: 'a'\n", "line 2, column 3: action 'replace' needs a 'target_label'" },
	{ "relabel:\n- target_label: a\n  action: foo", "line 3, column 11: unknown action 'foo'" },
	{ "relabel:\n- { source_labels: a, target_label: b }", "'source_labels' has to be a list" },
	{ "relabel:\n- { source_labels: [a-b], target_label: b }", "'a-b' is not a valid label name" },
	{ "relabel:\n- { source_label: [a], target_label: b }", "unknown key 'source_label'" },
	{ "relabel:\n- { target_label: b, modulus: x }", "'modulus' has to be a number" },
	{ "symbols: {mode: later}", "has to be background or never, not 'later'" },
	{ "symbols: {debuginfod: http://a}", "'debuginfod' has to be a list, not 'http://a'" },
	{ "symbols: {debuginfod: [ftp://a]}", "has to begin with http:// or https://" },
	{ "symbols: {debuginfod: ['http://a b']}", "has characters that a URL cannot have" },
	{ "symbols: {debuginfod: ['http://:80']}", "names no host" },
	{ "symbols: {debuginfod: ['http:///x']}", "names no host" },
	{ "supply: yes", "'supply' has to be true or false, not 'yes'" },
	{ "supply: 'true'", "'supply' has to be true or false" },
	{ "supply: True", "'supply' has to be true or false" },
	{ "store: {path: var}", "has to be an absolute path" },
	{ "store: {path: \"/a\\tb\"}", "has control characters" },
	{ "store: {max_size: 1G}", "has to be a size such as 500MB or 1GiB, not '1G'" },
	{ "store: {max_size: 1KiB}", "has to be 0 or at least 1MiB, not '1KiB'" },
	{ "store: {max_size: 99999999TiB}", "has to be a size" },
	{ "store: {max_age: 59s}", "has to be 0 or at least 1m" },
	{ "http: {listen: 0.0.0.0:80}", "other machines can reach 0.0.0.0:80: it needs a" },
	{ "http: {listen: ['127.0.0.1:1', '[::]:80']}", "line 1, column 32: other machines can reach [::]:80" },
	{ "http: {listen: localhost:80}", "has to be an IP address and a port such as" },
	{ "http: {listen: 127.0.0.1}", "has to be an IP address and a port such as" },
	{ "http: {listen: '::1:80'}", "has to be an IP address and a port such as" },
	{ "http: {listen: '127.0.0.1:65536'}", "has to be an IP address and a port such as" },
	{ "http: {listen: '127.0.0.1:'}", "has to be an IP address and a port such as" },
	{ "http: {listen: '[::1:80'}", "has to be an IP address and a port such as" },
	{ "http: {listen: '[]:80'}", "has to be an IP address and a port such as" },
	{ "http: {listen: '[:80'}", "has to be an IP address and a port such as" },
	{ "http: {listen: [127.0.0.1:1, 127.0.0.1:1]}", "127.0.0.1:1 is listed twice" },
	{ "http: {listen: ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3', '127.0.0.1:4', "
	  "'127.0.0.1:5', '127.0.0.1:6', '127.0.0.1:7', '127.0.0.1:8', '127.0.0.1:9']}",
	  "more than 8 addresses" },
	{ "http: {listen: {}}", "'listen' has to be a word, not a mapping" },
	{ "http: {token: secret}", "unknown key 'token'; known keys: listen, token_file" },
	{ "user: ''", "has to have 1 to 64 characters" },
	{ "user: -x", "has to be of letters, digits" },
	{ "user: a/b", "has to be of letters, digits" },
	{ "push: [{}]", "a target needs a 'name'" },
	{ "push: [{name: a, type: parca}]", "a target needs a 'url'" },
	{ "push: [{name: ../a, type: parca, url: 'http://a'}]", "has to be of letters, digits" },
	{ "push: [{name: a, type: kafka, url: 'http://a'}]",
	  "has to be pyroscope, parca, otlp, clickhouse or otlp_grpc, not 'kafka'" },
	{ "push: [{name: a, type: parca, url: 'http://u:p@a'}]",
	  "must not have a user or a password" },
	{ "push: [{name: a, type: parca, url: 'http://a', password: x}]", "unknown key 'password'" },
	{ "push: [{name: a, type: parca, url: 'http://a', user: x}]",
	  "'user' needs a 'password_file'" },
	{ "push: [{name: a, type: parca, url: 'http://a', password_file: /x}]",
	  "'password_file' needs a 'user'" },
	{ "push: [{name: a, type: parca, url: 'http://a', user: 'x:y', password_file: /x}]",
	  "cannot have a ':'" },
	{ "push: [{name: a, type: parca, url: 'http://a', user: x, password_file: /x, "
	  "token_file: /y}]", "either 'token_file' or" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {authorization: x}}]",
	  "'authorization' would be a secret in the configuration" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {Host: x}}]",
	  "'Host' is set by the protocol" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {'A b': x}}]",
	  "'A b' is not a valid header name" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {A: \"x\\r\\nB: y\"}}]",
	  "'A' has a value that is not printable ASCII" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {A: x, a: y}}]",
	  "'a' is given twice" },
	{ "push: [{name: a, type: parca, url: 'http://a', database: x}]",
	  "'database' is only for 'type: clickhouse'" },
	{ "push: [{name: a, type: clickhouse, url: 'http://a', database: 'a-b'}]",
	  "the name of a database is 1 to 64 letters, digits and '_'" },
	/* values that would be refused when the daemon starts */
	{ "push:\n- {name: a.b, type: parca, url: 'http://a'}",
	  "line 2, column 3: the name of a target is 1 to 64 letters, digits, '-' and '_'" },
	{ "push: [{name: a, type: parca, url: 'http://a/?b'}]", "a query or a fragment" },
	{ "push: [{name: a, type: parca, url: 'http://a', token_file: /x}]",
	  "a token or password is not sent without TLS" },
	{ "push: [{name: a, type: parca, url: 'http://a', headers: {A: ''}}]",
	  "header 1 is no \"Name: value\"" },
	{ "push: [{name: a, type: parca, url: 'http://a', timeout: 11m}]",
	  "has to be 100ms to 10m" },
	{ "push: [{name: a, type: parca, url: 'http://a', batch: 0}]", "has to be 1 to 1000" },
	{ "push: [{name: a, type: parca, url: 'http://a', proxy: 'socks5://b:1'}]", "http" },
	{ "push: [{name: a, type: parca, url: 'http://a', services: [1a]}]",
	  "is not a valid label name" },
	{ "push: [{name: a, type: parca, url: 'http://a', keep: unit}]", "list" },
	{ "push: [{name: a, type: parca, url: 'http://a'}, {name: a, type: otlp, url: 'http://b'}]",
	  "line 1, column 56: another target has the name 'a'" },
	/* YAML */
	{ "a: &x b", "line 1, column 4: anchors and tags are not supported" },
	{ "a: *x", "line 1, column 4: aliases are not supported" },
	{ "a: &x [b]", "anchors and tags are not supported" },
	{ "a: !!str b", "anchors and tags are not supported" },
	{ "? [a]\n: b", "a key has to be a word" },
	{ "a: b\n---\nc: d", "line 2, column 1: a second document" },
	{ "a: [", "while parsing a flow node: did not find expected" },
	{ "a: \"b", "while scanning a quoted scalar: found unexpected end" },
	{ "a: \"\\0\"", "the character 0 in a text" },
	{ "a: b\n c: d", "line 2, column 3: mapping values are not allowed" },
	{ "a: \xff", "offset 3: " },
	{ "[[[[[[[[[[[[[[[[[[", "line 1, column 17: more than 16 levels" },
};

static void test_refused(void **state)
{
	struct daemon_config c;
	struct diag diag;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		memset(&diag, 0, sizeof(diag));
		err = parse(refused[i].text, &c, &diag);
		if (err != -EINVAL)
			fail_msg("%s: %d", refused[i].text, err);
		if (!strstr(diag.text, refused[i].want) ||
		    (!strncmp(refused[i].want, "line", 4) &&
		     strncmp(diag.text, refused[i].want, strlen(refused[i].want)) != 0))
			fail_msg("%s:\n%s, not\n%s", refused[i].text, diag.text,
				 refused[i].want);
		assert_string_equal(diag.file, "f");
		assert_int_equal(parse(refused[i].text, &c, NULL), -EINVAL);
	}
}

/* A large file is refused before it is read, a file with too many nodes at its limit. */
static void test_bounds(void **state)
{
	char *text = malloc(CONFIG_MAX_BYTES + 2);
	struct daemon_config c;
	struct diag diag = { 0 };
	size_t n;

	memset(text, '#', CONFIG_MAX_BYTES + 1);
	text[CONFIG_MAX_BYTES + 1] = '\0';
	assert_int_equal(parse(text, &c, &diag), -EFBIG);
	text[CONFIG_MAX_BYTES] = '\0';
	must_parse(text, &c);
	config_free(&c);
	n = (size_t)sprintf(text, "relabel: [");
	while (n < 70000) {
		text[n++] = 'a';
		text[n++] = ',';
	}
	strcpy(text + n, "]");
	assert_int_equal(parse(text, &c, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "more than 32768 parts"));
	free(text);
}

static void test_values(void **state)
{
	uint64_t v;

	assert_true(config_value_duration("0", &v) && v == 0);
	assert_true(config_value_duration("7ns", &v) && v == 7);
	assert_true(config_value_duration("2us", &v) && v == 2000);
	assert_true(config_value_duration("1h", &v) && v == 3600000000000ull);
	assert_true(config_value_duration("2w", &v) && v == 1209600000000000ull);
	assert_false(config_value_duration("", &v));
	assert_false(config_value_duration("s", &v));
	assert_false(config_value_duration("1S", &v));
	assert_false(config_value_duration("01s", &v));
	assert_true(config_value_size("3", &v) && v == 3);
	assert_true(config_value_size("3B", &v) && v == 3);
	assert_true(config_value_size("2KB", &v) && v == 2000);
	assert_true(config_value_size("2TiB", &v) && v == 2ull << 40);
	assert_true(config_value_size("16777215TiB", &v) && v == 16777215ull << 40);
	assert_false(config_value_size("16777216TiB", &v));
	assert_true(config_value_share("100%", &v) && v == 1000000);
	assert_true(config_value_share("0.0001%", &v) && v == 1);
	assert_true(config_value_share("12.3%", &v) && v == 123000);
	assert_false(config_value_share("100.1%", &v));
	assert_false(config_value_share("1.%", &v));
	assert_false(config_value_share(".5%", &v));
	assert_true(config_value_number("18446744073709551615", &v) && v == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_shipped_is_complete),
		cmocka_unit_test(test_list_is_complete),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_manual),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_every_key),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_values),
	};

	/* a default is copied from it */
	unsetenv("NODE_NAME");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
