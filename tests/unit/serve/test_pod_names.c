// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of pods and containers from the folders of a kubelet, which the test creates as a
 * kubelet does; and labels of a window from them, for cgroups of both drivers and three
 * runtimes.
 */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "serve/daemon/pod_names.h"
#include "serve/daemon/relabel.h"
#include "serve/daemon/window.h"
#include "profile/profile.h"

#define UID "0f9a1b2c-3d4e-5f60-7182-93a4b5c6d7e8"
#define UID_CGROUP "0f9a1b2c_3d4e_5f60_7182_93a4b5c6d7e8"
#define STATIC_UID "1db6c36d8b1a3f6d3a6c4a0e5f1b2c3d"
#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define PAUSE "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define OTHER "00000000000000000000000000000000000000000000000000000000000000ff"
#define SECOND 1000000000ull

static char logs[64];

static void run(const char *format, ...)
{
	char command[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	assert_int_equal(system(command), 0);
}

static int make_node(void **state)
{
	strcpy(logs, "/tmp/test_pod_names.XXXXXX");
	assert_non_null(mkdtemp(logs));
	run("mkdir %s/pods %s/containers", logs, logs);
	return 0;
}

static int remove_node(void **state)
{
	run("rm -r %s", logs);
	return 0;
}

/* As kuberuntime makes them: a folder of the pod, one of the container, a link to its log. */
static void add_pod(const char *space, const char *pod, const char *uid)
{
	run("mkdir -p %s/pods/%s_%s_%s", logs, space, pod, uid);
}

static void add_container(const char *space, const char *pod, const char *uid,
			  const char *container, const char *id)
{
	add_pod(space, pod, uid);
	run("cd %s && mkdir -p pods/%s_%s_%s/%s && : >pods/%s_%s_%s/%s/0.log && "
	    "ln -s ../pods/%s_%s_%s/%s/0.log containers/%s_%s_%s-%s.log", logs,
	    space, pod, uid, container, space, pod, uid, container,
	    space, pod, uid, container, pod, space, container, id);
}

static void check(struct pod_names *n, const char *uid, const char *id, uint64_t now,
		  const char *space, const char *pod, const char *container, bool sure)
{
	struct pod_name got;

	pod_names_find(n, uid, id, now, &got);
	assert_string_equal(got.space, space);
	assert_string_equal(got.pod, pod);
	assert_string_equal(got.container, container);
	assert_int_equal(got.sure, sure);
}

static void test_find(void **state)
{
	struct pod_names *n = pod_names_new(logs);

	assert_true(pod_names_is_node(logs));
	assert_false(pod_names_is_node("/nowhere"));
	add_container("shop", "cart-5d78c9869d-x2v9k", UID, "server", ID);
	add_container("kube-system", "etcd-node.example.org", STATIC_UID, "etcd", OTHER);
	check(n, UID, ID, SECOND, "shop", "cart-5d78c9869d-x2v9k", "server", true);
	check(n, STATIC_UID, OTHER, SECOND, "kube-system", "etcd-node.example.org", "etcd", true);
	check(n, UID, "", SECOND, "shop", "cart-5d78c9869d-x2v9k", "", true);
	/* a container of another pod */
	check(n, UID, OTHER, SECOND, "shop", "cart-5d78c9869d-x2v9k", "", false);
	pod_names_free(n);
	pod_names_free(NULL);
}

/* The container's link appears after its start, and the pod's sandbox never has one. */
static void test_later(void **state)
{
	struct pod_names *n = pod_names_new(logs);
	uint64_t now = 1000 * SECOND;

	check(n, UID, ID, now, "", "", "", false);
	add_pod("shop", "cart", UID);
	/* folders are not read for each sample */
	check(n, UID, ID, now + 1, "", "", "", false);
	now += POD_RESCAN_NS;
	check(n, UID, ID, now, "shop", "cart", "", false);
	add_container("shop", "cart", UID, "server", ID);
	now += POD_RESCAN_NS;
	check(n, UID, ID, now, "shop", "cart", "server", true);
	check(n, UID, PAUSE, now, "shop", "cart", "", false);
	check(n, UID, PAUSE, now + POD_PATIENCE_NS - 1, "shop", "cart", "", false);
	check(n, UID, PAUSE, now + POD_PATIENCE_NS, "shop", "cart", "", true);
	/* a pod that was removed is unknown when the folders are read again */
	run("rm -r %s/pods/* %s/containers/*", logs, logs);
	check(n, UID, OTHER, now + POD_PATIENCE_NS + POD_RESCAN_NS, "", "", "", false);
	pod_names_free(n);
}

static void test_folders_that_are_not(void **state)
{
	struct pod_names *n = pod_names_new("/nowhere/at/all");

	check(n, UID, ID, SECOND, "", "", "", false);
	check(n, "", "", SECOND, "", "", "", false);
	pod_names_free(n);
}

static void test_names(void **state)
{
	static const char *const bad_pods[] = {
		"", "_", "__", "a_b", "a_b_", "a_b_c", "a_b_" UID "x", "A_b_" UID, "a.b_c_" UID,
		"-a_b_" UID, "a-_b_" UID, "_b_" UID, "a__" UID, "a_b_c_" UID, "a_b\n_" UID,
		"a_.b_" UID, "..", "a_b_0f9a1b2c/3d4e-5f60-7182-93a4b5c6d7e8",
		/* a namespace of 64 characters */
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_b_" UID,
	};
	static const char *const bad_containers[] = {
		"", ".log", "a_b_c.log", "a_b_c-" ID, "a_b_c-" ID ".txt", "a_b_" ID ".log",
		"a_b_-" ID ".log", "a_b_c" ID ".log", "_b_c-" ID ".log", "a__c-" ID ".log",
		"a_b-" ID ".log", "a_b_C-" ID ".log", "a_b.d_c-" ID ".log", "a_b_c.d-" ID ".log",
		"a_b_c-" ID "0.log", "a_b_c-\xff" ID ".log",
		"-" ID ".log", "_-" ID ".log", "__-" ID ".log",
	};
	struct pod_name got;
	char key[POD_ID_ROOM];
	size_t i;

	assert_true(pod_names_parse_pod("a_b.c-d_" UID, &got, key));
	assert_string_equal(key, UID);
	assert_true(pod_names_parse_container("b.c-d_a_e-f-" ID ".log", &got, key));
	assert_string_equal(got.container, "e-f");
	assert_string_equal(got.pod, "b.c-d");
	assert_string_equal(key, ID);
	for (i = 0; i < ARRAY_SIZE(bad_pods); i++)
		if (pod_names_parse_pod(bad_pods[i], &got, key))
			fail_msg("%s is taken for a pod", bad_pods[i]);
	for (i = 0; i < ARRAY_SIZE(bad_containers); i++)
		if (pod_names_parse_container(bad_containers[i], &got, key))
			fail_msg("%s is taken for a container", bad_containers[i]);
}

/* More than a node can have: as many as there is room for, and no more memory than that. */
static void test_many(void **state)
{
	struct pod_names *n = pod_names_new(logs);
	unsigned int known = 0, i;
	struct pod_name got;
	char uid[40];

	run("cd %s/pods && seq %u | awk '{ printf \"a_b%%d_%%032x\\n\", $1, $1 }' | xargs mkdir", logs,
	    POD_MAX_KNOWN + 10);
	for (i = 1; i <= POD_MAX_KNOWN + 10; i++) {
		snprintf(uid, sizeof(uid), "%032x", i);
		pod_names_find(n, uid, "", SECOND, &got);
		known += *got.pod != '\0';
	}
	assert_int_equal(known, POD_MAX_KNOWN);
	pod_names_free(n);
	run("rm -r %s/pods && mkdir %s/pods", logs, logs);
}

struct expected {
	const char *cgroup;
	const char *container;
	const char *pod;
	const char *namespace;
	const char *id;
	const char *uid;
};

static void check_label(const struct profile *p, const char *name, const char *want)
{
	const char *got = profile_label_text(p, p->samples[0].labels, name);

	if (strcmp(got ? got : "", want ? want : ""))
		fail_msg("%s is '%s', not '%s'", name, got ? got : "", want ? want : "");
}

static void check_window(struct window_rules *w, const struct expected *e)
{
	struct profile *in = profile_new(), *out;
	struct profile_label label;

	profile_value_type(in, "samples", "count");
	label = (struct profile_label){ .key = profile_string(in, PROFILE_LABEL_CGROUP),
					.str = profile_string(in, e->cgroup) };
	profile_add(in, profile_stack(in, 0, profile_location(in, 0, 0x10)),
		    profile_labels(in, &label, 1), &(int64_t){ 1 });
	in->duration_ns = SECOND;
	assert_int_equal(window_make(in, w, 0, &out, NULL), 0);
	assert_int_equal(out->nr_samples, 1);
	check_label(out, "container", e->container);
	check_label(out, "pod", e->pod);
	check_label(out, "namespace", e->namespace);
	check_label(out, "container_id", e->id);
	check_label(out, "pod_uid", e->uid);
	profile_free(in);
	profile_free(out);
}

/* By the rules that apply if a configuration has none. */
static void test_labels(void **state)
{
	static const struct expected cases[] = {
		/* containerd, systemd's driver, version 2 */
		{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_CGROUP ".slice/"
		  "cri-containerd-" ID ".scope", "server", "cart", "shop", ID, UID },
		/* CRI-O, with a process of its own below */
		{ "/kubepods.slice/kubepods-pod" UID_CGROUP ".slice/crio-" ID ".scope/container",
		  "server", "cart", "shop", ID, UID },
		/* docker */
		{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_CGROUP
		  ".slice/docker-" ID ".scope", "server", "cart", "shop", ID, UID },
		/* cgroupfs' driver, either version; also a static pod */
		{ "/kubepods/burstable/pod" UID "/" ID, "server", "cart", "shop", ID, UID },
		{ "/kubepods/pod" STATIC_UID "/" OTHER, "etcd", "etcd-node", "kube-system", OTHER,
		  STATIC_UID },
		/* containerd with cgroupfs' driver and systemd's words */
		{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_CGROUP
		  ".slice:cri-containerd:" ID, "server", "cart", "shop", ID, UID },
		/* the sandbox has a pod, but no name of its own */
		{ "/kubepods/burstable/pod" UID "/" PAUSE, PAUSE, "cart", "shop", NULL, UID },
		/* the pod alone */
		{ "/kubepods/burstable/pod" UID, NULL, "cart", "shop", NULL, UID },
		/* not of Kubernetes; and a pod of podman */
		{ "/system.slice/docker-" ID ".scope", ID, NULL, NULL, NULL, NULL },
		{ "/machine.slice/machine-libpod_pod_" ID ".slice/libpod-" OTHER ".scope", OTHER, ID,
		  NULL, NULL, NULL },
		{ "/system.slice/cron.service", NULL, NULL, NULL, NULL, NULL },
	};
	struct pod_names *n = pod_names_new(logs);
	struct config_pairs machine = { NULL, 0 };
	struct window_rules *w;
	struct relabel *r;
	size_t i;

	add_container("shop", "cart", UID, "server", ID);
	add_container("kube-system", "etcd-node", STATIC_UID, "etcd", OTHER);
	assert_int_equal(relabel_default(&r), 0);
	assert_int_equal(window_rules_new(r, &machine, NULL, n, &w), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		check_window(w, &cases[i]);
	window_rules_free(w);
	pod_names_free(n);
	relabel_free(r);
}

/* A set whose name is still missing is looked up again; a known one is cached. */
static void test_remembered(void **state)
{
	static const char cgroup[] = "/kubepods/burstable/pod" UID "/" ID;
	const struct expected before = { cgroup, ID, UID, NULL, NULL, NULL };
	const struct expected after = { cgroup, "server", "cart", "shop", ID, UID };
	struct config_pairs machine = { NULL, 0 };
	struct pod_names *n = pod_names_new(logs);
	struct window_rules *w;
	struct pod_name got;
	struct relabel *r;

	assert_int_equal(relabel_default(&r), 0);
	assert_int_equal(window_rules_new(r, &machine, NULL, n, &w), 0);
	check_window(w, &before);
	add_container("shop", "cart", UID, "server", ID);
	/* a time in the future makes it read the folders at once */
	pod_names_find(n, STATIC_UID, "", UINT64_MAX / 2, &got);
	check_window(w, &after);
	run("rm -r %s/pods/* %s/containers/*", logs, logs);
	pod_names_find(n, STATIC_UID, "", UINT64_MAX, &got);
	pod_names_find(n, UID, ID, UINT64_MAX, &got);
	assert_string_equal(got.pod, "");
	check_window(w, &after);
	window_rules_free(w);
	pod_names_free(n);
	relabel_free(r);
}

#define NODE_TEST(test) cmocka_unit_test_setup_teardown(test, make_node, remove_node)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NODE_TEST(test_find),
		NODE_TEST(test_later),
		cmocka_unit_test(test_folders_that_are_not),
		cmocka_unit_test(test_names),
		NODE_TEST(test_many),
		NODE_TEST(test_labels),
		NODE_TEST(test_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
