// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a configuration from outside the main file: variables of the environment in
 * values, and the files of conf.d. Each error names its file, place and reason.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/daemon/config.h"
#include "serve/daemon/relabel.h"

static int parse(const char *text, struct daemon_config *cfg, struct diag *diag)
{
	*diag = (struct diag){ 0 };
	return config_parse_files(&(struct config_file){ "f", text, strlen(text) }, 1, cfg, diag);
}

static void set_environment(void)
{
	setenv("USTACK_TEST_USER", "alice", 1);
	setenv("USTACK_TEST_EMPTY", "", 1);
	setenv("USTACK_TEST_HZ", "99", 1);
	setenv("USTACK_TEST_KEY", "root\nsupply: false", 1);
	setenv("USTACK_TEST_BYTES", "\xff", 1);
	unsetenv("USTACK_TEST_NONE");
}

static void test_values(void **state)
{
	static const struct {
		const char *value;
		const char *want;
	} cases[] = {
		{ "${USTACK_TEST_USER}", "alice" },
		{ "\"${USTACK_TEST_USER}\"", "alice" },
		{ "a ${USTACK_TEST_USER} b${USTACK_TEST_HZ}", "a alice b99" },
		{ "${USTACK_TEST_NONE:-bob}", "bob" },
		{ "${USTACK_TEST_EMPTY:-bob}", "bob" },
		{ "${USTACK_TEST_USER:-bob}", "alice" },
		{ "x${USTACK_TEST_NONE:-}y", "xy" },
		{ "x${USTACK_TEST_EMPTY}y", "xy" },
		{ "${USTACK_TEST_NONE:-a:-${b}c", "a:-${bc" },
		/* a literal $ */
		{ "$${USTACK_TEST_USER}", "${USTACK_TEST_USER}" },
		{ "$$${USTACK_TEST_USER}", "$${USTACK_TEST_USER}" },
		{ "$USTACK_TEST_USER $$ $1 cost$", "$USTACK_TEST_USER $$ $1 cost$" },
	};
	struct daemon_config c;
	struct diag diag;
	char text[256];
	size_t i;

	set_environment();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(text, sizeof(text), "labels:\n  host: %s\n", cases[i].value);
		if (parse(text, &c, &diag))
			fail_msg("%s: %s", text, diag.text);
		assert_string_equal(c.labels.pair[0].value, cases[i].want);
		config_free(&c);
	}
}

/* A number stays a number, a name stays a name, and rules keep the $ of regular expressions. */
static void test_kinds(void **state)
{
	struct daemon_config c;
	struct diag diag;
	struct labels set;

	set_environment();
	assert_int_equal(parse("sampling:\n  frequency: ${USTACK_TEST_HZ}\n"
			       "user: ${USTACK_TEST_NONE:-}\n", &c, &diag), 0);
	assert_int_equal(c.sampling.frequency, 99);
	/* an empty variable, as if the key had no value */
	assert_string_equal(c.user, "ustack");
	config_free(&c);

	assert_int_equal(parse("relabel:\n  - source_labels: [__unit]\n    regex: (.*)[.]service$\n"
			       "    replacement: ${1}\n    target_label: unit\n", &c, &diag), 0);
	labels_init(&set);
	labels_set(&set, "__unit", "cron.service");
	assert_true(relabel_apply(c.relabel, &set));
	assert_string_equal(labels_get(&set, "unit"), "cron");
	labels_release(&set);
	config_free(&c);

	/* a value cannot become a key */
	assert_int_equal(parse("labels:\n  host: a\nuser: ${USTACK_TEST_KEY}\n", &c, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "line 3, column 7: 'user'"));
	/* and a variable is not expanded in a key */
	assert_int_equal(parse("${USTACK_TEST_USER}: a\n", &c, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "unknown key '${USTACK_TEST_USER}'"));
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "user: ${USTACK_TEST_NONE}\n",
		  "line 1, column 7: the environment variable 'USTACK_TEST_NONE' is not set, and there is no "
		  "default: ${USTACK_TEST_NONE:-default}" },
		{ "labels:\n  a: x${}\n", "line 2, column 6: '${}'" },
		{ "user: ${1}\n", "line 1, column 7: '${1}'" },
		{ "user: ${A B}\n", "a reference is ${NAME} or ${NAME:-default}" },
		{ "user: ${A\n", "a reference is ${NAME} or ${NAME:-default}" },
		{ "user: ${A:-b\n", "a reference is ${NAME} or ${NAME:-default}" },
		{ "user: ${A-b}\n", "a reference is ${NAME} or ${NAME:-default}" },
		{ "user: ${USTACK_TEST_BYTES}\n",
		  "the environment variable 'USTACK_TEST_BYTES' is not UTF-8" },
		/* quotes turn a number into a text */
		{ "sampling:\n  frequency: \"${USTACK_TEST_HZ}\"\n", "'frequency' has to be a number" },
	};
	struct daemon_config c;
	struct diag diag;
	size_t i;

	set_environment();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(parse(cases[i].text, &c, &diag), -EINVAL);
		assert_string_equal(diag.file, "f");
		if (!strstr(diag.text, cases[i].want))
			fail_msg("%s: '%s' is not '%s'", cases[i].text, diag.text, cases[i].want);
	}
}

static const char *label(const struct daemon_config *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->labels.nr; i++)
		if (!strcmp(c->labels.pair[i].name, name))
			return c->labels.pair[i].value;
	return "";
}

/* In a pod the host has the pod's name, so the name of the node is used. */
static void test_node(void **state)
{
	struct daemon_config c;
	struct diag diag;

	setenv("NODE_NAME", "node-1.example.org", 1);
	assert_int_equal(parse("", &c, &diag), 0);
	assert_string_equal(label(&c, "host"), "node-1.example.org");
	assert_string_equal(label(&c, "node"), "node-1.example.org");
	config_free(&c);
	assert_int_equal(parse("labels: { host: h }\nkubernetes: { node: n }\n", &c, &diag), 0);
	assert_string_equal(label(&c, "host"), "h");
	assert_string_equal(label(&c, "node"), "n");
	config_free(&c);
	setenv("NODE_NAME", "a\nb", 1);
	assert_int_equal(parse("", &c, &diag), -EINVAL);
	assert_string_equal(diag.file, "NODE_NAME");
	setenv("NODE_NAME", "", 1);
	assert_int_equal(parse("", &c, &diag), 0);
	assert_string_equal(label(&c, "node"), "");
	config_free(&c);
	unsetenv("NODE_NAME");
}

/* A few bytes of a file must not expand to more memory than a file may have. */
static void test_much(void **state)
{
	size_t len = 100 << 10, i;
	char *value = malloc(len), text[512] = "labels:\n";
	struct daemon_config c;
	struct diag diag;

	memset(value, 'a', len);
	value[len - 1] = '\0';
	setenv("USTACK_TEST_LONG", value, 1);
	for (i = 0; i < 6; i++)
		sprintf(text + strlen(text), "  a%zu: ${USTACK_TEST_LONG}${USTACK_TEST_LONG}\n", i);
	assert_int_equal(parse(text, &c, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "line 7, column 7: values with references"));
	unsetenv("USTACK_TEST_LONG");
	free(value);
}

struct place {
	char dir[64];
	char main[96];
	char folder[96];
};

static void make_place(struct place *p)
{
	strcpy(p->dir, "/tmp/test_config_dropin.XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->main, sizeof(p->main), "%s/ustackd.yaml", p->dir);
	snprintf(p->folder, sizeof(p->folder), "%s/conf.d", p->dir);
	assert_int_equal(mkdir(p->folder, 0755), 0);
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	assert_int_equal(fclose(f), 0);
}

static void remove_place(const struct place *p)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", p->dir);
	assert_int_equal(system(command), 0);
}

static void test_order(void **state)
{
	struct daemon_config c, again;
	struct diag diag = { 0 };
	struct place p;
	char path[160];

	make_place(&p);
	put(p.dir, "ustackd.yaml", "sampling: { frequency: 7, window: 5s }\n"
				   "labels: { a: main, b: main, c: main }\n"
				   "push: [{ name: x, type: otlp, url: http://x }]\nuser: alice\n");
	put(p.folder, "20-b.yaml", "labels: { b: 20, c: 20 }\nsampling:\nuser: ~\n");
	put(p.folder, "100-c.yaml", "labels: { b: 100 }\nsampling: { frequency: 9 }\n"
				    "push: [{ name: y, type: parca, url: http://y }]\n");
	put(p.folder, "empty.yaml", "# nothing\n");
	put(p.folder, "later.yml", "user: [\n");
	put(p.folder, "later.yaml~", "user: [\n");
	put(p.folder, ".later.yaml", "user: [\n");
	put(p.folder, ".yaml", "user: [\n");
	if (config_load(p.main, &c, &diag))
		fail_msg("%s", diag.text);
	assert_int_equal(c.sampling.frequency, 9);
	assert_true(c.sampling.window_ns == 5000000000ull);
	assert_string_equal(label(&c, "a"), "main");
	/* in the order of bytes: 100 before 20 */
	assert_string_equal(label(&c, "b"), "20");
	assert_string_equal(label(&c, "c"), "20");
	assert_string_equal(c.user, "alice");
	assert_int_equal(c.nr_push, 1);
	assert_string_equal(c.push[0].name, "y");

	/* the serving process gets the same configuration */
	snprintf(path, sizeof(path), "%s/packed", p.dir);
	{
		FILE *f = fopen(path, "w");

		assert_int_equal(fwrite(c.bytes, 1, c.len, f), c.len);
		fclose(f);
	}
	assert_int_equal(config_load_packed(path, &again, &diag), 0);
	assert_int_equal(config_changes(&c, &again), 0);
	config_free(&again);
	assert_int_equal(truncate(path, (off_t)c.len - 1), 0);
	assert_int_equal(config_load_packed(path, &again, &diag), -EINVAL);
	assert_int_equal(truncate(path, 5), 0);
	assert_int_equal(config_load_packed(path, &again, &diag), -EINVAL);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(config_load_packed(path, &again, &diag), 0);
	assert_int_equal(again.sampling.frequency, 19);
	config_free(&again);
	config_free(&c);
	remove_place(&p);
}

/* The error names the wrong file, and the place in it. */
static void must_refuse(const struct place *p, int want_err, const char *want)
{
	struct daemon_config c;
	struct diag diag = { 0 };
	char text[512];

	assert_int_equal(config_load(p->main, &c, &diag), want_err);
	diag_format(&diag, text, sizeof(text));
	if (!strstr(text, want))
		fail_msg("'%s' is not '%s'", text, want);
}

static void test_broken(void **state)
{
	struct place p;
	char path[256];

	make_place(&p);
	put(p.dir, "ustackd.yaml", "http: { listen: 127.0.0.1:7071 }\n");
	put(p.folder, "10.yaml", "http:\n  listen: 0.0.0.0:1\n");
	must_refuse(&p, -EINVAL, "conf.d/10.yaml: line 2, column 11: other machines can reach 0.0.0.0:1:");
	put(p.folder, "10.yaml", "user: [\n");
	must_refuse(&p, -EINVAL, "conf.d/10.yaml: line 2");
	put(p.folder, "10.yaml", "- a\n");
	must_refuse(&p, -EINVAL, "conf.d/10.yaml: line 1, column 1: the configuration has to be a mapping");
	put(p.folder, "10.yaml", "sampling:\n  frequency: 1\n");
	put(p.folder, "20.yaml", "sampling:\n  min_frequency: 2\n");
	must_refuse(&p, -EINVAL, "conf.d/20.yaml: line 2, column 18: 'min_frequency' (2) is more than");
	unlink(strcat(strcpy(path, p.folder), "/20.yaml"));
	put(p.dir, "ustackd.yaml", "nope: 1\n");
	must_refuse(&p, -EINVAL, "ustackd.yaml: line 1, column 1: unknown key 'nope'");
	put(p.dir, "ustackd.yaml", "");
	/* a pipe is not waited for, a folder is not a file */
	assert_int_equal(mkfifo(strcat(strcpy(path, p.folder), "/20.yaml"), 0600), 0);
	must_refuse(&p, -EINVAL, "conf.d/20.yaml: is not a regular file");
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	must_refuse(&p, -EINVAL, "conf.d/20.yaml: is not a regular file");
	rmdir(path);
	assert_int_equal(symlink("nowhere", path), 0);
	must_refuse(&p, -ENOENT, "conf.d/20.yaml: No such file");
	unlink(path);
	put(p.folder, "20.yaml", "");
	assert_int_equal(truncate(path, CONFIG_MAX_BYTES - 10), 0);
	must_refuse(&p, -EFBIG, "conf.d/20.yaml: more than 1048576 bytes, with the files before it");
	unlink(path);
	unlink(p.main);
	must_refuse(&p, -ENOENT, "ustackd.yaml");
	remove_place(&p);
}

static void test_many(void **state)
{
	struct daemon_config c;
	struct diag diag;
	struct place p;
	char name[32];
	unsigned int i;

	make_place(&p);
	put(p.dir, "ustackd.yaml", "");
	for (i = 1; i < CONFIG_MAX_FILES; i++) {
		snprintf(name, sizeof(name), "%04u.yaml", i);
		put(p.folder, name, "");
	}
	assert_int_equal(config_load(p.main, &c, &diag), 0);
	config_free(&c);
	put(p.folder, "z.yaml", "");
	must_refuse(&p, -E2BIG, "conf.d/z.yaml: more than 256 files");
	remove_place(&p);
}

/* Files that other users could change are refused; only root can create such files. */
static void test_owner(void **state)
{
	struct place p;
	char path[256];

	if (geteuid())
		skip();
	make_place(&p);
	put(p.dir, "ustackd.yaml", "");
	put(p.folder, "10.yaml", "");
	snprintf(path, sizeof(path), "%s/10.yaml", p.folder);
	assert_int_equal(chown(path, 4242, 4242), 0);
	must_refuse(&p, -EPERM, "conf.d/10.yaml: belongs to user 4242");
	assert_int_equal(chown(path, 0, 0), 0);
	assert_int_equal(chown(p.folder, 4242, 4242), 0);
	must_refuse(&p, -EPERM, "conf.d: belongs to user 4242");
	remove_place(&p);
}

/* Without the folder nothing changes; a name without a folder belongs to the working folder. */
static void test_folder(void **state)
{
	char *dir = config_folder("/etc/ustack/ustackd.yaml");

	assert_string_equal(dir, "/etc/ustack/conf.d");
	free(dir);
	dir = config_folder("ustackd.yaml");
	assert_string_equal(dir, "conf.d");
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_much),
		cmocka_unit_test(test_node),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
